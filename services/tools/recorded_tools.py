"""The tool that tells what the graph learned: since an instant, or since the client last asked."""

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
_SEPARATOR = "_"


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
    begin, until, first = _window(context, since, cursor)
    changes, total = context.mirror.recorded_changes(begin, until, first=first, limit=limit)
    following = first + len(changes)
    is_end = following >= total
    if is_end and since is None and context.client is not None:
        context.workspace.accounts.changes_seen.note(context.workspace.name, context.client, until)
    following_cursor = None if is_end else _cursor(begin, until, following)
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


def _window(context: Context, since: str | None, cursor: str | None) -> tuple[datetime, datetime, int]:
    """From when to when changes are listed, and from which on. What is not in the mirror yet is listed next time."""
    synced_at = context.mirror.synced_at or clock.EARLIEST
    until = min(context.at.known_at, synced_at)
    if cursor is not None:
        return _read_cursor(cursor, context.at.known_at)
    if since is not None:
        return read_instant("since", since), until, 0
    if context.client is None:
        raise BadInput("since: give an instant.", "Write it as 2018-06-27 or 2018-06-27T14:30:00Z.")
    seen = context.workspace.accounts.changes_seen.until(context.workspace.name, context.client)
    return seen or clock.EARLIEST, until, 0


def _cursor(begin: datetime, until: datetime, first: int) -> str:
    return _SEPARATOR.join((clock.spell(begin), clock.spell(until), str(first)))


def _read_cursor(cursor: str, known_at: datetime) -> tuple[datetime, datetime, int]:
    try:
        begin, until, first = cursor.split(_SEPARATOR)
        if int(first) < 0:
            raise ValueError("negative")
        return clock.parse_instant(begin), min(clock.parse_instant(until), known_at), int(first)
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
