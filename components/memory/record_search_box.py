"""Records found by words, whatever their type."""

import streamlit as st

from components import state
from components.markup import counted, heading, note, text
from components.memory.memory_view import MemoryView
from components.memory.record_cards import card, linked
from components.shell import Opened
from services.memory import search_records

_WORDS = "memory_words"
_MOST = 20


def record_search(opened: Opened, words: str) -> None:
    """Draw the box and what was found."""
    st.text_input(
        "Search records",
        words,
        key=f"{_WORDS}_{words}",
        type="search",
        icon=":material/search:",
        placeholder="Words from a name, topic or lesson",
        on_change=_search,
        args=(f"{_WORDS}_{words}",),
    )
    if not words.strip():
        note("Searches the text of all eight record types. A record must contain every word.")
        return
    hits = search_records(opened.workspace, words, _MOST, opened.view.known_at)
    if not hits:
        note(f"No record matches “{text(words)}”. Try other words, or fewer.")
        return
    heading(f"{counted(len(hits), 'record')}", "best first" if len(hits) < _MOST else f"best {_MOST} shown")
    for hit in hits:
        card(opened.view, hit.type, hit.record, linked(opened, hit.type, [hit.record]))


def _search(key: str) -> None:
    state.update(MemoryView, words=str(state.remembered(key) or "").strip())
