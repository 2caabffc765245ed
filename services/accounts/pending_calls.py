"""Calls of tools that write, which a model asked for and an analyst has yet to allow."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import insert, select, update

from services.accounts.database import Store, row_of
from services.accounts.schema import pending
from services.core import clock

PendingState = Literal["waiting", "allowed", "done", "failed", "refused"]


@dataclass(frozen=True, slots=True)
class PendingCall:
    """A call with its exact inputs. `allowed` is being run; `output` is what it gave, `problem` why it gave nothing."""

    id: str
    workspace: str
    user_id: str
    conversation_id: str
    message_id: str
    tool: str
    input: Mapping[str, Any]
    state: PendingState
    created_at: datetime
    output: Any = None
    problem: str = ""
    decided_at: datetime | None = None


_CALL = tuple(pending.c[part.name] for part in fields(PendingCall))


class PendingCalls(Store):
    """The calls that wait for a button, or did, about one graph."""

    def add(
        self, workspace: str, user_id: str, conversation_id: str, message_id: str, tool: str, given: Mapping[str, Any]
    ) -> PendingCall:
        """Have a call wait for the button of its user."""
        call = PendingCall(
            str(uuid.uuid4()),
            workspace,
            user_id,
            conversation_id,
            message_id,
            tool,
            dict(given),
            "waiting",
            clock.now(),
        )
        self._database.run(insert(pending).values(row_of(call) | {"graph": self._database.graph}))
        return call

    def get(self, pending_id: str) -> PendingCall | None:
        """A call by id; None where there is none."""
        return next(iter(self._found(pending.c.id == pending_id)), None)

    def of_message(self, message_id: str) -> tuple[PendingCall, ...]:
        """The calls that an answer asked for, in order."""
        return self._found(pending.c.message_id == message_id)

    def decide(
        self, pending_id: str, was: PendingState, state: PendingState, *, output: Any = None, problem: str = ""
    ) -> bool:
        """Change a call's state from `was`; False where it was another one: somebody else decided first."""
        one = pending.c.id == pending_id, pending.c.state == was
        changes = {"state": state, "output": output, "problem": problem, "decided_at": clock.now()}
        return bool(self._database.run(update(pending).where(*self._of(pending), *one).values(**changes)))

    def _found(self, *where: Any) -> tuple[PendingCall, ...]:
        asked = select(*_CALL).where(*self._of(pending), *where).order_by(pending.c.number)
        return self._database.all(asked, PendingCall)
