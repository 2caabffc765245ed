"""One entity's facts as a Gantt chart: a bar from when each began to when it ended, and the as-of date across."""

from collections.abc import Callable, Collection, Sequence
from datetime import timedelta

from components import dates, markup, theme
from components.address import View
from components.timeline.bars import HALF, BarChart, add_bar
from components.timeline.lanes import Lane
from components.timeline.ruler import KEY, add_ruler
from components.timeline.window import Window

LANE_PX, FRAME_PX, LEFT_PX = 34, 48, 128
_LABEL = 18
_LATE = timedelta(days=1)


def gantt(
    lanes: Sequence[Lane],
    about: str,
    view: View,
    span: Window,
    *,
    clashing: Collection[str],
    on_click: Callable[[], None],
) -> None:
    """Draw the lanes; facts whose uuid is in `clashing` get a red frame.

    A click anywhere calls `on_click`, which asks `ruler.clicked_instant` for the date.
    """
    figure = theme.Chart(
        xaxis={"range": [dates.on_axis(span.start), dates.on_axis(span.stop)]},
        yaxis={"visible": False, "range": [-0.55, len(lanes) - 0.45]},
        margin={"l": LEFT_PX, "r": 8, "t": 22, "b": 22},
        hovermode="x",
        clickmode="event+select",
        hoverdistance=-1,
    )
    chart = BarChart(figure, about, view.at, span)
    for place, lane in enumerate(lanes):
        y = len(lanes) - 1 - place
        _label(figure, lane.label, y, first=place == 0)
        for nth, fact in enumerate(lane.facts):
            until = lane.facts[nth + 1].valid_at if nth + 1 < len(lane.facts) else None
            add_bar(chart, fact, y, room_until=until, follows=nth > 0, clash=fact.uuid in clashing)
    _rings(figure, lanes, span)
    add_ruler(figure, lanes, about, view.at, span)
    theme.add_view_lines(figure, view, (span.start, span.stop))
    shown = markup.counted(sum(len(x.facts) for x in lanes), "fact")
    theme.show(
        figure,
        height=LANE_PX * len(lanes) + FRAME_PX,
        alt=f"Timeline of {shown}; the same facts are in the table below",
        key=KEY,
        on_click=on_click,
    )


def gantt_key() -> None:
    """Draw the key of the chart."""
    markup.key(
        {
            "a-k-holds": "valid on the selected date",
            "a-k-ended": "ended earlier",
            "a-k-later": "starts later",
            "a-k-undated": "undated, or may have ended",
            "a-k-clash": "contradicts another fact",
            "○": "recorded after the fact started",
        }
    )


def _label(figure: theme.Chart, text: str, y: float, *, first: bool) -> None:
    if not text:
        return
    figure.add_annotation(
        x=0,
        xref="paper",
        xanchor="right",
        xshift=-12,
        y=y,
        text=markup.text(markup.clipped(text, _LABEL)),
        showarrow=False,
        font={"size": 12, "color": theme.colour("muted")},
        hovertext=markup.text(text),
    )
    if not first:
        figure.add_shape(
            type="line",
            x0=0,
            x1=1,
            xref="paper",
            y0=y + 0.5,
            y1=y + 0.5,
            layer="below",
            line={"color": theme.colour("grid"), "width": 1},
        )


def _rings(figure: theme.Chart, lanes: Sequence[Lane], span: Window) -> None:
    """A ring below each bar where its record came later than its start."""
    points = [
        (dates.on_axis(span.holds(fact.created_at)), len(lanes) - 1 - place - HALF)
        for place, lane in enumerate(lanes)
        for fact in lane.facts
        if fact.valid_at and fact.created_at and fact.created_at > fact.valid_at + _LATE
    ]
    if points:
        xs, ys = zip(*points, strict=True)
        marker = {"symbol": "circle-open", "size": 7, "color": theme.colour("text"), "line": {"width": 1.5}}
        figure.add_scatter(x=xs, y=ys, mode="markers", marker=marker, hoverinfo="skip")
