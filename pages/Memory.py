"""What an agent remembers: the eight queries over its records, search, import and export."""

from components import links, shell
from components.memory.page import memory_page

opened = shell.open_page("Memory", needs_facts=False)
links.follow()
memory_page(opened)
