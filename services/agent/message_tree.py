"""A conversation as a tree of messages: the branch that a question continues, and what is carried over from it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from services.accounts.account_records import Message
from services.agent.answerer import AnswerOutcome
from services.core.answer_documents import read_answer
from services.core.answer_records import Evidence, ToolCall, Topic
from services.core.json_documents import fact_document

_TITLE = 60
_MOST_SOURCES = 300


def branch(messages: Sequence[Message], last_id: str | None) -> tuple[Message, ...]:
    """The messages from the first to `last_id`, each after its parent; none where that is None."""
    by_id, found = {message.id: message for message in messages}, list[Message]()
    while last_id is not None and (message := by_id.get(last_id)) is not None:
        found.append(message)
        last_id = message.parent_id
    return tuple(reversed(found))


def siblings(messages: Sequence[Message], message: Message) -> tuple[Message, ...]:
    """The messages that stand in one place of the tree, oldest first: an edited question and the one before."""
    beside = (m for m in messages if m.parent_id == message.parent_id and m.role == message.role)
    return tuple(sorted(beside, key=lambda m: m.created_at))


def history(before: Iterable[Message]) -> tuple[Mapping[str, Any], ...]:
    """The raw messages that a model has to be sent again; what was answered without a model goes as its text."""
    found: list[Mapping[str, Any]] = []
    asked = ""
    for message in before:
        if message.role == "user":
            asked = message.content
        elif message.blocks:
            found += message.blocks
        elif message.content.strip():
            found.append({"role": "user", "content": asked})
            found.append({"role": "assistant", "content": message.content})
    return tuple(found)


def topic(before: Sequence[Message]) -> Topic | None:
    """What was last spoken of."""
    answered = (message.answer for message in reversed(before) if message.answer is not None)
    return next((read_answer({**answer, "trace": []}).topic for answer in answered), None)


def titled(question: str) -> str:
    """A conversation's title: the beginning of its first question, at a word's end."""
    line = " ".join(question.split())
    return line if len(line) <= _TITLE else line[:_TITLE].rsplit(" ", 1)[0] + " …"


def spent(calls: Iterable[ToolCall]) -> dict[str, Any]:
    """What the requests to a model cost together, those of tools included; no cost where none has a price."""
    asked = [call for call in calls if call.input_tokens is not None]
    costs = [call.cost for call in asked if call.cost is not None]
    return {
        "input_tokens": sum(call.input_tokens or 0 for call in asked),
        "output_tokens": sum(call.output_tokens or 0 for call in asked),
        "cost": sum(costs) if costs else None,
    }


def sources(outcome: AnswerOutcome) -> tuple[Mapping[str, Any], ...]:
    """What was retrieved for an answer, what it cites first."""
    cited = {citation.n for citation in outcome.answer.citations}
    records = [one for one in outcome.evidence if one.kind != "result"]
    records.sort(key=lambda one: (one.n not in cited, one.n))
    return tuple(_source(one, cited=one.n in cited) for one in records[:_MOST_SOURCES])


def _source(one: Evidence, *, cited: bool) -> Mapping[str, Any]:
    document = one.document
    return {
        "file_name": document.title if document else "",
        "file_path": document.path if document else "",
        "directory_name": document.directory if document else "",
        "text": one.text,
        "similarity": None,
        "hybrid_score": None,
        "metadata": {
            "n": one.n,
            "kind": one.kind,
            "id": one.id,
            "cited": cited,
            "fact": fact_document(one.fact) if one.fact else None,
        },
    }
