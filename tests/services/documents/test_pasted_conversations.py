"""Pasted conversations become messages of one thread."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.errors import BadInput
from services.documents.pasted_conversations import messages_of

WHEN = datetime(2026, 3, 1, 10, 22, tzinfo=UTC)


def messages(text, **more):
    return [(m.text, m.reference_time) for m in messages_of(text, **more)]


def test_a_line_that_names_its_speaker_begins_a_message():
    assert messages("Ann: I moved to Rome.\nuser: When?\n\nAnn: Last\nyear: maybe.") == [
        ("Ann: I moved to Rome.", None),
        ("user: When?", None),
        ("Ann: Last\nyear: maybe.", None),
    ]


def test_a_time_before_a_line_is_that_of_its_message():
    text = "[2026-03-01 10:22] Ann: Hello.\nNote: this goes on.\n[2026-03-01T10:22:00Z] Bob Lee: Hi."
    assert messages(text) == [("Ann: Hello.\nNote: this goes on.", WHEN), ("Bob Lee: Hi.", WHEN)]


def test_exported_chats_with_a_dash_after_the_time_are_read():
    assert messages("2026-03-01, 10:22 - Ann: Hello.\n2026-03-01, 10:22 - Bob: Hi: you.") == [
        ("Ann: Hello.", WHEN),
        ("Bob: Hi: you.", WHEN),
    ]


@pytest.mark.parametrize(
    "text",
    [
        '{"role": "user", "content": "Hello.", "time": "2026-03-01T10:22:00Z"}\n\n{"Name": "Bob", "text": "Hi."}',
        '[{"author": "user", "message": "Hello.", "ts": 1772360520}, {"from": "Bob", "body": "Hi."}]',
        '{"speaker": "user", "content": "Hello.", "timestamp": 1772360520000}'
        '\n{"sender": "Bob", "text": "Hi.", "time": true}',
    ],
)
def test_json_of_several_makers_is_read(text):
    assert messages(text) == [("user: Hello.", WHEN), ("Bob: Hi.", None)]


def test_the_same_conversation_with_more_at_its_end_keeps_its_ids():
    first = [m.id for m in messages_of("Ann: Hello.\nBob: Hi.\nAnn: Hello.")]
    again = messages_of("Ann: Hello.\nBob: Hi.\nAnn: Hello.\nBob: Bye.")
    assert [m.id for m in again][:3] == first
    assert len({m.id for m in again}) == 4
    assert {m.thread for m in again} == {again[0].thread}


def test_a_thread_can_be_named():
    (message,) = messages_of("Ann: Hello.", thread="support")
    assert (message.thread, message.title, message.id.startswith("support/")) == ("support", "Ann", True)


NONE = ["", "   ", "no speaker here", "and then: nothing", '{"role": "user"}', '{"a": 1}\n{bad', "Ann:\n\n", "[1, 2]"]


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_conversation_is_refused_with_a_hint(text):
    with pytest.raises(BadInput) as refused:
        messages_of(text)
    assert refused.value.hint


@given(st.text(max_size=200))
def test_any_text_gives_messages_or_is_refused(text):
    try:
        found = messages_of(text)
    except BadInput:
        return
    assert found
    assert len({m.id for m in found}) == len(found)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"role": "user", "role": "bot", "text": "Hi"}', "Line 2 has the key “role” twice"),
        ("[" * 200_000, "Line 2 is nested too deeply"),
        ('{"text": ' + "1" * 5_000 + "}", "Line 2 has a number with too many digits"),
        ('{"text": }', "Line 2 is not valid JSON: the error is at column 10"),
    ],
    ids=["doubled key", "deep", "digits", "syntax"],
)
def test_a_line_of_json_that_cannot_be_used_is_told_in_our_words(line: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        messages_of('{"role": "user", "text": "Hi"}\n' + line)
