"""The tool that tells what the graph learned: since an instant, or since the client last asked."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated

from pydantic import Field

from services.core import clock, fact_dates
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


@from_mirror(_UNAVAILABLE)
def get_changes(
    context: Context,
    since: Annotated[
        str | None,
        Field(
            description="ISO instant: what was recorded after it. Left out: since this client last asked to the end."
        ),
    ] = None,
    limit: Annotated[int, Field(ge=1, le=50, description="How many changes at most.")] = 20,
    cursor: Annotated[str | None, Field(description="The rest of the changes: the cursor that a call gave.")] = None,
) -> ToolResult:
    """List what the GRAPH LEARNED since an instant, or since you last asked: facts recorded, ended, corrected or
    re-dated, the oldest first, each with when it was recorded, its cause and who recorded it.

    Use this to keep up with the graph between visits. NOT for what happened in the world lately: use
    get_change_history. NOT for two dates: use compare_times.
    """
    window = _window(context, since, cursor)
    begin, until, first = window.begin, window.until, window.first
    changes, total = context.mirror.recorded_changes(begin, until, first=first, limit=limit)
    following = first + len(changes)
    is_end = following >= total
    if is_end and window.goes_on:
        _note_seen(context, window)
    following_cursor = None if is_end else _cursor(replace(window, first=following))
    writers = _writers(context, [change.at for change in changes])
    by = [writers.get(change.at) for change in changes]
    documents = [_document(change, who) for change, who in zip(changes, by, strict=True)]
    return ToolResult(
        {
            "since": spelled(begin) if begin > clock.EARLIEST else None,
            "until": spelled(until),
            **instants_document(context.at),
            "total": total,
            "changes": documents,
            "cursor": following_cursor,
        },
        tuple(wording.fact_item(change.fact, _line(change, who)) for change, who in zip(changes, by, strict=True)),
        total,
        heading=f"{wording.count(total, 'change')} recorded"
        + (f" after {clock.spell(begin)}" if begin > clock.EARLIEST else "")
        + f" up to {clock.spell(until)}:",
        message="Nothing was recorded since then.",
        truncation="... truncated. {total} changes in all. Ask on with the cursor, or from a later since.",
        summary=wording.count(total, "change"),
        rows=tuple({"kind": one.kind, "at": spelled(one.at), **wording.fact_row(one.fact)} for one in changes),
    )


@dataclass(frozen=True, slots=True)
class _Window:
    """From when to when changes are listed, and from which on; `goes_on` from where the client last stopped."""

    begin: datetime
    until: datetime
    first: int
    goes_on: bool


def _window(context: Context, since: str | None, cursor: str | None) -> _Window:
    """What is not in the mirror yet is listed next time."""
    until = min(context.at.known_at, context.mirror.synced_at or clock.EARLIEST)
    if cursor is not None:
        return _read_cursor(cursor, until)
    if since is not None:
        return _Window(read_instant("since", since), until, 0, goes_on=False)
    if context.client is None:
        raise BadInput("since: give an instant.", "Write it as 2018-06-27 or 2018-06-27T14:30:00Z.")
    seen = context.workspace.accounts.changes_seen.until(context.workspace.name, context.client)
    return _Window(seen or clock.EARLIEST, until, 0, goes_on=True)


def _note_seen(context: Context, window: _Window) -> None:
    """Remember what a client has been told; a cursor that leaves out what it was not told yet moves nothing."""
    if context.client is None:
        return
    kept, workspace = context.workspace.accounts.changes_seen, context.workspace.name
    if window.begin <= (kept.until(workspace, context.client) or clock.EARLIEST):
        kept.note(workspace, context.client, window.until)


def _cursor(window: _Window) -> str:
    spelled_clocks = (clock.spell(window.begin), clock.spell(window.until))
    return _SEPARATOR.join((*spelled_clocks, str(window.first), _GOES_ON if window.goes_on else _SINCE))


def _read_cursor(cursor: str, until: datetime) -> _Window:
    """Read a cursor; it may have come back changed, and never reaches past `until`."""
    try:
        begin, end, first, kind = cursor.split(_SEPARATOR)
        if not 0 <= int(first) <= _LAST or kind not in (_GOES_ON, _SINCE):
            raise ValueError("out of range")
        end_of_list = min(clock.parse_instant(end), until)
        return _Window(clock.parse_instant(begin), end_of_list, int(first), goes_on=kind == _GOES_ON)
    except (ValueError, BadInput) as error:
        raise BadInput("cursor: get_changes did not give this one.", "Leave it out.") from error


def _writers(context: Context, instants: list[datetime | None]) -> dict[datetime | None, str]:
    """The users who recorded something at these instants, where a change-set of theirs did."""
    known = [instant for instant in instants if instant is not None]
    if not known:
        return {}
    accounts = context.workspace.accounts
    names = {user.id: user.display_name or user.name for user in accounts.users.listed()}
    made = accounts.change_sets.made_at(context.workspace.name, known)
    return {instant: names[user_id] for instant, user_id in made.items() if user_id in names}


def _document(change: Change, by: str | None) -> Json:
    return {"kind": change.kind, "by": by, **change_document(change)}


def _line(change: Change, by: str | None) -> str:
    when = "at an unknown time" if change.at is None else clock.spell(change.at)
    fact = change.fact
    span = f"{fact_dates.start(fact)} to {fact_dates.stop(fact)}"
    because = f" Cause: {' '.join(change.cause.text.split())}." if change.cause.text else ""
    who = f" By {by}." if by else ""
    return f"- [{when}] {change.kind}: {wording.statement(fact)} ({span}).{because}{who}"
