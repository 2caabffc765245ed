"""The same questions in other words: short names, phrases, what is said twice, and ways to ask for a path."""

from collections.abc import Iterator, Sequence

import pytest

from services.analyst.parsed_question import unwrapped
from services.analyst.vocabulary import is_of_people
from tests.services.analyst.conftest import Graph, Row, opened

TOWN_TYPES = {
    "Player": ("Nadia Reyes", "Ben Adair"),
    "Team": ("Ridge City Foxes", "Harbor Gulls"),
    "Fund": ("Merel Fund",),
    "Ground": ("Pier Street", "Breakwater Park"),
    "Pet": ("Biscuit",),
    "Species": ("dog",),
    "City": ("Porto", "Ghent"),
    "Service": ("billing",),
    "Cluster": ("metal-01", "metal-02"),
    "Version": ("v1", "v2"),
    "Person": ("Ada Quigg",),
    "Company": ("Brine & Co",),
}
TOWN: Sequence[Row] = (
    ("Nadia Reyes", "PLAYS_FOR", "Harbor Gulls", "2015-07-01", "2019-06-30"),
    ("Nadia Reyes", "PLAYS_FOR", "Ridge City Foxes", "2019-07-01", ""),
    ("Ben Adair", "PLAYS_FOR", "Ridge City Foxes", "2018-07-01", ""),
    ("Ada Quigg", "coaches", "Ridge City Foxes", "2016-01-01", "2020-01-01"),
    ("Ben Adair", "coaches", "Ridge City Foxes", "2020-01-01", ""),
    ("Harbor Gulls", "home ground", "Pier Street", "2010-01-01", "2019-08-01"),
    ("Harbor Gulls", "home ground", "Breakwater Park", "2019-08-01", ""),
    ("Harbor Gulls", "sponsored by", "Brine & Co", "2014-07-01", ""),
    ("Harbor Gulls", "funded by", "Merel Fund", "2014-01-01", ""),
    ("Nadia Reyes", "lives in", "Ghent", "2015-01-01", "2020-05-05"),
    ("Nadia Reyes", "lives in", "Porto", "2020-05-05", ""),
    ("Ben Adair", "lives in", "Porto", "", ""),
    ("Nadia Reyes", "HAS_PET", "Biscuit", "2018-01-01", ""),
    ("Biscuit", "is a", "dog", "2018-01-01", ""),
    ("billing", "RUNS_ON", "metal-01", "2019-01-01", "2021-01-01"),
    ("billing", "RUNS_ON", "metal-02", "2021-01-01", ""),
    ("billing", "DEPLOYED_VERSION", "v1", "2019-01-01", "2020-01-01"),
    ("billing", "DEPLOYED_VERSION", "v2", "2020-01-01", ""),
    ("Ada Quigg", "manages", "Brine & Co", "2012-01-01", ""),
    ("Ben Adair", "has friend", "Ada Quigg", "", ""),
)


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    graph = opened(tmp_path_factory.mktemp("town"), TOWN_TYPES, TOWN)
    yield graph
    graph.services.close()


TOLD = [
    # short names in small letters, titles, what a name is
    ("who coached the foxes before Ben Adair", ["Ada Quigg coaches Ridge City Foxes"]),
    ("When did nadia move to Porto?", ["Nadia Reyes lives in Porto"]),
    ("since when is Breakwater Park the home of the gulls", ["Harbor Gulls home ground Breakwater Park"]),
    ("Where does Ms. Nadia Reyes live?", ["Nadia Reyes lives in Porto"]),
    ("reyes's club on 5 May 2016", ["Nadia Reyes PLAYS_FOR Harbor Gulls"]),
    ("Is Biscuit a dog?", ["Biscuit is a dog"]),
    # words that mean a relation
    ("Which town does Nadia Reyes call home these days?", ["Nadia Reyes lives in Porto"]),
    ("where do the Harbor Gulls play their home games?", ["Harbor Gulls home ground Breakwater Park"]),
    ("Where did the Harbor Gulls play before Breakwater Park?", ["Harbor Gulls home ground Pier Street"]),
    ("what release of billing was running on the 5th of may 2019", ["billing DEPLOYED_VERSION v1"]),
    ("where was billing running on 2020-05-05", ["billing RUNS_ON metal-01"]),
    ("what fund gave the money for Harbor Gulls", ["Harbor Gulls funded by Merel Fund"]),
    ("roster of the Ridge City Foxes on 2018-08-01", ["Ben Adair PLAYS_FOR Ridge City Foxes"]),
    ("First club in Nadia Reyes's career?", ["Nadia Reyes PLAYS_FOR Harbor Gulls"]),
    ("Tell me everywhere Nadia Reyes has lived.", ["Nadia Reyes lives in Ghent", "Nadia Reyes lives in Porto"]),
    # a preposition of the verb before the date's
    ("Who did Nadia Reyes play for on 2016-01-01?", ["Nadia Reyes PLAYS_FOR Harbor Gulls"]),
    ("Which city did Nadia Reyes live in on the fourth of July 2019?", ["Nadia Reyes lives in Ghent"]),
    # what is said twice
    ("Who pays for the Harbor Gulls, i.e. sponsors them?", ["Harbor Gulls sponsored by Brine & Co"]),
    ("the gulls ground?? Harbor Gulls home ground I mean", ["Harbor Gulls home ground Breakwater Park"]),
    # truth, and a clause that tells an end
    ("Nadia Reyes lived in Ghent on 2016-01-01, true?", ["Nadia Reyes lives in Ghent"]),
    ("Once billing had moved off metal-01, what did it run on?", ["billing RUNS_ON metal-02"]),
    # an entity's changes without a relation
    (
        "What changed between 2019-12-01 and 2020-06-01 for billing?",
        ["billing DEPLOYED_VERSION v1", "billing DEPLOYED_VERSION v2"],
    ),
    (
        "What was new for billing in 2020?",
        ["billing DEPLOYED_VERSION v1", "billing DEPLOYED_VERSION v2"],
    ),
    # those that two have in common
    ("Who played for both the Harbor Gulls and the Ridge City Foxes on 2016-01-01?", []),
]


