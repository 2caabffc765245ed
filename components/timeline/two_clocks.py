"""What was believed, and when: the world's clock across, the graph's clock up."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from components import dates, markup, theme
from components.address import View
from components.timeline.window import Window
from services.core import clock, time_rule
from services.core.models import Fact, Instants

_STRENGTHS = (0.08, 0.18, 0.30, 0.44)
HEIGHT = 320
_DATE = 0.09
"""How much of the height of the plot the date of the known line takes."""
LESSON = (
    "Up: when the graph knew it. Across: when it was true. On the dotted line, changes were recorded the same day; "
    "<b>right of it, the graph expected the last value to stay</b>."
)
"""How to read the chart, as HTML."""


@dataclass(frozen=True, slots=True)
class Belief:
    """A part of the two-clock plane: asked between `known_from` and `known_to`, `value` was true in `[start, stop)`.

    None of `stop` and `known_to` is still so.
    """

    value: str
    start: datetime
    stop: datetime | None
    known_from: datetime | None
    known_to: datetime | None


def beliefs(facts: Sequence[Fact]) -> Iterator[Belief]:
    """The parts of the plane that dated facts fill; `facts` have all that is known of them now."""
    for fact in facts:
        if fact.valid_at is None:
            continue
        learned, withdrawn = fact.expired_at, fact.withdrawn_at
        if learned is None:
            yield Belief(fact.target, fact.valid_at, fact.invalid_at, fact.created_at, withdrawn)
            continue
        turn = min(learned, withdrawn) if withdrawn else learned
        if fact.created_at is None or fact.created_at < turn:
            yield Belief(fact.target, fact.valid_at, fact.believed_invalid_at, fact.created_at, turn)
        if withdrawn is None or learned < withdrawn:
            seen_from = max(learned, fact.created_at or learned)
            yield Belief(fact.target, fact.valid_at, fact.invalid_at or learned, seen_from, withdrawn)


def two_clock_chart(facts: Sequence[Fact], view: View, *, name: str) -> None:
    """Draw what the facts of one relation said, at every pair of dates."""
    at = view.at
    parts = [b for b in beliefs(facts) if b.stop is None or b.stop > b.start]
    span = _window(parts, at)
    values = list(dict.fromkeys(b.value for b in sorted(parts, key=lambda b: b.start)))
    title = {"font": {"size": 12, "color": theme.colour("muted")}}
    edge = [dates.on_axis(span.start), dates.on_axis(span.stop)]
    figure = theme.Chart(
        xaxis={"range": edge, "title": {"text": "● valid in the world", **title}},
        yaxis={"range": edge, "type": "date", "showgrid": False, "title": {"text": "○ known", **title}},
        margin={"l": 58, "r": 6, "t": 22, "b": 40},
        hovermode=False,
    )
    for part in parts:
        _area(figure, part, span, _STRENGTHS[values.index(part.value) % len(_STRENGTHS)])
        _area_name(figure, part, span, at)
    figure.add_shape(
        type="line",
        x0=edge[0],
        y0=edge[0],
        x1=edge[1],
        y1=edge[1],
        line={"color": theme.colour("muted"), "width": 1, "dash": "1px,3px"},
    )
    theme.add_as_of_line(figure, at.as_of, (span.start, span.stop), dates.named(view.as_of, at.as_of))
    _known_line(figure, view, span)
    figure.add_scatter(
        x=[dates.on_axis(span.holds(at.as_of))],
        y=[dates.on_axis(span.holds(at.known_at))],
        mode="markers",
        marker={"size": 10, "color": theme.colour("accent"), "line": {"color": theme.colour("bg"), "width": 2}},
    )
    theme.show(figure, height=HEIGHT, key="two_clocks", alt=f"Two-clock chart of {name}: {reading(facts, view, name)}")


def reading(facts: Sequence[Fact], view: View, name: str) -> str:
    """One sentence that reads the chart at the point where the two clocks meet."""
    held = [f.target for f in facts if time_rule.true_at(f, view.at)]
    believed = " and ".join(f"“{v}”" for v in dict.fromkeys(held)) or "unknown"
    as_of, known_at = dates.named(view.as_of, view.at.as_of), dates.named(view.known_at, view.at.known_at)
    return f"As known on ○ {known_at}, “{name}” on ● {as_of} was {believed}."


def _window(parts: Sequence[Belief], at: Instants) -> Window:
    known = [d for b in parts for d in (b.start, b.stop, b.known_from, b.known_to) if d is not None]
    start, stop = min([*known, at.as_of]), max([*known, at.as_of, clock.now()])
    air = (stop - start) * 0.03
    return Window(start - air, stop + air)


def _area(figure: theme.Chart, part: Belief, span: Window, strength: float) -> None:
    x0, x1 = span.holds(part.start), span.holds(part.stop or span.stop)
    y0, y1 = span.holds(part.known_from or span.start), span.holds(part.known_to or span.stop)
    corners = {"x0": x0, "x1": x1, "y0": y0, "y1": y1}
    figure.add_shape(
        type="rect",
        layer="below",
        fillcolor=theme.faded(theme.colour("accent"), strength),
        line={"color": theme.colour("bg"), "width": 2},
        **{corner: dates.on_axis(at) for corner, at in corners.items()},
    )


def _area_name(figure: theme.Chart, part: Belief, span: Window, at: Instants) -> None:
    """Name an area where neither a clock's line nor its date stands."""
    known_at, below = _share(at.known_at, span), _is_date_below(at, span)
    left, right = _free(_share(part.start, span), _share(part.stop or span.stop, span), _share(at.as_of, span), 0.01)
    taken = known_at - _DATE if below else known_at
    low, high = _free(
        _share(part.known_from or span.start, span), _share(part.known_to or span.stop, span), taken, _DATE
    )
    upright = _upright(part.value, right - left, high - low)
    if upright is not None:
        figure.add_annotation(
            x=dates.on_axis(span.start + (left + right) / 2 * (span.stop - span.start)),
            y=dates.on_axis(span.start + (low + high) / 2 * (span.stop - span.start)),
            text=markup.text(part.value),
            showarrow=False,
            textangle=-90 if upright else 0,
            font={"size": 11, "color": theme.colour("text")},
        )


