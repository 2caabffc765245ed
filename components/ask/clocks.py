"""How a question was understood, and the dates that its answer holds at, as chips; changing one asks it again."""

from collections.abc import Callable

import streamlit as st

from components import dates, state
from components.ask import actions
from components.ask.conversation_state import ConversationState, Exchange
from components.ask.redated_question import redated
from components.ask.understood import take_off, understood
from components.lazy_containers import draw_when_open
from components.markup import chip, text
from services.core import clock
from services.core.answer_records import Answer, Asked, PartKind


def clocks(chat: ConversationState, exchange: Exchange, answer: Answer) -> None:
    """Draw the chips, and where the date was taken from."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"clocks_{exchange.asked.id}"):
        understood(chat, exchange, answer)
        if chat.is_own:
            world(chat, exchange, answer, f"● valid on {spelled(answer)}", slot="world", beside=False)
            _take_off(chat, exchange, answer, "period")
            _graph(chat, exchange, answer)
            _take_off(chat, exchange, answer, "known_at")
        else:
            st.html(chips(answer), width="content")
        st.html(_about(answer), width="content")


def _take_off(chat: ConversationState, exchange: Exchange, answer: Answer, kind: PartKind) -> None:
    """Draw the button that asks without a date of the question, if it has one of that kind."""
    dated = [part for part in answer.understood if part.kind == kind and part.words]
    if dated:
        take_off(chat, exchange, dated[-1], f"{kind}_{exchange.asked.id}")


def chips(answer: Answer) -> str:
    """Both clocks of an answer, as HTML."""
    return (
        f'<span class="a-sum"><span class="a-chip">● valid on {spelled(answer)}</span>'
        f'<span class="a-chip a-dashed">○ known on {dates.day(answer.at.known_at)}</span></span>'
    )


def spelled(answer: Answer) -> str:
    """The date of an answer, or both of a span: `2018-06-27`, `2010-01-01 → 2011-01-01`."""
    first = dates.moment(answer.at.as_of) if answer.dated_by else dates.day(answer.at.as_of)
    return first if answer.as_of_2 is None else f"{first} → {dates.moment(answer.as_of_2)}"


def world(chat: ConversationState, exchange: Exchange, answer: Answer, label: str, *, slot: str, beside: bool) -> None:
    """A button that opens a date, or both of a span, at which to ask the question again."""
    first, last = f"{slot}_from_{exchange.asked.id}", f"{slot}_until_{exchange.asked.id}"
    fields = {first: ("Valid on", dates.short(answer.at.as_of) if answer.dated_by else dates.day(answer.at.as_of))}
    if answer.as_of_2 is not None:
        fields = {first: ("From", dates.short(answer.at.as_of)), last: ("To", dates.short(answer.as_of_2))}

    def asked() -> Asked:
        as_of, *until = (clock.parse_instant(state.remembered(key) or "") for key in fields)
        return redated(exchange.asked, answer, as_of, until[0] if until else None, exchange.asked.known_at)

    go, icon = ("Compare answers", ":material/schedule:") if beside else ("Ask as of this date", None)
    box = st.popover(label, icon=icon, key=f"{slot}_{exchange.asked.id}", on_change="rerun")
    draw_when_open(box, _form, chat, exchange, fields, go, asked, beside=beside)


def _graph(chat: ConversationState, exchange: Exchange, answer: Answer) -> None:
    key = f"graph_at_{exchange.asked.id}"
    known = dates.day(answer.at.known_at)

    def asked() -> Asked:
        known_at = clock.parse_instant(state.remembered(key) or "")
        return Asked(exchange.asked.content, exchange.asked.as_of, known_at)

    box = st.popover(f"○ known on {known}", key=f"graph_{exchange.asked.id}", on_change="rerun")
    fields = {key: ("Known on", known)}
    draw_when_open(box, _form, chat, exchange, fields, "Ask as known on this date", asked, beside=False)


def _form(
    chat: ConversationState,
    exchange: Exchange,
    fields: dict[str, tuple[str, str]],
    go: str,
    asked: Callable[[], Asked],
    *,
    beside: bool,
) -> None:
    """Dates as one writes them; Enter asks."""
    with st.form(f"form_{next(iter(fields))}", border=False):
        for key, (label, value) in fields.items():
            st.text_input(
                label, value, key=key, help="Enter a date such as 2018-06-27, March 2015 or 2018-06-27T14:30:00Z"
            )
        st.form_submit_button(
            go, type="primary", on_click=actions.ask_at, args=(chat, exchange, asked), kwargs={"beside": beside}
        )


def _about(answer: Answer) -> str:
    taken = f"date taken from “{text(answer.dated_by)}”" if answer.dated_by else ""
    how = f'<span class="a-muted a-sm">{text(answer.model)}</span>' if answer.model else chip("a-off", "rule-based")
    return f'<span class="a-sum"><span class="a-muted a-sm">{taken}</span>{how}</span>'
