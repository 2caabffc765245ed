"""Picture, panel and rows: the part of the Explore page that runs by itself when something is selected in it."""

import streamlit as st

from components import fact_actions, links, state
from components.explore.canvas import canvas
from components.explore.changes_panel import changes_of
from components.explore.details import details
from components.explore.explore_view import ExploreView
from components.explore.path_finder import path_of
from components.explore.records import records
from components.explore.shown_graph import OVERVIEW, roots_of, shown_graph


@st.fragment
def explore_fragment(workspace: str, label: str, around: state.View) -> None:
    """Draw the part; `around` is the view that the rest of the page shows, which runs again once it shows another."""
    links.follow()
    fact_actions.asked_for(workspace)
    view = state.view()
    if _shown_around(view) != _shown_around(around):
        st.rerun()
    path = path_of(workspace, view)
    graph = shown_graph(workspace, view, path)
    if graph.roots != roots_of(view):
        view = state.update(ExploreView, roots=graph.roots)
    changes = changes_of(workspace, view, graph)
    with st.container(key="explore"):
        left, right = st.columns([8.6, 3.4], gap="small")
    with right:  # first, since it is what a click waits for
        details(workspace, view, changes, path)
    with left:
        canvas(workspace, label, view, graph, changes=changes, path=path)
    records(workspace, view, graph, label)


def _shown_around(view: state.View) -> tuple[object, ...]:
    """What the time bar and the row of tools show of a view."""
    reach = view.of(ExploreView).hops, roots_of(view)[0] == OVERVIEW
    return view.workspace, view.as_of, view.known_at, view.to, view.to_known, *reach
