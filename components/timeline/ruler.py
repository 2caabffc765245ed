"""What a mouse finds on the chart: what held on each day, and a date to click on."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from components import dates, markup, state, theme
from components.timeline.lanes import Lane, value
from components.timeline.window import Window
from services.core import clock, date_wording, time_rule
from services.core.models import Fact, Instants

KEY = "gantt"
"""The chart's key in the session."""
_POINTS = 480
_LINES = 6


def add_ruler(figure: theme.Chart, lanes: Sequence[Lane], about: str, at: Instants, span: Window) -> None:
    """Invisible points along the time axis: they say what held there, and a click on them moves the as-of date."""
    step = (span.stop - span.start) / _POINTS
    instants = [span.start + step * i for i in range(1, _POINTS)]
    if step >= timedelta(hours=12):
        instants = [datetime(i.year, i.month, i.day, tzinfo=UTC) for i in instants]
    facts = [f for lane in lanes for f in lane.facts]
    figure.add_scatter(
        x=[dates.on_axis(i) for i in instants],
        y=[(len(lanes) - 1) / 2] * len(instants),
        mode="markers",
        marker={"opacity": 0, "size": 1},
        hovertext=[_held(facts, about, Instants(i, at.known_at)) for i in instants],
        hoverinfo="text",
    )


def _held(facts: Sequence[Fact], about: str, at: Instants) -> str:
    held = [f for f in facts if time_rule.true_at(f, at) or date_wording.may_have_ended(f, at)]
    lines = [
        f"{markup.relation(f.relation)}: <b>{markup.text(markup.clipped(value(f, about), 32))}</b>"
        f"{f' ({doubt})' if (doubt := date_wording.doubt_at(f, at)) else ''}"
        for f in held[:_LINES]
    ]
    more = [f"and {len(held) - _LINES} more"] if len(held) > _LINES else []
    return "<br>".join([f"<b>{dates.day(at.as_of)}</b>", *lines, *more])


def clicked_instant() -> datetime | None:
    """The date that was clicked on the chart, for its `on_click`."""
    chart = state.remembered(KEY)
    points = chart.selection.points if chart else ()
    found = [p for p in points if "x" in p]
    return clock.parse_instant(str(found[0]["x"])) if found else None
