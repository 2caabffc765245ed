"""The latest changes of a workspace, whoever made them, each with the way to take it back or do it again."""

import streamlit as st

from components import state
from components.buttons import show_more
from components.change_rows import change_row
from components.markup import heading
from components.shell import Opened
from services.core.change_records import UNDO_DAYS
from services.writing import change_sets

_SHOWN = "changes_shown"
_PAGE = 8


def changes(opened: Opened) -> None:
    """Draw the latest changes; nothing where there are none."""
    room = state.remembered(_SHOWN, _PAGE)
    found = change_sets.change_sets(opened.services.workspace(opened.name), room + 1)
    if not found:
        return
    heading("Changes", f"you can undo each for {UNDO_DAYS} days")
    with st.container(border=True, key="changes", gap="small"):
        for record in found[:room]:
            change_row(opened, record)
        if len(found) > room:
            show_more("changes_more", _SHOWN, room + _PAGE)
