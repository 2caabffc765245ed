"""Turns: they run in the services, are kept whatever happens, and the next question always works."""

import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from services.accounts.account_records import Conversation, Message, User
from services.agent.app import App
from services.agent.turns import Turn, Turns
from services.bootstrap import build_services
from services.core.answer_records import Asked
from services.core.config import Settings
from services.core.errors import BadInput
from services.core.models import Entity, Fact, GraphWrite
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.messages_server import MessagesServer, call, hang, reply, say, status, text

W = "_"
MODEL = "claude-test"
PATIENCE = 20.0
BEGUN = datetime(2019, 3, 1, tzinfo=UTC)


@pytest.fixture
def services(tmp_path: Path, server: MessagesServer) -> Iterator[App]:
    settings = Settings(
        home=with_tables(tmp_path),
        _env_file=None,
        model=MODEL,
        prices=f"{MODEL}=3/15",
        max_daily_cost=1.0,
        anthropic_api_key="sk-test",
        anthropic_base_url=server.url,
    )
    services = build_services(settings, graph=MemoryGraphStore())
    entities = (Entity("ada", "Ada", ("Person",)), Entity("labs", "Labs", ("Company",)))
    works = Fact("f", "ada", "labs", "Ada", "WORKS_FOR", "Labs", valid_at=BEGUN, created_at=BEGUN)
    batch = GraphWrite(entities, (works,))
    services.bridge.run(services.graph.write(W, batch))
    services.mirrors.sync(W)
    yield services
    services.close()


@pytest.fixture
def user(services: App) -> User:
    return services.accounts.users.local()


@pytest.fixture
def conversation(services: App, user: User) -> Conversation:
    return services.accounts.conversations.create(user.id, W)


def over(turns: Turns, turn: Turn) -> Turn:
    """The turn when it is over."""
    seen = turn
    while seen.state == "running":
        after = turns.wait(seen.id, seen.version, PATIENCE)
        assert after is not None
        assert after.version > seen.version, "nothing happened for a long time"
        seen = after
    return seen


def until(turns: Turns, turn: Turn, holds: Callable[[Turn], bool]) -> Turn:
    """The turn once something holds of it."""
    seen = turn
    while not holds(seen):
        after = turns.wait(seen.id, seen.version, PATIENCE)
        assert after is not None
        assert after.version > seen.version, "nothing happened for a long time"
        seen = after
    return seen


def kept(services: App, conversation: Conversation) -> tuple[Message, ...]:
    return services.accounts.conversations.messages(conversation.id)


def test_a_question_without_a_model_is_answered_and_kept(services: App, user: User, conversation: Conversation) -> None:
    done = over(services.turns, services.turns.start(user, conversation, Asked("Who does Ada work for?")))
    assert (done.state, done.problem) == ("done", "")
    assert done.answer is not None
    assert [c.id for c in done.answer.citations] == ["f"]
    question, answer = kept(services, conversation)
    assert (question.role, question.content, answer.parent_id) == ("user", "Who does Ada work for?", question.id)
    assert (answer.id, answer.state, answer.content) == (done.id, "done", done.answer.text)
    assert services.accounts.conversations.calls_of([answer.id])[answer.id] == done.answer.calls
    assert [source["metadata"]["id"] for source in answer.sources] == ["f"]
    found = services.accounts.conversations.get(conversation.id)
    assert found is not None
    assert found.title == "Who does Ada work for?"


def test_a_model_is_heard_while_it_speaks_and_its_answer_is_checked(
    services: App, server: MessagesServer, user: User, conversation: Conversation
) -> None:
    server.add(reply(call("facts_at", entity="Ada")))
    server.add(say("Ada works for Labs. [1]", " She likes it.", gate="go"))
    turns = services.turns
    turn = turns.start(user, conversation, Asked("Where does Ada work?"), model=MODEL)
    heard = until(turns, turn, lambda t: "Labs" in t.text)
    assert (heard.state, [c.kind for c in heard.calls]) == ("running", ["model", "tool", "model"])
    assert turns.running(conversation.id) is not None
    server.gate("go").set()
    done = over(turns, turn)
    assert done.answer is not None
    assert [s.mark for s in done.answer.sentences] == ["supported", "uncited"]
    answer = kept(services, conversation)[-1]
    assert answer.input_tokens > 0
    assert answer.cost is not None
    assert answer.blocks


def test_a_second_question_waits_for_the_first(
    services: App, server: MessagesServer, user: User, conversation: Conversation
) -> None:
    server.add(hang())
    turn = services.turns.start(user, conversation, Asked("Who?"), model=MODEL)
    with pytest.raises(BadInput, match="still answering"):
        services.turns.start(user, conversation, Asked("And who else?"))
    services.turns.stop(turn.id)
    assert over(services.turns, turn).state == "stopped"


def test_what_was_said_before_a_stop_is_kept_and_the_next_question_works(
    services: App, server: MessagesServer, user: User, conversation: Conversation
) -> None:
    server.add(reply(text("Ada works for "), cut="hang"))
    turn = services.turns.start(user, conversation, Asked("Who?"), model=MODEL)
    until(services.turns, turn, lambda t: "Ada" in t.text)
    services.turns.stop(turn.id)
    stopped = over(services.turns, turn)
    assert (stopped.state, stopped.text.strip()) == ("stopped", "Ada works for")
    answer = kept(services, conversation)[-1]
    assert (answer.state, answer.content.strip()) == ("stopped", "Ada works for")
    server.add(say("Nothing was found."))
    again = services.turns.start(user, conversation, Asked("And now?"), parent_id=answer.id, model=MODEL)
    assert over(services.turns, again).state == "done"


