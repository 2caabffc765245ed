"""An answer says how its question was understood; one that is declined says which word was not, and what to ask."""

from collections.abc import Iterator

import pytest

from services.core.answer_documents import answer_document, read_answer
from services.core.answer_records import Answer
from tests.services.analyst.class_graphs import OFFICE_TYPES, OFFICES
from tests.services.analyst.conftest import Graph, opened


@pytest.fixture(scope="module")
def offices(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    graph = opened(tmp_path_factory.mktemp("offices"), OFFICE_TYPES, OFFICES)
    yield graph
    graph.services.close()


def parts(answer: Answer) -> list[tuple[str, str, str]]:
    return [(part.kind, part.name, part.words) for part in answer.understood]


def offered(answer: Answer, kind: str) -> list[str]:
    return [offer.question for offer in answer.offers if offer.kind == kind]


def test_names_relation_and_period_are_shown_with_the_words_that_say_them(offices: Graph) -> None:
    assert parts(offices.ask("Which party did Dora Quist join in June 2013?")) == [
        ("entity", "Dora Quist", "Dora Quist"),
        ("relation", "MEMBER_OF", "party join"),
        ("period", "from 2013-06-01 to 2013-07-01", "in June 2013"),
    ]


def test_a_value_is_a_part(harbour: Graph) -> None:
    told = parts(harbour.ask("Was Aurora laid up on 2013-01-01?"))
    assert ("value", "laid up", "laid up") in told
    assert ("period", "at 2013-01-01", "on 2013-01-01") in told


def test_a_word_that_is_not_understood_is_left_out_of_a_question_that_is_offered(offices: Graph) -> None:
    answer = offices.ask("Who was the grumpy Mayor of Larkfield on 2010-01-01?")
    assert (answer.declined_for, answer.not_understood) == ("not_understood", ("grumpy",))
    assert offered(answer, "question") == ["Who was the Mayor of Larkfield on 2010-01-01?"]


def test_an_unknown_name_is_said_to_be_unknown_and_names_like_it_are_offered(offices: Graph) -> None:
    answer = offices.ask("Who did Lindgrist represent?")
    assert (answer.declined_for, answer.text) == ("unknown_name", "No entity matches “Lindgrist”.")
    assert "Who did Robert Lindqvist represent?" in offered(answer, "name")


def test_each_relation_of_an_entity_is_offered_as_a_question_that_is_understood(offices: Graph) -> None:
    for name in ("Dora Quist", "Mikael Strand", "Green Union", "Senator", "Larkfield Council"):
        asked = offered(offices.ask(f"Why is {name} blue?"), "relation")
        assert asked
        assert {offices.ask(question).declined_for for question in asked} <= {"", "nothing_found"}


def test_what_the_graph_does_not_have_is_told_apart_from_what_was_not_understood(offices: Graph) -> None:
    assert offices.ask("Who was Mayor of Larkfield on 1950-01-01?").declined_for == "nothing_found"
    assert offices.ask("Who did Mikael Strand marry?").declined_for == "nothing_found"
    assert offices.ask("Who painted Mikael Strand?").declined_for == "not_understood"


def test_the_parts_are_kept_with_the_answer(offices: Graph) -> None:
    for question in ("Who is Mayor of Larkfield?", "Who was the grumpy Mayor of Larkfield?"):
        answer = offices.ask(question)
        assert read_answer(answer_document(answer)) == answer


def test_an_answer_that_was_kept_without_parts_is_read(offices: Graph) -> None:
    document = answer_document(offices.ask("Who is Mayor of Larkfield?"))
    for name in ("declined_for", "understood", "not_understood", "offers"):
        del document[name]
    assert read_answer(document).understood == ()
