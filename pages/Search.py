"""Facts, passages of documents and entities, found as one types, at the date of the time bar."""

from components import shell
from components.search.desk import desk

opened = shell.open_page("Search", needs_facts=False)
shell.needs_anything(opened)
desk(opened)
