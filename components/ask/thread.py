"""The thread: questions and answers of the branch that is shown, the ones not looked at as one line each."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import streamlit as st

from components import problems
from components.ask import actions
from components.ask.answer import earlier, exchange
from components.ask.ask_view import look_at
from components.ask.compare_answers import comparison
from components.ask.conversation_state import ConversationState, Exchange
from components.ask.conversations import head
from components.ask.question_box import box
from components.markup import counted, note, plain
from components.shell import Opened
from services.agent import get_services, starter_questions

_HEIGHT = 560
_NEAR = 3


def thread(opened: Opened, chat: ConversationState) -> None:
    """Draw the thread, with the conversations above and the box below."""
    head(opened, chat)
    busy = opened.services.turns.running(chat.conversation.id) is not None if chat.conversation else False
    with st.container(height=_HEIGHT, border=False, key="thread", gap="small", autoscroll=busy):
        if chat.exchanges:
            _exchanges(opened, chat, busy=busy)
        else:
            _begin(opened, chat)
    problems.show_kept(actions.PROBLEM)
    if chat.is_own:
        box(chat, busy=busy)
    else:
        note("This conversation belongs to someone else. You can only read it.")


def _exchanges(opened: Opened, chat: ConversationState, *, busy: bool) -> None:
    """The one that is looked at whole; of those before it the last few as lines, and the rest folded away."""
    one = chat.focus
    assert one is not None, "a conversation with questions has one in focus"
    at = chat.exchanges.index(one)
    folded, near = chat.exchanges[: max(0, at - _NEAR)], chat.exchanges[max(0, at - _NEAR) : at]
    if folded:
        with st.expander(f"{counted(len(folded), 'earlier question')}", type="compact", key="ask_folded"):
            _lines(folded)
    _lines(near)
    if not comparison(opened, chat, one):
        looked_at = one.answered.id if one.answered else ""
        calls = opened.services.accounts.conversations.calls_of([looked_at]).get(looked_at, ())
        exchange(chat, one, opened.view, calls, busy=busy)
    _lines(chat.exchanges[at + 1 :])


def _lines(exchanges: Sequence[Exchange]) -> None:
    for one in exchanges:
        with st.container(key=f"earlier_{one.asked.id}"):
            st.button(
                earlier(one),
                key=f"look_{one.asked.id}",
                type="tertiary",
                icon=":material/history:",
                help="Show this question and its answer",
                on_click=look_at,
                args=((one.answered or one.asked).id,),
            )


def _begin(opened: Opened, chat: ConversationState) -> None:
    """Draw what this is, with questions to begin with."""
    st.html(
        '<div class="a-empty"><div class="a-big">Ask this graph</div><div class="a-muted">Answers show their sources '
        "and steps, and say when the graph has no answer.</div></div>"
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
