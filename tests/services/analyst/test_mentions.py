"""Names in questions: whole, shortened, in a series, in another form, misspelt."""

from pathlib import Path

import pytest

from services.analyst.graph_lexicon import Lexicon, build
from services.analyst.mentions import mentions_in
from services.analyst.question_words import words_of
from services.analyst.vocabulary import Synonyms
from services.language.inflection import is_form_of
from tests.services.analyst.conftest import Graph, opened
from tests.services.retrieval.conftest import W


def linked(graph: Graph, question: str) -> list[tuple[str, str]]:
    return [(m.name, m.how) for m in mentions_in(words_of(question), lexicon_of(graph))]


def lexicon_of(graph: Graph) -> Lexicon:
    return build(graph.services.mirrors.of(W), Synonyms())


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who commands the Aurora?", [("Aurora", "whole")]),
        ("who commands the aurora", [("Aurora", "whole")]),
        ("Which vessels does Polar own?", [("Polar Freight", "short")]),
        ("Which vessels does Okonkwo command?", [("Yara Okonkwo", "short")]),
        ("Who was at Berth 3?", [("Berth 3", "whole")]),
        ("Who was at berth no. 3?", [("Berth 3", "whole")]),
        ("Who was at Berths 3 and 4?", [("Berth 3", "whole"), ("Berth 4", "whole")]),
        ("Who was at Berth 03?", [("Berth 3", "whole")]),
        ("Who was at Berth 99?", [("Berth 99", "unknown")]),
        ("Which vessels does Yara Okonkow command?", [("Yara Okonkwo", "misspelt")]),
        ("which vessels does polar frieght own", [("Polar Freight", "misspelt")]),
        ("Which vessels were in service?", [("in service", "whole")]),
        ("which freight does the aurora carry", [("Aurora", "whole")]),
    ],
)
def test_names_are_found_as_people_write_them(harbour: Graph, question: str, names: list[tuple[str, str]]) -> None:
    assert linked(harbour, question) == names


def test_digits_are_never_guessed(harbour: Graph) -> None:
    assert linked(harbour, "Who was at Berth 77?") == [("Berth 77", "unknown")]
    assert linked(harbour, "Who was at Betrh 3?") == [("Berth 3", "misspelt")]


def test_a_word_without_a_capital_is_no_short_name_where_names_have_capitals(harbour: Graph) -> None:
    assert linked(harbour, "Which polar animals does Aurora carry?") == [("Aurora", "whole")]


@pytest.mark.parametrize(
    ("word", "value", "alike"),
    [
        ("acceptance", "accepted", True),
        ("withdrawal", "withdrawn", True),
        ("finalised", "final", True),
        ("rejecting", "rejected", True),
        ("acceptance", "rejected", False),
        ("planet", "planned", False),
        ("act", "active", False),
    ],
)
def test_forms_of_a_word_are_told_from_other_words(word: str, value: str, alike: bool) -> None:
    assert is_form_of(word, value) is alike


def test_what_a_name_has_on_which_side_is_known(harbour: Graph) -> None:
    lexicon = lexicon_of(harbour)
    assert lexicon.has("Aurora", "OWNED_BY", "source")
    assert not lexicon.has("Aurora", "OWNED_BY", "target")
    assert lexicon.joined("Borealis", "REPLACES", "Calypso")
    assert lexicon.shapes == {("berth",): "Berth"}


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("At which berth is 5 now?", ["Berth 5"]),
        ("Which berth was used first, 2 or 7?", ["Berth 2", "Berth 7"]),
        ("Which berth was free and 3 others taken?", []),
        ("Which berth does 1999 concern?", []),
    ],
)
def test_a_number_by_itself_is_of_the_series_that_is_named(harbour: Graph, question: str, named: list[str]) -> None:
    assert [name for name, _ in linked(harbour, question)] == named


def test_a_name_is_shortened_behind_a_word_that_is_a_name_too(tmp_path: Path) -> None:
    rows = [("Skerry Free Hospital", "LOCATED_IN", "Skerry", "2001-01-01", "")]
    graph = opened(tmp_path, {"Hospital": ["Skerry Free Hospital"], "Town": ["Skerry"]}, rows)
    questions = {"Where is Skerry Free?": "Skerry Free Hospital", "What is located in Skerry?": "Skerry"}
    found = {question: linked(graph, question)[0][0] for question in questions}
    graph.services.close()
    assert found == questions
