"""Answers that somebody thumbed, kept as cases that can be asked again and compared."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, select

from services.accounts.database import Store, row_of
from services.accounts.schema import cases, conversations, messages, runs
from services.core import clock
from services.core.errors import BadInput


@dataclass(frozen=True, slots=True)
class Case:
    """A question, the answer that was thumbed, and what was said of it; a copy, which outlives its conversation.

    `before` is the answer that the question followed upon; `answer` and it are documents as messages have them.
    """

    id: str
    workspace: str
    message_id: str
    question: str
    answer: Mapping[str, Any]
    thumb: int
    created_at: datetime
    note: str = ""
    before: Mapping[str, Any] | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class CaseRun:
    """A case asked again: the answer as a document, and what it took. `cost` is in dollars."""

    id: str
    case_id: str
    created_at: datetime
    answer: Mapping[str, Any]
    model: str = ""
    ms: float = 0.0
    cost: float | None = None
    problem: str = ""


_CASE = tuple(cases.c[part.name] for part in fields(Case))
_RUN = tuple(runs.c[part.name] for part in fields(CaseRun))


class Cases(Store):
    """The cases about one graph."""

    def add(self, message_id: str) -> Case:
        """Make a case of an answer; one that is a case already gets the thumb and note that the answer has now.

        Raises `BadInput` where there is no such answer.
        """
        with self._database.transaction() as connection:
            answered = connection.execute(_ANSWERED.where(messages.c.id == message_id)).mappings().first()
            asked = answered and connection.execute(_message(answered["parent_id"])).mappings().first()
            before = asked and connection.execute(_message(asked["parent_id"])).mappings().first()
            if answered is None or asked is None:
                raise BadInput("This answer does not exist.", "Someone may have deleted it. Reload the page.")
            row: dict[str, Any] = {
                "id": str(uuid.uuid4()),
                "graph": self._database.graph,
                "workspace": answered["workspace"],
                "message_id": answered["id"],
                "question": asked["content"],
                "as_of": asked["as_of"],
                "known_at": asked["known_at"],
                "before": before and before["answer"],
                "answer": answered["answer"] or {},
                "thumb": answered["thumb"],
                "note": answered["note"],
                "created_at": clock.now(),
            }
            statement = self._database.insert(cases).values(row)
            again = {name: row[name] for name in ("answer", "thumb", "note")}
            statement = statement.on_conflict_do_update(index_elements=["graph", "message_id"], set_=again)
            return Case(**connection.execute(statement.returning(*_CASE)).mappings().one())

    def of(self, workspace: str) -> tuple[Case, ...]:
        """The cases of a workspace, oldest first."""
        asked = select(*_CASE).where(*self._of(cases, workspace))
        return self._database.all(asked.order_by(cases.c.number), Case)

    def remove(self, case_id: str) -> None:
        """Forget a case and its runs."""
        self._database.run(delete(cases).where(cases.c.id == case_id))

    def put_run(
        self,
        case_id: str,
        answer: Mapping[str, Any],
        *,
        model: str = "",
        ms: float = 0.0,
        cost: float | None = None,
        problem: str = "",
    ) -> CaseRun:
        """Keep what came of asking a case again."""
        run = CaseRun(str(uuid.uuid4()), case_id, clock.now(), dict(answer), model, ms, cost, problem)
        self._database.run(insert(runs).values(row_of(run)))
        return run

    def runs(self, case_id: str) -> tuple[CaseRun, ...]:
        """The runs of a case, oldest first."""
        return self._database.all(select(*_RUN).where(runs.c.case_id == case_id).order_by(runs.c.number), CaseRun)


_ANSWERED = (
    select(
        messages.c.id,
        messages.c.parent_id,
        messages.c.answer,
        messages.c.thumb,
        messages.c.note,
        conversations.c.workspace,
    )
    .select_from(messages.join(conversations))
    .where(messages.c.role == "assistant")
)


def _message(message_id: str | None) -> Any:
    asked = select(messages.c.parent_id, messages.c.content, messages.c.answer, messages.c.as_of, messages.c.known_at)
    return asked.where(messages.c.id == message_id)
