"""Imports rows, all or nothing: what they mean against what is stored, and the edit that makes it so."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from services.context import OpenWorkspace
from services.core import clock
from services.core.change_records import Origin
from services.core.gc_pause import gc_pause
from services.core.import_rows import Row
from services.core.json_documents import Json
from services.core.models import GraphWrite
from services.core.progress import Progress, nobody
from services.graph.store import GraphStore, check_workspace
from services.writing.change_sets import writing
from services.writing.edits import Edit
from services.writing.fact_revisions import Verdict
from services.writing.import_lookup import held_by_others, stored_for, with_given, with_merged
from services.writing.import_plan import NO_SUMMARIES, ImportPlan, Summaries, mentioning, plan_import

IMPORT = Origin("import")


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did: rows by what they meant, and how many records of each kind are new."""

    rows: Mapping[Verdict, int]
    entities: int
    facts: int
    episodes: int


def preview_import(workspace: OpenWorkspace, rows: Sequence[Row], summaries: Summaries = NO_SUMMARIES) -> ImportPlan:
    """What importing `rows` would do, without doing it. Raises `BadInput` for what cannot name a workspace."""
    check_workspace(workspace.name)
    with gc_pause():
        rows, stored = workspace.run(_ground(workspace.graph, workspace.name, rows))
        now, taken = clock.now(), frozenset[str]()
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
            writer.apply(edit_of(plan), title=title, origin=origin, progress=progress)
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
