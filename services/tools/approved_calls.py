"""Runs a call of a tool that writes, which waited until an analyst allowed it."""

from dataclasses import dataclass
from typing import Any, Literal

from services.accounts.account_records import User
from services.accounts.client_proposals import ProposedCall
from services.accounts.pending_calls import PendingCall
from services.context import Services
from services.core.errors import AsofError
from services.core.log import logger
from services.tools.registry import TOOLS
from services.tools.tool import Context

_log = logger(__name__)


@dataclass(frozen=True, slots=True)
class AllowedCallOutcome:
    """What an allowed call gave, or the `problem` for which it failed."""

    state: Literal["done", "failed"]
    output: Any = None
    problem: str = ""


def run_allowed(services: Services, user: User, call: PendingCall | ProposedCall) -> AllowedCallOutcome:
    """Run a call with exactly its inputs; what it begins has the call's id, so that it begins once."""
    context = Context(services.workspace(call.workspace), user_id=user.id, call_id=call.id)
    try:
        return AllowedCallOutcome("done", TOOLS[call.tool](context, call.input).document)
    except AsofError as error:
        return AllowedCallOutcome("failed", problem=str(error))
    except Exception:  # noqa: BLE001 - the card says so, and the page goes on
        _log.exception("“%s” failed.", call.tool)
        return AllowedCallOutcome("failed", problem="The call failed unexpectedly. See Asof's log for details.")
