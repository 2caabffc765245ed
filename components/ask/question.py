"""A question in the thread: its words, its branches, and the ways to ask it again."""

import streamlit as st

from components.ask import actions
from components.ask.ask_view import look_at
from components.ask.conversation_state import ConversationState, Exchange
from components.buttons import icon_button
from components.markup import text
from services.agent import siblings


def question(chat: ConversationState, exchange: Exchange, *, busy: bool) -> None:
    """Draw a question with its buttons; while `busy` an answer is being made, and nothing else can be asked."""
    asked = exchange.asked
    with st.container(horizontal=True, vertical_alignment="center", gap=None, key=f"question_{asked.id}"):
        st.html(f'<div class="a-asked" role="heading" aria-level="2">{text(asked.content)}</div>')
        _branches(chat, exchange)
        if chat.is_own and not busy:
            _edit(chat, exchange)
            icon_button(f"retry_{asked.id}", "Ask again", ":material/refresh:", actions.ask_again, chat, exchange)


def _branches(chat: ConversationState, exchange: Exchange) -> None:
    """Arrows between the questions that stand in one place."""
    beside = siblings(chat.messages, exchange.asked)
    if len(beside) < 2:
        return
    at = [one.id for one in beside].index(exchange.asked.id)
    before, after = beside[at - 1].id if at else None, beside[at + 1].id if at + 1 < len(beside) else None
    of = exchange.asked.id
    icon_button(f"before_{of}", "Previous version", ":material/chevron_left:", look_at, before, disabled=not before)
    st.html(f'<span class="a-muted a-sm">{at + 1} of {len(beside)}</span>', width="content")
    icon_button(f"after_{of}", "Next version", ":material/chevron_right:", look_at, after, disabled=not after)


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
            st.text_area("Question", asked.content, key=key)
            st.caption("Asof keeps the original question and its answer.")
            st.form_submit_button("Ask", type="primary", on_click=actions.ask_again, args=(chat, exchange, key))
