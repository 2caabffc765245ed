"""The Memory page: what an agent remembers, asked, searched, imported and exported."""

from collections.abc import Mapping, Sequence

import streamlit as st

from components import problems
from components.markup import counted, dotted, heading, note, text
from components.memory import import_form, query_form, record_cards, record_search_box
from components.memory.memory_view import MemoryView
from components.shell import Opened
from services.core.errors import GraphUnavailable
from services.core.memory_records import RecordType
from services.memory import ask_memory

_TAB, _ASK, _SEARCH, _IMPORT = "memory_tab", "Ask", "Search", "Import and export"


def memory_page(opened: Opened) -> None:
    """Draw the page; without records it is the import alone."""
    store, name = opened.workspace.graph.memory, opened.name
    try:
        counts, citizens = opened.workspace.run(store.counts(name), 30), opened.workspace.run(store.citizens(name), 30)
    except GraphUnavailable:
        note(
            "The graph is unavailable. Test the connection on Settings. Memory works again once the graph responds.",
            "a-warn",
        )
        return
    if not counts:
        _empty()
        import_form.import_form(opened, has_records=False)
        return
    heading("Memory", dotted(counted(sum(counts.values()), "record"), _types(counts), _of(citizens)))
    words = opened.view.of(MemoryView).words
    tab = st.segmented_control(
        "View",
        [_ASK, _SEARCH, _IMPORT],
        default=_SEARCH if words else _ASK,
        required=True,
        key=f"{_TAB}_{_SEARCH}" if words else _TAB,  # a link to a search opens it, whatever was open before
        persist_state="session",
        label_visibility="collapsed",
    )
    if tab == _IMPORT:
        import_form.import_form(opened, has_records=True)
    elif tab == _SEARCH:
        record_search_box.record_search(opened, words)
    else:
        _queries(opened, citizens)


def _empty() -> None:
    st.html(
        '<div class="a-empty"><div class="a-big">No records yet</div><div class="a-muted">Import what an agent '
        "remembers: partners, conversations, technical context, emotions, strategies, code, failed attempts and "
        f"constraints. One JSON object per line, such as <code>{text(import_form.EXAMPLE)}</code></div></div>"
    )


def _types(counts: Mapping[RecordType, int]) -> str:
    return counted(len(counts), "type")


def _of(citizens: Sequence[str]) -> str:
    return f"of {citizens[0]}" if len(citizens) == 1 else f"of {len(citizens)} citizens" if citizens else ""


def _queries(opened: Opened, citizens: Sequence[str]) -> None:
    view = opened.view.of(MemoryView)
    left, right = st.columns([4, 8], gap="medium")
    with left:
        query_form.query_form(view, citizens)
    with right, problems.guarded():
        if view.query is None:
            note("Pick a query, fill in the form and press “Ask”. Matching records appear here.")
            return
        record_cards.answer(opened, ask_memory(opened.workspace, view.query, view.given, opened.view.known_at))
