"""The questions that `ask` is measured by: their truth follows the time rule, and every file of them can be read."""

import gzip
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.ask import COMPANIES, Attempt, facts_of
from benchmarks.questions.generator import generated, phrases
from benchmarks.questions.rows import QuestionRow, read_rows
from benchmarks.questions.truth import AmbiguousTruth, Facts, Wanted, cited
from services.agent.app import App
from services.bootstrap import build_services
from services.core.config import Settings
from services.core.models import Fact
from services.tables.tables import read_facts
from services.writing.importer import import_rows
from tests.fakes.memory_graph import MemoryGraphStore

NOW = datetime(2026, 11, 22, tzinfo=UTC)
DATA = COMPANIES.parent
ROOT = DATA.parent.parent


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def fact(uuid: str, target: str, start: str = "", end: str = "", **rest: str) -> Fact:
    times = {"valid_at": start, "invalid_at": end, "created_at": start or "2019-01-01", "expired_at": end} | rest
    given: dict[str, Any] = {name: day(text) for name, text in times.items() if text}
    return Fact(uuid, "s", target, "Unit 7", "HAS_HEAD", target, **given)


UNIT = Facts(
    [
        fact("ann", "Ann", "2010-01-01", "2012-01-01"),
        fact("bob", "Bob", "2012-01-01", "2014-01-01", expired_at="2015-01-01"),
        fact("eve", "Eve", "2016-01-01"),
        fact("wrong", "Wim", "2016-06-01", withdrawn_at="2017-01-01"),
        fact("undated", "Una"),
    ]
)


def answer_to(kind: str, bar: str = "", known_bar: str = "", **wanted: str) -> set[str]:
    asked = Wanted.model_validate({"class": kind, "entity": "Unit 7", "relation": "HAS_HEAD", **wanted})
    return cited(UNIT, asked, day(bar) if bar else None, day(known_bar) if known_bar else None, NOW)


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("2009-12-31T23:59:59Z", set()),
        ("2010-01-01", {"ann"}),
        ("2012-01-01", {"bob"}),
        ("2015-01-01", set()),
        ("2030-01-01", {"eve"}),
    ],
)
def test_what_held_follows_the_time_rule(at: str, expected: set[str]) -> None:
    assert answer_to("at", at=at) == expected
    assert answer_to("at", bar=at) == expected


def test_undated_facts_belong_to_questions_without_any_date() -> None:
    assert answer_to("at") == {"eve", "undated"}
    assert answer_to("at", at="2020-01-01") == {"eve"}


def test_a_withdrawn_record_was_right_only_while_it_was_believed() -> None:
    assert answer_to("at", at="2016-07-01", known_at="2016-12-01") == {"eve", "wrong"}
    assert answer_to("at", at="2016-07-01", known_at="2017-01-01") == {"eve"}


def test_an_end_that_was_not_known_yet_has_not_happened() -> None:
    assert answer_to("at", at="2014-06-01", known_at="2014-06-01") == {"bob"}
    assert answer_to("at", at="2014-06-01") == set()


def test_a_history_ends_at_its_instant_and_leaves_out_what_was_withdrawn() -> None:
    assert answer_to("history") == {"ann", "bob", "eve"}
    assert answer_to("history", bar="2013-01-01") == {"ann", "bob"}


def test_before_and_after_are_the_neighbours_of_what_is_named() -> None:
    assert answer_to("before", value="Bob") == {"ann"}
    assert answer_to("after", value="Bob") == {"eve"}
    assert answer_to("before", value="Ann") == set()
    assert answer_to("before", at="2012-01-01") == {"ann"}


def test_a_period_is_what_held_at_any_time_of_it() -> None:
    assert answer_to("period", at="2012-01-01", until="2013-01-01") == {"bob"}
    assert answer_to("range", at="2011-12-31", until="2012-01-01") == {"ann", "bob"}
    assert answer_to("period", at="2015-02-01", until="2015-12-01") == set()


