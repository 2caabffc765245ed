"""What clients want to change waits for an analyst: proposed with its exact inputs, then run with them, or refused."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from services.accounts.account_records import User
from services.accounts.client_proposals import PROPOSAL_DAYS, ProposedCall
from services.context import Services
from services.core.errors import BadInput
from services.core.json_documents import Json, json_text, spelled
from services.mcp.access import Access
from services.tools.approved_calls import run_allowed
from services.tools.tool import Context, ResultItem, Tool, ToolResult

PAGE = "/Sources"
"""Where the analyst decides."""


def propose(context: Context, access: Access, tool: Tool, given: Mapping[str, Any]) -> ToolResult:
    """Keep a call until an analyst decides; nothing is changed. Raises `BadInput` as a call does."""
    if given.get("path") is not None and not access.is_local:
        raise BadInput("path: only a client on this computer can ingest files by path.", "Send the text instead.")
    exact = dict(tool.exactly(context, given))
    user_id = access.user_id or context.workspace.accounts.users.local().id
    kept = context.workspace.accounts.proposed_calls
    proposed = kept.add(context.workspace.name, user_id, access.client, tool.name, exact)
    return ToolResult(
        _document(proposed, access), (ResultItem(_line(proposed, access)),), 1, summary="waits for approval"
    )


def _document(proposed: ProposedCall, access: Access) -> Json:
    return {
        "state": proposed.state,
        "proposalId": proposed.id,
        "jobId": None,
        "tool": proposed.tool,
        "input": dict(proposed.input),
        "expiresAt": spelled(proposed.expires_at),
        "link": _link(proposed, access),
    }


def _line(proposed: ProposedCall, access: Access) -> str:
    return (
        f"Nothing has changed yet. Proposal {proposed.id} waits up to {PROPOSAL_DAYS} days for approval at "
        f"{_link(proposed, access)}: {proposed.tool} {json_text(dict(proposed.input))}. "
        "Call get_job with its id to see the decision."
    )


def _link(proposed: ProposedCall, access: Access) -> str:
    return f"{access.address}{PAGE}?w={quote(proposed.workspace)}"


def allow_proposal(services: Services, user: User, proposal_id: str) -> ProposedCall:
    """Run a proposed call with exactly the inputs that were shown, and keep what it gave, or why it failed.

    Raises `BadInput` for one that was decided or has expired, and where the workspace is not the user's.
    """
    proposed = _decided(services, user, proposal_id, "allowed")
    outcome, kept = run_allowed(services, user, proposed), services.accounts.proposed_calls
    kept.decide(proposed.id, "allowed", outcome.state, output=outcome.output, problem=outcome.problem)
    return kept.get(proposed.id) or proposed


def refuse_proposal(services: Services, user: User, proposal_id: str) -> ProposedCall:
    """Have a proposed call never run. Raises `BadInput` as `allow_proposal` does."""
    return _decided(services, user, proposal_id, "refused")


def _decided(services: Services, user: User, proposal_id: str, state: Any) -> ProposedCall:
    kept = services.accounts.proposed_calls
    proposed = kept.get(proposal_id)
    if proposed is None:
        raise BadInput("This proposal does not exist.", "Reload the page.")
    if not user.is_admin and proposed.workspace not in services.accounts.users.granted(user.id):
        raise BadInput("You do not have access to this workspace.", "Ask an administrator for access.")
    if not kept.decide(proposed.id, "awaiting_approval", state):
        raise BadInput("Someone already decided on this proposal, or it expired.", "Reload the page.")
    return kept.get(proposed.id) or proposed
