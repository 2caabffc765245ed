"""The look, from one set of tokens: the stylesheet, Plotly's template, and the colours that Python draws with.

`.streamlit/config.toml` holds the same values for Streamlit's own widgets.
"""

import functools
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import streamlit as st

from components import dates, state
from components.palette import COLOURS, OTHER


@dataclass(frozen=True, slots=True)
class Tokens:
    """The colours of one theme; what each is for stands in the stylesheet. Text ones have a contrast of 4.5 or more."""

    bg: str
    sub: str
    line: str
    grid: str
    text: str
    muted: str
    faint: str
    accent: str
    tint: str
    added: str
    added_bg: str
    ended: str
    ended_bg: str
    corrected: str
    corrected_bg: str
    on_primary: str


LIGHT = Tokens(
    bg="#FFFFFF",
    sub="#F5F6F8",
    line="#E1E4E9",
    grid="#ECEEF2",
    text="#1B1F27",
    muted="#565E6B",
    faint="#B9BEC7",
    accent="#4B45C6",
    tint="#EDECFA",
    added="#146C3E",
    added_bg="#E6F4EC",
    ended="#AE2430",
    ended_bg="#FCEBEC",
    corrected="#825700",
    corrected_bg="#FBF1DA",
    on_primary="#FFFFFF",
)
DARK = Tokens(
    bg="#0F1115",
    sub="#181B21",
    line="#2B303A",
    grid="#22262E",
    text="#E7E9ED",
    muted="#9CA4B0",
    faint="#4A505C",
    accent="#A9A6FA",
    tint="#211F3D",
    added="#5BD09A",
    added_bg="#10281D",
    ended="#FF8F97",
    ended_bg="#34181B",
    corrected="#E9C05C",
    corrected_bg="#2D240F",
    on_primary="#0F1115",
)
_EDGE = 0.06
"""The share of a chart's width at either end in which a centred label would be cut off."""
HOLDS_ALPHA = {"light": 0.16, "dark": 0.26}
"""How strongly the accent fills a bar that holds, so that text on it keeps its contrast."""


def tokens() -> Tokens:
    """The colours of the theme that the viewer sees."""
    return DARK if state.theme() == "dark" else LIGHT


def series_colours() -> tuple[str, ...]:
    """Colours for the series of a chart, in order."""
    dark = state.theme() == "dark"
    return (*(pair[dark] for pair in COLOURS), OTHER.colour(state.theme()))


