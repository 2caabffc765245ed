"""What a search found, or why it found nothing and what to change."""

from typing import TYPE_CHECKING

import streamlit as st

from components import dates, state
from components.address import View
from components.markup import counted, dotted, plain, text
from components.palette import looks_of
from components.search import hits
from components.search.query import find
from components.search.search_view import MOST, NO_FILTERS, PAGE, SearchView, search_again
from services.context import OpenWorkspace

if TYPE_CHECKING:
    from services.retrieval import SearchResult

_SCORES = "search_scores"


def results(workspace: OpenWorkspace, view: View) -> None:
    """Search and draw the answer."""
    with st.spinner("Preparing the search… The first time takes a few seconds."):
        found = find(workspace, view)
    asked = view.of(SearchView)
    listed = [hit for hit in found.hits if asked.undated or asked.recorded or hit.label != "undated"]
    if not listed:
        _nothing(view)
        _undated(len(found.hits) - len(listed), asked)
        _note(found)
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="search_head"):
        more = len(found.hits) >= asked.shown
        shown = counted(len(listed), "hit") + (", best first" if more else "")
        st.html(f'<span class="a-muted a-sm" role="status">{shown}</span>', width="content")
        st.space("stretch")
        scores = st.toggle("Scores", key=_SCORES, persist_state="session")
    if scores:
        st.html(f'<div class="a-muted a-code">{_route(found)}</div>')
    _note(found)
    if found.heading:
        st.caption(plain(found.heading))
    hits.draw(listed, view, looks_of(workspace.name), scores=scores)
    _undated(len(found.hits) - len(listed), asked)
    if more and asked.shown < MOST:
        st.button(
            "Show more",
            key="more_hits",
            type="tertiary",
            icon=":material/expand_more:",
            on_click=search_again,
            kwargs={"shown": min(MOST, asked.shown + 2 * PAGE)},
        )


def _undated(count: int, asked: SearchView) -> None:
    """Say how many facts without a date the list leaves out, and show them at a click; or leave them out again."""
    if count:
        words = f"Show {counted(count, 'more fact')} without a date"
        st.button(words, key="undated_hits", type="tertiary", on_click=search_again, kwargs={"undated": True})
    elif asked.undated and not asked.recorded:
        words = "Hide facts without a date"
        st.button(words, key="undated_hits", type="tertiary", on_click=search_again, kwargs={"undated": False})


def _route(found: "SearchResult") -> str:
    """Say how the question was read, and how long the answer took."""
    route = found.route
    return dotted(
        route.kind,
        f"{route.routing} route",
        f"section “{text(route.section_query)}”" if route.section_query else "",
        f"names {text(', '.join(route.names))}" if route.names else "",
        f"{found.milliseconds:,.0f} ms",
    )


def _note(found: "SearchResult") -> None:
    """Draw what the reader should know of the index, and what to do about it."""
    if found.note:
        hint = " Indexing continues in the background. To finish it now, run `cli.py index`." if found.waiting else ""
        st.caption(plain(found.note) + hint)


def _nothing(view: View) -> None:
    """Nothing was found: what narrows the search, each with the way out of it."""
    asked = view.of(SearchView)
    left_out = "facts" in asked.kinds and not asked.recorded
    with st.container(horizontal_alignment="center", key="search_nothing"):
        why = f"Search shows only facts that hold on {dates.named(view.as_of, view.at.as_of)}. " if left_out else ""
        if view.known_at:
            why += f"Search hides anything recorded after {dates.moment(view.known_at)}."
        st.html(
            f'<div class="a-empty"><div class="a-big">No results for “{text(asked.text.strip())}”.</div>'
            f'<div class="a-muted">{text(why.strip() or "Try other words, or fewer.")}</div></div>'
        )
        with st.container(horizontal=True, horizontal_alignment="center"):
            if asked.filtered:
                st.button("Clear filters", key="way_filters", on_click=search_again, kwargs=NO_FILTERS)
            if asked.kind != "all":
                st.button("Search everything", key="way_kinds", on_click=search_again, kwargs={"kind": "all"})
            if left_out:
                st.button(
                    "Search all recorded facts", key="way_facts", on_click=search_again, kwargs={"recorded": True}
                )
            if view.known_at:
                st.button("Search as known now", key="way_known", on_click=state.go, kwargs={"known_at": None})
