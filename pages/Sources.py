"""What the graph was fed from: every document and episode with what came of it, and one of them with its text."""

from components import fact_actions, links, shell
from components.sources.proposed import proposed
from components.sources.source_page import one
from components.sources.source_table import listing
from components.sources.sources_view import SourcesView

opened = shell.open_page("Sources", needs_facts=False, dim_bar=True)
links.follow()
fact_actions.asked_for(opened.name)
source = opened.view.of(SourcesView).source
if source is None:
    proposed(opened)
    listing(opened)
else:
    one(opened, source)
