"""What an agent remembers: the eight queries over its records, search, import and export."""

from components import link_clicks, shell
from components.memory.page import memory_page

opened = shell.open_page("Memory", needs_facts=False)
link_clicks.follow()
memory_page(opened)
