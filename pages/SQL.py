"""SQL over the graph at both clocks, tables from files, and databases: a query, its rows, and a chart that fits."""

from components import link_clicks, shell, state
from components.sql import query
from components.sql.page import sql_page
from components.sql.sql_view import SqlView

query.come_back()
opened = shell.open_page("SQL", needs_facts=False, dim_bar=state.view().of(SqlView).tab == "join")
link_clicks.follow()
sql_page(opened)
