"""Conversations for tests."""

import uuid
from datetime import timedelta
from typing import Any

from services.accounts.account_records import Conversation, Message, User
from services.accounts.store import Accounts
from services.core import clock
from services.core.answer_records import ToolCall


def question(conversation: Conversation, content: str = "Who leads it?", **more: Any) -> Message:
    return Message(str(uuid.uuid4()), conversation.id, "user", content, clock.now(), **more)


def answer(asked: Message, content: str = "Ada leads it. [1]", **more: Any) -> Message:
    at = asked.created_at + timedelta(milliseconds=1)
    return Message(str(uuid.uuid4()), asked.conversation_id, "assistant", content, at, asked.id, **more)


def call(tool: str = "facts_at", **more: Any) -> ToolCall:
    return ToolCall(str(uuid.uuid4()), tool, more.pop("input", {"entity": "Ada"}), clock.now(), **more)


def exchange(
    accounts: Accounts, user: User, asked: str = "Who leads it?", *, workspace: str = "team", **more: Any
) -> tuple[Conversation, Message]:
    """A conversation of one question and its answer."""
    conversation = accounts.conversations.create(user.id, workspace)
    first = question(conversation, asked)
    told = answer(first, **more)
    accounts.conversations.add(first)
    accounts.conversations.add(told)
    return conversation, told