@pytest.mark.parametrize(("question", "cited"), TOLD)
def test_other_words_are_understood(town: Graph, question: str, cited: list[str]) -> None:
    assert sorted(town.cited(question)) == sorted(cited)


JOINED = ["Ada Quigg manages Brine & Co", "Harbor Gulls sponsored by Brine & Co"]
PATHS = [
    "How do I get from Ada Quigg to the Harbor Gulls?",
    "How does Ada Quigg relate to Harbor Gulls?",
    "What ties Ada Quigg to the Harbor Gulls?",
    "Via whom are Ada Quigg and the Harbor Gulls connected?",
    "Through what is Ada Quigg linked with Harbor Gulls?",
    "In what way are Ada Quigg and Harbor Gulls connected?",
    "Is Ada Quigg linked with the Harbor Gulls, and how?",
    "What do Ada Quigg and the Harbor Gulls have to do with each other?",
    "What stands between Ada Quigg and the Harbor Gulls?",
    "Which chain of facts leads from Ada Quigg to Harbor Gulls?",
    "Ada Quigg and Harbor Gulls, any connection?",
    "Show me the path Ada Quigg -> Harbor Gulls",
    "Which common ground do Ada Quigg and Harbor Gulls have?",
]


@pytest.mark.parametrize("question", PATHS)
def test_a_path_is_asked_for_in_many_ways(town: Graph, question: str) -> None:
    assert sorted(town.cited(question)) == sorted(JOINED)


def test_an_undated_fact_between_two_is_their_path_where_no_date_is_asked(town: Graph) -> None:
    assert town.cited("How are Ben Adair and Ada Quigg connected?") == ["Ben Adair has friend Ada Quigg"]


@pytest.mark.parametrize(
    "question",
    [
        "When was Ada Quigg connected to the Harbor Gulls?",
        "How does the foxes' coach dance?",
        "Which rovers does Nadia coach?",
        "Who painted the dog Biscuit?",
        "who paid the cat Biscuit",
        "What shirts does Brine & Co sell?",
        "What is the password of billing?",
    ],
)
def test_what_other_words_do_not_say_is_declined(town: Graph, question: str) -> None:
    assert town.ask(question).declined


def test_a_number_after_a_comma_that_opens_a_date_is_no_name(harbour: Graph) -> None:
    assert harbour.cited("Who was moored at Berth 3, 5 March 2013?") == ["Aurora MOORED_AT Berth 3"]


def test_a_relation_of_succession_is_no_order_of_values(harbour: Graph) -> None:
    assert "Borealis REPLACES Calypso" in harbour.cited("Which scrapped vessel did Borealis replace?")


def test_a_short_word_before_a_number_is_another_series_and_no_slip(town: Graph) -> None:
    assert town.ask("What is the state of RFC 3?").declined


def test_dates_are_said_by_the_day_unless_two_share_one(town: Graph) -> None:
    answer = town.ask("Who did Nadia Reyes play for on 2016-01-01?")
    assert answer.text == "Nadia Reyes played for Harbor Gulls from 2015-07-01 until 2019-06-30. [1]"
    assert answer.dated_by == "on 2016-01-01"


def test_a_word_whose_capital_only_opens_the_question_is_no_name(town: Graph) -> None:
    assert town.cited("Till when did Nadia Reyes live in Ghent?") == ["Nadia Reyes lives in Ghent"]


def test_follow_ups_are_at_most_three_and_each_is_answered(town: Graph) -> None:
    answer = town.ask("What is the home ground of the Harbor Gulls?")
    assert 1 <= len(answer.follow_ups) <= 3
    assert not [ask for ask in answer.follow_ups if town.ask(ask, answer.topic).declined]


def test_a_count_with_undated_facts_cites_them_and_the_result(town: Graph) -> None:
    counted = town.ask("How many people live in Porto?").sentences[0]
    assert counted.text == "2 players live in Porto."
    assert len(counted.citations) == 3


@pytest.mark.parametrize(
    ("asked", "bare"),
    [
        ("Hi there, would you mind telling me who owns it?", "who owns it?"),
        ("hey, quick check - who owns it?", "who owns it?"),
        ("Greetings! My question is: who owns it?", "who owns it?"),
        ("Would it be right to say it is owned?", "it is owned?"),
    ],
)
def test_more_that_is_merely_polite_is_left_out(asked: str, bare: str) -> None:
    assert unwrapped(asked) == bare


def test_types_of_people_are_known_by_their_words() -> None:
    assert [is_of_people(kind) for kind in ("Person", "Player", "Team", "")] == [True, True, False, False]
