"""Calls across conversations, with filters; each leads to its conversation."""

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta

import streamlit as st

from components import dates, state
from components.ask.ask_view import AskView
from components.ask.trace import short_input, took
from components.buttons import show_more
from components.markup import Cell, chip, clipped, counted, link, table, text
from components.shell import Opened
from services.accounts import CallFilter, TracedCall
from services.core import clock

_PAGE, _FOUND = 50, 32
_SHOWN = "traces_shown"
PERIODS = {"Today": 0, "7 days": 6, "30 days": 29, "All": None}
_SLOW = {"Any time": None, "> 100 ms": 100.0, "> 1 s": 1000.0, "> 10 s": 10_000.0}
_DEAR = {"Any cost": None, "> $0.01": 0.01, "> $0.10": 0.1, "> $1": 1.0}
_THUMBS = {"Any rating": None, "Rated up": 1, "Rated down": -1}


def calls(opened: Opened) -> None:
    """Draw the filters and the table."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="traces_filters"):
        asked = _filters(opened)
    shown = state.remembered(_SHOWN, _PAGE)
    rows, total = opened.services.accounts.traces.calls(asked, limit=shown)
    if not rows:
        st.html('<div class="a-empty a-muted">No calls match these filters.</div>')
        return
    st.html(f'<div class="a-muted a-sm" role="status">{counted(total, "call")}, newest first</div>')
    _table(opened, rows)
    if total > len(rows):
        show_more("traces_more", _SHOWN, shown + 2 * _PAGE)


def start_of(period: str) -> datetime | None:
    """The first instant of a period that ends now; None for all time."""
    if (days := PERIODS[period]) is None:
        return None
    return datetime.combine(clock.now().date() - timedelta(days=days), time(), UTC)


def _filters(opened: Opened) -> CallFilter:
    tools = opened.services.accounts.traces.tools(opened.name)
    tool = _select("Tool", ("Any tool", *tools), "traces_tool")
    period = _select("Period", tuple(PERIODS), "traces_period", 2)
    slow = _select("Time", tuple(_SLOW), "traces_slow")
    dear = _select("Cost", tuple(_DEAR), "traces_dear")
    thumb = _select("Rating", tuple(_THUMBS), "traces_thumb")
    errors = st.toggle("Errors only", key="traces_errors", persist_state="session")
    everybody = opened.user.is_admin and st.toggle("All users", key="traces_everybody", persist_state="session")
    return CallFilter(
        user_id=None if everybody else opened.user.id,
        workspace=opened.name,
        tool=tool if tool in tools else None,
        errors_only=errors,
        slower_than_ms=_SLOW[slow],
        dearer_than=_DEAR[dear],
        thumb=_THUMBS[thumb],
        since=start_of(period),
    )


def _select(label: str, options: Sequence[str], key: str, index: int = 0) -> str:
    return (
        st.selectbox(label, options, index, key=key, label_visibility="collapsed", width=150, persist_state="session")
        or options[index]
    )


def _table(opened: Opened, rows: Sequence[TracedCall]) -> None:
    several = any(row.user_id != opened.user.id for row in rows)
    head = [
        ("", ""),
        ("Tool", ""),
        ("Input", ""),
        ("Result", ""),
        ("Question", "a-w a-c"),
        ("Model", ""),
        ("Tokens", "a-n"),
        ("Cost", "a-n"),
        ("Duration", "a-n"),
        *([("User", "")] if several else []),
        ("When", "a-d"),
    ]
    table([_row(opened, row, several=several) for row in rows], head, label="Calls")


def _row(opened: Opened, row: TracedCall, *, several: bool) -> list[Cell]:
    call = row.call
    words = call.error or call.summary
    there = opened.view.changed(
        AskView, chat=row.conversation_id, message=row.message_id, call=call.id, cited=None, beside=None
    )
    css, sign, word = ("a-bad", "✕", "failed") if call.error else ("a-good", "✓", "done")
    tokens = (call.input_tokens or 0) + (call.output_tokens or 0)
    thumb = {1: f" {chip('a-good', 'up')}", -1: f" {chip('a-bad', 'down')}"}.get(row.thumb, "")
    return [
        (f'<span class="a-tick {css}" role="img" aria-label="{word}">{sign}</span>', ""),
        (link("Ask", f'<span class="a-code">{text(call.tool)}</span>', there), "a-nw"),
        (f'<span class="a-muted">{text(short_input(call))}</span>', "a-nw"),
        (f'<span title="{text(words)}">{text(clipped(words, _FOUND))}</span>', "a-nw"),
        (text(clipped(" ".join(row.question.split()), 90)) + thumb, "a-w a-c"),
        (text(row.model or "rule-based"), "a-nw"),
        (f"{tokens:,}" if tokens else "", "a-n"),
        (f"${call.cost:.4f}" if call.cost is not None else "", "a-n"),
        (took(call.ms), "a-n"),
        *([(text(row.user), "a-nw")] if several else []),
        (dates.seconds_in_utc(call.started_at), "a-d"),
    ]
