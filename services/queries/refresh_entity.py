"""What is looked at closely is fresh: one entity's facts are read from the graph, and the mirror put in step with them.

Pages read the mirror alone, so the picture never says another thing than the panel beside it.
"""

from collections.abc import Sequence

from services.context import OpenWorkspace
from services.core.errors import GraphUnavailable
from services.core.models import Entity, Fact, GraphWrite
from services.mirror.mirror import Mirror

_PATIENCE = 5.0
"""Seconds that a page waits for the graph; the mirror catches up by itself otherwise."""


def refresh_entity(workspace: OpenWorkspace, entity_uuid: str) -> bool:
    """Put the mirror in step with the graph as far as one entity and its facts go; returns whether anything differed.

    Nothing happens while the graph is out of reach: pages then show the mirror, marked with its time.
    """
    mirror = workspace.mirror
    if workspace.status.down:
        return False
    try:
        entities, facts = workspace.run(_read(workspace, entity_uuid), _PATIENCE)
        if _same(mirror, entity_uuid, entities, facts):
            return False
        found = workspace.run(_with_surroundings(workspace, entities, facts), _PATIENCE)
    except GraphUnavailable:
        return False
    before = mirror.version
    gone = {fact.uuid for fact in mirror.history(entity_uuid)} - {fact.uuid for fact in facts}
    gone_entities = () if entities else (entity_uuid,)
    workspace.services.mirrors.written(workspace.name, found, gone_entities=gone_entities, gone_facts=gone)
    return mirror.version != before


async def _read(workspace: OpenWorkspace, uuid: str) -> tuple[tuple[Entity, ...], tuple[Fact, ...]]:
    graph, name = workspace.graph, workspace.name
    return await graph.entities(name, (uuid,)), await graph.history(name, uuid)


def _same(mirror: Mirror, uuid: str, entities: Sequence[Entity], facts: Sequence[Fact]) -> bool:
    """True when nothing differs, and for facts that share a uuid, which only a comparison of everything can tell."""
    if len({fact.uuid for fact in facts}) < len(facts):
        return True
    known = {fact.uuid: fact for fact in mirror.history(uuid)}
    return tuple(entities) == mirror.entities((uuid,)) and {fact.uuid: fact for fact in facts} == known


async def _with_surroundings(workspace: OpenWorkspace, entities: Sequence[Entity], facts: Sequence[Fact]) -> GraphWrite:
    """With the other ends and the sources, which may be as new as the facts."""
    ends = {end for fact in facts for end in (fact.source_uuid, fact.target_uuid)} - {e.uuid for e in entities}
    sources = {uuid for fact in facts for uuid in fact.episodes}
    others = await workspace.graph.entities(workspace.name, sorted(ends))
    episodes = await workspace.graph.episodes(workspace.name, sorted(sources))
    return GraphWrite((*entities, *others), tuple(facts), episodes)
