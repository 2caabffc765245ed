"""Picture, panel and rows: the part of the Explore page that runs by itself when something is selected in it."""

import streamlit as st

from components import fact_actions, link_clicks, state
from components.address import View
from components.explore.canvas import PANEL, canvas
from components.explore.changes_panel import changes_of, changes_panel
from components.explore.entity_panel import entity_panel
from components.explore.explore_view import ExploreView
from components.explore.fact_panel import fact_panel
from components.explore.group_panel import all_groups, group_of, group_panel
from components.explore.path_finder import path_of
from components.explore.shown_graph import OVERVIEW, roots_of, shown_graph
from components.explore.table_and_downloads import records
from components.markup import text
from services import cached
from services.core.models import Change, Path


@st.fragment
def explore_fragment(workspace: str, label: str, around: View) -> None:
    """Draw the part; `around` is the view that the rest of the page shows, which runs again once it shows another."""
    link_clicks.follow()
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
    records(workspace, view, graph, label, changes=changes, path=path)


def _shown_around(view: View) -> tuple[object, ...]:
    """Return what the time bar and the row of tools show of a view."""
    from_overview = roots_of(view)[0] == OVERVIEW
    return view.workspace, view.as_of, view.known_at, view.to, view.to_known, view.of(ExploreView).hops, from_overview


def details(workspace: str, view: View, changes: tuple[Change, ...], path: Path | None) -> None:
    """Draw the panel."""
    with st.container(border=True, key=PANEL, gap="small"):
        if fact := cached.fact(workspace, view.fact):
            fact_panel(workspace, view, fact)
        elif group := group_of(workspace, view):
            group_panel(workspace, view, group)
        elif view.comparing:
            changes_panel(workspace, view, changes)
        elif entity := cached.entity(workspace, view.entity):
            entity_panel(workspace, view, entity, path)
        elif view.entity:
            st.html(f'<div class="a-empty a-muted">No entity matches “{text(view.entity)}”. Find one above.</div>')
        else:
            st.html('<div class="a-empty a-muted">Select an entity to see its facts.</div>')
            all_groups(workspace, view)
