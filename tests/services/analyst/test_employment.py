"""Where somebody works and as what, in tables whose columns are nouns; and what is offered where that is not read."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import pytest

from tests.services.analyst.conftest import Graph, Row, untyped

CLINIC: Sequence[Row] = (
    ("Ruth Adler", "clinic", "Elm House", "2014-03-01", "2018-06-01"),
    ("Ruth Adler", "role", "midwife", "2014-03-01", "2018-06-01"),
    ("Ruth Adler", "clinic", "Quay Centre", "2018-06-01", ""),
    ("Ruth Adler", "role", "ward sister", "2018-06-01", ""),
    ("Piet Vos", "clinic", "Elm House", "2012-01-01", ""),
    ("Piet Vos", "role", "porter", "2012-01-01", ""),
)
COMPANY: Sequence[Row] = (
    ("Ida Roth", "company", "Tarn Mills", "2010-01-01", "2015-01-01"),
    ("Ida Roth", "profession", "weaver", "2010-01-01", ""),
    ("Ida Roth", "company", "Loom & Sons", "2015-01-01", ""),
)
TREATED: Sequence[Row] = (("Ola Lund", "clinic", "Elm House", "2014-03-01", ""),)
EMPLOYED: Sequence[Row] = (
    ("Ola Lund", "works for", "Polar Freight", "2014-03-01", ""),
    ("Ola Lund", "company", "Third Battalion", "2009-03-01", "2011-01-01"),
)


@pytest.fixture(scope="module")
def clinics(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    yield from _graph(tmp_path_factory, CLINIC)


@pytest.fixture(scope="module")
def companies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    yield from _graph(tmp_path_factory, COMPANY)


def _graph(folders: pytest.TempPathFactory, rows: Sequence[Row]) -> Iterator[Graph]:
    graph = untyped(folders.mktemp("employment"), rows)
    yield graph
    graph.services.close()


@pytest.mark.parametrize(
    "question",
    [
        "Where did Ruth Adler work in 2016?",
        "In 2016, where did Ruth Adler work?",
        "Where was Ruth Adler employed in 2016?",
        "Which clinic did Ruth Adler work for in 2016?",
        "At which clinic did Ruth Adler work in 2016?",
        "What clinic was Ruth Adler employed by in 2016?",
        "Which organisation did Ruth Adler work for in 2016?",
        "Who employed Ruth Adler in 2016?",
        "Who was Ruth Adler's employer in 2016?",
    ],
)
def test_where_somebody_works_is_the_clinic_and_not_the_role(clinics: Graph, question: str) -> None:
    assert clinics.cited(question) == ["Ruth Adler clinic Elm House"]


@pytest.mark.parametrize(
    "question",
    [
        "What did Ruth Adler work as in 2016?",
        "What was Ruth Adler's job in 2016?",
        "What was her role, Ruth Adler, 2016?",
    ],
)
def test_what_somebody_works_as_is_the_role(clinics: Graph, question: str) -> None:
    assert clinics.cited(question) == ["Ruth Adler role midwife"]


def test_who_works_at_a_place_is_found_by_its_name(clinics: Graph) -> None:
    assert clinics.cited("Who works at Elm House?") == ["Piet Vos clinic Elm House"]


@pytest.mark.parametrize(
    "question", ["Which firm did Ida Roth work for in 2012?", "Which company employed Ida Roth in 2012?"]
)
def test_a_firm_is_another_word_for_the_company_that_employs(companies: Graph, question: str) -> None:
    assert companies.cited(question) == ["Ida Roth company Tarn Mills"]


def test_a_profession_is_no_place_to_work(companies: Graph) -> None:
    assert companies.cited("Where does Ida Roth work?") == ["Ida Roth company Loom & Sons"]


def test_a_clinic_without_a_role_is_no_employer(tmp_path_factory: pytest.TempPathFactory) -> None:
    for graph in _graph(tmp_path_factory, TREATED):
        assert graph.ask("Where does Ola Lund work?").declined


def test_a_relation_that_says_works_for_leaves_company_its_own_sense(tmp_path_factory: pytest.TempPathFactory) -> None:
    for graph in _graph(tmp_path_factory, EMPLOYED):
        assert graph.ask("Where did Ola Lund work in 2010?").declined
        assert graph.cited("Where does Ola Lund work?") == ["Ola Lund works for Polar Freight"]


@pytest.mark.parametrize(
    "question",
    [
        "Which clinic did Ruth Adler paint in 2016?",
        "Who repainted Elm House in 2016?",
        "What was Ruth Adler's shoe size in 2016?",
        "Which clinic bored Ruth Adler in 2016?",
        "Is Ruth Adler cheerful?",
    ],
)
def test_what_is_left_of_a_question_is_not_offered_unless_it_is_a_sentence(clinics: Graph, question: str) -> None:
    answer = clinics.ask(question)
    assert answer.declined
    assert [offer.question for offer in answer.offers if offer.kind == "question"] == []


def test_a_question_without_an_adjective_is_still_offered(clinics: Graph) -> None:
    offers = clinics.ask("What was the grumpy role of Ruth Adler in 2016?").offers
    assert "What was the role of Ruth Adler in 2016?" in [offer.question for offer in offers]


def test_a_question_that_was_not_understood_keeps_its_date(clinics: Graph) -> None:
    answer = clinics.ask("Who repainted Elm House in 2016?")
    assert (answer.at.as_of, answer.as_of_2) == (datetime(2016, 1, 1, tzinfo=UTC), datetime(2017, 1, 1, tzinfo=UTC))
    assert answer.dated_by == "in 2016"


def test_who_works_at_a_place_is_offered_as_a_sentence(clinics: Graph) -> None:
    offers = [offer.question for offer in clinics.ask("Who repainted Elm House in 2016?").offers]
    assert offers == ["Who has the clinic Elm House?"]
    assert clinics.cited(offers[0]) == ["Piet Vos clinic Elm House"]
