"""The row of tools above the picture: find an entity, one instant or two, how far to look."""

from datetime import timedelta

import streamlit as st

from components import state
from components.address import View
from components.explore.entity_box import entity_box
from components.explore.explore_view import ExploreView
from components.explore.shown_graph import OVERVIEW, roots_of
from services import cached
from services.mirror import Mirror

ONE, TWO = "One date", "Compare two"
_MODE, _REACH = "explore_mode", "explore_reach"
_REACHES = {0: "Whole graph", 1: "1 hop", 2: "2 hops", 3: "3 hops"}


def toolbar(workspace: str, view: View) -> None:
    """Draw the row."""
    state.remember(_MODE, TWO if view.comparing else ONE)
    state.remember(_REACH, 0 if roots_of(view)[0] == OVERVIEW else view.of(ExploreView).hops)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="explore_tools"):
        entity_box(workspace, "Find an entity", _start_from, key="explore_find")
        st.segmented_control(
            "Mode",
            [ONE, TWO],
            key=_MODE,
            required=True,
            label_visibility="collapsed",
            on_change=_change_mode,
            args=(workspace,),
        )
        st.segmented_control(
            "Distance",
            list(_REACHES),
            format_func=lambda hops: _REACHES[hops],
            key=_REACH,
            required=True,
            label_visibility="collapsed",
            on_change=_change_reach,
        )


def _start_from(entity_uuid: str) -> None:
    state.update(ExploreView, entity=entity_uuid, fact=None, group=None, roots=(entity_uuid,))


def _change_mode(workspace: str) -> None:
    """Compare with now; from now, with the year that led to it."""
    view = state.held()
    if state.remembered(_MODE) == ONE:
        state.update(to=None, to_known=None)
        return
    latest = View().at.as_of
    bounds = cached.ask(Mirror.bounds, workspace)
    last = min(latest, bounds[1]) if bounds else latest
    start = view.at.as_of if view.at.as_of < last else last - timedelta(days=365)
    state.update(as_of=start, to=latest)


def _change_reach() -> None:
    """Draw anew around the selected entity, or from the whole graph."""
    hops, view = state.remembered(_REACH), state.held()
    if hops == 0:
        state.update(ExploreView, roots=(OVERVIEW,))
        return
    start = next((root for root in (view.entity, *roots_of(view)) if root and root != OVERVIEW), None)
    if start is None:
        st.toast("Select an entity to see its neighbours.")
    else:
        state.update(ExploreView, roots=(start,), hops=hops, entity=start, fact=None)
