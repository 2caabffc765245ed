"""How many facts were true over time, stacked by relation or by value, with the as-of date across."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from components import dates, markup, theme
from components.address import View

HEIGHT = 410
Series = Mapping[str, Sequence[int]]
_ROOM = 5
"""Series with a colour of their own; the smallest ones are added up as "Other"."""


def stacked_chart(instants: Sequence[datetime], series: Series, view: View, *, alt: str, key: str) -> None:
    """Draw the counts; what comes after the as-of date is paler."""
    shown, as_of = largest(series), view.at.as_of
    xs = [dates.on_axis(i) for i in instants]
    cut = sum(i <= as_of for i in instants)
    highest = max((sum(column) for column in zip(*shown.values(), strict=True)), default=0)
    figure = theme.Chart(
        xaxis={"range": [xs[0], xs[-1]]},
        yaxis={"range": [0, (highest or 1) * 1.05], "nticks": 5, "rangemode": "tozero"},
        margin={"l": 36, "r": 96, "t": 22, "b": 22},
    )
    colours = theme.series_colours()
    for place, (name, counts) in enumerate(shown.items()):
        colour = colours[-1] if name == OTHERS else colours[place % (len(colours) - 1)]
        _areas(figure, xs, counts, cut, markup.text(name), colour)
    _labels(figure, xs, shown, highest)
    theme.add_view_lines(figure, view, (instants[0], instants[-1]))
    theme.show(figure, height=HEIGHT, alt=alt, key=key)


OTHERS = "Other"


def largest(series: Series) -> dict[str, Sequence[int]]:
    """The series that get a colour, largest first, and the rest added up."""
    order = sorted(series, key=lambda name: (-sum(series[name]), name))
    kept = {name: series[name] for name in order[:_ROOM]}
    if rest := [series[name] for name in order[_ROOM:]]:
        kept[OTHERS] = [sum(column) for column in zip(*rest, strict=True)]
    return kept


def _areas(figure: theme.Chart, xs: Sequence[str], counts: Sequence[int], cut: int, name: str, colour: str) -> None:
    for group, part, alpha in (("past", slice(0, cut), 0.8), ("future", slice(max(cut - 1, 0), None), 0.2)):
        figure.add_scatter(
            x=xs[part],
            y=list(counts)[part],
            stackgroup=group,
            mode="lines",
            name=name,
            hovertemplate="%{y:,}",
            line={"width": 0.8, "color": theme.colour("bg")},
            fillcolor=theme.faded(colour, alpha),
        )


def _labels(figure: theme.Chart, xs: Sequence[str], shown: Series, top: int) -> None:
    """Names at the right end, each at the middle of its band, kept apart from the one below."""
    base, last = 0.0, -1.0
    apart = top * 18 / (HEIGHT - 44) or 1.0
    for name, counts in shown.items():
        middle = base + counts[-1] / 2
        base += counts[-1]
        last = max(middle, last + apart) if last >= 0 else middle
        figure.add_annotation(
            x=xs[-1],
            y=last,
            text=markup.text(markup.clipped(name, 14)),
            xanchor="left",
            xshift=8,
            showarrow=False,
            font={"size": 12, "color": theme.colour("text")},
        )
