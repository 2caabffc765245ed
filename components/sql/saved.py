"""Queries that were saved under a name, and those that were run before."""

import streamlit as st

from components import markup, problems, state
from components.confirm import answers, dialog
from components.markup import dotted, plain
from components.shell import Opened
from components.sql import query
from services.accounts import SavedQuery

ASKED = "sql_save_asked"
_SHOWN, _FORM = 5, "sql_save"


def saved_panel(opened: Opened, *, place: str) -> None:
    """Draw the saved queries, the last ones first; one of them goes into the editor with a click."""
    found = _saved(opened)
    verified = sum(one.is_verified for one in found)
    note = f"{len(found)} ({verified} verified)" if found else ""
    with st.container(horizontal=True, vertical_alignment="center", key=f"sql_saved_head_{place}"):
        with st.container(width="stretch"):
            markup.heading("Saved", note)
        if found and st.button("All", type="tertiary", key=f"sql_all_saved_{place}"):
            all_saved(opened)
    if not found:
        st.caption("No saved queries yet. To keep the query in the editor, press Save and name it.")
    for number, one in enumerate(sorted(found, key=lambda one: one.updated_at, reverse=True)[:_SHOWN]):
        _saved_row(opened, one, f"{place}_{number}")


def _saved_row(opened: Opened, one: SavedQuery, key: str) -> None:
    with st.container(gap=None, key=f"sql_saved_{key}"):
        st.button(
            plain(one.name),
            type="tertiary",
            key=f"sql_open_{key}",
            help=plain(one.question or one.description) or None,
            on_click=open_saved,
            args=(one,),
        )
        mark = '<b class="a-good-word">✓ verified</b>' if one.is_verified else ""
        names = _asks(opened, one)
        st.html(f'<div class="a-sm a-muted">{dotted(mark, _by(opened, one), names)}</div>')


def _by(opened: Opened, one: SavedQuery) -> str:
    return "by you" if one.user_id in (None, opened.user.id) else "shared"


def _asks(opened: Opened, one: SavedQuery) -> str:
    names = [f":{name}" for name in query.fields_of(opened, one.sql, one.database)]
    return f"needs {markup.text(', '.join(names))}" if names else ""


def open_saved(one: SavedQuery) -> None:
    """Put a saved query into the editor; as a widget's callback."""
    query.write(one.sql, one.database or "")
    state.remember(query.NAME, one.name)


def _saved(opened: Opened) -> tuple[SavedQuery, ...]:
    return opened.workspace.ask_accounts(lambda accounts: accounts.saved_queries.of(opened.name), ())


@st.dialog("Saved queries", width="large")
def all_saved(opened: Opened) -> None:
    """List what was saved; each can be opened, verified and deleted."""
    with problems.guarded():
        for one in _saved(opened):
            with st.container(horizontal=True, vertical_alignment="center", key=f"sql_all_{one.name}"):
                with st.container(width="stretch", gap=None):
                    st.html(f"<b>{markup.text(one.name)}</b>")
                    st.caption(plain(one.question or one.description))
                key = f"sql_verify_{one.name}"
                state.remember(key, one.is_verified)
                st.toggle(
                    "Verified",
                    key=key,
                    help="Asof shows verified queries to models as examples.",
                    on_change=_verify,
                    args=(opened, one.name, key),
                )
                if st.button("Open", key=f"sql_all_open_{one.name}", on_click=open_saved, args=(one,)):
                    st.rerun()
                st.button(
                    f"Delete {plain(one.name)}",
                    icon=":material/delete:",
                    type="tertiary",
                    key=f"icon_sql_delete_{one.name}",
                    on_click=_delete,
                    args=(opened, one.name),
                )


def _verify(opened: Opened, name: str, key: str) -> None:
    with problems.guarded():
        opened.workspace.accounts.saved_queries.verify(opened.name, name, is_verified=bool(state.remembered(key)))


def _delete(opened: Opened, name: str) -> None:
    with problems.guarded():
        opened.workspace.accounts.saved_queries.delete(opened.name, [name])


@dialog("Save the query")
def save(opened: Opened) -> None:
    """Ask for the name of what is in the editor, and keep it."""
    st.text_input("Name", state.remembered(query.NAME) or "", key=f"{_FORM}_name")
    st.text_input(
        "The question this query answers",
        key=f"{_FORM}_question",
        placeholder="How many drafts did the council accept each year?",
    )
    st.text_area("Notes", key=f"{_FORM}_notes", height=80)
    st.checkbox(
        "I have checked that the query answers the question",
        key=f"{_FORM}_verified",
        help="Asof shows verified queries to models as examples.",
    )
    answers("Save", _keep, opened)


def _keep(opened: Opened) -> None:
    name, question, notes, is_verified = (
        state.remembered(f"{_FORM}_{part}") for part in ("name", "question", "notes", "verified")
    )
    kept = opened.workspace.accounts.saved_queries
    saved = kept.save(
        opened.name,
        name or "",
        query.text(),
        question=question or "",
        description=notes or "",
        database=query.database() or None,
        user_id=opened.user.id,
    )
    kept.verify(opened.name, saved.name, is_verified=bool(is_verified))
    state.remember(query.NAME, saved.name)
