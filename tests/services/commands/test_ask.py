"""`ask` and `ask --batch`: a line for a line, bad ones among them, in the shape that others read."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from services.agent.app import App
from services.bootstrap import build_services
from services.commands.arguments import Run
from services.commands.ask import AskArguments, AskBatchArguments, answer_text, ask, ask_batch
from services.core.config import Settings
from services.core.errors import AsofError, BadInput, Cancelled, GraphUnavailable
from services.core.models import Entity, Episode, Fact, GraphWrite
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.messages_server import MessagesServer, call, reply, say, status

W = "_"
MODEL = "claude-test"


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def job(uuid: str, target: str, start: str, stop: str | None = None) -> Fact:
    ended = day(stop) if stop else None
    return Fact(
        uuid,
        "ada",
        target.lower(),
        "Ada",
        "WORKS_FOR",
        target,
        valid_at=day(start),
        invalid_at=ended,
        created_at=day(start),
        expired_at=ended,
        episodes=("note",),
    )


@pytest.fixture
def graph() -> MemoryGraphStore:
    return MemoryGraphStore()


@pytest.fixture
def services(tmp_path: Path, graph: MemoryGraphStore, server: MessagesServer) -> Iterator[App]:
    settings = Settings(
        home=with_tables(tmp_path),
        _env_file=None,
        model=MODEL,
        anthropic_api_key="sk-test",
        anthropic_base_url=server.url,
    )
    services = build_services(settings, graph=graph)
    entities = tuple(Entity(name.lower(), name) for name in ("Ada", "Engines", "Labs"))
    note = Episode("note", "A note", "In March Ada went to Engines. Since July she works for Labs.")
    facts = (job("engines", "Engines", "2019-03-01", "2022-07-01"), job("labs", "Labs", "2022-07-01"))
    services.bridge.run(services.graph.write(W, GraphWrite(entities, facts, (note,))))
    yield services
    services.close()


def asked(services: App, question: str, model: str = "none", **clocks: str) -> dict[str, Any]:
    return ask(services, AskArguments(workspace=W, question=question, model=model, **clocks), Run())


def test_an_answer_names_its_facts_their_sources_and_the_calls(services: App) -> None:
    answer = asked(services, "Who did Ada work for on 2020-05-01?")
    assert answer["as_of"] == "2020-05-01T00:00:00+00:00"
    assert answer["declined"] is False
    (sentence,) = answer["sentences"]
    assert sentence["mark"] == "supported"
    (citation,) = answer["citations"]
    assert (citation["kind"], citation["id"], citation["episode_id"]) == ("fact", "engines", "note")
    assert citation["n"] in sentence["citations"]
    assert citation["quote"] == "In March Ada went to Engines."
    assert [call["tool"] for call in answer["trace"]]
    assert {"id", "parent_id", "input", "output", "error", "ms", "input_tokens", "output_tokens", "cost"} <= set(
        answer["trace"][0]
    )


def test_a_date_in_the_question_beats_the_given_one(services: App) -> None:
    assert asked(services, "Who does Ada work for?", as_of="2020-01-01")["citations"][0]["id"] == "engines"
    dated = asked(services, "Who did Ada work for on 2023-01-01?", as_of="2020-01-01")
    assert dated["citations"][0]["id"] == "labs"


def test_a_batch_answers_each_line_and_says_what_is_wrong_with_a_bad_one(services: App) -> None:
    lines = [
        {"id": 1, "question": "Who does Ada work for?"},
        {"id": "two", "question": "Who does Ada work for?", "as_of": "some day"},
        {"id": 3},
        {"id": 4, "question": " "},
        {"id": 5, "question": "Who does Zacharias work for?"},
    ]
    given = (*(json.dumps(line).encode() for line in lines), b"", b"no json")
    document = ask_batch(services, AskBatchArguments(workspace=W, lines=given, model="none"), Run())
    answers = document["answers"]
    assert [answer["id"] for answer in answers] == [1, "two", 3, 4, 5, None]
    assert [answer["id"] for answer in answers if "error" in answer] == ["two", 3, 4, None]
    assert document["failed"] == 4
    assert (answers[4]["declined"], answers[4]["citations"]) == (True, [])


def test_a_model_answers_where_one_is_configured_and_its_sentences_are_checked(
    services: App, server: MessagesServer
) -> None:
    server.add(reply(call("facts_at", entity="Ada")), say("Ada works for Labs. [1] Ada works for Engines. [1]"))
    answer = asked(services, "Where is Ada now?", model="")
    assert [sentence["mark"] for sentence in answer["sentences"]] == ["supported", "contradicted"]
    assert answer["sentences"][1]["by"] == 1
    assert all("Ada" in question for question in answer["follow_ups"])
    assert answer["follow_ups"]
    assert (answer["model"], answer["prompt_version"] != "") == (MODEL, True)
    parents = {call["id"]: call["parent_id"] for call in answer["trace"]}
    assert [parents[call["parent_id"]] for call in answer["trace"] if call["tool"] == "facts_at"] == [None]


def test_the_date_of_the_question_is_bound_to_what_the_model_calls(services: App, server: MessagesServer) -> None:
    server.add(reply(call("facts_at", entity="Ada")), say("Ada worked for Engines on 2020-05-01. [1]"))
    answer = asked(services, "Where was Ada on 1 May 2020?", model=MODEL)
    assert (answer["as_of"], answer["citations"][0]["id"]) == ("2020-05-01T00:00:00+00:00", "engines")
    assert answer["sentences"][0]["mark"] == "supported"
    assert answer["dated_by"]


def test_a_model_that_says_nothing_is_an_error_in_words(services: App, server: MessagesServer) -> None:
    server.add(status(401))
    with pytest.raises(Exception, match="key"):
        asked(services, "Where is Ada?", model=MODEL)


def test_a_dead_endpoint_names_the_option_that_does_without(services: App, server: MessagesServer) -> None:
    server.add(status(401))
    with pytest.raises(AsofError) as raised:
        asked(services, "Where is Ada?", model=MODEL)
    assert raised.value.hint.endswith("Or use --model none for a rule-based answer.")
    assert "no model" not in raised.value.hint


def test_a_contradicted_sentence_names_the_record_once(services: App, server: MessagesServer) -> None:
    server.add(reply(call("facts_at", entity="Ada")))
    server.add(say("Ada works for Ferries. [1]"))
    lines = answer_text(asked(services, "Where is Ada now?", model=MODEL)).splitlines()
    (contradicted,) = (line for line in lines if "contradicted" in line)
    assert contradicted.count("[1]") == 2
    assert "by [1]: [1]" not in contradicted


def test_the_seconds_that_an_endpoint_takes_are_shown(services: App, server: MessagesServer) -> None:
    seen: list[tuple[int, int]] = []
    server.add(status(529, retry_after=1))
    server.add(say("Nothing was found."))
    arguments = AskArguments(workspace=W, question="Where is Ada?", model=MODEL)
    ask(services, arguments, Run(lambda done, total: seen.append((done, total))))
    assert (0, 1) in seen


def test_a_model_that_is_not_configured_is_named(services: App) -> None:
    with pytest.raises(BadInput, match="claude-other"):
        asked(services, "Where is Ada?", model="claude-other")


def test_while_the_graph_is_down_its_mirror_answers(services: App, graph: MemoryGraphStore) -> None:
    services.mirrors.sync(W)
    graph.down = True
    assert asked(services, "Who does Ada work for?")["citations"][0]["id"] == "labs"


def test_without_graph_and_mirror_there_is_nothing_to_ask(services: App, graph: MemoryGraphStore) -> None:
    graph.down = True
    with pytest.raises(GraphUnavailable):
        asked(services, "Who does Ada work for?")


def test_a_workspace_that_is_not_there_is_named(services: App) -> None:
    with pytest.raises(BadInput, match="no workspace “nosuch”"):
        ask(services, AskArguments(workspace="nosuch", question="Who?", model="none"), Run())


def test_a_batch_ends_when_nobody_waits_for_it(services: App) -> None:
    run = Run()
    run.cancel.set()
    with pytest.raises(Cancelled):
        ask_batch(services, AskBatchArguments(workspace=W, lines=(b'{"question": "Who?"}',), model="none"), run)


def test_what_a_model_took_on_the_terminal_counts_for_the_one_user_there_is(
    services: App, server: MessagesServer
) -> None:
    server.add(say("Nothing was found."))
    (request,) = asked(services, "Where is Ada?", model=MODEL)["trace"]
    asked(services, "Where is Ada?")
    (used,) = services.accounts.traces.usage(workspace=W)
    assert (used.user, used.model, used.answers) == ("local", MODEL, 1)
    assert (used.input_tokens, used.output_tokens) == (request["input_tokens"], request["output_tokens"])
    assert used.input_tokens


def test_what_can_be_asked_instead_is_printed_beside_the_hint(services: App) -> None:
    unknown = asked(services, "How heavy is Ada?")
    assert "Relations of Ada: works for" in answer_text(unknown)
    both = answer_text({**unknown, "hint": "The first is Engines."})
    assert "The first is Engines.\nRelations of Ada: works for" in both
