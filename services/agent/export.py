"""Conversations and answers for those who take them elsewhere: as JSON in the names of chat services, as Markdown."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from services.accounts.account_records import Conversation, Message
from services.core.answer_documents import call_document, read_answer
from services.core.answer_records import MARK_WORDS, Answer, Citation, ToolCall
from services.core.date_wording import in_utc, span
from services.core.json_documents import Json, read_fact, spelled

_SOURCE: Json = {
    "file_name": "",
    "file_path": "",
    "directory_name": "",
    "text": "",
    "similarity": None,
    "hybrid_score": None,
    "metadata": {},
}
"""Every field that readers of such documents expect of a source."""


def conversation_document(
    conversation: Conversation, messages: Sequence[Message], calls: Mapping[str, Sequence[ToolCall]]
) -> Json:
    """A conversation with every branch of it, oldest message first; `calls` are the traces by message id."""
    documents = [message_document(one, conversation.user_id, calls.get(one.id, ())) for one in messages]
    return session_document(conversation) | {"messages": documents}


def session_document(conversation: Conversation) -> Json:
    """A conversation without its messages."""
    return {
        "_id": conversation.id,
        "userId": conversation.user_id,
        "title": conversation.title,
        "createdAt": spelled(conversation.created_at),
        "updatedAt": spelled(conversation.updated_at),
        "workspace": conversation.workspace,
        "isShared": conversation.is_shared,
    }


def message_document(message: Message, user_id: str, calls: Sequence[ToolCall] = ()) -> Json:
    """A message; `user_id` is whose conversation it is of. An answer has its sources and its trace."""
    asked: Json = {
        "_id": message.id,
        "sessionId": message.conversation_id,
        "userId": user_id,
        "role": message.role,
        "content": message.content,
        "createdAt": spelled(message.created_at),
        "parentId": message.parent_id,
        "asOf": spelled(message.as_of),
        "knownAt": spelled(message.known_at),
    }
    return asked if message.role == "user" else asked | _answered(message, calls)


def _answered(message: Message, calls: Sequence[ToolCall]) -> Json:
    return {
        "sources": [_SOURCE | dict(source) for source in message.sources],
        "state": message.state,
        "problem": message.problem,
        "hint": message.hint,
        "answer": message.answer,
        "blocks": list(message.blocks),
        "trace": [call_document(call) for call in calls],
        "model": message.model,
        "effort": message.effort,
        "inputTokens": message.input_tokens,
        "outputTokens": message.output_tokens,
        "cost": message.cost,
        "ms": round(message.ms, 3),
        "thumb": message.thumb,
        "note": message.note,
    }


# -- Markdown


def answer_markdown(answer: Answer, sources: Iterable[Mapping[str, Any]]) -> str:
    """An answer with its dates and what it cites; `sources` are those of its message. Instants are in UTC."""
    known = {source["metadata"]["n"]: source for source in sources if "n" in (source.get("metadata") or {})}
    lines = [answer.text.strip(), "", _dates(answer)]
    if answer.citations:
        lines += ["", "Sources:", "", *(source_line(one, known.get(one.n)) for one in answer.citations)]
    return "\n".join(lines)


def conversation_markdown(conversation: Conversation, messages: Sequence[Message]) -> str:
    """A branch of a conversation, question after question."""
    parts = [f"# {one_line(conversation.title)}"]
    for message in messages:
        if message.role == "user":
            parts.append(f"## {one_line(message.content)}")
        elif message.answer is not None:
            answer = read_answer(message.answer)
            parts.append(answer_markdown(answer, message.sources))
            parts += _marks(answer)
        else:
            parts.append(message.content.strip())
        if message.problem:
            parts.append(f"> {one_line(f'{message.problem} {message.hint}')}")
    return "\n\n".join(part for part in parts if part) + "\n"


def _dates(answer: Answer) -> str:
    until = f" to {in_utc(answer.as_of_2)}" if answer.as_of_2 else ""
    taken = f", date taken from “{one_line(answer.dated_by)}”" if answer.dated_by else ""
    clocks = f"As of {in_utc(answer.at.as_of)}{until}, known at {in_utc(answer.at.known_at)}{taken}. "
    return clocks + (f"Model: {answer.model}." if answer.model else "Asof answered without a model.")


def source_line(one: Citation, source: Mapping[str, Any] | None) -> str:
    """What an answer cites as a line of its list of sources; `source` is the one of its message."""
    fact = source["metadata"].get("fact") if source else None
    quote = f"“{one_line(one.quote)}”" if one.quote else ""
    quote += f" in {one_line(one.title)}" if one.title else ""
    if fact is None:
        return f"{one.n}. {quote or one.kind} ({one.kind} {one.id})"
    statement = f"{fact['source']} {fact['relation']} {fact['target']}, {span(read_fact(fact), in_utc)}"
    return f"{one.n}. {one_line(statement)}{f': {quote}' if quote else ''} (fact {one.id})"


def _marks(answer: Answer) -> list[str]:
    """The sentences that nothing backs."""
    marked = [(one, one.mark) for one in answer.sentences if one.mark in ("uncited", "contradicted")]
    found = [f"- {MARK_WORDS[mark]}: {one_line(one.text)}" for one, mark in marked if mark]
    return ["Not supported by the graph:\n\n" + "\n".join(found)] if found else []


def one_line(text: str) -> str:
    """Return a text on one line, its white space as single spaces."""
    return " ".join(text.split())
