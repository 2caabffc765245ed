"""The tables that facts were imported from, each with what it changed and the way to take it back."""

from collections.abc import Sequence

import streamlit as st

from components import state
from components.buttons import show_more
from components.change_rows import change_row
from components.markup import heading
from components.shell import Opened
from services.core.change_records import ChangeSetRecord
from services.core.errors import AccountsUnavailable

_SHOWN = "tables_shown"
_PAGE = 8


def newest(opened: Opened) -> tuple[ChangeSetRecord, ...]:
    """Return the newest imports of tables, one more than are shown where there are more."""
    room = state.remembered(_SHOWN, _PAGE)
    try:
        return opened.services.accounts.change_sets.of_tables(opened.name, room + 1)
    except AccountsUnavailable:  # documents are seen without it
        return ()


def imported_tables(opened: Opened, found: Sequence[ChangeSetRecord]) -> None:
    """Draw them; nothing where there are none."""
    if not found:
        return
    room = state.remembered(_SHOWN, _PAGE)
    heading("Imported tables", "newest first")
    with st.container(border=True, key="imported_tables", gap="small"):
        for record in found[:room]:
            change_row(opened, record)
        if len(found) > room:
            show_more("tables_more", _SHOWN, room + _PAGE)
