"""An answer while it is made: its words and calls as they come, why one waits, and a button that stops it.

The turn runs in the services; this only looks at it, so a reload or a second tab shows the same.
"""

import streamlit as st

from components import problems
from components.ask import actions, approval
from components.ask.answer_html import Chips, answer_html
from components.ask.conversation_state import ConversationState
from components.ask.trace import lines
from components.markup import note, text
from services.accounts import Message
from services.agent import Turn, get_services


@st.fragment(run_every="0.3s")
@problems.guarded()
def running(chat: ConversationState, message: Message) -> None:
    """Follow an answer; the page runs again once it is whole."""
    turn = get_services().turns.get(message.id)
    if turn is None:
        _elsewhere(message)
    elif turn.state != "running":
        st.rerun()
    else:
        _draw(chat, turn)


def thinking(message_id: str, words: str) -> None:
    """Draw what a model thought, folded away."""
    if words.strip():
        with st.expander("Thinking", type="compact", key=f"thinking_{message_id}"):
            st.html(f'<div class="a-source">{text(words)}</div>')


def _elsewhere(message: Message) -> None:
    """Another process makes it, and keeps what was said every few seconds."""
    kept = get_services().accounts.conversations.message(message.id)
    if kept is None or kept.state != "running":
        st.rerun()
    st.html(answer_html(kept.content, (), Chips()))
    st.html('<div class="a-muted a-sm" role="status">Another copy of Asof is answering this question.</div>')


def _draw(chat: ConversationState, turn: Turn) -> None:
    # Each part has a place of its own from the start: what comes in above would otherwise rebuild the button, and a
    # key pressed meanwhile would be lost.
    thoughts, calls, words, reason, questions = (st.container() for _ in range(5))
    with thoughts:
        thinking(turn.id, turn.thinking)
    with calls:
        lines(turn.calls, None)
    with words:
        if turn.text:
            st.html(answer_html(turn.text, (), Chips()))
    with reason:
        if turn.waiting:
            note(text(turn.waiting), "a-warn")
    with questions:
        approval.cards(chat, turn.id, turn.calls, busy=True)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="running"):
        doing = "Waiting" if turn.waiting else "Writing" if turn.text else "Searching"
        st.html(f'<span class="a-busy a-muted" role="status">{doing}…</span>', width="content")
        if chat.is_own:
            st.button(
                "Stop",
                key=f"stop_{turn.id}",
                icon=":material/stop_circle:",
                shortcut="Esc",
                on_click=actions.stop,
                args=(turn.id,),
            )
