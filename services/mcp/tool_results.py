"""What a client reads of a result: whole items as text, as many as fit, and the same as data; beside both, at which
instants, from which mirror, how much there was and how to narrow."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from services.core import clock
from services.core.json_documents import Json, fact_document, json_text, spelled
from services.tools.tool import Context, ResultItem, ToolResult

MOST_CHARACTERS = 20_000
"""The longest text of one result."""
_FOOT = 1_200
_NOTHING = "No results."
BESIDE = "asof"
"""Where the data of a result says what is said beside it."""


@dataclass(frozen=True, slots=True)
class ToolReply:
    """A tool's answer to a client: text, data, and whether it failed."""

    text: str
    data: Json | None = None
    is_error: bool = False

    def document(self) -> Json:
        """Return the answer as the protocol has it."""
        content: Json = {"content": [{"type": "text", "text": self.text}], "isError": self.is_error}
        return content if self.data is None else {**content, "structuredContent": self.data}


def failed(message: str, *, as_json: bool = False) -> ToolReply:
    """Return the answer of a call that failed."""
    return ToolReply(json_text({"error": message}) if as_json else message[:MOST_CHARACTERS], is_error=True)


def reply(
    context: Context,
    result: ToolResult,
    first: int = 0,
    cursor: Callable[[int], str] | None = None,
    *,
    is_full: bool = False,
) -> ToolReply:
    """Return the items of a result from number `first` on, as many as fit, with the cursor of those that do not.

    A tool that makes cursors of its own has the next one in its document.
    """
    lines = [_written(item, is_full=is_full) for item in result.items]
    shown = _fitting(lines[first:], MOST_CHARACTERS - len(result.heading) - _FOOT)
    last = first + len(shown)
    own = result.document.get("cursor") if isinstance(result.document, dict) else None
    following = cursor(last) if cursor and last < len(lines) else own
    beside = _beside(context, result, last - first, len(lines) - last, following)
    head = [result.heading] if result.heading else []
    body = shown or [(result.message or _NOTHING)[: MOST_CHARACTERS - _FOOT]]
    return ToolReply("\n".join([*head, *body, _foot(beside)]), {**_as_object(result.document), BESIDE: beside})


def reply_in_json(context: Context, result: ToolResult, text: Json) -> ToolReply:
    """Return a result whose text is JSON too; `text` is how it says what the document says."""
    beside = _beside(context, result, len(result.items), 0, None)
    return ToolReply(pretty({**text, BESIDE: beside}), {**result.document, BESIDE: beside})


def pretty(document: Json) -> str:
    """Return a document as JSON for people."""
    import json

    return json.dumps(document, indent=2, ensure_ascii=False)


def _as_object(document: Any) -> Json:
    return dict(document) if isinstance(document, dict) else {"result": document}


def _written(item: ResultItem, *, is_full: bool) -> str:
    if not is_full or item.fact is None:
        return item.text
    return f"{item.text}\n  {json_text(fact_document(item.fact))}"


def _fitting(lines: Sequence[str], room: int) -> list[str]:
    """The first of the lines that fit; one that is too long by itself is cut, so that a page is never empty."""
    shown: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        shown.append(line)
    return shown or [f"{line[: room + len(line) - 2]} …" for line in lines[:1]]


def _beside(context: Context, result: ToolResult, shown: int, left: int, cursor: str | None) -> Json:
    """What is said beside a result. `left` items are on later pages; more may have been left out by a limit.

    What a tool lists beside what it counts, as undated facts, is part of the total.
    """
    left_out = max(result.total, shown + left) - shown if result.is_whole else left
    total = max(result.total, len(result.items))
    narrow = result.truncation.format(total=result.total)
    now = clock.now()
    return {
        "workspace": context.workspace.name,
        "as_of": spelled(context.as_of or now),
        "as_of_is_now": context.as_of is None,
        "known_at": spelled(context.known_at or now),
        "known_at_is_now": context.known_at is None,
        "synced_at": spelled(context.workspace.status.synced_at),
        "total": total,
        "total_is_whole": result.is_whole,
        "shown": shown,
        "left_out": left_out,
        "narrow": narrow if left_out or not result.is_whole else None,
        "cursor": cursor,
    }


def _foot(beside: Json) -> str:
    as_of, known_at = (
        f"{beside[name]}{' (now)' if beside[f'{name}_is_now'] else ''}" for name in ("as_of", "known_at")
    )
    counted = f"{beside['total']} in all" if beside["total_is_whole"] else f"the {beside['total']} best"
    lines = [
        f"({counted}: {beside['shown']} shown, {beside['left_out']} left out.)",
        f"(Workspace {beside['workspace']}, as of {as_of}, known at {known_at}. Synced with the graph at "
        f"{beside['synced_at'] or 'no time yet'}.)",
    ]
    if beside["narrow"]:
        lines.insert(1, f"({beside['narrow']})")
    if beside["cursor"]:
        lines.append(f"(For the rest, repeat the call with cursor {beside['cursor']}.)")
    return "\n".join(lines)
