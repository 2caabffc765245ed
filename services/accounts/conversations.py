"""What was asked and answered: conversations of users on workspaces, their messages, and the calls behind these."""

import threading
import uuid
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import fields
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, exists, func, insert, or_, select, update

from services.accounts.account_records import Conversation, Message
from services.accounts.database import Database, Lock, Store, row_of
from services.accounts.schema import calls, conversations, messages, usage
from services.core import clock
from services.core.answer_records import ToolCall
from services.core.errors import BadInput

NEW_CHAT = "New chat"
INTERRUPTED = "Asof stopped before the answer was complete. Ask again."
_FIXED = {"id", "conversation_id", "role", "parent_id", "created_at"}
_TAKEN = ("model", "input_tokens", "output_tokens", "cost")
_LONGEST_SEARCH = 200
_MESSAGE = tuple(messages.c[part.name] for part in fields(Message))
_CONVERSATION = tuple(conversations.c[part.name] for part in fields(Conversation))
CALL = tuple(calls.c[part.name] for part in fields(ToolCall))


class Conversations(Store):
    """The conversations about one graph."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._lock = threading.Lock()
        self._runner: tuple[str, Lock] | None = None
        self._looking = threading.Lock()
        self._looked_for_left = False

    def close(self) -> None:
        """Let go of the mark that this process answers."""
        with self._lock:
            if self._runner is not None:
                self._runner[1].discard()
                self._runner = None

    # -- conversations

    def create(self, user_id: str, workspace: str, title: str = NEW_CHAT) -> Conversation:
        """Begin a conversation."""
        now = clock.now()
        begun = Conversation(str(uuid.uuid4()), user_id, workspace, title, now, now)
        row = row_of(begun) | {"graph": self._database.graph, "folded": title.casefold()}
        self._database.run(insert(conversations).values(row))
        return begun

    def get(self, conversation_id: str) -> Conversation | None:
        """A conversation by id, whoever asks for it; None where there is none."""
        return self._one(conversations.c.id == conversation_id)

    def readable(self, conversation_id: str, user_id: str, workspace: str) -> Conversation | None:
        """A conversation on this workspace that is the user's own, or was shared; None where he may not read it."""
        return self._one(
            conversations.c.id == conversation_id,
            conversations.c.workspace == workspace,
            or_(conversations.c.user_id == user_id, conversations.c.is_shared),
        )

    def listed(self, user_id: str, workspace: str, search: str = "") -> tuple[Conversation, ...]:
        """A user's own conversations on a workspace, the last used first; those that hold each word of `search`."""
        found = [_holds(word) for word in search.casefold()[:_LONGEST_SEARCH].split()]
        asked = (
            select(*_CONVERSATION)
            .where(*self._of(conversations, workspace), conversations.c.user_id == user_id, *found)
            .order_by(conversations.c.updated_at.desc(), conversations.c.created_at.desc())
        )
        return self._database.all(asked, Conversation)

    def of_user(self, user_id: str) -> tuple[Conversation, ...]:
        """A user's own conversations on every workspace, the last used first."""
        asked = select(*_CONVERSATION).where(*self._of(conversations), conversations.c.user_id == user_id)
        ordered = asked.order_by(conversations.c.updated_at.desc(), conversations.c.created_at.desc())
        return self._database.all(ordered, Conversation)

    def rename(self, conversation_id: str, title: str) -> None:
        """Give a conversation another title. Raises `BadInput` for an empty one."""
        if not (title := " ".join(title.split())):
            raise BadInput("A title cannot be empty.", "Enter a title of a few words.")
        self._set(conversation_id, title=title, folded=title.casefold())

    def share(self, conversation_id: str, shared: bool) -> None:
        """Let others of the workspace read a conversation by its link, or no longer."""
        self._set(conversation_id, is_shared=shared)

    def delete(self, conversation_id: str) -> None:
        """Forget a conversation with its messages and their calls; what became a case stays, and what it cost."""
        self._database.run(delete(conversations).where(conversations.c.id == conversation_id, *self._of(conversations)))

    # -- messages

    def add(self, message: Message) -> None:
        """Put a message into its conversation, and what an answer took so far into the usage of its user.

        Raises `BadInput` where the conversation was deleted.
        """
        runner = self._own_runner() if message.state == "running" else None
        row = row_of(message) | {"folded": message.content.casefold(), "runner": runner}
        with self._database.transaction() as connection:
            self._touch(connection, message.conversation_id)
            connection.execute(insert(messages).values(row))
            if message.role == "assistant":
                taken = _OWNED.where(messages.c.id == message.id)
                connection.execute(insert(usage).from_select([column.name for column in taken.selected_columns], taken))

    def update(self, message_id: str, **changes: Any) -> None:
        """Change parts of a message by their names in `Message`.

        Nothing happens to one that was deleted, but what it took counts on.
        """
        if strangers := changes.keys() - ({part.name for part in fields(Message)} - _FIXED):
            raise TypeError(f"cannot change {', '.join(sorted(strangers))} of a message")
        if "content" in changes:
            changes["folded"] = changes["content"].casefold()
        if "state" in changes:
            changes["runner"] = self._own_runner() if changes["state"] == "running" else None
        taken = {name: changes[name] for name in _TAKEN if name in changes}
        with self._database.transaction() as connection:
            if taken:
                connection.execute(update(usage).where(usage.c.id == message_id).values(**taken))
            statement = update(messages).where(messages.c.id == message_id).values(**changes)
            of = connection.scalar(statement.returning(messages.c.conversation_id))
            if of is not None:
                self._touch(connection, of)

    def message(self, message_id: str) -> Message | None:
        """A message by id; None where there is none."""
        self._look_for_left()
        return self._database.first(select(*_MESSAGE).where(messages.c.id == message_id), _message)

    def messages(self, conversation_id: str) -> tuple[Message, ...]:
        """Every branch of a conversation, oldest first."""
        self._look_for_left()
        asked = select(*_MESSAGE).where(messages.c.conversation_id == conversation_id).order_by(messages.c.number)
        return self._database.all(asked, _message)

    def last_answers(self, conversation_ids: Sequence[str]) -> Mapping[str, str]:
        """Return the message of the newest answer of each conversation whose newest is made, by conversation."""
        answered = messages.c.conversation_id.in_(conversation_ids) & (messages.c.role == "assistant")
        newest = select(func.max(messages.c.number)).where(answered).group_by(messages.c.conversation_id)
        made = messages.c.number.in_(newest) & (messages.c.state != "running")
        asked = select(messages.c.conversation_id, messages.c.id).where(made)
        return {row["conversation_id"]: row["id"] for row in self._database.all(asked, dict[str, Any])}

    def answer(self, message_id: str) -> Mapping[str, Any] | None:
        """Return the answer of a message as a document; None where it has none."""
        rows = self._database.all(select(messages.c.answer).where(messages.c.id == message_id), dict[str, Any])
        return next((row["answer"] for row in rows if row["answer"]), None)

    def thumb(self, message_id: str, thumb: int, note: str = "") -> None:
        """Say what an answer was worth: 1, -1, or 0 to take it back. Raises `BadInput` for another number."""
        if thumb not in (-1, 0, 1):
            raise BadInput(f"A rating must be 1, -1 or 0, not {thumb}.")
        self._database.run(update(messages).where(messages.c.id == message_id).values(thumb=thumb, note=note))

    # -- calls

    def put_calls(self, message_id: str, made: Sequence[ToolCall]) -> None:
        """Keep all calls of an answer so far, in their order; those that are known already are replaced."""
        with self._database.transaction() as connection:
            owner = connection.execute(_OWNER.where(messages.c.id == message_id)).mappings().first()
            if owner is None or not made:
                return
            rows = [
                row_of(call) | {"input": dict(call.input), "position": position} | dict(owner)
                for position, call in enumerate(made)
            ]
            statement = self._database.insert(calls).values(rows)
            again = {column.name: statement.excluded[column.name] for column in calls.c if not column.primary_key}
            connection.execute(statement.on_conflict_do_update(index_elements=["message_id", "id"], set_=again))

    def calls_of(self, message_ids: Sequence[str]) -> Mapping[str, tuple[ToolCall, ...]]:
        """The calls behind answers, in their order, by the message's id; one without any is not in it."""
        asked = select(calls.c.message_id, *CALL).where(calls.c.message_id.in_(message_ids)).order_by(calls.c.position)
        found: dict[str, list[ToolCall]] = {}
        for row in self._database.all(asked, dict[str, Any]):
            found.setdefault(row.pop("message_id"), []).append(ToolCall(**row))
        return {message_id: tuple(made) for message_id, made in found.items()}

    # -- after a stop

    def interrupt_running(self) -> int:
        """Mark as stopped the answers that nobody makes any more, since their process died; returns how many.

        They keep what they hold. Answers that this or another living process makes are left alone.
        """
        of_graph = messages.c.conversation_id.in_(select(conversations.c.id).where(*self._of(conversations)))
        running = select(messages.c.runner).distinct().where(messages.c.state == "running", of_graph)
        runners = set(self._database.scalars(running))
        count = sum(self._interrupt(runner) for runner in runners if not self._is_own(runner))
        self._looked_for_left = True
        return count

    def _look_for_left(self) -> None:
        """`interrupt_running`, at the first message that is read: the start may have found no database."""
        if self._looked_for_left:
            return
        with self._looking:
            if not self._looked_for_left:
                self.interrupt_running()

    def _interrupt(self, runner: str) -> int:
        lock = self._database.lock(_runner_name(runner))
        with closing(lock):
            if not lock.take():
                return 0
            left = and_(messages.c.runner == runner, messages.c.state == "running")
            stopped = {"state": "stopped", "problem": INTERRUPTED, "runner": None}
            count = self._database.run(update(messages).where(left).values(**stopped))
            lock.discard()
        return count

    def _own_runner(self) -> str:
        """The name of this process among those that answer, and its lock, held while it lives."""
        with self._lock:
            if self._runner is None:
                name = str(uuid.uuid4())
                lock = self._database.lock(_runner_name(name))
                lock.take()
                self._runner = name, lock
            return self._runner[0]

    def _is_own(self, runner: str) -> bool:
        with self._lock:
            return self._runner is not None and self._runner[0] == runner

    # -- statements

    def _one(self, *where: ColumnElement[bool]) -> Conversation | None:
        return self._database.first(select(*_CONVERSATION).where(*self._of(conversations), *where), Conversation)

    def _set(self, conversation_id: str, **changes: Any) -> None:
        one = update(conversations).where(conversations.c.id == conversation_id, *self._of(conversations))
        self._database.run(one.values(**changes))

    def _touch(self, connection: Connection, conversation_id: str) -> None:
        one = update(conversations).where(conversations.c.id == conversation_id, *self._of(conversations))
        if not connection.execute(one.values(updated_at=clock.now())).rowcount:
            raise BadInput("This conversation does not exist.", "Someone may have deleted it. Start a new one.")


_OWNER = select(
    messages.c.id.label("message_id"),
    conversations.c.graph,
    conversations.c.workspace,
    conversations.c.user_id,
    messages.c.model,
).join_from(messages, conversations)
_OWNED = select(
    messages.c.id,
    conversations.c.graph,
    conversations.c.workspace,
    conversations.c.user_id,
    messages.c.created_at,
    *(messages.c[name] for name in _TAKEN),
).join_from(messages, conversations)


def _holds(word: str) -> ColumnElement[bool]:
    """True for conversations with the word in their title or in a message."""
    of_it = messages.c.conversation_id == conversations.c.id
    in_message = exists().where(of_it, messages.c.folded.contains(word, autoescape=True))
    return or_(conversations.c.folded.contains(word, autoescape=True), in_message)


def _message(*, blocks: Sequence[Any], sources: Sequence[Any], **others: Any) -> Message:
    return Message(**others, blocks=tuple(blocks), sources=tuple(sources))


def _runner_name(runner: str) -> str:
    return f"answers {runner}"
