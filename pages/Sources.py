"""What the graph was fed from: documents and episodes, imported tables, and one source with its text."""

from components import fact_actions, link_clicks, shell
from components.sources.client_proposals import proposed
from components.sources.imported_tables import imported_tables, newest
from components.sources.source_page import one
from components.sources.source_table import listing
from components.sources.sources_view import SourcesView

opened = shell.open_page("Sources", needs_facts=False, dim_bar=True)
link_clicks.follow()
fact_actions.asked_for(opened.name)
source = opened.view.of(SourcesView).source
if source is None:
    proposed(opened)
    tables = newest(opened)
    listing(opened, has_tables=bool(tables))
    imported_tables(opened, tables)
else:
    one(opened, source)
