"""What answers took by day, model and user: a chart, and the same as a table."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta

import streamlit as st

from components import theme
from components.markup import say_if_cut, table, text
from components.shell import Opened
from components.traces.calls import PERIODS, start_of
from services.accounts import DailyUsage
from services.core import clock

_MEASURES = ("Tokens", "Cost", "Answers")
_MOST_ROWS = 200
_BAR = 0.7 * 86_400_000
"""The width of a bar in milliseconds: most of a day."""


def usage(opened: Opened) -> None:
    """Draw the chart and the table, for a period."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="usage_tools"):
        period = st.segmented_control(
            "Period", list(PERIODS), default="30 days", key="usage_period", required=True, label_visibility="collapsed"
        )
        everybody = opened.user.is_admin and st.toggle("All users", key="usage_everybody")
        found = opened.services.accounts.traces.usage(
            user_id=None if everybody else opened.user.id, workspace=opened.name, since=start_of(period or "30 days")
        )
        first = "Tokens" if any(one.input_tokens for one in found) else "Answers"
        measure = st.segmented_control(
            "Measure", _MEASURES, default=first, key="usage_measure", required=True, label_visibility="collapsed"
        )
        by = "User" if everybody else "Model"
    if not found:
        st.html('<div class="a-empty a-muted">No questions in this period.</div>')
        return
    left, right = st.columns([7, 5], gap="medium")
    with left:
        _chart(found, measure or first, by, start_of(period or "30 days"))
    with right:
        _table(found)


def _value(one: DailyUsage, measure: str) -> float:
    if measure == "Cost":
        return one.cost or 0
    return one.answers if measure == "Answers" else one.input_tokens + one.output_tokens


def _chart(found: Sequence[DailyUsage], measure: str, by: str, since: datetime | None) -> None:
    series: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for one in found:
        name = one.user if by == "User" else one.model or "rule-based"
        series[name][one.day.isoformat()] += _value(one, measure)
    first = (since.date() if since else min(one.day for one in found)) - timedelta(days=1)
    last = (clock.now() + timedelta(days=1)).date()
    figure = theme.Chart(
        xaxis={"range": [first.isoformat(), last.isoformat()], "tickformat": "%Y-%m-%d", "nticks": 8},
        yaxis={"tickprefix": "$" if measure == "Cost" else "", "rangemode": "tozero", "automargin": True},
        barmode="stack",
        bargap=0.35,
        showlegend=len(series) > 1,
    )
    for name, days in series.items():
        figure.data.append({"type": "bar", "name": name, "x": list(days), "y": list(days.values()), "width": _BAR})

    total = sum(_value(one, measure) for one in found)
    words = f"${total:,.2f}" if measure == "Cost" else f"{total:,.0f}"
    theme.show(figure, height=320, alt=f"{measure} per day by {by.lower()}: {words} in total", key="usage_chart")


def _table(found: Sequence[DailyUsage]) -> None:
    head = [
        ("Day", "a-d"),
        ("Model", ""),
        ("User", "a-w"),
        ("Answers", "a-n"),
        ("Input tokens", "a-n"),
        ("Output tokens", "a-n"),
        ("Cost", "a-n"),
    ]
    rows = [
        [
            (one.day.isoformat(), "a-d"),
            (text(one.model or "rule-based"), "a-nw"),
            (text(one.user), "a-w"),
            (f"{one.answers:,}", "a-n"),
            (f"{one.input_tokens:,}", "a-n"),
            (f"{one.output_tokens:,}", "a-n"),
            (f"${one.cost:.4f}" if one.cost is not None else "", "a-n"),
        ]
        for one in found[:_MOST_ROWS]
    ]
    table(rows, head, label="Tokens and cost by day, model and user")
    say_if_cut(_MOST_ROWS, len(found), "row", words="Showing the first")
