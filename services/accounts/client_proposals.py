"""Calls of tools that write, as clients outside the chat propose them: none is run before an analyst allows it."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import func, insert, select, update

from services.accounts.client_tables import proposed_calls
from services.accounts.database import Store, row_of
from services.accounts.schema import jobs
from services.core import clock
from services.core.errors import BadInput
from services.core.json_documents import json_text

PROPOSAL_DAYS = 7
MOST_WAITING = 100
"""So many calls of one client wait at once."""
MOST_BYTES = 1_048_576
ProposalState = Literal["awaiting_approval", "allowed", "done", "failed", "refused", "expired"]


@dataclass(frozen=True, slots=True)
class ProposedCall:
    """A call with its exact inputs, proposed by a client with the rights of a user.

    `allowed` is being run; `output` is what it gave, `problem` why it gave nothing.
    """

    id: str
    workspace: str
    user_id: str
    client: str
    tool: str
    input: Mapping[str, Any]
    state: ProposalState
    created_at: datetime
    expires_at: datetime
    output: Any = None
    problem: str = ""
    decided_at: datetime | None = None


_CALL = tuple(proposed_calls.c[part.name] for part in fields(ProposedCall))
_WAITING: ProposalState = "awaiting_approval"
_RUNNING: ProposalState = "allowed"
_LONGEST_RUN = timedelta(hours=1)


class ProposedCalls(Store):
    """The proposed calls about one graph."""

    def add(self, workspace: str, user_id: str, client: str, tool: str, given: Mapping[str, Any]) -> ProposedCall:
        """Have a call wait for an analyst; one that waits with the same inputs is returned instead.

        Raises `BadInput` where the inputs are too long, or too many calls of the client wait already.
        """
        given, now = dict(given), clock.now()
        if len(json_text(given).encode()) > MOST_BYTES:
            raise BadInput(
                f"The proposal is too large: the limit is {MOST_BYTES:,} bytes.", "Make several smaller proposals."
            )
        self._expire()
        if alike := self._alike(workspace, client, tool, given):
            return alike
        if self._waiting_of(client) >= MOST_WAITING:
            raise BadInput(
                f"This client already has {MOST_WAITING} waiting proposals.",
                "Wait until a user approves or declines them.",
            )
        expires = now + timedelta(days=PROPOSAL_DAYS)
        proposed = ProposedCall(str(uuid.uuid4()), workspace, user_id, client, tool, given, _WAITING, now, expires)
        self._database.run(insert(proposed_calls).values(row_of(proposed) | {"graph": self._database.graph}))
        return proposed

    def _alike(self, workspace: str, client: str, tool: str, given: Mapping[str, Any]) -> ProposedCall | None:
        """Return the call that waits with these inputs; the database compares them, so that none is read."""
        call = proposed_calls.c
        same = call.client == client, call.tool == tool, call.state == _WAITING, call.input == dict(given)
        return self._database.first(select(*_CALL).where(*self._of(proposed_calls, workspace), *same), ProposedCall)

    def _waiting_of(self, client: str) -> int:
        waiting = proposed_calls.c.client == client, proposed_calls.c.state == _WAITING
        asked = select(func.count()).select_from(proposed_calls).where(*self._of(proposed_calls), *waiting)
        return self._database.scalar(asked) or 0

    def get(self, proposal_id: str) -> ProposedCall | None:
        """A proposed call by id; None where there is none."""
        self._expire()
        asked = select(*_CALL).where(*self._of(proposed_calls), proposed_calls.c.id == proposal_id)
        return self._database.first(asked, ProposedCall)

    def waiting(self, workspace: str) -> tuple[ProposedCall, ...]:
        """The calls of a workspace that wait for an analyst, the oldest first."""
        waits = proposed_calls.c.state == _WAITING, proposed_calls.c.expires_at > clock.now()
        asked = select(*_CALL).where(*self._of(proposed_calls, workspace), *waits)
        return self._database.all(asked.order_by(proposed_calls.c.created_at), ProposedCall)

    def decide(
        self, proposal_id: str, was: ProposalState, state: ProposalState, *, output: Any = None, problem: str = ""
    ) -> bool:
        """Change a call's state from `was`; False where it was another one: somebody else decided first."""
        self._expire()
        one = proposed_calls.c.id == proposal_id, proposed_calls.c.state == was
        changes = {"state": state, "output": output, "problem": problem, "decided_at": clock.now()}
        return bool(self._database.run(update(proposed_calls).where(*self._of(proposed_calls), *one).values(**changes)))

    def _expire(self) -> None:
        """Give up calls that nobody allowed in time, and those that were allowed and left no job: the process ended."""
        call, now = proposed_calls.c, clock.now()
        over = call.state == _WAITING, call.expires_at <= now
        broken = call.state == _RUNNING, call.decided_at <= now - _LONGEST_RUN, call.id.not_in(select(jobs.c.id))
        for which, state, problem in (
            (over, "expired", f"Nobody approved the proposal within {PROPOSAL_DAYS} days. Propose it again."),
            (broken, "failed", "Asof stopped while this call was running. Propose it again."),
        ):
            changes = {"state": state, "problem": problem}
            self._database.run(update(proposed_calls).where(*self._of(proposed_calls), *which).values(**changes))
