"""Answers and conversations as Markdown."""

from dataclasses import replace
from datetime import UTC, datetime

from services.accounts.account_records import Conversation, Message
from services.agent.export import answer_markdown, conversation_markdown
from services.core.answer_documents import answer_document
from services.core.answer_records import Answer, Citation, Sentence
from services.core.json_documents import Json, fact_document
from services.core.models import Fact, Instants

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
AT = datetime(2018, 6, 27, tzinfo=UTC)
FACT = Fact("f1", "p", "a", "PEP 484", "HAS_STATUS", "Accepted", valid_at=datetime(2015, 5, 22, tzinfo=UTC))


def sources(fact: Fact) -> tuple[Json, ...]:
    cited = {"n": 1, "kind": "fact", "id": "f1", "cited": True, "fact": fact_document(fact)}
    return ({"text": "", "metadata": cited},)


SOURCES = sources(FACT)
ANSWER = Answer(
    "It was Accepted. [1] It was nice.",
    (Sentence("It was Accepted.", (1,), "supported"), Sentence("It was nice.", (), "uncited")),
    (Citation(1, "fact", "f1", "e1", quote="Status:\nAccepted"),),
    Instants(AT, NOW),
    dated_by="on 2018-06-27",
)


def test_an_answer_goes_with_its_dates_and_its_sources() -> None:
    told = answer_markdown(ANSWER, SOURCES)
    assert told.startswith("It was Accepted. [1] It was nice.\n")
    assert "As of 2018-06-27, known at 2026-11-22 12:00 UTC, date taken from “on 2018-06-27”." in told
    assert "Asof answered without a model." in told
    assert "1. PEP 484 HAS_STATUS Accepted, 2015-05-22 → now: “Status: Accepted” (fact f1)" in told


def test_a_cited_fact_has_its_dates_as_exactly_as_they_are_known() -> None:
    told = answer_markdown(ANSWER, sources(replace(FACT, valid_at_precision="year")))
    assert "1. PEP 484 HAS_STATUS Accepted, 2015 → now: " in told


def test_a_conversation_is_its_questions_and_answers_in_order() -> None:
    conversation = Conversation("c", "u", "_", "The\nstatus", NOW, NOW)
    messages = (
        Message("q1", "c", "user", "What was\nthe status?", NOW),
        Message("a1", "c", "assistant", ANSWER.text, NOW, "q1", answer=answer_document(ANSWER), sources=SOURCES),
        Message("q2", "c", "user", "And now?", NOW, "a1"),
        Message("a2", "c", "assistant", "Half", NOW, "q2", "failed", problem="It broke.", hint="Ask again."),
    )
    told = conversation_markdown(conversation, messages)
    places = [
        told.index(part)
        for part in (
            "# The status\n",
            "## What was the status?\n",
            "It was Accepted. [1]",
            "- no source: It was nice.",
            "## And now?",
            "Half",
            "> It broke. Ask again.",
        )
    ]
    assert places == sorted(places)
