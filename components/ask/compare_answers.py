"""Two answers to one question, side by side: each at its own date, and what they cite in common."""

import streamlit as st

from components import dates, state
from components.ask.answer import words
from components.ask.ask_view import AskView
from components.ask.clocks import chips
from components.ask.conversation_state import ConversationState, Exchange, answer_of
from components.markup import counted, dotted, text
from components.shell import Opened
from services.core.answer_records import Answer


def comparison(opened: Opened, chat: ConversationState, one: Exchange) -> bool:
    """Draw both answers; false unless the view names another one and both are there."""
    other = next((message for message in chat.messages if message.id == opened.view.of(AskView).beside), None)
    first, second = answer_of(other), answer_of(one.answered)
    if other is None or one.answered is None or first is None or second is None:
        return False
    sides = sorted([(first, other), (second, one.answered)], key=lambda side: (side[0].at.as_of, side[0].at.known_at))
    with st.container(key=f"question_{one.asked.id}"):
        st.html(f'<div class="a-asked" role="heading" aria-level="2">{text(one.asked.content)}</div>')
    st.html(f'<div class="a-muted a-sm" role="status">{_common(*(answer for answer, _ in sides))}</div>')
    for column, (answer, message) in zip(st.columns(2, gap="medium"), sides, strict=True):
        with column:
            st.html(chips(answer))
            words(answer, opened.view.changed(AskView, message=message.id, beside=None))
    st.button(
        "Close the comparison",
        key="beside_close",
        icon=":material/close:",
        on_click=state.go,
        args=(AskView,),
        kwargs={"beside": None},
    )
    return True


def _common(first: Answer, second: Answer) -> str:
    """Say how many records both answers cite, and how many only one."""
    one, two = ({c.id for c in answer.citations if c.kind != "result"} for answer in (first, second))
    if one == two:
        return "Both answers cite the same records." if one else "Neither answer cites a record."
    return dotted(
        f"{counted(len(one & two), 'record')} cited in both answers" if one & two else "",
        f"{counted(len(one - two), 'record')} only on {dates.day(first.at.as_of)}" if one - two else "",
        f"{counted(len(two - one), 'record')} only on {dates.day(second.at.as_of)}" if two - one else "",
    )