def test_a_fault_is_kept_with_its_way_out(
    services: App, server: MessagesServer, user: User, conversation: Conversation
) -> None:
    server.add(status(401))
    failed = over(services.turns, services.turns.start(user, conversation, Asked("Who?"), model=MODEL))
    assert (failed.state, failed.hint) == ("failed", kept(services, conversation)[-1].hint)
    assert "ANTHROPIC_API_KEY" in failed.hint


def test_the_branch_before_an_edited_question_is_what_the_model_reads(
    services: App, server: MessagesServer, user: User, conversation: Conversation
) -> None:
    turns = services.turns
    for answer in ("First answer.", "Second answer.", "Other answer."):
        server.add(say(answer))
    first = over(turns, turns.start(user, conversation, Asked("One?"), model=MODEL))
    over(turns, turns.start(user, conversation, Asked("Two?"), parent_id=first.id, model=MODEL))
    over(turns, turns.start(user, conversation, Asked("Two, but other?"), parent_id=first.id, model=MODEL))
    sent = str(server.requests[-1]["messages"])
    assert "First answer." in sent
    assert "Second answer." not in sent


def test_the_days_money_is_a_limit_and_asking_without_a_model_is_the_way_out(
    services: App, server: MessagesServer, user: User, conversation: Conversation
) -> None:
    server.add(reply(text("Dear."), usage={"input_tokens": 10, "output_tokens": 100_000}))
    spent = over(services.turns, services.turns.start(user, conversation, Asked("Who?"), model=MODEL))
    with pytest.raises(BadInput, match="limit is"):
        services.turns.start(user, conversation, Asked("And?"), parent_id=spent.id, model=MODEL)
    free = services.turns.start(user, conversation, Asked("Who does Ada work for?"), parent_id=spent.id)
    assert over(services.turns, free).state == "done"


@pytest.mark.parametrize("question", ["", "   ", "x" * 4001])
def test_a_question_that_cannot_be_asked_leaves_nothing_behind(
    services: App, user: User, conversation: Conversation, question: str
) -> None:
    with pytest.raises(BadInput):
        services.turns.start(user, conversation, Asked(question))
    assert kept(services, conversation) == ()


def test_closing_the_services_ends_what_runs_and_keeps_it(
    services: App, server: MessagesServer, user: User, conversation: Conversation
) -> None:
    server.add(reply(text("Half of "), cut="hang"))
    turn = services.turns.start(user, conversation, Asked("Who?"), model=MODEL)
    until(services.turns, turn, lambda t: "Half" in t.text)
    closing = threading.Thread(target=services.turns.close)
    closing.start()
    closing.join(PATIENCE)
    assert kept(services, conversation)[-1].state == "stopped"


def test_what_was_said_and_done_is_kept_while_it_happens(
    services: App, server: MessagesServer, user: User, conversation: Conversation
) -> None:
    server.add(reply(call("facts_at", entity="Ada")), hang())
    turn = services.turns.start(user, conversation, Asked("Who?"), model=MODEL)
    until(services.turns, turn, lambda t: len(t.calls) == 3)
    answer = kept(services, conversation)[-1]
    assert answer.state == "running"
    assert answer.input_tokens > 0
    made = services.accounts.conversations.calls_of([answer.id])[answer.id]
    assert [one.tool for one in made[:2]] == [MODEL, "facts_at"]
    assert made[1].output is not None
    services.turns.stop(turn.id)
    over(services.turns, turn)


def test_a_listener_hears_each_change_of_its_turn_until_it_leaves(services, user, conversation, server):
    server.add(say("Ada ", "works.", gate="on"))
    turn = services.turns.start(user, conversation, Asked("Where does Ada work?"), model=MODEL)
    heard = threading.Semaphore(0)
    with services.turns.listening(turn.id, heard.release), services.turns.listening("another", pytest.fail):
        server.gate("on").set()
        assert heard.acquire(timeout=PATIENCE)
        over(services.turns, turn)
    assert services.turns._listening == []


def test_an_answer_that_somebody_listens_to_is_not_forgotten(services, user):
    def ask() -> Turn:
        begun = services.accounts.conversations.create(user.id, W)
        return over(services.turns, services.turns.start(user, begun, Asked("Where does Ada work?")))

    first, second = ask(), ask()
    with services.turns.listening(first.id, lambda: None):
        for _ in range(52):
            ask()
        assert services.turns.get(first.id) is not None
        assert services.turns.get(second.id) is None


def test_a_question_to_a_graph_that_nobody_could_read_yet_says_so(tmp_path):
    graph = MemoryGraphStore()
    graph.down = True
    services = build_services(Settings(home=with_tables(tmp_path), _env_file=None), graph=graph)
    user = services.accounts.users.local()
    begun = services.accounts.conversations.create(user.id, W)
    turn = over(services.turns, services.turns.start(user, begun, Asked("Where does Ada work?")))
    assert (turn.state, turn.failure) == ("failed", "graph")
    assert turn.problem == "Asof cannot answer questions yet: it has not read the graph."
    services.close()


@pytest.mark.parametrize(
    ("step", "failure"),
    [(status(401), "endpoint"), (status(400), "endpoint"), (say("x", stop="refusal"), "agent"), (say("x"), "")],
)
def test_a_turn_knows_what_was_at_fault(services, user, conversation, server, step, failure):
    server.add(step)
    turn = services.turns.start(user, conversation, Asked("Where does Ada work?"), model=MODEL)
    assert over(services.turns, turn).failure == failure
