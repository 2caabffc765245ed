"""What became of the facts of an answer since it was given."""

import streamlit as st

from components.ask import actions
from components.ask.conversation_state import ConversationState, Exchange
from components.markup import note, text
from services.agent import get_services
from services.core.answer_records import Answer
from services.verification import changed_since


def changes_since(chat: ConversationState, one: Exchange, answer: Answer, *, busy: bool) -> None:
    """A badge where a cited fact has ended or was withdrawn, with a way to ask again; `answer` with its calls."""
    if changes := changed_since(get_services().mirrors.of(chat.workspace), answer):
        note("<b>Changed since this answer.</b> " + " ".join(text(line) for line in changes), "a-warn")
        if chat.is_own and not busy:
            st.button("Ask again now", key=f"since_{one.asked.id}", on_click=actions.retry, args=(chat, one))
