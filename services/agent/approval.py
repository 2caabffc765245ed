"""What a model wants to change waits for a button: kept with its exact inputs, then run with them, or refused."""

import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from services.accounts.account_records import Conversation, User
from services.accounts.pending_calls import PendingCall
from services.context import Services
from services.core.answer_records import ToolCall
from services.core.errors import AccountsUnavailable, BadInput
from services.tools.approved_calls import run_allowed
from services.tools.toolbox import Consent


def consent_for(services: Services, user: User, conversation: Conversation, message_id: str) -> Consent:
    """Keeps the calls of an answer until its user decides; the same call twice is one."""
    kept, one_at_a_time = services.accounts.pending_calls, threading.Lock()

    def keep(tool: str, given: Mapping[str, Any]) -> str:
        with one_at_a_time:  # a model's calls run side by side
            same = (one for one in kept.of_message(message_id) if one.tool == tool and one.input == dict(given))
            if (before := next(same, None)) is not None:
                return before.id
            return kept.add(conversation.workspace, user.id, conversation.id, message_id, tool, given).id

    return keep


def allow(services: Services, user: User, pending_id: str) -> PendingCall:
    """Run a call that waits, with exactly the inputs that were shown, and keep what it gave, or why it failed.

    One that was allowed when the app died is run again; what it begins has the call's id, so that it begins once.
    Raises `BadInput` for a call of another user or one that was decided, and where the workspace is no longer his.
    """
    call = _waiting(services, user, pending_id)
    if call.state != "allowed":
        _decide(services, call, "allowed")
    outcome = run_allowed(services, user, call)
    services.accounts.pending_calls.decide(
        call.id, "allowed", outcome.state, output=outcome.output, problem=outcome.problem
    )
    return _traced(services, call)


def refuse(services: Services, user: User, pending_id: str) -> PendingCall:
    """Have a call that waits never run. Raises `BadInput` as `allow` does."""
    call = _waiting(services, user, pending_id)
    _decide(services, call, "refused")
    return _traced(services, call)


def _waiting(services: Services, user: User, pending_id: str) -> PendingCall:
    call = services.accounts.pending_calls.get(pending_id)
    if call is None or call.user_id != user.id:
        raise BadInput(
            "No such call is waiting for your approval.", "Someone may have deleted its conversation. Reload the page."
        )
    if not user.is_admin and call.workspace not in services.accounts.users.granted(user.id):
        raise BadInput("You no longer have access to this workspace.", "Ask an administrator for access.")
    return call


def _decide(services: Services, call: PendingCall, state: Any) -> None:
    if not services.accounts.pending_calls.decide(call.id, "waiting", state):
        raise BadInput("Someone has already approved or declined this call.", "Reload the page to see the decision.")


def _traced(services: Services, call: PendingCall) -> PendingCall:
    """The call as it stands; what was decided stands in the answer's trace, below the call that asked for it."""
    call = services.accounts.pending_calls.get(call.id) or call
    summary = {"refused": "the user declined", "done": "the user approved"}.get(call.state, "")
    with suppress(AccountsUnavailable):  # what was decided is kept with the call itself
        kept = services.accounts.conversations
        made = [one for one in kept.calls_of([call.message_id]).get(call.message_id, ()) if one.id != call.id]
        outputs = ((one.id, one.output) for one in made if isinstance(one.output, Mapping))
        asked_by = next((id for id, output in outputs if output.get("pendingId") == call.id), None)
        traced = ToolCall(
            call.id,
            call.tool,
            call.input,
            call.decided_at or call.created_at,
            parent_id=asked_by,
            output=call.output,
            summary=summary,
            error=call.problem or None,
        )
        kept.put_calls(call.message_id, [*made, traced])
    return call
