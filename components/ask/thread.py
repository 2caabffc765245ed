"""The thread: questions and answers of the branch that is shown, the ones not looked at as one line each."""

from collections.abc import Sequence

import streamlit as st

from components import shell, state
from components.ask import deeds
from components.ask.answer import earlier, exchange
from components.ask.beside import beside
from components.ask.box import box
from components.ask.conversations import head
from components.ask.start import start
from components.ask.talk import Exchange, Talk
from components.markup import counted, note
from components.shell import Opened

_HEIGHT = 560
_NEAR = 3


def thread(opened: Opened, talk: Talk) -> None:
    """Draw it, with the conversations above and the box below."""
    head(opened, talk)
    busy = opened.services.turns.running(talk.conversation.id) is not None if talk.conversation else False
    with st.container(height=_HEIGHT, border=False, key="thread", gap="small", autoscroll=busy):
        if talk.exchanges:
            _exchanges(opened, talk, busy=busy)
        else:
            start(opened, talk)
    if problem := deeds.problem():
        shell.show_problem(problem)
    if talk.is_own:
        box(talk, busy=busy)
    else:
        note("This conversation is somebody else's: you can read it.")


def _exchanges(opened: Opened, talk: Talk, *, busy: bool) -> None:
    """The one that is looked at whole; of those before it the last few as lines, and the rest folded away."""
    one = talk.focus
    assert one is not None, "where there are questions, one is looked at"
    at = talk.exchanges.index(one)
    folded, near = talk.exchanges[: max(0, at - _NEAR)], talk.exchanges[max(0, at - _NEAR) : at]
    if folded:
        with st.expander(f"{counted(len(folded), 'earlier question')}", type="compact", key="ask_folded"):
            _lines(folded)
    _lines(near)
    if draw := beside(opened, talk, one):
        draw()
    else:
        looked_at = one.answered.id if one.answered else ""
        calls = opened.services.accounts.conversations.calls_of([looked_at]).get(looked_at, ())
        exchange(talk, one, opened.view, calls, busy=busy)
    _lines(talk.exchanges[at + 1 :])


def _lines(exchanges: Sequence[Exchange]) -> None:
    for one in exchanges:
        with st.container(key=f"earlier_{one.asked.id}"):
            st.button(
                earlier(one),
                key=f"look_{one.asked.id}",
                type="tertiary",
                icon=":material/history:",
                help="Show this question and its answer",
                on_click=state.look_at,
                args=((one.answered or one.asked).id,),
            )
