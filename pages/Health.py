"""What may want mending: facts retired wrongly or at odds, doubles, loose ends, undated facts, items not taken in."""

from components import links, shell
from components.health.doubles import same_entities
from components.health.failed import failed, waiting
from components.health.findings import findings
from components.health.loose import loose
from components.health.odds import contradictions, same_facts, undated
from components.health.retired import suspicious, together
from components.health.seen import seen_as_right
from components.health.tiles import nothing_to_look_at, tiles

opened = shell.open_page("Health", needs_facts=False, dim_bar=True)
shell.needs_anything(opened)
links.follow()
found = findings(opened.services, opened.name)
tiles(found)
nothing_to_look_at(found)
suspicious(opened.name, found)
together(opened.name, found)
contradictions(opened.name, found)
same_entities(opened.name, found)
same_facts(opened.name, found)
loose(opened.name, found)
undated(opened.name, found)
failed(found)
waiting(found)
seen_as_right(opened.name, found)
