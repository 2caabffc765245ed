"""Answers from tables beside the graph, without a model: each count cites the query that gave it, and is checked."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from services.agent.answerer import Answerer, AskRequest
from services.agent.app import App
from services.core.answer_records import Asked
from services.sql.warehouse import warehouse
from services.verification.check import check
from tests.fakes.memory_graph import MemoryGraphStore
from tests.services.retrieval.conftest import W, open_services
from tests.services.tools.conftest import _fill

pytestmark = pytest.mark.slow

SHIPS = b"ship,owner,built\nAdalina,Labs,1990\nBeagle,Labs,1820\nCutty,Bob,1869\nDove,Labs,1901\n"


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """A life, and a table of ships beside it; the tests only read."""
    services = open_services(tmp_path_factory.mktemp("fleet"), MemoryGraphStore())
    _fill(services)
    warehouse(services.workspace(W)).add_files("fleet", W, [("ships.csv", SHIPS)])
    yield services
    services.close()


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many ships are there?", "The count is 4. [1]"),
        ("How many ships are there by owner?", "- Labs: 3. [1]\n- Bob: 1. [1]"),
        ("How many ships does Labs own?", "The count is 3. [1]"),
        ("How many ships were built before 1900?", "The count is 2. [1]"),
    ],
)
def test_a_count_over_a_file_is_answered_and_borne_out_by_its_rows(fleet: App, question: str, text: str) -> None:
    outcome = Answerer(fleet.workspace(W)).answer(AskRequest(Asked(question)))
    assert outcome.answer.text == text
    assert {sentence.mark for sentence in outcome.answer.sentences} == {"supported"}
    (call,) = (one for one in outcome.answer.calls if one.tool == "query_database")
    assert call.output["success"] is True


def test_another_count_than_that_of_the_rows_is_contradicted(fleet: App) -> None:
    outcome = Answerer(fleet.workspace(W)).answer(AskRequest(Asked("How many ships are there by owner?")))
    (first, *_) = outcome.answer.sentences
    wrong = replace(first, text="Labs: 7.", mark=None)
    (checked,) = check((wrong,), outcome.evidence, outcome.answer.at)
    assert checked.mark == "contradicted"


def test_a_question_about_the_graph_is_answered_by_the_graph(fleet: App) -> None:
    outcome = Answerer(fleet.workspace(W)).answer(AskRequest(Asked("Whom does Ada work for?")))
    assert "Labs" in outcome.answer.text
    assert all(call.tool != "query_database" for call in outcome.answer.calls)


def test_without_a_table_that_fits_the_question_stays_unanswered(fleet: App) -> None:
    outcome = Answerer(fleet.workspace(W)).answer(AskRequest(Asked("How many unicorns are there by colour?")))
    assert outcome.answer.declined
    assert [call.tool for call in outcome.answer.calls] == ["search_knowledge"], "no query was written"
