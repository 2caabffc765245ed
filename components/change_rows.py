"""A change of a workspace in a list: what it did, who made it, and the way to take it back or do it again."""

import streamlit as st

from components import change_preview, dates, state, undo_banner
from components.markup import chip, clipped, counted, dotted, plain, sign, text
from components.shell import Opened
from services.accounts import User
from services.core.change_records import ChangeSetRecord
from services.writing import change_sets

_OPEN = "change_row_open"
_CHIPS = {
    "done": ("a-good", "✓ done"),
    "undone": ("a-off", "↶ undone"),
    "undoing": ("a-warn", "● undoing"),
    "redoing": ("a-warn", "● redoing"),
    "writing": ("a-warn", "● writing"),
}
_KINDS = {
    "import": "table",
    "text": "text",
    "form": "one fact",
    "correction": "correction",
    "merge": "merge",
    "delete": "deletion",
    "clean-up": "clean-up",
    "demo": "demo",
}
_COUNTS = {
    "added": ("added", "reinstated"),
    "ended": ("ended", "withdrawn", "deleted"),
    "corrected": ("corrected", "merged"),
}


def change_row(opened: Opened, record: ChangeSetRecord) -> None:
    """Draw the change; what it did with the facts opens below it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"made_{record.id}"):
        st.html(_words(opened, record), width="stretch")
        is_open = state.remembered(_OPEN) == record.id
        st.button(
            "Hide" if is_open else "Show",
            key=f"change_show_{record.id}",
            type="tertiary",
            on_click=state.toggle,
            args=(_OPEN, record.id),
            help=plain(record.title),
        )
        if record.can_undo:
            undo_banner.undo_button(opened.name, record.id, record.title, key=f"change_undo_{record.id}")
        if record.can_redo:
            st.button(
                "Redo",
                key=f"change_redo_{record.id}",
                icon=":material/redo:",
                type="tertiary",
                on_click=undo_banner.redo,
                args=(opened.name, record.id, record.title),
            )
    if is_open:
        _lines(opened, record)


def _words(opened: Opened, record: ChangeSetRecord) -> str:
    counts = " ".join(
        f"{sign(kind)} {number:,}"
        for kind, names in _COUNTS.items()
        if record.state != "undone" and (number := sum(record.counts.get(name, 0) for name in names))
    )
    documents = record.counts.get("documents", 0)
    in_title = record.title.startswith(f"{documents:,} ")
    about = dotted(
        counted(documents, "document") if documents and not in_title else "",
        f"“{record.origin.note}”" if record.origin.note else "",
        _by(opened, record) if opened.user.id else "",
    )
    return (
        f'<div class="a-made"><div><b>{text(clipped(record.title, 90))}</b> '
        f'<span class="a-muted">{_KINDS[record.origin.kind]}</span> '
        f'<span class="a-muted a-sm">{text(about)}</span></div>'
        f'{chip(*_CHIPS[record.state])}<div class="a-sum">{counts}</div>'
        f'<div class="a-when">{dates.seconds_in_utc(record.created_at)}</div></div>'
    )


def _by(opened: Opened, record: ChangeSetRecord) -> str:
    """Say who made a change; "" where it was the reader, or nobody who is known."""
    id = record.origin.user_id
    if not id or id == opened.user.id:
        return ""
    user: User | None = opened.services.accounts.users.get(id)
    return f"by {user.display_name or user.name}" if user else ""


def _lines(opened: Opened, record: ChangeSetRecord) -> None:
    if found := change_sets.change_set_lines(opened.services, record.id):
        change_preview.lines(found, "What was undone" if record.state == "undone" else "What changed")
    else:
        st.caption("This change affected no facts.")
