"""What became of the facts of an answer since it was given."""

import streamlit as st

from components.ask import deeds
from components.ask.talk import Exchange, Talk
from components.markup import note, text
from services.agent import get_services
from services.core.answer_records import Answer
from services.verification import changed_since


def since(talk: Talk, one: Exchange, answer: Answer, *, busy: bool) -> None:
    """A badge where a cited fact has ended or was withdrawn, with a way to ask again; `answer` with its calls."""
    told = changed_since(get_services().mirrors.of(talk.workspace), answer)
    if not told:
        return
    note("<b>Changed since this answer.</b> " + " ".join(text(line) for line in told), "a-warn")
    if talk.is_own and not busy:
        st.button("Ask again now", key=f"since_{one.asked.id}", on_click=deeds.retry, args=(talk, one))
