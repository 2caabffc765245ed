"""What the graph was fed from: every document and episode with what came of it, and one of them with its text."""

from components import fact_actions, links, shell
from components.sources.listing import listing
from components.sources.source_page import one

opened = shell.open_page("Sources", needs_facts=False, dim_bar=True)
links.follow()
fact_actions.asked_for(opened.name)
if opened.view.source is None:
    listing(opened)
else:
    one(opened, opened.view.source)
