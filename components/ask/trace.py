"""What was done for an answer: one line per call, which opens to all that went in and came out."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import streamlit as st

from components import dates
from components.address import View
from components.ask.ask_view import AskView
from components.lazy_containers import draw_when_open
from components.markup import clipped, counted, dotted, link, text
from services.core.answer_records import ToolCall

_ASKED = {"query", "question", "text", "sql"}
_ROOM, _FOUND = 44, 72
_SHORT = 4000
"""A result of fewer characters is shown with all of it unfolded."""
_FEW = 6
"""Up to so many calls are shown at once below the answer that is looked at."""


def trace(calls: Sequence[ToolCall], view: View, *, key: str, facts: int, ms: float) -> None:
    """A line of totals that opens to the calls. `facts` is how many were read, `ms` what the answer took."""
    if not calls:
        return
    shown = len(calls) <= _FEW or any(call.id == view.of(AskView).call for call in calls)
    box = st.expander(totals(calls, facts, ms), shown, type="compact", key=f"trace_{key}", on_change="rerun")
    draw_when_open(box, lines, calls, view)


def lines(calls: Sequence[ToolCall], view: View | None) -> None:
    """The calls, those of a model's request below it; the open one with its details. Without a view none opens."""
    shown = list[str]()
    for call, depth in nested(calls):
        shown.append(_line(call, depth, view))
        if view is not None and view.of(AskView).call == call.id:
            _table(shown)
            shown = []
            _details(call)
    _table(shown)


def totals(calls: Sequence[ToolCall], facts: int, ms: float) -> str:
    """`Checked 5 tools · 14 facts read · 1.9 s`, and what it cost where a model was asked."""
    tools, failed = sum(call.kind == "tool" for call in calls), sum(call.error is not None for call in calls)
    tokens = sum((call.input_tokens or 0) + (call.output_tokens or 0) for call in calls)
    costs = [call.cost for call in calls if call.cost is not None]
    return dotted(
        f"Checked {counted(tools, 'tool')}" if tools else "Asked the model",
        f"{counted(facts, 'fact')} read" if facts else "",
        f"{failed} failed" if failed else "",
        f"{tokens:,} tokens" if tokens else "",
        _dollars(sum(costs)) if costs else "",
        took(ms),
    ).replace("$", r"\$")


def nested(calls: Sequence[ToolCall]) -> Iterator[tuple[ToolCall, int]]:
    """Every call with its depth: what a call asked for follows it."""
    ids = {call.id for call in calls}
    below: dict[str | None, list[ToolCall]] = {}
    for call in calls:
        below.setdefault(call.parent_id if call.parent_id in ids else None, []).append(call)

    def under(parent: str | None, depth: int) -> Iterator[tuple[ToolCall, int]]:
        for call in below.get(parent, []):
            yield call, depth
            yield from under(call.id, depth + 1)

    return under(None, 0)


def short_input(call: ToolCall) -> str:
    """Describe what a call was given, in a few words."""
    if call.kind == "model":
        messages = call.input.get("messages")
        return counted(messages, "message") if isinstance(messages, int) else ""
    parts = [f"“{value}”" if name in _ASKED else _worded(name, value) for name, value in call.input.items() if value]
    return clipped(dotted(*(" ".join(part.split()) for part in parts)), _ROOM)


def took(ms: float) -> str:
    """A length of time: `4 ms`, `1.9 s`."""
    return f"{ms:,.0f} ms" if ms < 1000 else f"{ms / 1000:,.1f} s"


def _worded(name: str, value: Any) -> str:
    return value if isinstance(value, str) else f"{name.replace('_', ' ')} {json.dumps(value, default=str)}"


def _dollars(cost: float) -> str:
    return f"${cost:.2f}" if cost >= 0.1 else f"${cost:.4f}"


def _line(call: ToolCall, depth: int, view: View | None) -> str:
    done = call.ms or call.error is not None
    css, sign, word = ("a-bad", "✕", "failed") if call.error else ("a-good", "✓", "done")
    css, sign, word = (css, sign, word) if done else ("a-muted", "●", "running")
    name = f'<span class="a-code">{text(call.tool)}</span>'
    if view is not None:
        name = link(
            "Ask", name, view.changed(AskView, call=None if view.of(AskView).call == call.id else call.id, cited=None)
        )
    tokens = (call.input_tokens or 0) + (call.output_tokens or 0)
    cost = dotted(
        f"{tokens:,} tokens" if tokens else "",
        _dollars(call.cost) if call.cost is not None else "",
        took(call.ms) if done else "",
    )
    found = clipped(call.error or call.summary, _FOUND)
    found = f"→ {text(found)}" if found else ""
    return (
        f'<li class="a-in{min(depth, 3)}"><span class="a-tick {css}" role="img" aria-label="{word}">{sign}</span>{name}'
        f'<span class="a-muted">{text(short_input(call))}</span><span>{found}</span>'
        f'<span class="a-muted a-n">{text(cost)}</span></li>'
    )


def _table(rows: Sequence[str]) -> None:
    if rows:
        st.html(f'<ol class="a-calls" aria-label="Calls">{"".join(rows)}</ol>')


def _details(call: ToolCall) -> None:
    """All of one call."""
    with st.container(border=True, key="open_call", gap="small"):
        about = dotted(
            f"started {dates.seconds_in_utc(call.started_at)}",
            f"took {call.ms:,.1f} ms",
            counted(call.input_tokens, "input token") if call.input_tokens is not None else "",
            counted(call.output_tokens, "output token") if call.output_tokens is not None else "",
        )
        st.caption(about)
        if sql := call.input.get("sql"):
            st.code(sql, language="sql", wrap_lines=True)
        _labelled("Input", dict(call.input))
        if call.error is not None:
            _labelled("Error", call.error)
        if call.output is not None:
            _labelled("Result", call.output)


def _labelled(title: str, value: Any) -> None:
    st.html(f'<div class="a-muted a-sm">{title}</div>')
    if isinstance(value, str):
        st.code(value, language=None, wrap_lines=True)
    else:
        st.json(value, expanded=True if len(json.dumps(value, default=str)) < _SHORT else 2)
