"""What may want mending: facts retired wrongly or at odds, doubles, loose ends, undated facts, items not taken in."""

from components import damage_notice, link_clicks, shell
from components.health.contradictions import contradictions, undated
from components.health.dates_again import dates_again
from components.health.dismissed import seen_as_right
from components.health.duplicates import same_entities, same_facts
from components.health.findings import findings
from components.health.future import from_the_future
from components.health.kpi_tiles import nothing_to_look_at, tiles
from components.health.orphans import loose
from components.health.retirements import suspicious, together
from components.health.unfinished_items import failed, waiting

opened = shell.open_page("Health", needs_facts=False, dim_bar=True)
damage_notice.settle(opened.name, opened.label)
shell.needs_anything(opened)
link_clicks.follow()
found = findings(opened.workspace)
tiles(found)
nothing_to_look_at(found)
from_the_future(opened.name, found)
contradictions(opened.name, found)
same_entities(opened.name, found)
same_facts(opened.name, found)
suspicious(opened.name, found)
loose(opened.name, found)
undated(opened.name, found)
dates_again(opened)
failed(found)
waiting(found)
together(opened.name, found)
seen_as_right(opened.name, found)
