"""Questions whose second part points to the time of the first, over a graph of newspapers."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from tests.services.analyst.conftest import Graph, Row, facts_of, opened
from tests.services.retrieval.conftest import write

TYPES = {
    "Person": ("Mira Holt", "Jonas Eck", "Ruth Amsel", "Tilda Moor"),
    "Newspaper": ("Morning Post", "Evening Star"),
    "PublishingHouse": ("Falk House", "Arden House"),
    "Prize": ("Quill Prize", "Ink Medal"),
    "Town": ("Ulm", "Gera"),
}
ROWS: Sequence[Row] = (
    ("Mira Holt", "EDITS", "Morning Post", "2001-01-01", "2008-01-01"),
    ("Jonas Eck", "EDITS", "Morning Post", "2008-01-01", "2015-06-01"),
    ("Ruth Amsel", "EDITS", "Morning Post", "2015-06-01", ""),
    ("Mira Holt", "EDITS", "Evening Star", "2009-01-01", "2012-01-01"),
    ("Tilda Moor", "EDITS", "Evening Star", "2012-01-01", ""),
    ("Morning Post", "OWNED_BY", "Falk House", "1990-01-01", "2011-01-01"),
    ("Morning Post", "OWNED_BY", "Arden House", "2011-01-01", ""),
    ("Morning Post", "PRINTED_IN", "Ulm", "1990-01-01", "2005-01-01"),
    ("Morning Post", "PRINTED_IN", "Gera", "2005-01-01", ""),
    ("Jonas Eck", "WON", "Quill Prize", "2010-05-05", ""),
)


@pytest.fixture(scope="module")
def press(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    graph = opened(tmp_path_factory.mktemp("press"), TYPES, ROWS)
    ink = facts_of([("Ruth Amsel", "WON", "Ink Medal", "2015-01-01", "")])[0]
    write(graph.services, replace(ink, uuid="ink", valid_at_precision="year"))
    yield graph
    graph.services.close()


@pytest.mark.parametrize(
    ("question", "said", "not_said"),
    [
        ("Who edited the Morning Post in 2005, and who edited it afterwards?", "Jonas Eck", "Ruth Amsel"),
        ("Who edited the Morning Post in 2010, and who edited it before that?", "Mira Holt", "Ruth Amsel"),
        ("Who edited the Morning Post in 2005 and then who edited it?", "Jonas Eck", "Ruth Amsel"),
        ("Where was the Morning Post printed in 2001, and where was it printed later?", "Gera", "Evening"),
        ("When did Jonas Eck win the Quill Prize, and who owned the Morning Post afterwards?", "Arden House", "Falk"),
        ("When did Jonas Eck win the Quill Prize, and who owned the Morning Post before that?", "Falk", "Arden"),
    ],
)
def test_what_came_after_the_first_part_is_counted_from_its_time(
    press: Graph, question: str, said: str, not_said: str
) -> None:
    answer = press.ask(question)
    assert not answer.declined
    assert said in answer.text
    assert not_said not in answer.text


@pytest.mark.parametrize(
    ("question", "said", "not_said"),
    [
        ("Who owned the Morning Post before Jonas Eck won the Quill Prize?", "Falk House", "Arden House"),
        ("Who edited the Morning Post before Ruth Amsel won the Ink Medal?", "do not settle this", "Evening Star"),
        ("Where was the Morning Post printed before Ruth Amsel won the Ink Medal?", "Gera", "do not settle this"),
    ],
)
def test_what_changed_in_the_year_of_an_event_is_neither_before_nor_after_it(
    press: Graph, question: str, said: str, not_said: str
) -> None:
    answer = press.ask(question)
    assert said in answer.text
    assert not_said not in answer.text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which house owns the Morning Post?", "Arden House"),
        ("Which publishing house owned the Morning Post in 2005?", "Falk House"),
        ("Who owns the newspaper that Ruth Amsel edits?", "Arden House"),
    ],
)
def test_a_type_of_several_words_is_called_by_its_last_one_too(press: Graph, question: str, said: str) -> None:
    answer = press.ask(question)
    assert not answer.declined
    assert said in answer.text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Has Tilda Moor ever edited the Morning Post?", "No, never"),
        ("Did Tilda Moor win the Quill Prize?", "No, never"),
        ("Was Jonas Eck ever editor of the Morning Post, and is he still?", "until 2015-06-01"),
        ("Did Mira Holt edit the Morning Post and later the Evening Star?", "Yes."),
        ("Is it true that Jonas Eck edited the Morning Post and then won the Quill Prize?", "Yes."),
        ("When Mira Holt left the Morning Post, who came after her?", "Jonas Eck"),
        ("When Jonas Eck left the Morning Post, who took his place?", "Ruth Amsel"),
        ("Where was the Morning Post printed in former days?", "Ulm"),
        ("Which editor served longest?", "Tilda Moor"),
        ("Who edited the Morning Post in 2005 and who edits it now?", "Ruth Amsel"),
        ("Who owned the Morning Post in 2005 and who owns it today?", "Arden House"),
        ("Who was editor and who was owner of the Morning Post in 2003?", "Falk House"),
    ],
)
def test_questions_of_these_classes_are_answered(press: Graph, question: str, said: str) -> None:
    answer = press.ask(question)
    assert not answer.declined
    assert said in answer.text, answer.text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Did Aurora ever return to being in service?", "Yes."),
        ("Was Aurora in service again after it was laid up?", "Yes."),
        ("Did Borealis go back to in service?", "No."),
        ("When did Aurora return to being in service?", "2014-10-01"),
        ("Which vessels of Polar Freight are still scrapped?", "Calypso"),
    ],
)
def test_what_was_so_a_second_time_is_found_in_the_history(harbour: Graph, question: str, said: str) -> None:
    answer = harbour.ask(question)
    assert not answer.declined
    assert said in answer.text


def test_when_something_returned_that_never_was_so_again_is_declined(harbour: Graph) -> None:
    assert harbour.ask("When did Borealis return to being in service?").declined


def test_how_long_it_took_until_something_was_so_is_not_how_long_it_was(harbour: Graph) -> None:
    assert harbour.ask("How long did it take Aurora to be laid up?").declined
