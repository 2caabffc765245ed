"""Parts of a question that say how often, how long or when, over clubs of which one is called "Next"."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.fakes.memory_graph import MemoryGraphStore
from tests.services.analyst.conftest import Graph, day, entities_of, facts_of, open_services, opened, write

Row = tuple[str, str, str, str, str]

TYPES = {
    "Person": ("Anna Berg", "Bo Lund", "Carl Dahl", "Dora Ek", "Eva Falk"),
    "Club": ("Rovers", "Wanderers", "Next"),
    "League": ("Premier", "Second"),
}
ROWS: Sequence[Row] = (
    ("Anna Berg", "FOUNDED", "Rovers", "1990-01-01", ""),
    ("Anna Berg", "FOUNDED", "Wanderers", "1992-01-01", ""),
    ("Rovers", "COACHED_BY", "Bo Lund", "2000-01-01", "2005-01-01"),
    ("Rovers", "COACHED_BY", "Carl Dahl", "2005-01-01", "2008-01-01"),
    ("Wanderers", "COACHED_BY", "Dora Ek", "2001-01-01", "2003-01-01"),
    ("Wanderers", "COACHED_BY", "Bo Lund", "2003-01-01", "2006-01-01"),
    ("Wanderers", "COACHED_BY", "Dora Ek", "2006-01-01", "2009-01-01"),
    ("Next", "COACHED_BY", "Eva Falk", "2010-01-01", ""),
    ("Rovers", "PLAYS_IN", "Second", "1995-01-01", "2004-01-01"),
    ("Rovers", "PLAYS_IN", "Premier", "2004-01-01", "2040-01-01"),
    ("Wanderers", "PLAYS_IN", "Premier", "1996-01-01", "2040-01-01"),
)


@pytest.fixture(scope="module")
def clubs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    graph = opened(tmp_path_factory.mktemp("clubs"), TYPES, ROWS)
    yield graph
    graph.services.close()


def test_how_often_is_counted_over_all_that_a_part_lists(clubs: Graph) -> None:
    assert "Dora Ek" in clubs.ask("Who coached the club that Anna Berg founded twice?").text


def test_a_name_that_is_a_word_of_time_points_to_no_other_time(clubs: Graph) -> None:
    answer = clubs.ask("Who coached Wanderers in 2004, and who coached Next in 2012?")
    assert "Eva Falk" in answer.text
    assert "Dora Ek" not in answer.text


def test_what_ends_in_the_future_has_always_been_so(clubs: Graph) -> None:
    assert clubs.ask("Has Wanderers always played in Premier?").text.startswith("Yes")
    assert clubs.ask("Has Rovers always played in Premier?").text.startswith("No")


def test_the_longest_is_measured_up_to_the_date_that_is_asked_at(clubs: Graph) -> None:
    answer = clubs.ask("Who was coach for the longest time?", as_of=day("2004-06-01"))
    assert "Eva Falk" not in answer.text
    assert "Bo Lund" in answer.text


def test_a_year_without_a_day_leaves_open_only_what_turned_in_it(tmp_path: Path) -> None:
    rows = (*ROWS[2:4], ("Harriers", "BOUGHT_BY", "Eva Falk", "2005-01-01", ""))
    facts = [replace(fact, valid_at_precision="year") if fact.source == "Harriers" else fact for fact in facts_of(rows)]
    services = open_services(tmp_path, MemoryGraphStore())
    write(services, *entities_of({**TYPES, "Club": (*TYPES["Club"], "Harriers")}), *facts)
    graph = Graph(services, facts)
    said = {who: graph.ask(f"Did {who} coach Rovers before Eva Falk bought Harriers?").text for who in TYPES["Person"]}
    chosen = graph.ask("Which of Bo Lund and Carl Dahl coached Rovers before Eva Falk bought Harriers?")
    services.close()
    assert said["Bo Lund"].startswith("Yes")
    assert said["Dora Ek"].startswith("No")
    assert "do not settle" in said["Carl Dahl"]
    assert "Carl Dahl" not in chosen.text.partition(".")[0]
