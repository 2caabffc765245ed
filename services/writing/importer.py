"""Imports rows, all or nothing: what they mean against what is stored, and the edit that makes it so."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from services.context import OpenWorkspace
from services.core.change_records import Origin
from services.core.gc_pause import gc_pause
from services.core.import_rows import Row
from services.core.json_documents import Json
from services.core.models import Entity, Episode, Fact, GraphWrite
from services.core.progress import Progress, nobody
from services.graph.store import GraphStore, check_workspace, own_id
from services.writing.change_sets import writing
from services.writing.edits import Edit
from services.writing.fact_revisions import Verdict
from services.writing.import_plan import NO_SUMMARIES, ImportPlan, Summaries, episode_uuid, mentioning, plan_import
from services.writing.record_times import record_instant

IMPORT = Origin("import")
_AT_ONCE = 8
_LOOKUP_COST = 50
"""About how many records a scan reads in the time of one look-up by name."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did: rows by what they meant, and how many records of each kind are new."""

    rows: Mapping[Verdict, int]
    entities: int
    facts: int
    episodes: int


@gc_pause()
def preview_import(workspace: OpenWorkspace, rows: Sequence[Row], summaries: Summaries = NO_SUMMARIES) -> ImportPlan:
    """What importing `rows` would do, without doing it.

    Raises `BadInput` for what cannot name a workspace, and `WriteFailed` where the clock is wrong.
    """
    check_workspace(workspace.name)
    rows, stored = workspace.run(_ground(workspace.graph, workspace.name, rows))
    now, taken = record_instant(workspace), frozenset[str]()
    while True:
        plan = plan_import(workspace.name, rows, stored, now, summaries, taken)
        others = workspace.run(held_by_others(workspace.graph, workspace.name, plan.created))
        if not others:
            return plan
        taken |= others


async def _ground(graph: GraphStore, workspace: str, rows: Sequence[Row]) -> tuple[Sequence[Row], GraphWrite]:
    """What is stored of what rows say, and the rows with the entities that they mean by now."""
    stored = await stored_for(graph, workspace, rows)
    if any(row.source_uuid or row.target_uuid for row in rows):
        stored = await with_given(graph, workspace, rows, stored)
    return await with_merged(graph, workspace, rows, stored)


def import_rows(
    workspace: OpenWorkspace,
    rows: Sequence[Row],
    *,
    title: str,
    summaries: Summaries = NO_SUMMARIES,
    origin: Origin = IMPORT,
    progress: Progress = nobody,
    cancel: threading.Event | None = None,
) -> Imported:
    """Import `rows` whole, or not at all. `title` says in the list of changes what this was.

    Raises `Cancelled` once `cancel` is set, and `WriteFailed` when the write did not go through; nothing is in then.
    """
    with writing(workspace, cancel) as writer:
        plan = preview_import(workspace, rows, summaries)
        if plan.is_empty:
            progress(0, 0)
        else:
            writer.apply(edit_of(plan), title=title, origin=origin, at=plan.recorded_at, progress=progress)
    return summary(plan)


def edit_of(plan: ImportPlan, beside: Edit | None = None) -> Edit:
    """A plan as an edit. `beside` brings documents, and the sources that rows gave by uuid, which mention what the plan
    says of them."""
    if beside is None:
        return Edit(created=plan.created, replaced=plan.replaced)
    brought = tuple(mentioning(one, plan.mentions.get(one.uuid, ())) for one in beside.created.episodes)
    created = replace(plan.created, episodes=(*brought, *plan.created.episodes))
    return replace(beside, created=created, replaced=plan.replaced)


def summary(plan: ImportPlan) -> Imported:
    """A plan in numbers."""
    created = plan.created
    return Imported(plan.counts, len(created.entities), len(created.facts), len(created.episodes))


def imported_document(done: Imported) -> Json:
    """What an import did, or would do."""
    created = {"entities": done.entities, "facts": done.facts, "episodes": done.episodes}
    return {"rows": dict(done.rows), "created": created}


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
        entities = [e for e in await _all(graph.scan_entities(workspace)) if e.name in names or e.uuid in meant]
        known = {entity.uuid for entity in entities}
        every = await _all(graph.scan_facts(workspace))
        facts = [fact for fact in every if fact.source_uuid in known and fact.target_uuid in known]
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


async def _all[T](batches: AsyncIterator[tuple[T, ...]]) -> list[T]:
    return [record async for batch in batches for record in batch]


async def _looked_up(
    graph: GraphStore, workspace: str, names: Iterable[str], meant: Iterable[str], sources: set[str]
) -> tuple[list[Entity], list[Fact]]:
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
    return list(found.values()), list(facts.values())
