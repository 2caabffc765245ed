"""Box, filters and hits: the part of the Search page that runs by itself while one types."""

import streamlit as st

from components import entity_actions, fact_actions, link_clicks, problems, state
from components.address import View
from components.markup import link
from components.memory.memory_view import MemoryView
from components.search.document import document_drawer
from components.search.facets import facets
from components.search.results import results
from components.search.search_box import box, kind_and_date
from components.search.search_view import SearchView
from components.search.start import start
from components.shell import Opened
from services import cached
from services.mirror import Mirror


@st.fragment
@problems.guarded()
def search_fragment(opened: Opened) -> None:
    """Draw the part; it runs the page again once the view is of other dates than the time bar shows."""
    link_clicks.follow()
    entity_actions.asked_for(opened.name)
    fact_actions.asked_for(opened.name)
    workspace, view = opened.name, state.view()
    if _shown_above(view) != _shown_above(opened.view):
        st.rerun()
    asked, documents = view.of(SearchView), cached.ask(Mirror.documents, workspace)
    box(view)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="search_tools"):
        kind_and_date(view, passages=bool(documents))
        st.space("stretch")
        with st.container(horizontal=True, gap="small", width="content", key="search_facets"):
            facets(workspace, asked, documents)
    if asked.text.strip():
        results(opened.workspace, view)
        if cached.has_records(workspace):
            there = view.changed(MemoryView, words=asked.text.strip())
            st.html(f'<div class="a-sm a-rec-e">{link("Memory", "Search agent records for this query", there)}</div>')
    else:
        start(workspace, view, opened.status.counts, documents)
    if asked.open:
        document_drawer(workspace, asked)


def _shown_above(view: View) -> tuple[object, ...]:
    """Return what the time bar shows of a view."""
    return view.workspace, view.as_of, view.known_at, view.to, view.to_known
