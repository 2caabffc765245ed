"""Reads from the graph what the rows of an import may touch, and no more than that where it pays."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import replace

from services.core.import_rows import Row
from services.core.models import Entity, Episode, Fact, GraphWrite
from services.graph.store import GraphStore, own_id
from services.writing.import_plan import episode_uuid

_AT_ONCE = 8
_LOOKUP_COST = 50
"""About how many records a scan reads in the time of one look-up by name."""


async def stored_for(graph: GraphStore, workspace: str, rows: Sequence[Row]) -> GraphWrite:
    """Entities that rows name, or mean by uuid, all facts of those that rows have as a source, and the episodes of the
    same text."""
    counts = (await graph.watermark(workspace)).counts
    texts = {text for row in rows for text in (row.episode, row.ending) if text}
    given = {uuid for row in rows for uuid in (row.episode_uuid, row.ending_uuid) if uuid}
    uuids = sorted({episode_uuid(workspace, text) for text in texts} | given)
    episodes: tuple[Episode, ...] = await graph.episodes(workspace, uuids) if counts.episodes and uuids else ()
    names = {name for row in rows for name in (row.source, row.target)}
    if not counts.entities:
        return GraphWrite(episodes=episodes)
    meant = {uuid for row in rows for uuid in (row.source_uuid, row.target_uuid) if uuid}
    if len(names) * _LOOKUP_COST > counts.entities + counts.facts:
        entities, facts = await _scanned(graph, workspace, names, meant)
    else:
        sources = {row.source for row in rows} | {row.source_uuid for row in rows}
        entities, facts = await _looked_up(graph, workspace, names, meant, sources)
    return GraphWrite(_written_by_uuid(entities), _written_by_uuid(facts), episodes)


async def with_merged(
    graph: GraphStore, workspace: str, rows: Sequence[Row], stored: GraphWrite
) -> tuple[Sequence[Row], GraphWrite]:
    """Rows that say a merged entity's name, and no stored one's, with the uuid of the one that was kept, and what is
    stored with that one and its facts."""
    merged = await graph.merged(workspace)
    if not merged:
        return rows, stored
    known: set[tuple[str, str | None]] = {
        (entity.name, type) for entity in stored.entities for type in (*entity.types, "")
    }
    known |= {(entity.name, None) for entity in stored.entities if not entity.types}
    into: dict[tuple[str, str | None], str] = {
        (one.name, type): one.into for one in reversed(merged) for type in (*one.types, "")
    }
    into |= {(one.name, None): one.into for one in reversed(merged) if not one.types}

    def kept(name: str, type: str, uuid: str) -> str:
        if uuid or (name, type) in known or (name, None) in known:
            return uuid
        return into.get((name, type)) or into.get((name, None)) or ""

    led = [
        row._replace(
            source_uuid=kept(row.source, row.source_type, row.source_uuid),
            target_uuid=kept(row.target, row.target_type, row.target_uuid),
        )
        for row in rows
    ]
    return led, await with_given(graph, workspace, led, stored)


async def with_given(graph: GraphStore, workspace: str, rows: Sequence[Row], stored: GraphWrite) -> GraphWrite:
    """What is stored with the entities that rows give by uuid, and the facts of those that are sources."""
    there = {entity.uuid for entity in stored.entities}
    given = {uuid for row in rows for uuid in (row.source_uuid, row.target_uuid) if uuid}
    entities = [e for e in await graph.entities(workspace, sorted(given - there)) if e.uuid in given]
    facts = {fact.uuid: fact for fact in stored.facts}
    for uuid in sorted({row.source_uuid for row in rows if row.source_uuid}):
        facts |= {fact.uuid: fact for fact in _written_by_uuid(await graph.history(workspace, uuid))}
    return replace(stored, entities=(*stored.entities, *_written_by_uuid(entities)), facts=tuple(facts.values()))


async def held_by_others(graph: GraphStore, workspace: str, created: GraphWrite) -> frozenset[str]:
    """The uuids of a plan's new records that other records have: of what was renamed or re-dated since it came in."""
    if not (created.entities or created.facts) or not (await graph.watermark(workspace)).counts.entities:
        return frozenset()
    entities = await graph.entities(workspace, [entity.uuid for entity in created.entities])
    facts = await graph.facts(workspace, [fact.uuid for fact in created.facts])
    merged = {one.uuid for one in await graph.merged(workspace)} & {entity.uuid for entity in created.entities}
    return frozenset(e.uuid for e in entities) | frozenset(f.uuid for f in facts) | merged


def _written_by_uuid[R: (Entity, Fact)](found: Iterable[R]) -> tuple[R, ...]:
    """Without those that other programs gave no uuid: an import could not write to them, and makes its own."""
    return tuple(record for record in found if own_id(record.uuid) is None)


async def _scanned(
    graph: GraphStore, workspace: str, names: set[str], meant: set[str]
) -> tuple[tuple[Entity, ...], tuple[Fact, ...]]:
    entities = [e for e in await _all(graph.scan_entities(workspace)) if e.name in names or e.uuid in meant]
    known = {entity.uuid for entity in entities}
    facts = [f for f in await _all(graph.scan_facts(workspace)) if f.source_uuid in known and f.target_uuid in known]
    return tuple(entities), tuple(facts)


async def _all[T](batches: AsyncIterator[tuple[T, ...]]) -> list[T]:
    return [record async for batch in batches for record in batch]


async def _looked_up(
    graph: GraphStore, workspace: str, names: Iterable[str], meant: Iterable[str], sources: set[str]
) -> tuple[tuple[Entity, ...], tuple[Fact, ...]]:
    turns = asyncio.Semaphore(_AT_ONCE)

    async def named(name: str) -> list[Entity]:
        async with turns:
            return list(await graph.entities_named(workspace, name, exactly=True))

    async def history(entity: Entity) -> tuple[Fact, ...]:
        async with turns:
            return await graph.history(workspace, entity.uuid)

    by_name = [e for group in await asyncio.gather(*map(named, sorted(names))) for e in group]
    found = {entity.uuid: entity for entity in (*by_name, *await graph.entities(workspace, sorted(meant)))}
    asked = (entity for entity in found.values() if entity.name in sources or entity.uuid in sources)
    histories = await asyncio.gather(*map(history, asked))
    facts = {fact.uuid: fact for facts in histories for fact in facts}
    return tuple(found.values()), tuple(facts.values())
