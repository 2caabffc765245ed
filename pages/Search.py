"""Facts, passages of documents and entities, found as one types, at the date of the time bar."""

from components import shell
from components.search.search_fragment import search_fragment

opened = shell.open_page("Search", needs_facts=False)
shell.needs_anything(opened)
search_fragment(opened)
