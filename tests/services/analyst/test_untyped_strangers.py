"""Questions of strangers on a graph without types: nouns for what is asked, offices, remarks, names turned round."""

from collections.abc import Iterator, Sequence

import pytest

from tests.services.analyst.conftest import Graph, Row, untyped

QUARRY: Sequence[Row] = (
    ("Ada Stone", "mayor_of", "Slateford", "2010-01-01", "2014-01-01"),
    ("Ben Marl", "mayor_of", "Slateford", "2014-01-01", ""),
    ("Cleo Gritt", "clerk_of", "Slateford", "2012-01-01", "2016-01-01"),
    ("Dan Chalk", "clerk_of", "Slateford", "2016-01-01", ""),
    ("North Crane", "built_by", "Tarn Foundry", "1990-01-01", ""),
    ("South Crane", "built_by", "Vale Engineering", "1992-01-01", ""),
    ("North Crane", "painted_in", "yellow", "1990-01-01", "2005-01-01"),
    ("North Crane", "painted_in", "dark blue", "2005-01-01", ""),
    ("North Crane", "allocated_to", "Upper Pit", "2001-01-01", ""),
    ("Eve Flint", "based_at", "Upper Pit", "2015-01-01", ""),
    ("Eve Flint", "works_as", "driver", "2015-01-01", ""),
    ("Fay Shale", "based_at", "Lower Pit", "2015-01-01", ""),
    ("Slateford Sea Wall", "has_status", "under repair", "2020-01-01", "2021-01-01"),
    ("Slateford Sea Wall", "has_status", "open", "2021-01-01", ""),
    ("North Crane", "has_status", "under repair", "2011-01-01", "2012-01-01"),
    ("North Crane", "has_status", "open", "2012-01-01", ""),
    ("South Crane", "has_status", "open", "2012-01-01", ""),
    ("Granite Bridge", "has_status", "open", "1999-01-01", ""),
)


@pytest.fixture(scope="module")
def quarry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    graph = untyped(tmp_path_factory.mktemp("quarry"), QUARRY)
    yield graph
    graph.services.close()


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("By which works was the North Crane built?", "North Crane built_by Tarn Foundry"),
        ("What colour is the North Crane these days?", "North Crane painted_in dark blue"),
        ("At which pit does Eve Flint work?", "Eve Flint based_at Upper Pit"),
        ("Where is the North Crane kept?", "North Crane allocated_to Upper Pit"),
    ],
)
def test_a_noun_for_what_is_asked_needs_no_type(quarry: Graph, question: str, told: str) -> None:
    assert quarry.cited(question) == [told]


@pytest.mark.parametrize(
    "question", ["What colour was the North Crane built by?", "Which pit was the North Crane built by?"]
)
def test_a_noun_for_something_else_is_not_explained(quarry: Graph, question: str) -> None:
    assert quarry.ask(question).declined


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Name of the present clerk, please", "Dan Chalk clerk_of Slateford"),
        ("Who's the earliest clerk on record?", "Cleo Gritt clerk_of Slateford"),
        ("Who was mayor directly before Ben Marl took the job?", "Ada Stone mayor_of Slateford"),
    ],
)
def test_an_office_of_one_place_needs_no_place(quarry: Graph, question: str, told: str) -> None:
    assert told in quarry.cited(question)


def test_an_office_of_another_place_is_not_taken_for_it(quarry: Graph) -> None:
    assert quarry.ask("Who was the earliest mayor of Mudhaven on record?").declined


def test_a_remark_beside_a_question_is_left_out(quarry: Graph) -> None:
    question = "Who built the North Crane? - I am settling a bet with my uncle."
    assert quarry.cited(question) == ["North Crane built_by Tarn Foundry"]


@pytest.mark.parametrize("remark", ["Compare it with Mudhaven.", "Leave out the first one."])
def test_a_remark_that_names_or_restricts_is_not_left_out(quarry: Graph, remark: str) -> None:
    assert quarry.ask(f"Who built the North Crane? {remark}").declined


@pytest.mark.parametrize("name", ["Sea Wall in Slateford", "sea wall of Slateford"])
def test_a_name_may_be_turned_round(quarry: Graph, name: str) -> None:
    assert quarry.cited(f"What is the status of the {name}?") == ["Slateford Sea Wall has_status open"]


def test_a_value_is_known_without_its_preposition(quarry: Graph) -> None:
    assert quarry.cited("When did the North Crane go in for repair?") == ["North Crane has_status under repair"]
