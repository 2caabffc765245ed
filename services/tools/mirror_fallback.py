"""Where tools read, and what they say when the graph is out of reach: the mirror answers then, marked with its time."""

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Concatenate

from services.core import clock, time_rule
from services.core.errors import BadInput, GraphUnavailable
from services.core.json_documents import Json, spelled
from services.core.models import Entity, Fact
from services.queries.facts_at import with_sources_at
from services.queries.unknown_names import unknown_name
from services.tools.tool import Context, ToolResult

PATIENCE = 5.0
"""Seconds that a tool waits for the graph before the mirror answers."""

MOST_LISTED = 10_000
"""A whole graph's answer lists no more than so many; what there are is counted."""

Run = Callable[Concatenate[Context, ...], ToolResult]


def or_fallback(message: str) -> Callable[[Run], Run]:
    """Make a tool say `message` where neither the graph nor a mirror of it can be read."""

    def decorated(run: Run) -> Run:
        @functools.wraps(run)
        def answered(context: Context, **given: Any) -> ToolResult:
            try:
                return run(context, **given)
            except GraphUnavailable as error:
                document = {"unavailable": True, "message": message, "reason": error.message}
                return ToolResult(document, message=message, summary="graph unavailable")

        return answered

    return decorated


def from_mirror(message: str) -> Callable[[Run], Run]:
    """Make a tool that reads the mirror mark its result while the graph is down, and else do as `or_fallback`."""

    def decorated(run: Run) -> Run:
        @or_fallback(message)
        @functools.wraps(run)
        def answered(context: Context, **given: Any) -> ToolResult:
            mirror_of = _mirror_of(context)
            return marked(run(context, **given), mirror_of)

        return answered

    return decorated


def facts_about(context: Context, name: str) -> tuple[tuple[Fact, ...], datetime | None]:
    """Return every fact of the entities of that name, and where the mirror stands in for a graph that is down, when
    it was last in step.

    Raises `GraphUnavailable` where there is no mirror either.
    """
    workspace = context.workspace
    try:
        return workspace.run(workspace.graph.facts_about(workspace.name, name), PATIENCE), None
    except GraphUnavailable:
        mirror = context.mirror
        mirror_of = mirror.synced_at
        if mirror_of is None:
            raise
        found = {fact.uuid: fact for e in mirror.entities_named(name) for fact in mirror.history(e.uuid)}
        return tuple(found.values()), mirror_of


def _mirror_of(context: Context) -> datetime | None:
    """Return when the mirror was last in step, where it stands in for a graph that is down; else None.

    Raises `GraphUnavailable` where there is no mirror to ask.
    """
    mirror = context.mirror
    down = context.workspace.status.down
    if down is not None and mirror.synced_at is None:
        raise GraphUnavailable("Asof has not read the graph yet.", down)
    return mirror.synced_at if down is not None else None


def marked(result: ToolResult, mirror_of: datetime | None) -> ToolResult:
    """Mark a result once with the mirror's time, where the mirror answered for the graph."""
    if mirror_of is None or "mirror_of" in result.document:
        return result
    mark = (
        f"(The graph database is not responding. These results are from its mirror, synced {clock.spell(mirror_of)}.)"
    )
    return replace(
        result,
        document={**result.document, "mirror_of": spelled(mirror_of)},
        heading="\n".join(filter(None, (mark, result.heading))),
        message="\n".join(filter(None, (result.message or "No results.", mark))),
    )


def nothing(document: Json, message: str) -> ToolResult:
    """Return a result without anything in it, and what it says."""
    return ToolResult(document, message=message, summary="nothing found")


def as_known(context: Context, facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Facts as they were known at `known_at`, with those of their sources that the graph had then."""
    known = [time_rule.as_known(fact, context.at.known_at) for fact in facts]
    if context.known_at is None:
        return tuple(known)
    try:
        return tuple(with_sources_at(context.workspace, known, context.known_at))
    except GraphUnavailable:
        return tuple(known)


def read_instant(field: str, text: str) -> datetime:
    """Read an input that names an instant, in UTC. Raises `BadInput` that names the field."""
    try:
        return clock.parse_instant(text)
    except BadInput as error:
        raise BadInput(f"{field}: {error.message}", error.hint) from error


def no_entity(context: Context, name: str) -> str:
    """What to say of a name that the graph does not know; names that hold it are offered."""
    return unknown_name(context.mirror, name, context.known_at)


def entities_named(context: Context, name: str) -> tuple[Entity, ...]:
    """The entities of that name which the graph had at `known_at`, from the mirror."""
    known_at = context.at.known_at
    return tuple(e for e in context.mirror.entities_named(name) if e.created_at is None or e.created_at <= known_at)
