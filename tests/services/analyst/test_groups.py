"""What began in a period, answers told in groups, and where else to look."""

from pathlib import Path

import pytest

from services.core.answer_records import Answer
from services.documents.versions import NewDocument
from services.language.answer_sentences import split
from services.verification.claims import claims_nothing
from tests.services.analyst.conftest import HARBOUR, HARBOUR_TYPES, Graph, opened
from tests.services.retrieval.conftest import ingest

BEGUN = [
    ("Which vessels became in service in 2014?", ["Aurora HAS_STATE in service"]),
    ("Which vessels became in service between 2013-01-01 and 2015-01-01?", ["Aurora HAS_STATE in service"]),
    ("Which vessels became in service between 2012 and 2014?", ["Aurora HAS_STATE in service"]),
    ("Which vessels were in service in 2014?", ["Borealis HAS_STATE in service", "Aurora HAS_STATE in service"]),
    (
        "Which vessels owned by Polar Freight became in service in 2014?",
        ["Aurora HAS_STATE in service", "Aurora OWNED_BY Polar Freight"],
    ),
]


@pytest.mark.parametrize(("question", "cited"), BEGUN)
def test_what_became_so_in_a_period_began_in_it(harbour: Graph, question: str, cited: list[str]) -> None:
    assert harbour.cited(question) == cited


def leads(answer: Answer) -> list[str]:
    return [s.text for s in answer.sentences if s.mark is None]


def test_a_count_of_what_became_so_counts_what_began(harbour: Graph) -> None:
    answer = harbour.ask("How many vessels became in service in 2014?")
    assert answer.sentences[0].text == "1 vessel had state in service, beginning in 2014."
    assert len(answer.sentences) == 2


def test_what_was_so_before_a_period_did_not_become_so_in_it(harbour: Graph) -> None:
    assert harbour.ask("Did Borealis become in service in 2014?").text.startswith("No, not in 2014. ")
    assert harbour.ask("Did Aurora become in service in 2014?").text.startswith("Yes.")


def test_nothing_that_began_is_nothing(harbour: Graph) -> None:
    assert harbour.ask("Which vessels became in service in 2013?").declined


def test_a_period_tells_apart_what_held_at_its_start_and_what_began(harbour: Graph) -> None:
    answer = harbour.ask("Who owned Aurora in 2014?")
    assert answer.text == (
        "At the start of the period:\n"
        "- Aurora was owned by Meridian Lines from 2001-01-01 until 2014-09-30. [1]\n\n"
        "Started in the period:\n"
        "- Aurora is owned by Polar Freight, since 2014-09-30. [2]"
    )


def test_a_comparison_tells_what_ended_before_what_did_not_change(harbour: Graph) -> None:
    answer = harbour.ask("Compare Aurora on 2013-01-01 with Aurora on 2014-12-01")
    assert leads(answer) == ["Began:", "Ended:", "Unchanged:"]


def test_what_changed_is_what_began_or_ended(harbour: Graph) -> None:
    answer = harbour.ask("What changed for Aurora between 2013-01-01 and 2014-12-01?")
    assert leads(answer) == ["Started in the period:", "Ended in the period:"]
    assert "Tomas Berg" not in answer.text


def test_one_group_alone_needs_no_line_before_it(harbour: Graph) -> None:
    assert leads(harbour.ask("Compare the home port of Borealis on 2010-01-01 and 2015-01-01")) == []
    assert leads(harbour.ask("Who owned Borealis in 2014?")) == []


def test_an_entity_of_many_facts_is_told_relation_by_relation(tmp_path: Path) -> None:
    visits = [("Calypso", "VISITED", f"Berth {n}", f"{year}-01-01", "") for n in range(1, 8) for year in (2020, 2021)]
    rows = [*HARBOUR, *visits]
    graph = opened(tmp_path, HARBOUR_TYPES, rows)
    try:
        assert leads(graph.ask("Tell me about Calypso")) == ["Has state:", "Replaces Calypso:", "Visited:", "Owned by:"]
        assert leads(graph.ask("What do we know about Aurora?")) == []
    finally:
        graph.services.close()


def test_lines_before_groups_claim_nothing_and_stand_where_they_say(harbour: Graph) -> None:
    for question in ("Was Aurora laid up in 2014?", "What changed for Aurora between 2013-01-01 and 2014-12-01?"):
        answer = harbour.ask(question)
        assert leads(answer)
        assert all(claims_nothing(text, is_cited=False) for text in leads(answer) if text != "Yes.")
        read_again = [(s.text, s.citations, s.start, s.end) for s in split(answer.text)]
        assert read_again == [(s.text, s.citations, s.start, s.end) for s in answer.sentences]


def test_two_relations_crossed_give_one_line_a_thing(harbour: Graph) -> None:
    answer = harbour.ask("Which vessels owned by Polar Freight are in service?")
    assert [sentence.text for sentence in answer.sentences] == [
        "Borealis is owned by Polar Freight, since 2007-05-05, and has state in service, since 2007-05-05.",
        "Aurora is owned by Polar Freight, since 2014-09-30, and has state in service, since 2014-10-01.",
    ]
    assert [len(sentence.citations) for sentence in answer.sentences] == [2, 2]


def test_search_is_named_where_nothing_was_found_and_there_are_documents(tmp_path: Path) -> None:
    graph = opened(tmp_path, HARBOUR_TYPES, HARBOUR)
    try:
        unknown, searched = "Why does Aurora sink?", "Search the documents for this question."
        assert searched not in graph.ask(unknown).offers_in_words
        ingest(graph.services, NewDocument("d0", "The harbour repairs ships."))
        assert graph.ask(unknown).offers_in_words.endswith(searched)
        assert graph.ask("Who owned Aurora on 1990-01-01?").offers_in_words == searched
        assert graph.ask("Who owns Aurora?").offers_in_words == ""
    finally:
        graph.services.close()
