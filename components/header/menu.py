"""The pages in groups, as menus on top of every page, and the sheet of keys.

`g` and a letter open a page, `?` the sheet; whoever does not want single keys switches them off there. The script of
the menus also copies a link to the view, keeps over a reload what was typed, closes a date of the time bar on Enter,
and fetches the script of charts while the browser is idle.
"""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from components import link_clicks, state
from components.address import parameters_of
from components.served_assets import CLIPBOARD

_KEY, _TO = "menu", "menu_page"
_ASSETS = Path(__file__).parent / "assets"
_PARTS = [CLIPBOARD, *(_ASSETS / f"{part}.js" for part in ("elements", "clocks", "kept", "shortcuts", "menu"))]


@dataclass(frozen=True, slots=True)
class MenuPage:
    """A page in the menus: its title, its icon (a name of Material Symbols) and the letter that opens it after `g`."""

    title: str
    icon: str
    letter: str

    @property
    def script(self) -> str:
        """The file of the page."""
        return f"{self.title}.py"


type Groups = Mapping[str, Sequence[MenuPage]]
"""The pages by group; those of the group "" stand in the bar themselves."""

_menu = st.components.v2.component(
    "asof_menu",
    html='<nav aria-label="Pages"></nav><dialog aria-labelledby="keys-title"></dialog>',
    css=(_ASSETS / "menu.css").read_text(),
    js="".join(part.read_text() for part in _PARTS),
)


def menu(groups: Groups, current: str) -> None:
    """Draw the menus on the page named `current`, and go to the page that was chosen in them."""
    with st.container(key=_KEY):
        data = {"groups": _shown(groups), "current": current, "later": _charts(), "copied": link_clicks.copied_words()}
        _menu(key=f"{_KEY}_bar", data=data, on_page_change=_take)
    chosen = state.pop(_TO)
    scripts = {entry.title: entry.script for entries in groups.values() for entry in entries}
    if chosen in scripts and chosen != current:
        st.switch_page(scripts[chosen], query_params=parameters_of(state.held()))


@functools.cache
def _charts() -> list[str]:
    """The script that draws charts, as Streamlit calls it, for the browser to fetch while it is idle."""
    folder = Path(st.__file__).parent / "static" / "static" / "js"
    return sorted(path.name for path in folder.glob("PlotlyChart.*.js"))


def _shown(groups: Groups) -> list[dict[str, Any]]:
    return [
        {"name": name, "pages": [{"title": e.title, "icon": e.icon, "letter": e.letter} for e in entries]}
        for name, entries in groups.items()
    ]


def _take() -> None:
    state.remember(_TO, state.remembered(f"{_KEY}_bar", {}).get("page"))