def faded(colour: str, alpha: float) -> str:
    """A `#RRGGBB` colour with an opacity of `alpha`, as Plotly reads it."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{alpha:g})"


def mixed(colour: str, alpha: float) -> str:
    """Return `faded(colour, alpha)` on the page's ground, as a colour that covers what is below it."""
    pairs = [(int(colour[i : i + 2], 16), int(tokens().bg[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(top * alpha + ground * (1 - alpha)):02X}" for top, ground in pairs)


def apply() -> None:
    """Put the stylesheet on the page and follow the viewer's theme."""
    # What opens over the page is no part of .stApp, which alone gets a colour scheme from Streamlit.
    st.html(f"<style>{_stylesheet()}\nbody {{ color-scheme: {state.theme()}; }}</style>")
    _follow_theme()


@functools.cache
def _stylesheet() -> str:
    light, dark = asdict(LIGHT), asdict(DARK)
    names = "".join(f"--a-{k.replace('_', '-')}:light-dark({light[k]},{dark[k]});" for k in light)
    return f":root{{{names}}}\n" + (Path(__file__).parent / "asof.css").read_text()


_WATCH = "theme_watch"
_watcher = st.components.v2.component(
    "asof_theme_watch",
    html="<i></i>",
    js="""export default function ({ data, parentElement, setStateValue }) {
  const host = parentElement.host ?? parentElement;
  const seen = getComputedStyle(host).getPropertyValue("--st-background-color").trim().toLowerCase();
  if (seen && seen !== data.drawn && seen !== host.dataset.sent) {
    host.dataset.sent = seen;
    setStateValue("seen", seen);
  } else if (seen === data.drawn) {
    delete host.dataset.sent;
  }
}
""",
)


def _follow_theme() -> None:
    """A change of theme alone does not run the script again; this does, so that charts and logo follow."""
    with st.container(key="watch"):
        _watcher(key=_WATCH, data={"drawn": tokens().bg.lower()}, on_seen_change=lambda: None)


class Chart:
    """A Plotly figure as plain data: Plotly checks it once when it is drawn, and not again with every shape."""

    def __init__(self, layout: dict[str, Any]) -> None:
        self.data: list[dict[str, Any]] = []
        self.layout: dict[str, Any] = {**layout, "shapes": [], "annotations": []}

    def add_shape(self, **shape: Any) -> None:
        """Add a line or a rectangle."""
        self.layout["shapes"].append(shape)

    def add_annotation(self, **annotation: Any) -> None:
        """Add a text."""
        self.layout["annotations"].append(annotation)

    def add_scatter(self, **trace: Any) -> None:
        """Add a series of points, lines or areas."""
        self.data.append({"type": "scatter", **trace})

    def update_xaxes(self, **axis: Any) -> None:
        """Change the horizontal axis."""
        self.layout["xaxis"] = {**self.layout["xaxis"], **axis}

    def update_yaxes(self, **axis: Any) -> None:
        """Change the vertical axis."""
        self.layout["yaxis"] = {**self.layout["yaxis"], **axis}


def chart(**layout: Any) -> Chart:
    """An empty chart in Asof's template; `layout` is added to it."""
    return Chart({**_layout(tokens()), **layout})


def _layout(look: Tokens) -> dict[str, Any]:
    quiet = {"size": 12, "color": look.muted}
    axis = {
        "gridcolor": look.grid,
        "linecolor": look.line,
        "tickcolor": look.line,
        "zeroline": False,
        "ticks": "outside",
        "ticklen": 4,
        "tickfont": quiet,
        "title": {"font": quiet, "standoff": 8},
        "automargin": False,
        "fixedrange": True,
    }
    font = {"family": "Inter, sans-serif", "size": 12, "color": look.text}
    return {
        "font": font,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "colorway": list(series_colours()),
        "margin": {"l": 8, "r": 8, "t": 24, "b": 24},
        "xaxis": {**axis, "type": "date", "showgrid": False, "hoverformat": "%Y-%m-%d"},
        "yaxis": {**axis, "showline": False, "ticks": ""},
        "showlegend": False,
        "hovermode": "x unified",
        "hoverlabel": {"bgcolor": look.sub, "bordercolor": look.line, "font": font},
        "dragmode": False,
    }


def add_as_of_line(
    figure: Chart, when: datetime, within: tuple[datetime, datetime], label: str, anchor: str = ""
) -> None:
    """Draw the as-of date as a line over the whole height, its label above and within the chart.

    A date outside the chart stands at its edge, and its label has an arrow.
    """
    look = tokens()
    first, last = within
    if when > last:
        label += " →"
    if when < first:
        label = f"← {label}"
    shown = min(max(when, first), last)
    place = (shown - first) / ((last - first) or timedelta(1))
    at = dates.on_axis(shown)
    anchor = anchor or ("right" if place > 1 - _EDGE else "left" if place < _EDGE else "center")
    line = {"color": look.accent, "width": 1.5}
    figure.add_shape(type="line", x0=at, x1=at, y0=0, y1=1, yref="paper", line=line, layer="above")
    figure.add_annotation(
        x=at,
        y=1,
        yref="paper",
        text=f"<b>● {label}</b>",
        showarrow=False,
        yanchor="bottom",
        xanchor=anchor,
        yshift=2,
        font={"color": look.accent, "size": 12},
    )


def add_view_lines(figure: Chart, view: state.View, within: tuple[datetime, datetime]) -> None:
    """Draw the date of the view, or both dates when it compares two, moved into the span of the chart."""
    add_as_of_line(
        figure, view.at.as_of, within, dates.named(view.as_of, view.at.as_of), "right" if view.to is not None else ""
    )
    if view.to is not None:
        add_as_of_line(figure, view.to, within, dates.moment(view.to), "left")


def show(figure: Chart, *, height: int, alt: str, key: str | None = None, on_click: Any = None) -> None:
    """Draw a chart; `alt` is what a screen reader says of it. `on_click` is called after a click on a point."""
    st.plotly_chart(
        {"data": figure.data, "layout": figure.layout},
        theme=None,
        height=height,
        config={"displayModeBar": False},
        key=key,
        alt=alt,
        on_select=on_click or "ignore",
        selection_mode="points",
    )
