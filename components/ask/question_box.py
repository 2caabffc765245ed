"""Where one asks: what could be asked next, the model, and the box."""

import streamlit as st

from components.ask import actions
from components.ask.conversation_state import ConversationState, answer_of
from components.markup import plain
from services.agent import get_services

_HINT = "Ask about this graph. Dates in your question override the time bar."
_EFFORTS = {"": "Effort: default", "low": "Effort: low", "medium": "Effort: medium", "high": "Effort: high"}


def box(chat: ConversationState, *, busy: bool) -> None:
    """Draw the follow-ups, the model and the box; while `busy` nothing can be sent."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="ask_next"):
        if not busy:
            _follow_ups(chat)
        st.space("stretch")
        _models()
    st.chat_input(
        "Answering." if busy else _HINT,
        key=actions.BOX,
        disabled=busy,
        on_submit=actions.send,
        args=(chat,),
    )


def _follow_ups(chat: ConversationState) -> None:
    answer = answer_of(chat.exchanges[-1].answered) if chat.exchanges else None
    for number, question in enumerate(answer.follow_ups if answer else ()):
        st.button(
            plain(question),
            key=f"follow_up_{number}",
            type="tertiary",
            icon=":material/subdirectory_arrow_right:",
            on_click=actions.ask_words,
            args=(chat, question),
        )


def _models() -> None:
    """Which model answers, and how hard it thinks; nothing where there is none to choose."""
    choices = actions.model_choices()
    if len(choices) < 2:
        return
    st.selectbox(
        "Model",
        choices,
        key=actions.MODEL,
        format_func=lambda name: name or "rule-based",
        label_visibility="collapsed",
        width=220,
        persist_state="session",
    )
    settings = get_services().settings
    if actions.model() and not settings.plain_model:
        st.selectbox(
            "Effort",
            list(_EFFORTS),
            list(_EFFORTS).index(settings.effort),
            key=actions.EFFORT,
            format_func=_EFFORTS.__getitem__,
            label_visibility="collapsed",
            width=170,
            persist_state="session",
        )
