"""A question in the thread: its words, its branches, and the ways to ask it again."""

import streamlit as st

from components.ask import actions
from components.ask.ask_view import look_at
from components.ask.conversation_state import ConversationState, Exchange
from components.markup import text
from services.agent import siblings


def question(chat: ConversationState, exchange: Exchange, *, busy: bool) -> None:
    """Draw it; `busy` tells that an answer is being made, so nothing else can be asked."""
    asked = exchange.asked
    with st.container(horizontal=True, vertical_alignment="center", gap=None, key=f"question_{asked.id}"):
        st.html(f'<div class="a-asked" role="heading" aria-level="2">{text(asked.content)}</div>')
        _branches(chat, exchange)
        if chat.is_own and not busy:
            _edit(chat, exchange)
            _icon("retry", asked.id, "Ask again", ":material/refresh:", actions.retry, chat, exchange)


def _branches(chat: ConversationState, exchange: Exchange) -> None:
    """Arrows between the questions that stand in one place."""
    beside = siblings(chat.messages, exchange.asked)
    if len(beside) < 2:
        return
    at = [one.id for one in beside].index(exchange.asked.id)
    before, after = beside[at - 1].id if at else None, beside[at + 1].id if at + 1 < len(beside) else None
    _arrow("before", exchange, "The version before", ":material/chevron_left:", before)
    st.html(f'<span class="a-muted a-sm">{at + 1} of {len(beside)}</span>', width="content")
    _arrow("after", exchange, "The version after", ":material/chevron_right:", after)


def _arrow(name: str, exchange: Exchange, label: str, icon: str, to: str | None) -> None:
    with st.container(key=f"icon_{name}_{exchange.asked.id}", width="content"):
        st.button(
            label,
            icon=icon,
            help=label,
            key=f"{name}_{exchange.asked.id}",
            type="tertiary",
            disabled=to is None,
            on_click=look_at,
            args=(to,),
        )


def _edit(chat: ConversationState, exchange: Exchange) -> None:
    asked = exchange.asked
    with st.container(key=f"icon_edit_{asked.id}", width="content"):
        box = st.popover(
            "Edit the question",
            icon=":material/edit:",
            type="tertiary",
            key=f"edit_{asked.id}",
            on_change="rerun",
            help="Edit the question",
        )
    if box.open:
        key = f"edited_{asked.id}"
        with box, st.form(f"form_edit_{asked.id}", border=False):
            st.text_area("The question", asked.content, key=key)
            st.caption("The question as it was, and its answer, are kept.")
            st.form_submit_button("Ask", type="primary", on_click=actions.edit, args=(chat, exchange, key))


def _icon(name: str, of: str, label: str, icon: str, action: object, *args: object) -> None:
    with st.container(key=f"icon_{name}_{of}", width="content"):
        st.button(label, icon=icon, help=label, key=f"{name}_{of}", type="tertiary", on_click=action, args=args)  # type: ignore[arg-type]
