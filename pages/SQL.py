"""SQL over the graph at both clocks, tables from files, and databases: a query, its rows, and a chart that fits."""

from components import links, shell
from components.sql.page import sql_page

opened = shell.open_page("SQL", needs_facts=False)
links.follow()
sql_page(opened)