def _share(at: datetime, span: Window) -> float:
    return (span.holds(at) - span.start) / (span.stop - span.start)


def _free(low: float, high: float, taken: float, size: float) -> tuple[float, float]:
    """Return the larger part of a stretch before or behind what is taken from `taken` on."""
    return max((low, min(high, taken)), (max(low, taken + size), high), key=lambda part: part[1] - part[0])


def _is_date_below(at: Instants, span: Window) -> bool:
    """Return True where the date of the known line would stand above the plot."""
    return _share(at.known_at, span) > 1 - _DATE


def _upright(label: str, width: float, height: float) -> bool | None:
    """True when a label is to stand upright in an area (given as shares of the plot); None when it does not fit."""
    wide, high, letters = width * 430, height * 250, len(label) * 6.6 + 8
    if letters <= wide and high > 15:
        return False
    return True if letters <= high and wide > 16 else None


def _known_line(figure: theme.Chart, view: View, span: Window) -> None:
    y = dates.on_axis(span.holds(view.at.known_at))
    figure.add_shape(
        type="line",
        x0=dates.on_axis(span.start),
        x1=dates.on_axis(span.stop),
        y0=y,
        y1=y,
        line={"color": theme.colour("text"), "width": 1.2, "dash": "4px,3px"},
    )
    is_left = view.at.as_of > span.start + (span.stop - span.start) / 2  # away from the label of the other clock
    figure.add_annotation(
        x=dates.on_axis(span.start if is_left else span.stop),
        y=y,
        text=f"○ {dates.named(view.known_at, view.at.known_at)}",
        xanchor="left" if is_left else "right",
        yanchor="top" if _is_date_below(view.at, span) else "bottom",
        showarrow=False,
        font={"size": 12, "color": theme.colour("text")},
    )
