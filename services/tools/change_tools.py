"""Tools that ask what changed: between two dates, and lately."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, get_args

from pydantic import Field

from services.core import clock, date_wording, time_rule
from services.core.json_documents import Json, change_document, diff_document, fact_document, instants_document, spelled
from services.core.models import Change, ChangeKind, Diff, Document, Fact, Instants
from services.queries.facts_at import Name
from services.tools import wording
from services.tools.document_tools import documents_named, known_document, no_document, versions_of
from services.tools.mirror_fallback import (
    MOST_LISTED,
    entities_named,
    from_mirror,
    no_entity,
    nothing,
    read_instant,
)
from services.tools.tool import Context, ResultItem, ToolResult

_UNAVAILABLE = "Graph database is currently unavailable. Try search_knowledge instead."


@from_mirror(_UNAVAILABLE)
def compare_times(
    context: Context,
    first: Annotated[str, Field(description="The first date, e.g. '2015' or '2018-06-27'.")],
    second: Annotated[str, Field(description="The second date.")],
    entity: Annotated[Name | None, Field(description="Only facts with this entity on either side.")] = None,
) -> ToolResult:
    """Compare TWO dates: what was added, what ended, what was corrected or re-dated between them, each with its cause.

    Use this for "what changed between D1 and D2", "compare D1 and D2", "from D1 to D2". With an entity, it also lists
    what stayed the same. The earlier date always comes first in the result. NOT for one date: use facts_at. NOT for a
    full history: use get_entity_history. NOT for the latest changes: use get_change_history.
    """
    known_at = context.at.known_at
    dates = sorted(read_instant(field, text) for field, text in (("first", first), ("second", second)))
    one, other = (Instants(date, known_at) for date in dates)
    about = None if entity is None else [found.uuid for found in entities_named(context, entity)]
    asked = {"first": spelled(one.as_of), "second": spelled(other.as_of), "known_at": spelled(known_at)}
    if about == []:
        missing = {**asked, "entity": entity, **diff_document(Diff(one, other, ())), "kept": []}
        return nothing(missing, no_entity(context, entity or ""))
    found = context.mirror.diff(one, other, entity_uuids=about, limit=MOST_LISTED)
    histories = {f.uuid: f for uuid in about or () for f in context.mirror.history(uuid, other.known_at)}
    kept = [fact for fact in histories.values() if time_rule.true_at(fact, one) and time_rule.true_at(fact, other)]
    total = sum(found.totals.values())
    document = {**asked, "entity": entity, **diff_document(found), "kept": list(map(fact_document, kept))}
    items = [
        *map(_change_item, found.changes),
        *(
            wording.fact_item(fact, f"- kept: {wording.statement(fact)} (since {date_wording.start(fact)})")
            for fact in kept
        ),
    ]
    counted = ", ".join(f"{found.totals.get(kind, 0):,} {kind}" for kind in get_args(ChangeKind))
    days = f"{wording.day(one.as_of)} and {wording.day(other.as_of)}"
    return ToolResult(
        document,
        tuple(items),
        total,
        heading=f"Between {days}: {counted}.",
        message=f"Nothing changed between {days}.",
        truncation="{total} changes in all. Ask for a single entity or a shorter date range.",
        summary=wording.counted(total, "change") + (f", {len(kept):,} kept" if kept else ""),
        rows=tuple(map(_change_row, found.changes)),
    )


def _change_item(change: Change) -> ResultItem:
    fact = change.fact
    at = date_wording.of(change.dated_by, change.at, missing="at an unknown time")
    guessed = " (inferred from the facts)" if change.cause.inferred else ""
    was = ""
    if change.kind in ("corrected", "re-dated") and change.before is not None and change.after is not None:
        was = f" (before: {wording.statement(change.before)}, {_span(change.before)}; after: {_span(change.after)})"
    because = f" Cause: {' '.join(change.cause.text.split())}{guessed}." if change.cause.text else ""
    return wording.fact_item(fact, f"- [{at}] {change.kind}: {wording.statement(fact)}{was}.{because}")


def _span(fact: Fact) -> str:
    return f"{date_wording.start(fact)} to {date_wording.stop(fact)}"


def _change_row(change: Change) -> Json:
    return {"kind": change.kind, "at": spelled(change.at), **wording.fact_row(change.fact)}


@from_mirror(_UNAVAILABLE)
def get_change_history(
    context: Context,
    document: Annotated[Name | None, Field(description="Only this document (id or title) and facts from it.")] = None,
    since: Annotated[str | None, Field(description="ISO date: only changes from then on.")] = None,
    limit: Annotated[int, Field(ge=1, description="Maximum number of changes.")] = 20,
) -> ToolResult:
    """List the LATEST changes of the whole workspace, newest first: documents ingested or changed, and facts that
    began, ended or were corrected, each with its time and cause.

    Use this for "what is new", "what changed lately", "recent changes", "which documents were updated". NOT for the
    history of one entity: use get_entity_history. NOT for two dates: use compare_times.
    """
    since_at = None if since is None else read_instant("since", since)
    asked = {"document": document, "since": spelled(since_at), **instants_document(context.at)}
    documents = documents_named(context, document)
    if document is not None and not documents:
        return nothing({**asked, "total": 0, "changes": []}, no_document(context, document))
    changes, in_all, is_whole = _fact_changes(context, documents if document else None, since_at, limit)
    events = [event for one in documents for event in _events(context, one) if _is_later(event[0], since_at)]
    newest = sorted(events, key=lambda event: event[0] or clock.EARLIEST, reverse=True)[:limit]
    chosen = _newest([_of_change(one) for one in changes], [_of_event(context, *one) for one in newest], limit)
    total = in_all + len(events)
    return ToolResult(
        {**asked, "total": total, "changes": [{**one.document, "at": spelled(one.at)} for one in chosen]},
        tuple(one.item for one in chosen),
        total,
        heading=f"{wording.counted(total, 'change')}, the {len(chosen)} newest:" if len(chosen) < total else "",
        message="No changes match. Use an earlier since." if since_at else "There are no changes yet.",
        truncation="{total} changes in all. Narrow the call by document or since.",
        summary=wording.counted(total, "change"),
        rows=tuple(one.row for one in chosen),
        is_whole=is_whole,
    )


@dataclass(frozen=True, slots=True)
class _ListedChange:
    """A change as it is listed: when it was, and how it reads."""

    at: datetime | None
    item: ResultItem
    document: Json
    row: Json


def _of_change(change: Change) -> _ListedChange:
    document: Json = {"what": "fact", "kind": change.kind, **change_document(change)}
    return _ListedChange(change.at, _change_item(change), document, {"what": "fact", **_change_row(change)})


def _of_event(context: Context, at: datetime | None, kind: str, of: Document) -> _ListedChange:
    document = known_document(context, of)
    row: Json = {"what": "document", "kind": kind, "document": document.id, "at": spelled(at)}
    more = {"title": document.title, "path": document.path, "cause": {"kind": "record", "text": "ingested"}}
    day, name = wording.day(at, "at an unknown time"), document.title or document.id
    item = ResultItem(f"- [{day}] document {kind}: {name} ({document.id})", document=document)
    return _ListedChange(at, item, {**row, **more}, row)


def _fact_changes(
    context: Context, documents: Sequence[Document] | None, since: datetime | None, limit: int
) -> tuple[list[Change], int, bool]:
    """What facts did, newest first, how often, and whether that is all; of documents, what the facts did whose sources
    they are."""
    mirror, at = context.mirror, context.at
    if documents is None:
        newest = mirror.latest_changes(at, limit=limit)
        return [one for one in newest if _is_later(one.at, since)], mirror.count_changes(at, since), True
    sources = {episode.uuid for document in documents for _, episode in versions_of(context, document)}
    if not mirror.is_source(list(sources)):
        return [], 0, True
    every = mirror.latest_changes(at, limit=MOST_LISTED)
    of_them = [one for one in every if sources & set(one.fact.episodes) and _is_later(one.at, since)]
    return of_them[:limit], len(of_them), len(every) < MOST_LISTED


def _events(context: Context, document: Document) -> list[tuple[datetime | None, str, Document]]:
    """When a document was "added", and when its present version "changed" it, as far as that was by `known_at`."""
    kinds = {"added": document.created_at}
    if document.updated_at != document.created_at:
        kinds["changed"] = document.updated_at
    known_at = context.at.known_at
    return [(at, kind, document) for kind, at in kinds.items() if at is None or at <= known_at]


def _is_later(at: datetime | None, since: datetime | None) -> bool:
    return since is None or (at is not None and at >= since)


def _newest(changes: Sequence[_ListedChange], events: Sequence[_ListedChange], limit: int) -> list[_ListedChange]:
    """The newest of facts and documents. Neither crowds the other out: documents get at least half of the places, for
    their times are of another clock and all of them may be newer than every fact."""
    shown = events[: max(limit - len(changes), limit // 2)]
    listed = [*changes[: limit - len(shown)], *shown]
    return sorted(listed, key=lambda one: one.at or clock.EARLIEST, reverse=True)