def test_a_name_with_two_records_gives_no_single_start() -> None:
    twice = Facts([fact("one", "Ann", "2010-01-01", "2011-01-01"), fact("two", "Ann", "2012-01-01")])
    asked = Wanted.model_validate({"class": "when", "entity": "Unit 7", "relation": "HAS_HEAD", "value": "Ann"})
    with pytest.raises(AmbiguousTruth):
        cited(twice, asked, None, None, NOW)


def answer(*ids: str, text: str = "", declined: bool = False) -> dict[str, object]:
    return {"answer": text, "declined": declined, "citations": [{"n": 1, "kind": "fact", "id": id} for id in ids]}


def test_an_answer_is_right_when_it_cites_exactly_what_it_should() -> None:
    row = QuestionRow("1", "g", "at", "Who?", frozenset({"a", "b"}))
    assert Attempt(row, answer("b", "a"), 1).right
    assert not Attempt(row, answer("a"), 1).right
    assert not Attempt(row, answer("a", "b", "c"), 1).right
    assert not Attempt(row, answer("a", "b", declined=True), 1).right


def test_a_count_has_to_say_its_number() -> None:
    row = QuestionRow("1", "g", "count", "How many?", frozenset({"a", "b"}), number=2)
    assert Attempt(row, answer("a", "b", text="There are 2 [1]."), 1).right
    assert not Attempt(row, answer("a", "b", text="There are 12 [2]."), 1).right


def test_a_question_without_an_answer_is_right_when_declined_without_a_citation() -> None:
    row = QuestionRow("1", "g", "none", "Why?")
    assert Attempt(row, answer(declined=True), 1).right
    assert not Attempt(row, answer("a", declined=True), 1).right
    assert not Attempt(row, answer(), 1).right


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    services = build_services(Settings(home=tmp_path_factory.mktemp("ask")), graph=MemoryGraphStore())
    yield services
    services.close()


def loaded(services: App, workspace: str, content: bytes, name: str) -> Facts:
    table = read_facts(name, content)
    assert not table.problems
    import_rows(services.workspace(workspace), table.rows, title=name)
    return facts_of(services, workspace)


@pytest.fixture(scope="module")
def companies(services: App) -> Facts:
    return loaded(services, "companies", COMPANIES.read_bytes(), "companies.csv")


@pytest.fixture(scope="module")
def peps(services: App) -> Facts:
    return loaded(services, "peps", gzip.decompress((ROOT / "demo" / "peps.jsonl.gz").read_bytes()), "peps.jsonl")


def test_the_second_graph_has_enough_questions_and_always_the_same_ones(companies: Facts) -> None:
    rows = generated("companies", companies, NOW)
    assert len(rows) >= 100
    assert {row.declined for row in rows} == {True, False}
    assert [row.question for row in generated("companies", companies, NOW)] == [row.question for row in rows]


@pytest.mark.slow
def test_there_are_enough_questions_over_the_demo(peps: Facts) -> None:
    assert len(generated("peps", peps, NOW)) >= 300


@pytest.mark.parametrize("graph", ["peps", "companies"])
def test_there_are_enough_ways_to_ask(graph: str) -> None:
    asked = [phrase.text for phrase in phrases(graph) if not phrase.kind.startswith("none")]
    assert len(set(asked)) >= 25


@pytest.mark.parametrize("graph", ["companies", pytest.param("peps", marks=pytest.mark.slow)])
def test_the_facts_answer_every_question_written_by_hand_that_has_an_answer(
    graph: str, request: pytest.FixtureRequest
) -> None:
    path: Path = DATA / f"blind-{graph}.jsonl"
    rows = list(read_rows(path, graph, request.getfixturevalue(graph), NOW))
    assert len(rows) >= 150
    assert [row.question for row in rows if row.declined != (row.kind == "unanswerable")] == []
    assert len({row.question for row in rows}) == len(rows)
