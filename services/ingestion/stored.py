"""Reads from the graph what the rows of an import may touch, and no more than that where it pays."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence

from services.graph.store import GraphStore, own_id
from services.ingestion.plan import episode_uuid
from services.ingestion.rows import Row
from services.models import Entity, Episode, Fact, GraphWrite

_AT_ONCE = 8
_LOOKUP_COST = 50
"""About how many records a scan reads in the time of one look-up by name."""


async def stored_for(graph: GraphStore, workspace: str, rows: Sequence[Row]) -> GraphWrite:
    """Entities that rows name, all facts of those that rows have as a source, and the episodes of the same text."""
    counts = (await graph.watermark(workspace)).counts
    texts = {text for row in rows for text in (row.episode, row.ending) if text}
    uuids = sorted(episode_uuid(workspace, text) for text in texts)
    episodes: tuple[Episode, ...] = await graph.episodes(workspace, uuids) if counts.episodes and uuids else ()
    names = {name for row in rows for name in (row.source, row.target)}
    if not counts.entities:
        return GraphWrite(episodes=episodes)
    if len(names) * _LOOKUP_COST > counts.entities + counts.facts:
        entities, facts = await _scanned(graph, workspace, names)
    else:
        entities, facts = await _looked_up(graph, workspace, names, {row.source for row in rows})
    return GraphWrite(_written_by_uuid(entities), _written_by_uuid(facts), episodes)


async def held_by_others(graph: GraphStore, workspace: str, created: GraphWrite) -> frozenset[str]:
    """The uuids of a plan's new records that other records have: of what was renamed or re-dated since it came in."""
    if not (created.entities or created.facts) or not (await graph.watermark(workspace)).counts.entities:
        return frozenset()
    entities = await graph.entities(workspace, [entity.uuid for entity in created.entities])
    facts = await graph.facts(workspace, [fact.uuid for fact in created.facts])
    return frozenset(e.uuid for e in entities) | frozenset(f.uuid for f in facts)


def _written_by_uuid[R: (Entity, Fact)](found: Iterable[R]) -> tuple[R, ...]:
    """Without those that other programs gave no uuid: an import could not write to them, and makes its own."""
    return tuple(record for record in found if own_id(record.uuid) is None)


async def _scanned(graph: GraphStore, workspace: str, names: set[str]) -> tuple[tuple[Entity, ...], tuple[Fact, ...]]:
    entities = [e for e in await _all(graph.scan_entities(workspace)) if e.name in names]
    known = {entity.uuid for entity in entities}
    facts = [f for f in await _all(graph.scan_facts(workspace)) if f.source_uuid in known and f.target_uuid in known]
    return tuple(entities), tuple(facts)


async def _all[T](batches: AsyncIterator[tuple[T, ...]]) -> list[T]:
    return [record async for batch in batches for record in batch]


async def _looked_up(
    graph: GraphStore, workspace: str, names: Iterable[str], sources: set[str]
) -> tuple[tuple[Entity, ...], tuple[Fact, ...]]:
    turns = asyncio.Semaphore(_AT_ONCE)

    async def named(name: str) -> list[Entity]:
        async with turns:
            return list(await graph.entities_named(workspace, name, exactly=True))

    async def history(entity: Entity) -> tuple[Fact, ...]:
        async with turns:
            return await graph.history(workspace, entity.uuid)

    found = [e for group in await asyncio.gather(*map(named, sorted(names))) for e in group]
    histories = await asyncio.gather(*(history(entity) for entity in found if entity.name in sources))
    facts = {fact.uuid: fact for facts in histories for fact in facts}
    return tuple(found), tuple(facts.values())
