"""Classes of questions over a graph of observatories: what is cited, what the answer begins with, what is declined."""

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.agent.answerer import Answerer, AskRequest
from services.core.answer_records import Asked
from services.core.models import Entity
from tests.fakes.memory_graph import MemoryGraphStore
from tests.services.analyst.conftest import Graph, Row, facts_of, untyped
from tests.services.retrieval.conftest import W, open_services, write

TABLE = Path(__file__).resolve().parents[3] / "benchmarks" / "ask" / "observatories.csv"
NORRBERG, TERN = "Norrberg Observatory", "Cape Tern Observatory"


@pytest.fixture(scope="module")
def sky(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    rows = list(csv.DictReader(TABLE.read_text().splitlines()))
    columns = ("source", "relation", "target", "valid_at", "invalid_at")
    facts = facts_of([tuple(row[column] for column in columns) for row in rows])  # type: ignore[misc]
    kinds = {row[side]: row[f"{side}_type"] for row in rows for side in ("source", "target")}
    services = open_services(tmp_path_factory.mktemp("sky"), MemoryGraphStore())
    write(services, *(Entity(name, name, (kind,)) for name, kind in kinds.items()), *facts)
    yield Graph(services, facts)
    services.close()


def directed(*names: str, of: str = NORRBERG) -> set[str]:
    return {f"{name} director of {of}" for name in names}


@pytest.mark.parametrize(
    ("question", "cited"),
    [
        (
            "Which of Aurora Reflector, Boreal Array and Delta Dish isn't operational?",
            {"Boreal Array has condition under repair"},
        ),
        ("Out of Cirrus Refractor and Delta Dish, which one is operational?", {"Delta Dish has condition operational"}),
        (
            "Of Ida Falk, Amir Sadek and Tomas Wren, who never directed Norrberg Observatory?",
            directed("Amir Sadek", of=TERN),
        ),
        ("Who are the former directors of Norrberg Observatory?", directed("Ida Falk", "Tomas Wren", "Lena Osei")),
        (
            "List the ex-directors of Cape Tern Observatory.",
            directed("Lena Osei", "Amir Sadek", "Greta Ullmann", of=TERN),
        ),
        ("Who used to direct Vela Ridge Observatory?", directed("Jonas Petri", of="Vela Ridge Observatory")),
        ("Who used to be a member of the Comet Council but no longer is?", {"Amir Sadek member of Comet Council"}),
        (
            "Who are the co-authors of Lena Osei on the Handbook of Comets?",
            {"Handbook of Comets authored by Jonas Petri"},
        ),
        (
            "With whom did Tomas Wren write the Atlas of Northern Stars?",
            {f"Atlas of Northern Stars authored by {name}" for name in ("Ida Falk", "Lena Osei")},
        ),
        (
            "Who was the deputy director of Norrberg Observatory while Lena Osei was its director?",
            {"Pavel Horak deputy director of Norrberg Observatory"},
        ),
        (
            "Who discovered a comet in 2001?",
            {"Lena Osei discovered Comet Wren-Osei", "Tomas Wren discovered Comet Wren-Osei"},
        ),
        (
            "Who discovered a comet after 2012?",
            {"Jonas Petri discovered Comet Petri", "Hanna Brandt discovered Comet Brandt"},
        ),
        ("Where is the Delta Dish?", {"Delta Dish housed at Cape Tern Observatory"}),
        ("Which observatories did Lena Osei direct before 2000?", directed("Lena Osei", of=TERN)),
        ("Who was the first to discover a comet?", {"Ida Falk discovered Comet Falk"}),
        ("Which comet was discovered last?", {"Hanna Brandt discovered Comet Brandt"}),
        (
            "Did Lena Osei direct Norrberg Observatory and Cape Tern Observatory?",
            directed("Lena Osei") | directed("Lena Osei", of=TERN),
        ),
        (
            "Who succeeded the person who directed Cape Tern Observatory until 2011?",
            directed("Amir Sadek", "Greta Ullmann", of=TERN),
        ),
    ],
)
def test_a_question_of_a_class_cites_what_it_asks_for(sky: Graph, question: str, cited: set[str]) -> None:
    assert set(sky.cited(question)) == cited


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How many times was Ida Falk director of Norrberg Observatory?", "twice"),
        ("How many terms did Ida Falk serve as director of Norrberg Observatory?", "twice"),
        ("How often has Lena Osei been a member of the Comet Council?", "3 times"),
        ("How many times has Delta Dish been under repair?", "once"),
        ("Was Lena Osei director of Norrberg Observatory longer than Tomas Wren?", "Yes."),
        ("Has Ida Falk directed Norrberg Observatory?", "Yes."),
        ("Has Echo Survey Mirror ever been under repair?", "No, never"),
        ("Isn't Ida Falk director of Norrberg Observatory any more?", "No, not now."),
    ],
)
def test_the_answer_begins_with_the_number_or_the_verdict(sky: Graph, question: str, first: str) -> None:
    answer = Answerer(sky.services.workspace(W)).answer(AskRequest(Asked(question))).answer
    assert first in answer.sentences[0].text
    assert {one.mark for one in answer.sentences} <= {"supported", None}


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Who was Greta Ullmann's predecessor's predecessor as director of Cape Tern Observatory?", "Lena Osei"),
        ("Who was the predecessor of Pavel Horak's predecessor as director of Norrberg Observatory?", "Ida Falk"),
        ("Who succeeded Amir Sadek's successor at Cape Tern Observatory?", "Ravi Menon"),
    ],
)
def test_a_step_beyond_the_next_one_is_found(sky: Graph, question: str, name: str) -> None:
    assert name in sky.ask(question).text.split("\n\n")[-1]


@pytest.mark.parametrize(
    "question",
    [
        "How many times was Ida Falk fired as director of Norrberg Observatory?",
        "Who are the co-pilots of Ida Falk?",
        "Who are the co-authors of Greta Ullmann on the Handbook of Comets?",
        "Which of Aurora Reflector and Boreal Array is not blue?",
        "Who are the former cooks of Cape Tern Observatory?",
        "Who are the non-directors of Norrberg Observatory?",
        "Who discovered a comet in 1999?",
        "Who will be the next director of Norrberg Observatory?",
    ],
)
def test_what_is_only_partly_understood_is_declined(sky: Graph, question: str) -> None:
    answer = sky.ask(question)
    assert answer.declined, answer.text


def test_of_two_relations_the_one_is_meant_that_the_question_says_whole(tmp_path: Path) -> None:
    rows: list[Row] = [
        ("Ada Lane", "deputy keeper of", "Gull Light", "2001-01-01", ""),
        ("Bo Marsh", "deputy keeper of", "Tern Light", "2001-01-01", ""),
        ("Cy Noor", "keeper of", "Gull Light", "2001-01-01", ""),
    ]
    graph = untyped(tmp_path, rows)
    cited = graph.cited("Who is the keeper of Gull Light?")
    graph.services.close()
    assert cited == ["Cy Noor keeper of Gull Light"]


def test_terms_of_an_office_are_counted(sky: Graph) -> None:
    assert "twice" in sky.ask("How many terms did Ida Falk serve as director?").text
