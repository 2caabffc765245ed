"""Shows how a question was understood: a chip for each part, to change or take off. Either asks it again."""

from collections.abc import Iterable, Sequence

import streamlit as st

from components import state
from components.ask import actions
from components.ask.conversation_state import ConversationState, Exchange
from components.ask.redated_question import date_words
from components.ask.reworded import can_be_replaced, of_relation, with_another, without
from components.buttons import icon_button
from components.lazy_containers import draw_when_open
from components.markup import chip, plain, relation, text
from services.agent import get_services, questions_about
from services.core.answer_records import Answer, PartKind, QuestionPart

_ORDER: Sequence[PartKind] = ("entity", "relation", "value", "condition", "order", "period", "known_at")
_DATES: Sequence[PartKind] = ("period", "known_at")
"""The parts that the clocks of an answer show."""
_BEFORE: dict[PartKind, str] = {"condition": "also ", "order": "order "}


def understood(chat: ConversationState, exchange: Exchange, answer: Answer) -> None:
    """Draw the parts that are no dates, and the words that were not understood."""
    if not answer.understood and not answer.not_understood:
        return
    st.html('<span class="a-muted a-sm">Understood as</span>', width="content")
    groups = in_questions(answer.understood)
    for number, group in enumerate(groups, 1):
        if len(groups) > 1:
            st.html(f'<span class="a-chip a-off">{number}</span>', width="content")
        for place, part in enumerate(one for one in group if one.kind not in _DATES):
            _part(chat, exchange, answer, group, part, f"{exchange.asked.id}_{number}_{place}")
    for word in answer.not_understood:
        st.html(chip("a-warn", f"? {text(word)}"), width="content")


def in_questions(parts: Iterable[QuestionPart]) -> list[list[QuestionPart]]:
    """Group parts by the question that they are of: each names its parts in the same order."""
    groups: list[list[QuestionPart]] = []
    for part in parts:
        last = groups[-1][-1] if groups else None
        if last is None or _ORDER.index(part.kind) < _ORDER.index(last.kind):
            groups.append([])
        groups[-1].append(part)
    return groups


def label_of(part: QuestionPart) -> str:
    """Return a part as its chip says it."""
    name = relation(part.name).removeprefix("has ") if part.kind == "relation" else part.name
    return f"{_BEFORE.get(part.kind, '')}{name}"


def take_off(chat: ConversationState, exchange: Exchange, part: QuestionPart, key: str) -> None:
    """Draw the button that asks the question without a part; nothing where its words are not in the question.

    What was carried over from the question before is left out by asking without that one.
    """
    asked = exchange.asked.content
    off = date_words(part.words) if part.kind in _DATES else part.words
    words = asked if part.carried else without(asked, off)
    if words == asked and not part.carried:
        return
    icon_button(
        f"off_{key}",
        f"Ask without {plain(label_of(part))}",
        ":material/close:",
        actions.ask_instead,
        chat,
        exchange,
        words,
        alone=part.carried,
    )


def _part(
    chat: ConversationState,
    exchange: Exchange,
    answer: Answer,
    group: Sequence[QuestionPart],
    part: QuestionPart,
    key: str,
) -> None:
    if not chat.is_own or not _can_change(exchange, group, part):
        css = "a-dashed" if part.carried else "a-off"
        with st.container(horizontal=True, gap=None, vertical_alignment="center", width="content", key=f"part_{key}"):
            st.html(chip(css, text(label_of(part))), width="content")
            if chat.is_own:
                take_off(chat, exchange, part, key)
        return
    kept = "carried" if part.carried else "part"
    with st.container(horizontal=True, gap=None, vertical_alignment="center", width="content", key=f"{kept}_{key}"):
        box = st.popover(plain(label_of(part)), key=f"change_{key}", on_change="rerun")
        draw_when_open(box, _choices, chat, exchange, answer, group, part, key)
        take_off(chat, exchange, part, key)


def _can_change(exchange: Exchange, group: Sequence[QuestionPart], part: QuestionPart) -> bool:
    if part.kind == "relation":
        return any(one.kind == "entity" for one in group)
    return can_be_replaced(exchange.asked.content, part)


def _choices(
    chat: ConversationState,
    exchange: Exchange,
    answer: Answer,
    group: Sequence[QuestionPart],
    part: QuestionPart,
    key: str,
) -> None:
    if part.kind == "relation":
        _relations(chat, exchange, answer, next(one.name for one in group if one.kind == "entity"), key)
        return
    field = f"other_name_{key}"
    with st.form(f"form_{field}", border=False):
        st.text_input("Ask about" if part.kind == "entity" else "Replace with", part.name, key=field)
        st.form_submit_button("Ask", type="primary", on_click=_rename, args=(chat, exchange, part, field))


def _relations(chat: ConversationState, exchange: Exchange, answer: Answer, name: str, key: str) -> None:
    """Draw what else can be asked of the entity, at the same date."""
    st.caption(f"What the graph records about {plain(name)}")
    dated_by = date_words(answer.dated_by)
    if dated_by.casefold() not in exchange.asked.content.casefold():  # it was carried over
        dated_by = ""
    for number, offer in enumerate(questions_about(get_services().workspace(chat.workspace), name)):
        st.button(
            plain(offer.label.removeprefix("has ")),
            key=f"relation_{number}_{key}",
            type="tertiary",
            help=plain(offer.question),
            on_click=actions.ask_instead,
            args=(chat, exchange, of_relation(offer, dated_by)),
        )


def _rename(chat: ConversationState, exchange: Exchange, part: QuestionPart, field: str) -> None:
    other = (state.remembered(field) or "").strip()
    if other and other != part.name:
        actions.ask_instead(chat, exchange, with_another(exchange.asked.content, part.words, other))
