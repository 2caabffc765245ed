"""The SQL page: the data beside the query, or the join by date."""

from collections.abc import Callable, Sequence

import streamlit as st

from components import state
from components.lazy_containers import draw_when_open
from components.shell import Opened
from components.sql.catalog import databases_of
from components.sql.data_panel import data_panel
from components.sql.history import history_panel
from components.sql.join_form import join_form
from components.sql.join_preview import join_preview
from components.sql.query_tab import query_tab, settle, tools
from components.sql.saved import saved_panel
from components.sql.sql_view import TABS, SqlView
from services.sql import SqlDatabase

_TAB = "sql_tab"
_LABELS = {"query": "Query", "join": "Join by date"}


def sql_page(opened: Opened) -> None:
    """Draw the page."""
    settle(opened)
    tab = opened.view.of(SqlView).tab
    databases = databases_of(opened)
    panels: dict[str, Callable[[str], None]] = {
        "Data": lambda place: data_panel(opened, databases, place=place),
        "Saved": lambda place: saved_panel(opened, place=place),
        "History": lambda place: history_panel(opened, place=place),
    }
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="sql_head"):
        _tabs(tab)
        if tab == "query":
            _menus(panels)
            st.space("stretch")
            tools(opened)
    if tab == "query":
        _query(opened, databases, panels)
    else:
        _join(opened)


def _tabs(tab: str) -> None:
    state.remember(_TAB, tab)
    st.segmented_control(
        "View",
        TABS,
        key=_TAB,
        format_func=_LABELS.__getitem__,
        required=True,
        label_visibility="collapsed",
        on_change=_to_tab,
    )


def _to_tab() -> None:
    state.update(SqlView, tab=state.remembered(_TAB) or TABS[0])


def _menus(panels: dict[str, Callable[[str], None]]) -> None:
    """Draw the panels as menus, which the stylesheet shows in narrow windows alone."""
    for name, draw in panels.items():
        with st.container(key=f"sql_menu_{name.lower()}", width="content"):
            draw_when_open(st.popover(name, key=f"sql_popover_{name.lower()}", on_change="rerun"), draw, "menu")


def _query(opened: Opened, databases: Sequence[SqlDatabase], panels: dict[str, Callable[[str], None]]) -> None:
    side, main = st.columns([1, 3.8], gap="medium")
    with side, st.container(key="sql_side"):
        for draw in panels.values():
            draw("side")
    with main:
        query_tab(opened, databases)


def _join(opened: Opened) -> None:
    st.caption("Each row has its own date, so only the time bar's “as known on” date applies here.")
    side, main = st.columns([1, 2.9], gap="medium")
    with side:
        join = join_form(opened)
    with main:
        if join is not None:
            join_preview(opened, join)
