"""What a client wants to change waits for an analyst, with exactly what was shown."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from sqlalchemy import update

from services.accounts.client_tables import proposed_calls
from services.agent.app import App
from services.core.errors import BadInput
from services.mcp.access import Access
from services.mcp.calls import call
from services.mcp.proposals import allow_proposal, refuse_proposal
from tests.services.retrieval.conftest import W

WRITER = Access("client", (W,), ("knowledge",), may_write=True, address="http://asof.example")
PAST = datetime(2020, 1, 1, tzinfo=UTC)


def proposed(services: App, **given: object) -> dict:
    found = call(services, WRITER, "knowledge_ingest", given or {"text": "Leek soup is on Monday."})
    assert not found.is_error, found.text
    assert found.data is not None
    return found.data


def state(services: App, id: str) -> tuple[str, list[str]]:
    data = call(services, WRITER, "get_job", {"id": id}).data
    assert data is not None
    return data["state"], data["errors"]


def test_a_call_that_writes_changes_nothing_and_says_what_it_would(filled: App) -> None:
    data = proposed(filled, text="Leek soup is on Monday.", tags=["menu"])
    assert (data["state"], data["jobId"], data["tool"]) == ("awaiting_approval", None, "knowledge_ingest")
    assert data["input"] == {"path": None, "text": "Leek soup is on Monday.", "tags": ["menu"]}
    assert data["link"] == f"http://asof.example/Sources?w={W}"
    assert filled.accounts.jobs.of(W, 10) == ()
    assert state(filled, data["proposalId"]) == ("awaiting_approval", [])


def test_the_same_call_again_is_the_same_proposal(filled: App) -> None:
    assert proposed(filled)["proposalId"] == proposed(filled)["proposalId"]


def test_what_was_allowed_runs_once_with_the_inputs_shown(filled: App) -> None:
    user = filled.accounts.users.local()
    id = proposed(filled)["proposalId"]
    done = allow_proposal(filled, user, id)
    assert (done.state, done.problem) == ("done", "")
    (job,) = filled.accounts.jobs.of(W, 10)
    assert job.id == id
    assert state(filled, id) == ("queued", [])
    with pytest.raises(BadInput, match="already decided"):
        allow_proposal(filled, user, id)


def test_what_was_refused_or_has_expired_never_runs(filled: App) -> None:
    user = filled.accounts.users.local()
    refused, old = proposed(filled)["proposalId"], proposed(filled, text="Old news.")["proposalId"]
    refuse_proposal(filled, user, refused)
    over = update(proposed_calls).where(proposed_calls.c.id == old).values(expires_at=PAST)
    filled.accounts._database.run(over)
    assert state(filled, refused) == ("failed", ["The user declined the proposal."])
    assert state(filled, old) == ("failed", ["Nobody approved the proposal within 7 days. Propose it again."])
    for id in (refused, old):
        with pytest.raises(BadInput, match="already decided on this proposal, or it expired"):
            allow_proposal(filled, user, id)
    assert filled.accounts.jobs.of(W, 10) == ()


def test_only_who_sees_the_workspace_decides(filled: App) -> None:
    id = proposed(filled)["proposalId"]
    with pytest.raises(BadInput, match="You do not have access to this workspace"):
        allow_proposal(filled, filled.accounts.users.add("bob"), id)


@pytest.mark.parametrize(
    ("given", "field"),
    [({"path": "/etc/passwd"}, "path: only a client"), ({}, "path, text: "), ({"text": " "}, "text")],
)
def test_what_cannot_be_taken_in_is_no_proposal(filled: App, given: dict, field: str) -> None:
    found = call(filled, WRITER, "knowledge_ingest", given)
    assert found.is_error
    assert found.text.startswith(field)
    assert filled.accounts.proposed_calls.waiting(W) == ()


def test_a_client_of_another_workspace_is_told_nothing(filled: App) -> None:
    id = proposed(filled)["proposalId"]
    assert call(filled, replace(WRITER, workspaces=("other",)), "get_job", {"id": id}).is_error


def test_what_was_allowed_and_left_no_job_has_failed(filled: App) -> None:
    lost, ran = proposed(filled)["proposalId"], proposed(filled, text="Ran.")["proposalId"]
    allow_proposal(filled, filled.accounts.users.local(), ran)
    for id in (lost, ran):
        stopped = update(proposed_calls).where(proposed_calls.c.id == id).values(state="allowed", decided_at=PAST)
        filled.accounts._database.run(stopped)
    assert state(filled, lost) == ("failed", ["Asof stopped while this call was running. Propose it again."])
    assert state(filled, ran)[0] == "queued"


def test_a_client_has_no_more_than_a_hundred_proposals_waiting(filled: App) -> None:
    first = proposed(filled, text="0")["proposalId"]
    for number in range(1, 100):
        proposed(filled, text=str(number))
    answer = call(filled, WRITER, "knowledge_ingest", {"text": "more"}).text
    assert "This client already has 100 waiting proposals" in answer
    assert proposed(filled, text="0")["proposalId"] == first, "the same again is no more"
    assert not call(filled, replace(WRITER, client="another"), "knowledge_ingest", {"text": "more"}).is_error
    refuse_proposal(filled, filled.accounts.users.local(), first)
    proposed(filled, text="more")


def test_a_proposal_of_more_than_a_megabyte_is_refused(filled: App) -> None:
    found = call(filled, WRITER, "knowledge_ingest", {"text": "é" * 600_000})
    assert found.text.startswith("The proposal is too large: the limit is 1,048,576 bytes.")
    assert filled.accounts.proposed_calls.waiting(W) == ()
