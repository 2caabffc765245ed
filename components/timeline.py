"""One entity's facts as a Gantt chart: a bar from when each began to when it ended, and the as-of date across."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from components import dates, markup, state, theme
from components.fact_table import standing
from components.lanes import Lane, value
from components.state import View
from services import clock
from services.models import Fact, Instants

LANE_PX, FRAME_PX, LEFT_PX = 34, 48, 128
_CHART_PX = 1200
"""About the width of the plot, to tell which labels fit; only a matter of taste when the window is another."""
_RULER_POINTS = 480


@dataclass(frozen=True, slots=True)
class Window:
    """The span of time that a chart shows."""

    start: datetime
    stop: datetime

    def holds(self, value: datetime) -> datetime:
        """`value`, moved into the window."""
        return min(max(value, self.start), self.stop)

    @property
    def seconds(self) -> float:
        """The length of the window."""
        return max(1.0, (self.stop - self.start).total_seconds())


def window(facts: Sequence[Fact], at: Instants, since: datetime | None = None) -> Window:
    """From the first date to the last one, or to now, with the as-of date and a little air."""
    now = clock.now()
    known = [d for f in facts for d in (f.valid_at, clock.end(f, at.known_at)) if d is not None]
    start = since or min([*known, at.as_of])
    stop = max([*known, at.as_of, start + timedelta(days=1), min(now, clock.LATEST)])
    air = max((stop - start) * 0.02, timedelta(hours=1))
    return Window(_moved(start, -air) if since is None else start, _moved(stop, air))


def _moved(value: datetime, by: timedelta) -> datetime:
    try:
        return value + by
    except OverflowError:
        return value


def gantt(
    lanes: Sequence[Lane],
    about: str,
    view: View,
    span: Window,
    *,
    clashing: Collection[str] = (),
    on_click: Callable[[], None] | None = None,
    key: str = "gantt",
) -> None:
    """Draw the lanes; facts whose uuid is in `clashing` get a red frame.

    A click anywhere calls `on_click`, which asks `clicked_instant` for the date.
    """
    at = view.at
    figure = theme.chart(
        margin={"l": LEFT_PX, "r": 8, "t": 22, "b": 22},
        yaxis={"visible": False, "range": [-0.55, len(lanes) - 0.45], "fixedrange": True},
        hovermode="x",
        clickmode="event+select",
        hoverdistance=-1,
    )
    figure.update_xaxes(range=[dates.on_axis(span.start), dates.on_axis(span.stop)])
    rings: list[tuple[str, float]] = []
    for place, lane in enumerate(lanes):
        y = len(lanes) - 1 - place
        _label(figure, lane.label, y, first=place == 0)
        for fact, following in zip(lane.facts, (*lane.facts[1:], None), strict=True):
            _bar(figure, fact, following, about, at, span, y, fact.uuid in clashing)
            if fact.valid_at and fact.created_at and fact.created_at > fact.valid_at + timedelta(days=1):
                rings.append((dates.on_axis(span.holds(fact.created_at)), y - 0.34))
    _rings(figure, rings)
    _ruler(figure, lanes, about, at, span)
    theme.add_view_lines(figure, view, (span.start, span.stop))
    shown = markup.counted(sum(len(x.facts) for x in lanes), "fact")
    alt = f"Timeline of {shown}; the same facts are in the table below"
    theme.show(figure, height=LANE_PX * len(lanes) + FRAME_PX, alt=alt, key=key, on_click=on_click)


def clicked_instant(key: str = "gantt") -> datetime | None:
    """The date that was clicked on the chart, for its `on_click`."""
    chart = state.remembered(key)
    points = chart.selection.points if chart else ()
    found = [p for p in points if "x" in p]
    return clock.parse_instant(str(found[0]["x"])) if found else None


def gantt_key() -> None:
    """What the bars of the chart mean."""
    markup.key(
        {
            "a-k-holds": "holds on the as-of date",
            "a-k-ended": "ended before",
            "a-k-later": "not yet",
            "a-k-undated": "undated",
            "a-k-clash": "contradicts another",
            "○": "recorded later than it began",
        }
    )


def _label(figure: theme.Chart, text: str, y: float, *, first: bool) -> None:
    look = theme.tokens()
    if not text:
        return
    shown = text if len(text) <= 18 else text[:17] + "…"
    figure.add_annotation(
        x=0,
        xref="paper",
        xanchor="right",
        xshift=-12,
        y=y,
        text=markup.text(shown),
        showarrow=False,
        font={"size": 12, "color": look.muted},
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
            line={"color": look.grid, "width": 1},
        )


def _bar(
    figure: theme.Chart,
    fact: Fact,
    following: Fact | None,
    about: str,
    at: Instants,
    span: Window,
    y: float,
    clash: bool,
) -> None:
    look, how = theme.tokens(), standing(fact, at)
    start = span.holds(fact.valid_at or span.start)
    stop = span.holds(clock.end(fact, at.known_at) or span.stop)
    fill = {"holds": theme.faded(look.accent, theme.HOLDS_ALPHA[state.theme()]), "ended": theme.faded(look.muted, 0.13)}
    edge = {"holds": look.accent, "undated": look.muted}.get(how, look.faint)
    figure.add_shape(
        type="rect",
        x0=dates.on_axis(start),
        x1=dates.on_axis(stop),
        y0=y - 0.34,
        y1=y + 0.34,
        layer="below",
        fillcolor=fill.get(how, "rgba(0,0,0,0)"),
        line={
            "color": look.ended if clash else edge,
            "width": 2 if clash else 1.3 if how == "holds" else 1,
            "dash": "4px,4px" if how == "undated" else "solid",
        },
    )
    room = span.holds(following.valid_at) if following and following.valid_at else span.stop
    text = _fitting(value(fact, about) + (" · undated" if fact.valid_at is None else ""), room - start, span)
    if text:
        figure.add_annotation(
            x=dates.on_axis(start),
            y=y,
            xanchor="left",
            xshift=6,
            showarrow=False,
            text=f"<b>{markup.text(text)}</b>" if how == "holds" else markup.text(text),
            font={"size": 12, "color": look.text if how in {"holds", "undated"} else look.muted},
        )


def _fitting(text: str, room: timedelta, span: Window) -> str:
    """As much of a label as fits; nothing rather than two letters."""
    letters = int((room.total_seconds() / span.seconds * _CHART_PX - 8) / 6.2)
    if letters >= len(text):
        return text
    return text[: letters - 1] + "…" if letters >= 4 else ""


def _rings(figure: theme.Chart, rings: Sequence[tuple[str, float]]) -> None:
    marker = {"symbol": "circle-open", "size": 7, "color": theme.tokens().text, "line": {"width": 1.5}}
    if rings:
        xs, ys = zip(*rings, strict=True)
        figure.add_scatter(x=xs, y=ys, mode="markers", marker=marker, hoverinfo="skip")


def _ruler(figure: theme.Chart, lanes: Sequence[Lane], about: str, at: Instants, span: Window) -> None:
    """Invisible points along the time axis: they say what held there, and a click on them moves the as-of date."""
    step = (span.stop - span.start) / _RULER_POINTS
    day = timedelta(days=1)
    instants = [span.start + step * i for i in range(1, _RULER_POINTS)]
    if step >= day / 2:
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
    held = [f for f in facts if clock.true_at(f, at)]
    lines = [f"{markup.relation(f.relation)}: <b>{markup.text(value(f, about))}</b>" for f in held[:6]]
    more = [f"and {len(held) - 6} more"] if len(held) > 6 else []
    return "<br>".join([f"<b>{dates.day(at.as_of)}</b>", *lines, *more])
