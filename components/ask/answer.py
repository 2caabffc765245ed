"""A question of the thread with all that belongs to it: what was done, the dates, the answer, what to do with it."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from components.address import View
from components.ask import actions, approval
from components.ask.answer_actions import answer_actions
from components.ask.answer_html import Chips, answer_html, decline_mark, not_backed, outcome_of
from components.ask.ask_view import AskView
from components.ask.clocks import clocks
from components.ask.conversation_state import ConversationState, Exchange, answer_of
from components.ask.list_summary import lead, list_of, list_table
from components.ask.offers import offers
from components.ask.question import question
from components.ask.retrieved import retrieved
from components.ask.running_answer import running, thinking
from components.ask.send_to_workflow import way_to_run
from components.ask.sources import facts_read
from components.ask.trace import trace
from components.markup import clipped, dotted, link, note, plain, text
from components.sql.in_answer import queries_of_answer
from services.accounts import Message
from services.agent import get_services
from services.core.answer_records import Answer, ToolCall
from services.verification import changed_since

_KEPT = "Your question is saved."


def exchange(chat: ConversationState, one: Exchange, view: View, calls: Sequence[ToolCall], *, busy: bool) -> None:
    """Draw a question with its whole answer; `busy` is true while an answer of the conversation is being made."""
    question(chat, one, busy=busy)
    message = one.answered
    if message is None:
        _unfinished(chat, one, "This question has no answer yet.", _KEPT, "", busy=busy)
    elif message.state == "running":
        running(chat, message)
    else:
        _over(chat, one, message, view, calls, busy=busy)
        approval.cards(chat, message.id, calls, busy=busy)


def earlier(one: Exchange) -> str:
    """The one line of a question that is not looked at."""
    answer = answer_of(one.answered)
    state_of = one.answered.state if one.answered else "failed"
    outcome = {"stopped": "stopped", "failed": "no answer", "running": "answering…"}.get(state_of, "")
    if answer:
        outcome = outcome_of(answer) or outcome
    return plain(dotted(clipped(" ".join(one.asked.content.split()), 72), outcome))


def _over(
    chat: ConversationState, one: Exchange, message: Message, view: View, calls: Sequence[ToolCall], *, busy: bool
) -> None:
    answer = answer_of(message)
    there = view.changed(AskView, message=message.id)
    trace(calls, there, key=message.id, facts=facts_read(answer, retrieved(message)), ms=message.ms)
    thinking(message.id, _thoughts(message))
    if answer is not None and (answer.text or answer.hint):
        clocks(chat, one, answer)
        listed = list_of(chat.workspace, answer, retrieved(message))
        if listed is not None:
            lead(listed)
            list_table(listed, message.id)
        words(answer, there)
        _all_changes(answer, view)
        if answer.declined:
            offers(chat, one, answer, busy=busy)
        queries_of_answer(calls, view)
        way_to_run(chat, calls, view)
    elif message.content:
        st.html(answer_html(message.content, (), Chips()))
    if message.state == "stopped":
        _unfinished(chat, one, message.problem or "Stopped.", "The answer so far is saved.", "a-info", busy=busy)
    elif message.problem:
        _unfinished(chat, one, message.problem, f"{message.hint} {_KEPT}", "", busy=busy)
    if answer is not None and answer.text:
        _changes_since(chat, one, replace(answer, calls=tuple(calls)), busy=busy)
        answer_actions(chat, one, message, answer)


def _all_changes(answer: Answer, view: View) -> None:
    """A link to all changes, below an answer that counts those of the whole graph and lists the first."""
    if answer.topic.intent == "changes" and not answer.declined:
        compared = View(view.workspace, as_of=answer.at.as_of, known_at=answer.topic.known_at, to=answer.as_of_2)
        st.html(
            f'<div class="a-sm">{link("Overview", "All changes between the two dates", compared, css="a-link")}</div>'
        )


def _changes_since(chat: ConversationState, one: Exchange, answer: Answer, *, busy: bool) -> None:
    """A badge where a cited fact has ended or was withdrawn since, with a way to ask again; `answer` with its calls."""
    if changes := changed_since(get_services().mirrors.of(chat.workspace), answer):
        note("<b>The facts have changed since this answer.</b> " + " ".join(text(line) for line in changes), "a-warn")
        if chat.is_own and not busy:
            st.button("Ask again now", key=f"since_{one.asked.id}", on_click=actions.retry, args=(chat, one))


def _thoughts(message: Message) -> str:
    """Return what the model thought in all its replies, from the raw messages."""
    contents = (block.get("content") for block in message.blocks if block.get("role") == "assistant")
    parts = (part for content in contents if isinstance(content, list) for part in content)
    return "\n\n".join(str(part.get("thinking", "")) for part in parts if part.get("type") == "thinking")


def words(answer: Answer, view: View) -> None:
    """The answer itself, and the note on what nothing backs."""
    chips = Chips(view, {citation.n: citation for citation in answer.citations})
    mark = f"<div>{decline_mark(answer)}</div>" if answer.declined else ""
    st.html(mark + answer_html(answer.text, answer.sentences, chips))
    if answer.hint:
        st.html(f'<div class="a-muted">{text(answer.hint)}</div>')
    if warning := not_backed(answer.sentences):
        note(warning, "")


def _unfinished(chat: ConversationState, one: Exchange, problem: str, hint: str, css: str, *, busy: bool) -> None:
    note(f"<b>{text(problem)}</b> {text(hint)}", css)
    if not chat.is_own or busy:
        return
    with st.container(horizontal=True, gap="small", key=f"unfinished_{one.asked.id}"):
        st.button("Try again", key=f"again_{one.asked.id}", on_click=actions.retry, args=(chat, one))
        if one.answered is not None and one.answered.state == "failed" and one.answered.model:
            st.button(
                "Answer without a model",
                key=f"by_rules_{one.asked.id}",
                on_click=actions.retry,
                args=(chat, one),
                kwargs={"by": ""},
            )
