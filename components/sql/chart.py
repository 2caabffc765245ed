"""The chart of a result: the kind that fits, or the one that the viewer chose."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from components import markup, state, theme
from components.sql import chart_choice
from components.sql.chart_choice import KINDS, MOST_BARS, MOST_POINTS, MOST_SERIES, ChartChoice
from services.sql import QueryResult

if TYPE_CHECKING:
    import pandas as pd

_HEIGHT = 330
_ROOM, _MOST_TOTALS, _MOST_MARKERS = 16, 24, 60
"""Characters of a series' name beside the chart."""
Pairs = tuple[tuple[str, str], ...]
"""A chart as an address spells it."""
Series = tuple[str, "list[Any]", "list[Any]"]


def can_be_drawn(result: QueryResult, frame: "pd.DataFrame") -> bool:
    """True where a result has several rows, and a number in them."""
    return len(frame) > 1 and bool(chart_choice.columns_of(result, frame).numbers)


def chart(
    result: QueryResult,
    frame: "pd.DataFrame",
    key: str,
    asked: Pairs = (),
    keep: Callable[[Pairs], object] | None = None,
) -> None:
    """Draw a result with its choices, and why it is drawn so; `key` tells the results on a page apart.

    `asked` is what an address says of the chart, and `keep` is called with what the viewer chooses instead.
    """
    fitting = chart_choice.chosen(result, frame)
    columns = chart_choice.columns_of(result, frame)
    start = fitting or ChartChoice("bars", columns.across[0], columns.numbers[:1])
    place = f"{key}_{abs(hash((result.columns, result.types)))}"
    _preset(chart_choice.from_pairs(asked, start, columns), place, is_kept_elsewhere=keep is not None)
    choice = _choices(start, columns, place, keep)
    if not choice.ys:
        st.caption("Choose at least one numeric column.")
        return
    series, left_out = series_of(choice, frame)
    _draw(choice, series, key)
    words = " ".join(filter(None, (choice.why, chart_choice.extreme(choice, frame), left_out)))
    st.html(f'<div class="a-sm a-muted">{markup.text(words)}</div>')


def _preset(shown: ChartChoice, key: str, *, is_kept_elsewhere: bool) -> None:
    """Put a chart into the fields: into those that show another, where the fields are not what keeps it."""
    for field, value in (("chart", shown.kind), ("x", shown.x), ("ys", list(shown.ys))):
        if is_kept_elsewhere or state.remembered(_field(field, key)) is None:
            state.remember(_field(field, key), value)


def _field(name: str, key: str) -> str:
    return f"sql_{name}_{key}"


def _choices(
    start: ChartChoice, columns: chart_choice.ChartColumns, key: str, keep: Callable[[Pairs], object] | None
) -> ChartChoice:
    """Draw what can be changed, and return the chart that is wanted; `key` tells results of other columns apart."""

    def chosen() -> ChartChoice:
        kind, x, ys = (state.remembered(_field(name, key)) for name in ("chart", "x", "ys"))
        return chart_choice.changed(start, kind, x, ys)

    def take() -> None:
        if keep is not None:
            keep(() if chosen() == start else chart_choice.as_pairs(chosen()))

    with st.container(horizontal=True, gap="small", key=f"sql_chart_choices_{key}"):
        kind, x, ys = (_field(name, key) for name in ("chart", "x", "ys"))
        st.selectbox("Chart", list(KINDS), format_func=KINDS.__getitem__, key=kind, width=140, on_change=take)
        st.selectbox("X axis", columns.across, key=x, width=150, on_change=take)
        st.multiselect("Y axis", columns.numbers, key=ys, max_selections=MOST_SERIES, width="stretch", on_change=take)
    return chosen()


def series_of(choice: ChartChoice, frame: "pd.DataFrame") -> tuple[list[Series], str]:
    """Return the series of a chart, each with its name, and in words what was left out."""
    most = MOST_BARS if choice.kind in ("bars", "stacked") else MOST_POINTS
    kept = frame.dropna(subset=[choice.x])
    places = kept[choice.x].unique()
    left_out = f"Showing the first {most:,} of {len(places):,} values." if len(places) > most else ""
    if choice.kind in ("bars", "stacked"):
        kept = kept[kept[choice.x].isin(places[:most])]
    else:
        kept = kept.head(most) if choice.kind == "points" else kept.sort_values(choice.x, kind="stable").head(most)
    if choice.split:
        (y,) = choice.ys
        parts = [(str(name), part, y) for name, part in kept.groupby(choice.split, sort=False, dropna=False)]
    else:
        parts = [(y, kept, y) for y in choice.ys]
    return [(name, _values(part[choice.x]), _values(part[y])) for name, part, y in parts], left_out


