"""Calls across conversations, and what they took: what the Traces page asks."""

import uuid
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, Text, func, insert, null, select, type_coerce
from sqlalchemy.orm import aliased

from services.accounts.conversations import CALL
from services.accounts.database import Store
from services.accounts.schema import calls, conversations, messages, usage, users
from services.core import clock
from services.core.answer_records import ToolCall

_TERMINAL = "in the terminal"


@dataclass(frozen=True, slots=True)
class CallFilter:
    """Which calls are asked for; what is left out filters nothing. Instants are in UTC.

    A call is slow or dear beyond `slower_than_ms` and `dearer_than` dollars.
    """

    user_id: str | None = None
    workspace: str | None = None
    tool: str | None = None
    errors_only: bool = False
    slower_than_ms: float | None = None
    dearer_than: float | None = None
    thumb: int | None = None
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class TracedCall:
    """A call and whose it was. The call's output is left out; `conversations.calls_of` has it."""

    call: ToolCall
    message_id: str
    conversation_id: str
    title: str
    question: str
    user_id: str
    user: str
    workspace: str
    model: str
    thumb: int


@dataclass(frozen=True, slots=True)
class DailyUsage:
    """What a user's answers by a model took on a day in UTC. `cost` is in dollars, None where no price is known.

    Without a user somebody asked on the terminal of an app with sign-in.
    """

    day: date
    model: str
    user_id: str | None
    user: str
    input_tokens: int
    output_tokens: int
    cost: float | None
    answers: int


class Traces(Store):
    """What was called for the answers about one graph."""

    def calls(self, asked: CallFilter, *, limit: int) -> tuple[tuple[TracedCall, ...], int]:
        """The calls that a filter asks for, newest first and cut to a limit; and how many there are in all."""
        where = [*self._of(calls), *_conditions(asked)]
        ordered = _TRACED.where(*where).order_by(calls.c.started_at.desc(), calls.c.message_id, calls.c.position.desc())
        counted = select(func.count()).select_from(calls.join(messages)).where(*where)
        return self._database.all(ordered.limit(limit), _traced), self._database.scalar(counted) or 0

    def tools(self, workspace: str) -> tuple[str, ...]:
        """The names of the tools that were called in a workspace, in alphabetical order."""
        called = select(calls.c.tool).distinct().where(*self._of(calls, workspace))
        return tuple(self._database.scalars(called.order_by(calls.c.tool)))

    def usage(
        self,
        *,
        user_id: str | None = None,
        workspace: str | None = None,
        since: datetime | None = None,
    ) -> tuple[DailyUsage, ...]:
        """What answers took by day, model and user, the last day first."""
        day = self._day().label("day")
        user = usage.c.user_id, func.coalesce(users.c.name, _TERMINAL).label("user")
        summed = [func.coalesce(func.sum(c), 0).label(c.name) for c in (usage.c.input_tokens, usage.c.output_tokens)]
        where = [*self._of(usage), *_given((usage.c.user_id, user_id), (usage.c.workspace, workspace))]
        where += [] if since is None else [usage.c.created_at >= since]
        asked = (
            select(day, usage.c.model, *user, *summed, func.sum(usage.c.cost).label("cost"))
            .add_columns(func.count().label("answers"))
            .select_from(usage.outerjoin(users))
            .where(*where)
            .group_by(day, usage.c.model, usage.c.user_id, users.c.name)
            .order_by(day.desc(), usage.c.model, users.c.name)
        )
        return self._database.all(asked, _usage)

    def spent(self, user_id: str, since: datetime) -> float:
        """What a user's answers have cost since then, in dollars, those of deleted conversations too."""
        asked = select(func.sum(usage.c.cost)).where(usage.c.user_id == user_id, usage.c.created_at >= since)
        return float(self._database.scalar(asked) or 0)

    def count(
        self,
        user_id: str | None,
        workspace: str,
        *,
        model: str,
        input_tokens: int,
        output_tokens: int,
        cost: float | None,
    ) -> None:
        """Add what an answer took that no conversation keeps; messages are counted as they are made."""
        row = {
            "id": str(uuid.uuid4()),
            "graph": self._database.graph,
            "workspace": workspace,
            "user_id": user_id,
            "created_at": clock.now(),
            "model": model,
            "input_tokens": input_tokens,
            "output_tokens": output_tokens,
            "cost": cost,
        }
        self._database.run(insert(usage).values(row))

    def _day(self) -> ColumnElement[str]:
        """The day of an answer in UTC, as 2026-11-22."""
        if self._database.is_postgresql:
            return func.to_char(func.timezone("UTC", usage.c.created_at), "YYYY-MM-DD", type_=Text)
        return func.substr(type_coerce(usage.c.created_at, Text), 1, len("2026-11-22"), type_=Text)


_question = aliased(messages)
_LISTED = [null().label("output") if column.name == "output" else column for column in CALL]
_TRACED = select(
    *_LISTED,
    calls.c.message_id,
    calls.c.workspace,
    calls.c.user_id,
    calls.c.model,
    messages.c.conversation_id,
    messages.c.thumb,
    conversations.c.title,
    users.c.name.label("user"),
    func.coalesce(_question.c.content, "").label("question"),
).select_from(
    calls.join(messages)
    .join(conversations, messages.c.conversation_id == conversations.c.id)
    .join(users, calls.c.user_id == users.c.id)
    .outerjoin(_question, _question.c.id == messages.c.parent_id)
)


def _conditions(asked: CallFilter) -> list[ColumnElement[bool]]:
    exact = _given(
        (calls.c.user_id, asked.user_id),
        (calls.c.workspace, asked.workspace),
        (calls.c.tool, asked.tool),
        (messages.c.thumb, asked.thumb),
    )
    over = [
        column > least
        for column, least in ((calls.c.ms, asked.slower_than_ms), (calls.c.cost, asked.dearer_than))
        if least is not None
    ]
    failed = [calls.c.error.is_not(None)] if asked.errors_only else []
    since = [] if asked.since is None else [calls.c.started_at >= asked.since]
    return [*exact, *over, *failed, *since]


def _given(*wanted: tuple[ColumnElement[Any], Any]) -> list[ColumnElement[bool]]:
    return [column == value for column, value in wanted if value is not None]


def _traced(**values: Any) -> TracedCall:
    call = ToolCall(**{column.name: values.pop(column.name) for column in CALL})
    return TracedCall(call, **values)


def _usage(*, day: str, input_tokens: Any, output_tokens: Any, **others: Any) -> DailyUsage:
    tokens: dict[str, Any] = {"input_tokens": int(input_tokens), "output_tokens": int(output_tokens)}
    return DailyUsage(date.fromisoformat(day), **tokens, **others)
