"""What a model wants to change waits for its analyst's button, with exactly what was shown, whatever happens since."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.accounts.account_records import Conversation, User
from services.accounts.pending_calls import PendingCall
from services.agent.app import App
from services.agent.approval import allow, refuse
from services.agent.turns import Turns
from services.bootstrap import build_services
from services.core.answer_records import Asked
from services.core.config import Settings
from services.core.errors import BadInput
from services.core.models import Entity, GraphWrite
from services.tools.toolbox import NOT_DONE
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.messages_server import MessagesServer, call, reply, say
from tests.services.agent.test_turns import MODEL, W, over

TEXT = "Leek soup is on Monday."


@pytest.fixture
def services(tmp_path: Path, server: MessagesServer) -> Iterator[App]:
    settings = Settings(
        home=with_tables(tmp_path / "home"),
        _env_file=None,
        model=MODEL,
        toolsets="analyst, knowledge",
        folders=str(tmp_path),
        anthropic_api_key="sk-test",
        anthropic_base_url=server.url,
    )
    services = build_services(settings, graph=MemoryGraphStore())
    services.bridge.run(services.graph.write(W, GraphWrite((Entity("ada", "Ada", ("Person",)),))))
    services.mirrors.sync(W)
    yield services
    services.close()


@pytest.fixture
def user(services: App) -> User:
    return services.accounts.users.local()


@pytest.fixture
def conversation(services: App, user: User) -> Conversation:
    return services.accounts.conversations.create(user.id, W)


@pytest.fixture
def waiting(services: App, server: MessagesServer, user: User, conversation: Conversation) -> PendingCall:
    """The call of a model that was asked to keep a text."""
    return asked(services, server, user, conversation, call("knowledge_ingest", text=TEXT, tags=["menu"]))[0]


def asked(
    services: App, server: MessagesServer, user: User, conversation: Conversation, *calls: dict[str, object]
) -> tuple[PendingCall, ...]:
    server.add(reply(*calls), say("It needs your approval."))
    turns = Turns(services)
    turn = over(turns, turns.start(user, conversation, Asked("Keep this."), model=MODEL))
    assert turn.state == "done", turn.problem
    return services.accounts.pending_calls.of_message(turn.id)


def test_a_call_of_the_model_is_not_run_and_the_model_reads_so(
    services: App, server: MessagesServer, user: User, conversation: Conversation, waiting: PendingCall
) -> None:
    assert (waiting.state, waiting.tool, waiting.user_id) == ("waiting", "knowledge_ingest", user.id)
    assert waiting.input == {"path": None, "text": TEXT, "tags": ["menu"]}
    assert services.jobs.of(W) == ()
    assert NOT_DONE in json.dumps(server.requests[-1])
    (message,) = [m for m in services.accounts.conversations.messages(conversation.id) if m.role == "assistant"]
    (made,) = [c for c in services.accounts.conversations.calls_of([message.id])[message.id] if c.kind == "tool"]
    assert made.output["pendingId"] == waiting.id


def test_the_button_runs_exactly_what_was_shown_and_once(services: App, user: User, waiting: PendingCall) -> None:
    done = allow(services, user, waiting.id)
    assert done.state == "done"
    (job,) = services.jobs.of(W)
    assert (job.id, job.user_id) == (done.output["jobId"], user.id)
    assert services.accounts.jobs.items(job.id)[0].payload["text"] == TEXT
    for again in (allow, refuse):
        with pytest.raises(BadInput, match="already approved or declined"):
            again(services, user, waiting.id)
    assert len(services.jobs.of(W)) == 1


def test_what_was_refused_is_never_run(services: App, user: User, waiting: PendingCall) -> None:
    assert refuse(services, user, waiting.id).state == "refused"
    with pytest.raises(BadInput, match="already approved or declined"):
        allow(services, user, waiting.id)
    assert services.jobs.of(W) == ()


def test_a_call_waits_through_a_restart(services: App, user: User, waiting: PendingCall) -> None:
    again = build_services(services.settings, graph=services.graph)
    assert allow(again, user, waiting.id).state == "done"
    again.accounts.close()


def test_an_allowed_call_runs_again_after_a_crash_and_begins_its_job_once(
    services: App, user: User, waiting: PendingCall
) -> None:
    done = allow(services, user, waiting.id)
    services.accounts.pending_calls.decide(waiting.id, "done", "allowed")
    assert allow(services, user, waiting.id).output == done.output
    assert len(services.jobs.of(W)) == 1


def test_a_fault_nobody_foresaw_is_kept_with_the_call_without_its_details(
    services: App, user: User, waiting: PendingCall, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> str:
        raise RuntimeError("a secret")

    monkeypatch.setattr(services.accounts.jobs, "add", fails)
    done = allow(services, user, waiting.id)
    assert (done.state, done.problem) == ("failed", "The call failed unexpectedly. See Asof's log for details.")


def test_nobody_else_can_press_the_button(services: App, waiting: PendingCall) -> None:
    admin = services.accounts.users.add("eve", is_admin=True)
    for press in (allow, refuse):
        with pytest.raises(BadInput, match="No such call is waiting for you"):
            press(services, admin, waiting.id)


def test_whoever_lost_the_workspace_cannot_press_the_button_any_more(services: App, server: MessagesServer) -> None:
    bob = services.accounts.users.add("bob")
    services.accounts.users.grant("bob", W)
    talk = services.accounts.conversations.create(bob.id, W)
    (call_of_bob,) = asked(services, server, bob, talk, call("knowledge_ingest", text=TEXT))
    services.accounts.users.revoke("bob", W)
    with pytest.raises(BadInput, match="no longer have access"):
        allow(services, bob, call_of_bob.id)
    services.accounts.users.grant("bob", W)
    assert allow(services, bob, call_of_bob.id).state == "done"


def test_inputs_that_cannot_be_used_are_told_to_the_model_and_wait_for_nobody(
    services: App, server: MessagesServer, user: User, conversation: Conversation
) -> None:
    bad = call("knowledge_ingest", path="/etc/hostname"), call("knowledge_crawl", url="https://a.example", maxPages=900)
    assert asked(services, server, user, conversation, *bad) == ()
    said = json.dumps(server.requests[-1])
    assert "outside the folders" in said
    assert "maxPages" in said


def test_the_same_call_twice_waits_once_and_other_inputs_wait_beside_it(
    services: App, server: MessagesServer, user: User, conversation: Conversation
) -> None:
    same = call("knowledge_ingest", text=TEXT)
    found = asked(services, server, user, conversation, same, same, call("knowledge_ingest", text="Another."))
    assert sorted(one.input["text"] for one in found) == ["Another.", TEXT]


def test_a_file_that_went_away_since_is_told_in_the_call(
    services: App, server: MessagesServer, user: User, conversation: Conversation, tmp_path: Path
) -> None:
    (tmp_path / "a.md").write_text("# Soup", encoding="utf-8")
    (one,) = asked(services, server, user, conversation, call("knowledge_ingest", path="a.md"))
    assert one.input["path"] == str(tmp_path / "a.md")
    (tmp_path / "a.md").unlink()
    failed = allow(services, user, one.id)
    assert failed.state == "failed"
    assert "outside the folders" in failed.problem
