"""The tool that tells what the graph learned: since an instant, or since the client last asked."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated

from pydantic import Field

from services.core import clock, date_wording
from services.core.change_records import ReadPosition
from services.core.errors import BadInput
from services.core.json_documents import Json, change_document, instants_document, spelled
from services.core.models import Change
from services.tools import wording
from services.tools.mirror_fallback import from_mirror, read_instant
from services.tools.tool import Context, ToolResult

_UNAVAILABLE = "Graph database is currently unavailable."
_SEPARATOR, _GOES_ON, _SINCE = "_", "on", "since"
_LAST = 2**53
"""No list has so many changes."""
_MOST_CHARACTERS = 18_000
"""So long are the lines of one answer, so that a client reads all that it is told of."""


@from_mirror(_UNAVAILABLE)
def get_changes(
    context: Context,
    since: Annotated[
        str | None,
        Field(
            description="ISO instant: only changes recorded after it. Default: everything new to this client, "
            "whenever it was recorded."
        ),
    ] = None,
    limit: Annotated[int, Field(ge=1, le=50, description="Maximum number of changes.")] = 20,
    cursor: Annotated[str | None, Field(description="To get the rest: the cursor from the previous call.")] = None,
) -> ToolResult:
    """List what the GRAPH LEARNED since an instant, or since you last asked: facts recorded, ended, corrected or
    re-dated, oldest first, each with its record time, its cause and who recorded it.

    Use this to keep up with the graph between visits. NOT for recent events in the world: use
    get_change_history. NOT for two dates: use compare_times.
    """
    window = _window(context, since, cursor)
    begin, until, first = window.begin, window.until, window.first
    every, total = context.mirror.recorded_changes(begin, until, first=first, limit=limit)
    writers = _writers(context, [change.at for change in every])
    listed = _fitting([_listed(change, writers.get(change.at), begin) for change in every])
    following = first + len(listed)
    is_end = following >= total
    if is_end and window.goes_on:
        _note_position(context, window)
    after = begin.recorded if begin.recorded > clock.EARLIEST else None
    return ToolResult(
        {
            "since": spelled(after),
            "until": spelled(until.recorded),
            **instants_document(context.at),
            "total": total,
            "changes": [one.document for one in listed],
            "cursor": None if is_end else _cursor(replace(window, first=following)),
        },
        tuple(wording.fact_item(one.change.fact, one.line) for one in listed),
        total,
        heading=_heading(window, total),
        message="The graph has recorded nothing since then.",
        truncation="{total} changes in all. Continue with the cursor, or from a later since.",
        summary=wording.counted(total, "change"),
        rows=tuple(
            {"kind": one.change.kind, "at": spelled(one.change.at), **wording.fact_row(one.change.fact)}
            for one in listed
        ),
    )


@dataclass(frozen=True, slots=True)
class _Window:
    """From where to where changes are listed, and from which on; `goes_on` from where the client last stopped."""

    begin: ReadPosition
    until: ReadPosition
    first: int
    goes_on: bool


@dataclass(frozen=True, slots=True)
class _Listed:
    """A change as it is listed."""

    change: Change
    line: str
    document: Json


def _window(context: Context, since: str | None, cursor: str | None) -> _Window:
    """What is not in the mirror yet is listed next time."""
    recorded = min(context.at.known_at, context.mirror.synced_at or clock.EARLIEST)
    until = ReadPosition(recorded, context.mirror.version)
    if cursor is not None:
        return _read_cursor(cursor, until)
    if since is not None:
        return _Window(ReadPosition(read_instant("since", since), until.version), until, 0, goes_on=False)
    if context.client is None:
        raise BadInput("since: give a date or time.", "Write a date as 2018-06-27 or 2018-06-27T14:30:00Z.")
    return _Window(_position_of(context, context.client), until, 0, goes_on=True)


def _position_of(context: Context, client: str) -> ReadPosition:
    """How far a client was told; not at all where the mirror was lost since then, for nobody knows what came late."""
    kept = context.workspace.accounts.changes_seen.position(context.workspace.name, client)
    return kept if kept and kept.version >= context.mirror.origin else ReadPosition(clock.EARLIEST)


def _note_position(context: Context, window: _Window) -> None:
    """Remember what a client has been told; a cursor that leaves out what it was not told yet moves nothing."""
    if context.client is None:
        return
    kept = _position_of(context, context.client)
    if window.begin.recorded <= kept.recorded and window.begin.version <= kept.version:
        context.workspace.accounts.changes_seen.note(context.workspace.name, context.client, window.until)


def _cursor(window: _Window) -> str:
    begin, until = window.begin, window.until
    instants = clock.spell(begin.recorded), clock.spell(until.recorded)
    kind = _GOES_ON if window.goes_on else _SINCE
    return _SEPARATOR.join((*instants, str(window.first), kind, str(begin.version), str(until.version)))


def _read_cursor(cursor: str, until: ReadPosition) -> _Window:
    """Read a cursor; it may have come back changed, and never reaches past `until`.

    One of an earlier version of Asof has no versions: it lists nothing that came late.
    """
    try:
        begin, end, first, kind, *versions = cursor.split(_SEPARATOR)
        numbers = [int(number) for number in (first, *versions)]
        if len(versions) not in (0, 2) or kind not in (_GOES_ON, _SINCE):
            raise ValueError("not a cursor of get_changes")
        if not all(0 <= number <= _LAST for number in numbers):
            raise ValueError("out of range")
        _, after, to = (*numbers, until.version, until.version)[:3]
        begins = ReadPosition(clock.parse_instant(begin), after)
        ends = ReadPosition(min(clock.parse_instant(end), until.recorded), min(to, until.version))
        return _Window(begins, ends, numbers[0], goes_on=kind == _GOES_ON)
    except (ValueError, BadInput) as error:
        raise BadInput("cursor: this cursor is not from get_changes.", "Leave out the cursor.") from error


def _heading(window: _Window, total: int) -> str:
    begin = window.begin.recorded
    after = "" if begin == clock.EARLIEST else f" after {clock.spell(begin)}"
    if after and window.goes_on:
        after = f"{after}, or arriving late with earlier times,"
    return f"{wording.counted(total, 'change')} recorded{after} up to {clock.spell(window.until.recorded)}:"


def _writers(context: Context, instants: list[datetime | None]) -> dict[datetime | None, str]:
    """The users who recorded something at these instants, where a change-set of theirs did."""
    known = [instant for instant in instants if instant is not None]
    if not known:
        return {}
    accounts = context.workspace.accounts
    names = {user.id: user.display_name or user.name for user in accounts.users.listed()}
    made = accounts.change_sets.made_at(context.workspace.name, known)
    return {instant: names[user_id] for instant, user_id in made.items() if user_id in names}


def _listed(change: Change, by: str | None, begin: ReadPosition) -> _Listed:
    is_late = begin.recorded > clock.EARLIEST and (change.at is None or change.at <= begin.recorded)
    document = {"kind": change.kind, "by": by, "late": is_late, **change_document(change)}
    return _Listed(change, _line(change, by, is_late=is_late), document)


def _fitting(listed: list[_Listed]) -> list[_Listed]:
    """The first of them whose lines fit into a text; one at least."""
    room, fitting = _MOST_CHARACTERS, 0
    for one in listed:
        room -= len(one.line) + 1
        fitting += room >= 0
    return listed[: max(fitting, 1)]


def _line(change: Change, by: str | None, *, is_late: bool) -> str:
    when = "at an unknown time" if change.at is None else clock.spell(change.at)
    fact = change.fact
    span = f"{date_wording.start(fact)} to {date_wording.stop(fact)}"
    late = ", which arrived late" if is_late else ""
    because = f" Cause: {' '.join(change.cause.text.split())}." if change.cause.text else ""
    who = f" By {by}." if by else ""
    return f"- [{when}{late}] {change.kind}: {wording.statement(fact)} ({span}).{because}{who}"
