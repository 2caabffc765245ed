"""The figures on top of the Overview: how much holds on the date, and how that grew."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import streamlit as st

from components.markup import text, trend
from components.overview.review import attention
from services import cached
from services.core import clock
from services.core.models import Instants
from services.mirror import Mirror, changes_between

_YEAR = timedelta(days=365.25)
_BARS = 13


@dataclass(frozen=True, slots=True)
class Kpi:
    """One figure: what it counts, the count, a quiet line below, and its last years for the small bars."""

    label: str
    value: int
    note: str
    history: Sequence[float] = ()


def figures(workspace: str, at: Instants) -> None:
    """Draw the strip, with the last years as small bars."""
    years = tuple(sorted({_back(at.as_of, n) for n in range(_BARS + 1)}))
    counted = cached.ask(Mirror.totals_over_time, workspace, years, at.known_at)
    changes = (0, 0, *cached.ask(changes_between, workspace, years, at.known_at))
    now, before = counted[-1], counted[max(0, len(counted) - 2)]
    strip = [
        Kpi("Facts that hold", now.true, _grown(now.true - before.true), [c.true for c in counted[-_BARS:]]),
        Kpi("Entities", now.entities, _grown(now.entities - before.entities), [c.entities for c in counted[-_BARS:]]),
        Kpi("Changes in the past year", changes[-1], _against(changes[-1] - changes[-2]), changes[-_BARS:]),
        Kpi("Undated facts", now.undated, "no start date"),
        _review(workspace, at),
    ]
    st.html(f'<div class="a-kpi" role="list">{"".join(_cell(figure) for figure in strip)}</div>')


def _review(workspace: str, at: Instants) -> Kpi:
    found, undated = attention(workspace, at)
    parts = [(found.contradictions_total, "contradictory"), (found.late_total, "late"), (undated, "undated")]
    reasons = " · ".join(f"{n:,} {word}" for n, word in parts if n)
    return Kpi("To review", sum(n for n, _ in parts), reasons or "nothing found")


def _against(by: int) -> str:
    return f"{by:+,} vs. the year before".replace("-", "−") if by else "same as the year before"


def _grown(by: int) -> str:
    return f"{by:+,} in the past year".replace("-", "−")


def _back(value: datetime, years: int) -> datetime:
    """So many years before, or the first day there is."""
    try:
        return value - years * _YEAR
    except OverflowError:
        return clock.EARLIEST


def _cell(figure: Kpi) -> str:
    return (
        f'<div role="listitem"><div><span class="a-l">{text(figure.label)}</span>'
        f'<span class="a-v">{figure.value:,}</span><span class="a-s">{text(figure.note)}</span></div>'
        f"{trend(figure.history)}</div>"
    )
