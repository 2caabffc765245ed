"""A text or a pasted conversation: typed or pasted, read, and then reviewed on the right."""

from collections.abc import Sequence
from datetime import date, datetime, time

import streamlit as st

from components import dates, problems, state
from components.ingest import extraction_options, followed_job
from components.markup import clipped, counted, say_if_cut, table, text
from components.shell import Opened
from services import cached
from services.core.errors import AsofError, BadInput
from services.documents import NewDocument, messages_of
from services.jobs import text_item
from services.mirror import Mirror

_TITLE, _TEXT, _DAY, _TIME = "text_title", "text_body", "text_day", "text_time"
_CHAT, _THREAD, _CHAT_DAY = "chat_body", "chat_thread", "chat_day"
_MESSAGES = 8


def one_text(opened: Opened) -> None:
    """The form of a text."""
    with st.container(border=True, key="text_form"):
        st.text_input("Title", key=_TITLE, persist_state="session", placeholder="Optional")
        words = st.text_area(
            "Text",
            key=_TEXT,
            height=160,
            persist_state="session",
            placeholder="Ada Lovelace joined Difference Labs as an engineer in July 2022.",
        )
        left, right = st.columns(2, gap="small")
        dates.field(
            "Written on",
            dates.today(),
            key=_DAY,
            help="Relative dates such as “last March” are resolved against this date. Leave empty to skip them.",
            persist_state="session",
            place=left,
        )
        right.time_input("Time", None, key=_TIME, help="Leave empty if unknown", persist_state="session")
        chosen = extraction_options.choose(opened, words or "")
        extraction_options.will_take(chosen, [len(words or "")])
        followed_job.start_button(
            "Extract facts" if chosen.extract else "Ingest text", "text_read", _read_text, opened, chosen
        )


def _read_text(opened: Opened, chosen: extraction_options.ExtractionOptions) -> str:
    words = str(state.remembered(_TEXT) or "")
    if not words.strip():
        raise BadInput("The text is empty.", "Paste or type some text.")
    written = _written(state.remembered(_DAY), state.remembered(_TIME))
    item = text_item(words, title=str(state.remembered(_TITLE) or "").strip(), reference_time=written)
    return opened.services.accounts.jobs.add(
        opened.name, "documents", item.title, [item], options=chosen.options(), user_id=opened.user.id or None
    )


def _written(day: date | None, at: time | None = None) -> datetime | None:
    return dates.join(day, at) if day else None


def conversation(opened: Opened) -> None:
    """The form of a conversation, with its messages as they were understood."""
    with st.container(border=True, key="chat_form"):
        words = st.text_area(
            "Messages",
            key=_CHAT,
            height=200,
            persist_state="session",
            placeholder="[2026-03-01 10:22] Ann: I moved to Lisbon last week.\n[2026-03-01 10:24] Bob: And the job?",
            help="One message per line, such as “Ann: Hello”, with an optional time in brackets first; or JSON Lines.",
        )
        st.text_input(
            "Conversation name",
            key=_THREAD,
            persist_state="session",
            placeholder="Optional",
            help="Messages added later under the same name continue this conversation.",
        )
        dates.field(
            "Written on",
            dates.today(),
            key=_CHAT_DAY,
            help="Relative dates such as “last March” are resolved against this date, for messages without a time. "
            "Leave empty to skip them.",
            persist_state="session",
        )
        found = _understood(words or "")
        chosen = extraction_options.choose(opened, words or "")
        extraction_options.will_take(chosen, [len(message.text) for message in found])
        label = f"Read {counted(len(found), 'message')}" if chosen.extract else "Ingest messages"
        followed_job.start_button(label, "chat_read", _read_messages, opened, chosen, disabled=not found)


def _understood(words: str) -> Sequence[NewDocument]:
    """The messages of what was pasted, drawn as a table; none where it cannot be read."""
    if not words.strip():
        return ()
    try:
        found = messages_of(words, str(state.remembered(_THREAD) or ""))
    except AsofError as problem:
        problems.show(problem)
        return ()
    table(
        [
            [
                (dates.moment(message.reference_time) if message.reference_time else "no time", "a-d a-muted"),
                (f"<b>{text(clipped(message.text.partition(':')[0], 24))}</b>", "a-nw"),
                (text(clipped(message.text.partition(":")[2].strip(), 120)), "a-w"),
            ]
            for message in found[:_MESSAGES]
        ],
        [("When", "a-d"), ("Who", ""), ("Text", "a-w")],
        label="Messages found in your text",
    )
    say_if_cut(_MESSAGES, len(found), "message", words="Showing the first")
    return found


def _read_messages(opened: Opened, chosen: extraction_options.ExtractionOptions) -> str:
    """Add the messages; one that is in the graph already keeps the time that it has there."""
    found = messages_of(str(state.remembered(_CHAT) or ""), str(state.remembered(_THREAD) or ""))
    written = _written(state.remembered(_CHAT_DAY))
    known = cached.ask(Mirror.documents_by_id, opened.name, tuple(message.id for message in found))
    times = [m.reference_time or (known[m.id].reference_time if m.id in known else written) for m in found]
    items = [
        text_item(m.text, id=m.id, title=m.title, format="text", thread=m.thread, reference_time=at)
        for m, at in zip(found, times, strict=True)
    ]
    title = f"{found[0].thread}: {counted(len(found), 'message')}"
    return opened.services.accounts.jobs.add(
        opened.name, "documents", title, items, options=chosen.options(), user_id=opened.user.id or None
    )
