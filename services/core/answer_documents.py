"""Answers as documents for JSON, and back: what `ask` prints, what is kept, and what pages draw."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from datetime import datetime
from typing import Any

from services.core import clock
from services.core.answer_records import Answer, Citation, Offer, QuestionPart, Sentence, ToolCall, Topic
from services.core.json_documents import Json, spelled
from services.core.models import Instants


def answer_document(answer: Answer) -> Json:
    """An answer for JSON, with its trace."""
    return {
        "answer": answer.text,
        "declined": answer.declined,
        "as_of": spelled(answer.at.as_of),
        "known_at": spelled(answer.at.known_at),
        "as_of_2": spelled(answer.as_of_2),
        "sentences": [{**asdict(s), "citations": list(s.citations)} for s in answer.sentences],
        "citations": [asdict(citation) for citation in answer.citations],
        "dated_by": answer.dated_by,
        "hint": answer.hint,
        "follow_ups": list(answer.follow_ups),
        "topic": _topic_document(answer.topic),
        "model": answer.model,
        "prompt_version": answer.prompt_version,
        "stop_reason": answer.stop_reason,
        "declined_for": answer.declined_for,
        "understood": [asdict(part) for part in answer.understood],
        "not_understood": list(answer.not_understood),
        "offers": [asdict(offer) for offer in answer.offers],
        "offers_in_words": answer.offers_in_words,
        "trace": [call_document(call) for call in answer.calls],
    }


def read_answer(document: Mapping[str, Any]) -> Answer:
    """An answer that was kept."""
    return Answer(
        document["answer"],
        tuple(Sentence(**{**s, "citations": tuple(s["citations"])}) for s in document["sentences"]),
        tuple(Citation(**citation) for citation in document["citations"]),
        Instants(clock.parse_instant(document["as_of"]), clock.parse_instant(document["known_at"])),
        document["declined"],
        _read(document["as_of_2"]),
        document["dated_by"],
        document["hint"],
        tuple(document["follow_ups"]),
        _read_topic(document["topic"]),
        tuple(read_call(call) for call in document["trace"]),
        document["model"],
        document["prompt_version"],
        document["stop_reason"],
        document.get("declined_for", ""),
        tuple(QuestionPart(**part) for part in document.get("understood", ())),
        tuple(document.get("not_understood", ())),
        tuple(Offer(**offer) for offer in document.get("offers", ())),
        document.get("offers_in_words", ""),
    )


def call_document(call: ToolCall) -> Json:
    """A call for JSON."""
    values = {part.name: getattr(call, part.name) for part in fields(call)}
    return values | {"input": dict(call.input), "started_at": spelled(call.started_at), "ms": round(call.ms, 3)}


def read_call(document: Mapping[str, Any]) -> ToolCall:
    """A call that was kept."""
    return ToolCall(**{**document, "started_at": clock.parse_instant(document["started_at"])})


def _topic_document(topic: Topic) -> Json:
    clocks = {name: spelled(getattr(topic, name)) for name in ("as_of", "as_of_2", "known_at")}
    return asdict(topic) | clocks | {"entities": list(topic.entities)}


def _read_topic(document: Mapping[str, Any]) -> Topic:
    as_of, as_of_2, known_at = (_read(document[name]) for name in ("as_of", "as_of_2", "known_at"))
    return Topic(
        tuple(document["entities"]), document["relation"], as_of, as_of_2, known_at, document.get("intent", "")
    )


def _read(text: str | None) -> datetime | None:
    return None if text is None else clock.parse_instant(text)
