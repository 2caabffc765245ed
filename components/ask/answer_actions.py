"""What to do with an answer: ask as of another date, look closer, take it along, say what it was worth."""

from collections import Counter
from datetime import datetime, timedelta

import streamlit as st

from components import state
from components.address import parameters_of
from components.ask import actions
from components.ask.clocks import world
from components.ask.conversation_state import ConversationState, Exchange
from components.ask.copy_button import copy_button
from components.ask.retrieved import facts_of, retrieved
from components.ask.send_to_workflow import send_to_workflow
from components.explore.explore_view import ExploreView
from services.accounts import Message
from services.agent import answer_markdown
from services.core.answer_records import Answer

_A_MOMENT = timedelta(minutes=1)


def answer_actions(chat: ConversationState, one: Exchange, message: Message, answer: Answer) -> None:
    """Draw the row."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"ways_{message.id}"):
        if chat.is_own:
            world(chat, one, answer, "Ask as of another date", slot="other", beside=True)
        if ends := _shown_ends(message, answer):
            asked = {
                "as_of": _clock(answer.at.as_of, message),
                "known_at": _clock(answer.at.known_at, message),
                "to": None,
                "entity": ends[0],
                "roots": (ends[0],),
                "fact": None,
                "group": None,
                "path_to": ends[1],
            }
            if st.button("Open in Explore", icon=":material/hub:", key=f"explore_{message.id}"):
                st.switch_page("Explore.py", query_params=parameters_of(state.update(ExploreView, **asked)))
        if chat.is_own:
            send_to_workflow(chat, one)
        copy_button("Copy with sources", answer_markdown(answer, message.sources), key=f"copy_{message.id}")
        if chat.is_own:
            _worth(chat, message)


def _shown_ends(message: Message, answer: Answer) -> tuple[str, str | None] | None:
    """The entity that most of the cited facts are about, or both ends of the path that the answer found.

    Where no fact is cited, of all that were read.
    """
    read = retrieved(message)
    facts = facts_of(tuple(one for one in read if one.cited)) or facts_of(read)
    uses = Counter(uuid for fact in facts for uuid in (fact.source_uuid, fact.target_uuid))
    if not uses:
        return None
    once = [uuid for uuid, times in uses.items() if times == 1]
    if answer.topic.intent == "path" and len(once) == 2:
        return once[0], once[1]
    return uses.most_common(1)[0][0], None


def _clock(instant: datetime, message: Message) -> datetime | None:
    """An instant of an answer for the time bar: None, which is now, where it was the moment of asking."""
    return None if abs(instant - message.created_at) < _A_MOMENT else instant


def _worth(chat: ConversationState, message: Message) -> None:
    key, note_key = f"thumb_{message.id}", f"note_{message.id}"
    now = {1: 1, -1: 0}.get(message.thumb)
    args = (actions.thumb, chat, message.id, key, note_key)
    st.feedback("thumbs", key=key, default=now, on_change=actions.attempt, args=args)
    if not message.thumb:
        return
    box = st.popover(
        "Note" if not message.note else "Note ✓",
        key=f"noted_{message.id}",
        type="tertiary",
        on_change="rerun",
        help="Say why. Asof saves rated answers as cases on Traces.",
    )
    if box.open:
        with box, st.form(f"form_note_{message.id}", border=False):
            st.text_area("Why?", message.note, key=note_key)
            st.form_submit_button("Save note", on_click=actions.attempt, args=args)
