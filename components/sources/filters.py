"""Which sources are listed: by words, kind and state, in which order; kept for the session."""

import streamlit as st

from components import state
from components.pager import list_filter
from services.core.source_records import PAGE, SourceKind, SourceOrder, SourcesAsked, SourceState

_TEXT, _KIND, _STATE, _ORDER, _OFFSET = (
    "sources_text",
    "sources_kind",
    "sources_state",
    "sources_order",
    "sources_from",
)
_KINDS: dict[str, SourceKind | None] = {
    "All": None,
    "Documents": "document",
    "Messages": "message",
    "Texts": "episode",
}
_STATES: dict[str, SourceState | None] = {
    "Any state": None,
    "Ingested": "read",
    "Facts extracted": "facts read",
    "In review": "in review",
    "Failed": "failed",
}
_ORDERS: dict[str, SourceOrder] = {
    "Last recorded": "recorded",
    "Newest date": "newest",
    "Oldest date": "oldest",
    "Title": "title",
}
_MOST_WORDS = 8


def filters() -> SourcesAsked:
    """Draw them; returns what they ask for."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="sources_tools"):
        list_filter("Search titles, tags and text", _TEXT, first_page)
        st.segmented_control(
            "Kind",
            list(_KINDS),
            default="All",
            required=True,
            key=_KIND,
            on_change=first_page,
            label_visibility="collapsed",
            persist_state="session",
        )
        st.space("stretch")
        st.selectbox(
            "State",
            list(_STATES),
            key=_STATE,
            on_change=first_page,
            label_visibility="collapsed",
            width=140,
            persist_state="session",
        )
        st.selectbox(
            "Sort by",
            list(_ORDERS),
            key=_ORDER,
            on_change=first_page,
            label_visibility="collapsed",
            width=160,
            persist_state="session",
        )
    return _asked()


def _asked() -> SourcesAsked:
    return SourcesAsked(
        tuple(str(state.remembered(_TEXT) or "").split()[:_MOST_WORDS]),
        _KINDS.get(state.remembered(_KIND) or "All"),
        _STATES.get(state.remembered(_STATE) or "Any state"),
        _ORDERS.get(state.remembered(_ORDER) or "", "recorded"),
        state.remembered(_OFFSET, 0),
        PAGE,
    )


def first_page() -> None:
    """List from the beginning again; for callbacks."""
    state.forget(_OFFSET)


def go_to(offset: int) -> None:
    """List from another place on; for callbacks."""
    state.remember(_OFFSET, max(0, offset))


def clear() -> None:
    """Ask for everything again; for callbacks."""
    state.remember(_TEXT, "")
    state.remember(_KIND, "All")
    state.remember(_STATE, "Any state")
    first_page()
