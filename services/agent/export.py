"""Conversations as documents for JSON, in the names that chat services use: `sessionId`, `createdAt`, `sources`."""

from collections.abc import Mapping, Sequence

from services.accounts.account_records import Conversation, Message
from services.core.answer_documents import call_document
from services.core.answer_records import ToolCall
from services.core.json_documents import Json, spelled

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
