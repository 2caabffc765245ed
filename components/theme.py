"""The look, from one set of tokens: the stylesheet, Plotly's template, and the colours that Python draws with.

`.streamlit/config.toml` holds the same values for Streamlit's own widgets.
"""

import functools
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from components import dates, state
from components.address import View
from components.palette import COLOURS, OTHER

type Token = Literal[
    "bg",
    "sub",
    "line",
    "grid",
    "text",
    "muted",
    "faint",
    "accent",
    "tint",
    "added",
    "added_bg",
    "ended",
    "ended_bg",
    "corrected",
    "corrected_bg",
    "path",
    "on_primary",
]
TOKENS: dict[Token, tuple[str, str]] = {
    "bg": ("#FFFFFF", "#0F1115"),
    "sub": ("#F5F6F8", "#181B21"),
    "line": ("#E1E4E9", "#2B303A"),
    "grid": ("#ECEEF2", "#22262E"),
    "text": ("#1B1F27", "#E7E9ED"),
    "muted": ("#565E6B", "#9CA4B0"),
    "faint": ("#B9BEC7", "#4A505C"),
    "accent": ("#4B45C6", "#A9A6FA"),
    "tint": ("#EDECFA", "#211F3D"),
    "added": ("#146C3E", "#5BD09A"),
    "added_bg": ("#E6F4EC", "#10281D"),
    "ended": ("#AE2430", "#FF8F97"),
    "ended_bg": ("#FCEBEC", "#34181B"),
    "corrected": ("#825700", "#E9C05C"),
    "corrected_bg": ("#FBF1DA", "#2D240F"),
    "path": ("#B4147D", "#FF7AC6"),
    "on_primary": ("#FFFFFF", "#0F1115"),
}
"""Each colour in the light and in the dark theme; what it is for stands in the stylesheet.

Those of texts have a contrast of 4.5 or more.
"""
_EDGE = 0.06
"""The share of a chart's width at either end in which a centred label would be cut off."""
HOLDS_ALPHA = {"light": 0.16, "dark": 0.26}
"""How strongly the accent fills a bar that holds, so that text on it keeps its contrast."""


def colour(token: Token) -> str:
    """Return a colour of the theme that the viewer sees."""
    return TOKENS[token][state.theme() == "dark"]


def series_colours() -> tuple[str, ...]:
    """Colours for the series of a chart, in order."""
    return tuple(pair[state.theme() == "dark"] for pair in (*COLOURS, (OTHER.light, OTHER.dark)))


def faded(hue: str, alpha: float) -> str:
    """A `#RRGGBB` colour with an opacity of `alpha`, as Plotly reads it."""
    red, green, blue = (int(hue[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{alpha:g})"


def mixed(hue: str, alpha: float) -> str:
    """Return `faded(hue, alpha)` on the page's ground, as a colour that covers what is below it."""
    pairs = [(int(hue[i : i + 2], 16), int(colour("bg")[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(top * alpha + ground * (1 - alpha)):02X}" for top, ground in pairs)


def apply() -> None:
    """Put the stylesheet on the page and follow the viewer's theme."""
    # What opens over the page is no part of .stApp, which alone gets a colour scheme from Streamlit.
    st.html(f"<style>{_stylesheet()}\nbody {{ color-scheme: {state.theme()}; }}</style>")
    _follow_theme()


@functools.cache
def _stylesheet() -> str:
    names = "".join(
        f"--a-{token.replace('_', '-')}:light-dark({light},{dark});" for token, (light, dark) in TOKENS.items()
    )
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
        _watcher(key=_WATCH, data={"drawn": colour("bg").lower()}, on_seen_change=lambda: None)


class Chart:
    """A Plotly figure in Asof's template as plain data, which Plotly checks once when it is drawn, not shape by shape.

    `xaxis` and `yaxis` are added to the template's axes, `layout` to the rest of it.
    """

    def __init__(self, *, xaxis: dict[str, Any], yaxis: dict[str, Any], **layout: Any) -> None:
        template = _layout()
        axes = {"xaxis": template["xaxis"] | xaxis, "yaxis": template["yaxis"] | yaxis}
        self.data: list[dict[str, Any]] = []
        self.layout: dict[str, Any] = {**template, **layout, **axes, "shapes": [], "annotations": []}

    def add_shape(self, **shape: Any) -> None:
        """Add a line or a rectangle."""
        self.layout["shapes"].append(shape)

    def add_annotation(self, **annotation: Any) -> None:
        """Add a text."""
        self.layout["annotations"].append(annotation)

    def add_scatter(self, **trace: Any) -> None:
        """Add a series of points, lines or areas."""
        self.data.append({"type": "scatter", **trace})


def _layout() -> dict[str, Any]:
    quiet = {"size": 12, "color": colour("muted")}
    axis = {
        "gridcolor": colour("grid"),
        "linecolor": colour("line"),
        "tickcolor": colour("line"),
        "zeroline": False,
        "ticks": "outside",
        "ticklen": 4,
        "tickfont": quiet,
        "title": {"font": quiet, "standoff": 8},
        "automargin": False,
        "fixedrange": True,
    }
    font = {"family": "Inter, sans-serif", "size": 12, "color": colour("text")}
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
        "hoverlabel": {"bgcolor": colour("sub"), "bordercolor": colour("line"), "font": font},
        "dragmode": False,
    }


def add_as_of_line(
    figure: Chart, when: datetime, within: tuple[datetime, datetime], label: str, anchor: str = ""
) -> None:
    """Draw the as-of date as a line over the whole height, its label above and within the chart.

    A date outside the chart stands at its edge, and its label has an arrow.
    """
    first, last = within
    if when > last:
        label += " →"
    if when < first:
        label = f"← {label}"
    shown = min(max(when, first), last)
    place = (shown - first) / ((last - first) or timedelta(1))
    at = dates.on_axis(shown)
    anchor = anchor or ("right" if place > 1 - _EDGE else "left" if place < _EDGE else "center")
    figure.add_shape(
        type="line",
        x0=at,
        x1=at,
        y0=0,
        y1=1,
        yref="paper",
        line={"color": colour("accent"), "width": 1.5},
        layer="above",
    )
    figure.add_annotation(
        x=at,
        y=1,
        yref="paper",
        text=f"<b>● {label}</b>",
        showarrow=False,
        yanchor="bottom",
        xanchor=anchor,
        yshift=2,
        font={"color": colour("accent"), "size": 12},
    )


def add_view_lines(figure: Chart, view: View, within: tuple[datetime, datetime]) -> None:
    """Draw the date of the view, or both dates when it compares two, moved into the span of the chart."""
    if view.to is None:
        add_as_of_line(figure, view.at.as_of, within, dates.named(view.as_of, view.at.as_of))
        return
    spelled = dates.moment if view.to.date() == view.at.as_of.date() else dates.day  # a time has no room at the rim
    add_as_of_line(figure, view.at.as_of, within, spelled(view.at.as_of), "right")
    add_as_of_line(figure, view.to, within, spelled(view.to), "left")


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
