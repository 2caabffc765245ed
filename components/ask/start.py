"""The thread before anything was asked: what this is, and questions to begin with."""

from datetime import timedelta
from typing import Any

import streamlit as st

from components.ask import actions
from components.ask.conversation_state import ConversationState
from components.markup import plain
from components.shell import Opened
from services.agent import get_services, starter_questions


def start(opened: Opened, chat: ConversationState) -> None:
    """Draw it."""
    st.html(
        '<div class="a-empty"><div class="a-big">Ask this graph</div><div class="a-muted">An answer names its sources, '
        "shows its steps, and says when nothing was found.</div></div>"
    )
    if not chat.is_own:
        return
    questions = _starters(opened.name, opened.services.mirrors.of(opened.name).version, opened.at)
    with st.container(horizontal_alignment="center", gap="xsmall", key="ask_starters"):
        for number, question in enumerate(questions):
            st.button(plain(question), key=f"starter_{number}", on_click=actions.ask_words, args=(chat, question))


@st.cache_resource(ttl=timedelta(hours=1), max_entries=64, show_spinner=False)
def _starters(workspace: str, version: int, at: Any) -> tuple[str, ...]:  # noqa: ARG001
    """Kept until the mirror's next version."""
    return starter_questions(get_services().mirrors.of(workspace), at)
