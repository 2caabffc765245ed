"""The bars of the Gantt chart: how each says whether it holds, ended, is not yet, or has no start."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from components import dates, markup, state, theme
from components.fact_table import Standing, standing
from components.timeline.lanes import value
from components.timeline.window import Window
from services.core import time_rule
from services.core.models import Fact, Instants

HALF = 0.34
"""Half a bar's height, in lanes."""
_CHART_PX = 1200
"""About the width of the plot, to tell which labels fit; only a matter of taste when the window is another."""
_ENDED_ALPHA = 0.13
_OVER = frozenset[Standing](("ended", "may have ended"))


@dataclass(frozen=True, slots=True)
class BarChart:
    """The chart that bars are added to: the figure, the entity they are about, the two clocks, the span."""

    figure: theme.Chart
    about: str
    at: Instants
    span: Window


def add_bar(chart: BarChart, fact: Fact, y: float, *, room_until: datetime | None, follows: bool, clash: bool) -> None:
    """Draw a fact at the height `y` with its label, which may reach to `room_until`; a clash has a red frame.

    The label of one that `follows` another on its lane covers what reaches over from there in a narrow window.
    """
    how = standing(fact, chart.at)
    start = chart.span.holds(fact.valid_at or chart.span.start)
    stop = chart.span.holds(time_rule.end(fact, chart.at.known_at) or chart.span.stop)
    chart.figure.add_shape(
        type="rect",
        x0=dates.on_axis(start),
        x1=dates.on_axis(stop),
        y0=y - HALF,
        y1=y + HALF,
        layer="below",
        fillcolor=_fill(how),
        line=_frame(how, clash),
    )
    name = value(fact, chart.about) + (" · undated" if fact.valid_at is None else "")
    if label := _fitting(name, chart.span.holds(room_until or chart.span.stop) - start, chart.span):
        covers = follows and _fitting(label, stop - start, chart.span) == label
        _write(chart.figure, label, how, start, y, covers=covers)


def _fill(how: Standing) -> str:
    if how == "holds":
        return theme.faded(theme.colour("accent"), theme.HOLDS_ALPHA[state.theme()])
    return theme.faded(theme.colour("muted"), _ENDED_ALPHA) if how in _OVER else "rgba(0,0,0,0)"


def _frame(how: Standing, clash: bool) -> dict[str, object]:
    if clash:
        return {"color": theme.colour("ended"), "width": 2}
    if how == "holds":
        return {"color": theme.colour("accent"), "width": 1.3}
    if how in {"undated", "may have ended"}:
        return {"color": theme.colour("muted"), "width": 1, "dash": "4px,4px"}
    return {"color": theme.colour("faint"), "width": 1}


def _write(figure: theme.Chart, label: str, how: Standing, start: datetime, y: float, *, covers: bool) -> None:
    ground = (
        theme.mixed(theme.colour("accent"), theme.HOLDS_ALPHA[state.theme()]) if how == "holds" else theme.colour("bg")
    )
    ground = theme.mixed(theme.colour("muted"), _ENDED_ALPHA) if how in _OVER else ground
    figure.add_annotation(
        x=dates.on_axis(start),
        y=y,
        xanchor="left",
        xshift=3,
        borderpad=2,
        showarrow=False,
        bgcolor=ground if covers else "rgba(0,0,0,0)",
        text=f"<b>{markup.text(label)}</b>" if how == "holds" else markup.text(label),
        font={"size": 12, "color": theme.colour("text") if how in {"holds", "undated"} else theme.colour("muted")},
    )


def _fitting(label: str, room: timedelta, span: Window) -> str:
    """As much of a label as fits; nothing rather than two letters."""
    letters = int((room.total_seconds() / span.seconds * _CHART_PX - 8) / 6.2)
    if letters >= len(label):
        return label
    return label[: letters - 1] + "…" if letters >= 4 else ""
