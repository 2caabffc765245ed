"""A question of the thread with all that belongs to it: what was done, the dates, the answer, what to do with it."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from components.ask import consent, deeds
from components.ask.clocks import clocks
from components.ask.question import question
from components.ask.retrieved import retrieved
from components.ask.running import running, thinking
from components.ask.said import Chips, not_backed, said, supported
from components.ask.since import since
from components.ask.sources import facts_read
from components.ask.talk import Exchange, Talk, answer_of
from components.ask.trace import trace
from components.ask.ways import ways
from components.markup import clipped, note, plain, text
from components.state import View
from services.accounts import Message
from services.core.answer_records import Answer, ToolCall

_KEPT = "Your question is kept."


def exchange(talk: Talk, one: Exchange, view: View, calls: Sequence[ToolCall], *, busy: bool) -> None:
    """Draw it whole; `busy` tells that an answer of the conversation is being made."""
    question(talk, one, busy=busy)
    message = one.answered
    if message is None:
        _unfinished(talk, one, "This question was not answered.", _KEPT, "", busy=busy)
    elif message.state == "running":
        running(talk, message)
    else:
        _over(talk, one, message, view, calls, busy=busy)
        consent.cards(talk, message.id, calls, busy=busy)


def earlier(one: Exchange) -> str:
    """The one line of a question that is not looked at."""
    answer = answer_of(one.answered)
    told = supported(answer.sentences) if answer else ""
    if answer and answer.declined:
        told = "nothing found"
    state_of = one.answered.state if one.answered else "failed"
    told = told or {"stopped": "stopped", "failed": "not answered", "running": "being answered"}.get(state_of, "")
    return plain(" · ".join(filter(None, [clipped(" ".join(one.asked.content.split()), 72), told])))


def _over(talk: Talk, one: Exchange, message: Message, view: View, calls: Sequence[ToolCall], *, busy: bool) -> None:
    answer = answer_of(message)
    there = replace(view, message=message.id)
    facts = facts_read(answer, retrieved(message))
    trace(calls, there, key=message.id, facts=facts, ms=message.ms, opened=True)
    thinking(message.id, _thoughts(message))
    if answer is not None and (answer.text or answer.hint):
        clocks(talk, one, answer)
        words(answer, there)
    elif message.content:
        st.html(said(message.content, (), Chips()))
    if message.state == "stopped":
        _unfinished(talk, one, message.problem or "Stopped.", "What was said so far is kept.", "a-info", busy=busy)
    elif message.problem:
        _unfinished(talk, one, message.problem, f"{message.hint} {_KEPT}", "", busy=busy)
    if answer is not None and answer.text:
        since(talk, one, replace(answer, calls=tuple(calls)), busy=busy)
        ways(talk, one, message, answer)


def _thoughts(message: Message) -> str:
    """What the model thought in all its replies, from the raw messages."""
    contents = (block.get("content") for block in message.blocks if block.get("role") == "assistant")
    parts = (part for content in contents if isinstance(content, list) for part in content)
    return "\n\n".join(str(part.get("thinking", "")) for part in parts if part.get("type") == "thinking")


def words(answer: Answer, view: View) -> None:
    """The answer itself, and the note on what nothing backs."""
    chips = Chips(view, {citation.n: citation for citation in answer.citations})
    st.html(said(answer.text, answer.sentences, chips))
    if answer.hint:
        st.html(f'<div class="a-muted">{text(answer.hint)}</div>')
    if told := not_backed(answer.sentences):
        note(told, "")


def _unfinished(talk: Talk, one: Exchange, problem: str, told: str, css: str, *, busy: bool) -> None:
    note(f"<b>{text(problem)}</b> {text(told)}", css)
    if talk.is_own and not busy:
        st.button("Try again", key=f"again_{one.asked.id}", on_click=deeds.retry, args=(talk, one))