def _values(column: "pd.Series[Any]") -> list[Any]:
    """Return values as Plotly's JSON takes them."""
    if hasattr(column, "dt") and not column.empty and hasattr(column.iloc[0], "isoformat"):
        return [None if value is None or value != value else value.isoformat() for value in column]
    return [None if value is None or value != value or not _is_known(value) else _number(value) for value in column]


def _is_known(value: Any) -> bool:
    import pandas as pd

    return bool(pd.notna(value))


def _number(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def _draw(choice: ChartChoice, series: Sequence[Series], key: str) -> None:
    is_bars = choice.kind in ("bars", "stacked")
    labels = len(series) > 1
    xaxis: dict[str, Any] = {"automargin": True, "type": _axis(choice, series)}
    figure = theme.Chart(
        xaxis=xaxis,
        yaxis={"automargin": True, "nticks": 6, "rangemode": "tozero" if is_bars else "normal"},
        margin={"l": 8, "r": 8 + (7 * _ROOM if labels else 0), "t": 12, "b": 24},
        barmode="stack" if choice.kind == "stacked" else "group",
        bargap=0.25,
    )
    colours = theme.series_colours()
    for place, (name, xs, ys) in enumerate(series):
        figure.data.append(_trace(choice, name, xs, ys, colours[place % len(colours)]))
    if choice.kind == "stacked" and labels:
        figure.data += _totals(series)
    if labels:
        _names(figure, choice, series, colours)
    words = f"{KINDS[choice.kind]}: {', '.join(choice.ys)} over {choice.x}"
    theme.show(figure, height=_HEIGHT, alt=words, key=f"sql_drawn_{key}")


def _axis(choice: ChartChoice, series: Sequence[Series]) -> str:
    values = [x for _, xs, _ in series for x in xs[:1]]
    if choice.kind in ("bars", "stacked"):
        return "category"
    if all(isinstance(value, int | float) for value in values):
        return "linear"
    is_dated = all(isinstance(value, str) and value[:4].isdigit() and "T" in value for value in values)
    return "date" if is_dated else "category"


def _trace(choice: ChartChoice, name: str, xs: list[Any], ys: list[Any], colour: str) -> dict[str, Any]:
    trace: dict[str, Any] = {"x": xs, "y": ys, "name": markup.text(name), "hovertemplate": "%{y:,}"}
    if choice.kind in ("bars", "stacked"):
        return trace | {
            "type": "bar",
            "x": _names_of_bars(xs),
            "marker": {"color": colour, "line": {"width": 0.8, "color": theme.colour("bg")}},
        }
    line = "lines+markers" if len(xs) <= _MOST_MARKERS else "lines"
    return trace | {
        "type": "scatter",
        "mode": line if choice.kind == "line" else "markers",
        "line": {"width": 2, "color": colour},
        "marker": {"size": 6, "color": colour},
    }


def _totals(series: Sequence[Series]) -> list[dict[str, Any]]:
    """Return the heights of a few stacks, to stand above them."""
    totals: dict[Any, float] = {}
    for _, xs, ys in series:
        for x, y in zip(xs, ys, strict=True):
            totals[x] = totals.get(x, 0) + (y or 0)
    if len(totals) > _MOST_TOTALS:
        return []
    texts = [chart_choice.label(total) for total in totals.values()]
    quiet = {"size": 12, "color": theme.colour("muted")}
    places = {
        "x": _names_of_bars(list(totals)),
        "y": list(totals.values()),
        "text": texts,
        "textposition": "top center",
    }
    return [{"type": "scatter", "mode": "text", **places, "textfont": quiet, "hoverinfo": "skip", "cliponaxis": False}]


def _names_of_bars(xs: list[Any]) -> list[str]:
    dated = [x.removesuffix("+00:00").removesuffix("T00:00:00") if isinstance(x, str) else str(x) for x in xs]
    return [x[:40] for x in dated]


def _names(figure: theme.Chart, choice: ChartChoice, series: Sequence[Series], colours: Sequence[str]) -> None:
    """Name each series beside the chart, in the order of its colours from the top."""
    stacked = choice.kind == "stacked"
    for place, (name, _, _) in enumerate(reversed(series) if stacked else series):
        number = len(series) - 1 - place if stacked else place
        words = markup.text(markup.clipped(name, _ROOM))
        figure.add_annotation(
            x=1,
            xref="paper",
            xanchor="left",
            xshift=8,
            y=1,
            yref="paper",
            yanchor="top",
            yshift=-18 * place,
            text=f'<span style="color:{colours[number % len(colours)]}">■</span> {words}',
            showarrow=False,
            align="left",
            font={"size": 12, "color": theme.colour("text")},
        )
