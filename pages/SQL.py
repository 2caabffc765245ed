"""SQL over the graph at both clocks, tables from files, and databases: a query, its rows, and a chart that fits."""

from components import links, shell
from components.sql.query_tab import query_tab

opened = shell.open_page("SQL", needs_facts=False)
links.follow()
query_tab(opened)
