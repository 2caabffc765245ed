"""Questions with nouns for kinds that only names of relations tell, over an untyped graph of a railway depot."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from services.analyst.inferred_types import inferred_types, kinds_of
from services.mirror.search_rows import FactRow
from tests.services.analyst.conftest import Graph, Row, untyped

ROWS: list[Row] = [
    ("Dawn crew", "maintains engine", "kestrel-4", "2011-01-01", "2016-05-01"),
    ("Night crew", "maintains engine", "kestrel-4", "2016-05-01", ""),
    ("Night crew", "maintains engine", "osprey-2", "2012-01-01", ""),
    ("kestrel-4", "fitted with", "Boiler Mk3", "2013-01-01", ""),
    ("osprey-2", "fitted with", "Boiler Mk3", "2014-01-01", ""),
    ("Hollin Quarry", "on tariff", "Bulk", "2010-01-01", "2015-01-01"),
    ("Hollin Quarry", "on tariff", "Flat", "2015-01-01", ""),
    ("Marsh Dairy", "on tariff", "Bulk", "2012-01-01", ""),
    ("Weir Paper", "on tariff", "Bulk", "2013-01-01", ""),
    ("Petra Lund", "account manager of", "Marsh Dairy", "2012-01-01", ""),
    ("Petra Lund", "account manager of", "Hollin Quarry", "2010-01-01", ""),
    ("Ivo Strand", "account manager of", "Weir Paper", "2013-01-01", ""),
    ("Edda Moss", "leads", "Night crew", "2012-01-01", ""),
    ("Olga Finn", "leads", "Night crew", "2009-01-01", "2012-01-01"),
    ("Olga Finn", "member of", "Night crew", "2009-01-01", ""),
    ("Edda Moss", "member of", "Night crew", "2010-01-01", ""),
    ("Rune Falk", "member of", "Night crew", "2009-01-01", "2013-01-01"),
    ("Night crew", "based at", "North Shed", "2012-01-01", ""),
    ("Dawn crew", "based at", "North Shed", "2012-01-01", ""),
    ("Dusk crew", "based at", "Canal Shed", "2012-01-01", ""),
    ("North Shed", "owned by", "Fell Rail", "2001-01-01", "2013-06-01"),
    ("North Shed", "owned by", "Tarn Estates", "2013-06-01", ""),
    ("Fell Rail", "has lease with", "Tarn Estates", "2013-06-01", ""),
    ("Fell Rail", "has lease with", "Moor Holdings", "2005-01-01", "2011-01-01"),
    ("Fell Rail", "acquired", "Marsh Tramways", "2002-01-01", ""),
    ("Rune Falk", "coaches", "Depot Eleven", "2001-01-01", "2002-01-01"),
    ("Olga Finn", "coaches", "Depot Eleven", "2003-01-01", "2004-01-01"),
    ("kestrel-4", "condition", "ordered", "2010-01-01", "2010-03-01"),
    ("kestrel-4", "condition", "delivered", "2010-03-01", "2010-05-01"),
    ("egret-1", "condition", "ordered", "2012-01-01", ""),
    ("heron-7", "condition", "ordered", "2010-01-01", ""),
    ("osprey-2", "condition", "delivered", "2011-01-01", ""),
    ("Rolf Aas", "inspector in", "Fell Rail", "2001-01-01", ""),
    ("Edda Moss", "trained at", "Canal Shed", "2005-01-01", "2008-01-01"),
    ("Ivo Strand", "role", "signaller", "2009-01-01", "2014-01-01"),
    ("Petra Lund", "role", "signaller", "2014-01-01", ""),
]


@pytest.fixture(scope="module")
def depot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    graph = untyped(tmp_path_factory.mktemp("depot"), ROWS)
    yield graph
    graph.services.close()


@pytest.mark.parametrize(
    ("question", "said", "not_said"),
    [
        ("Which engines are fitted with Boiler Mk3?", ["kestrel-4", "osprey-2"], "Marsh"),
        ("Give me the customers who are on Bulk.", ["Marsh Dairy", "Weir Paper"], "Hollin"),
        ("Which clients are not on the Bulk tariff?", ["Hollin Quarry"], "Marsh Dairy"),
        ("Which customers are both on Bulk and managed by Petra Lund?", ["Marsh Dairy"], "Weir Paper"),
        ("Which crew looks after osprey-2?", ["Night crew"], "Dawn crew"),
        ("Who is in charge of the Night crew?", ["Edda Moss"], "Petra"),
        ("Who held the post of signaller in 2010?", ["Ivo Strand"], "Petra"),
        ("Who handles the Weir Paper account?", ["Ivo Strand"], "Petra"),
        ("Whom is Marsh Dairy dealing with as its account manager?", ["Petra Lund"], "Ivo"),
        ("Which account manager looks after the most customers?", ["Petra Lund"], "Ivo"),
        ("Which tariff has the most customers?", ["Bulk", "Marsh Dairy"], "Hollin"),
        ("Which base has the most crews?", ["North Shed"], "Canal"),
    ],
)
def test_a_noun_is_known_by_the_relations_of_what_it_names(
    depot: Graph, question: str, said: list[str], not_said: str
) -> None:
    answer = depot.ask(question)
    assert not answer.declined
    assert all(name in answer.text for name in said)
    assert not_said not in answer.text


@pytest.mark.parametrize(
    ("question", "said", "not_said"),
    [
        ("List everyone on the Night crew.", ["Olga Finn", "Edda Moss"], "Rune"),
        ("Who was in the Night crew in 2012?", ["Olga Finn", "Edda Moss", "Rune Falk"], "leads"),
        ("How many people are on the Night crew?", ["2"], "Rune"),
        ("Who else is on the Night crew besides Olga Finn?", ["Edda Moss"], "Olga"),
        ("Who did Edda Moss take over the Night crew from?", ["Olga Finn led"], "member"),
        ("To whom did Olga Finn hand over the Night crew?", ["Edda Moss leads"], "member"),
        ("Whose is North Shed?", ["Tarn Estates"], "Fell Rail"),
        ("Who owned North Shed until 2013?", ["Fell Rail"], "Tarn Estates"),
        ("Night crew or Dusk crew: which is based at Canal Shed?", ["Dusk crew"], "Night crew"),
        ("In 2012, who led the crew where Rune Falk was a member?", ["Edda Moss"], "Olga Finn was"),
    ],
)
def test_small_words_tell_who_belongs_where(depot: Graph, question: str, said: list[str], not_said: str) -> None:
    answer = depot.ask(question)
    assert not answer.declined
    assert all(name in answer.text for name in said)
    assert not_said not in answer.text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("I have a lamp for the Night crew. Where are they based?", "North Shed"),
        ("An inspector wants to know: who leads the Night crew?", "Edda Moss"),
        ("We're checking old bills: which tariff was Hollin Quarry on in 2012?", "Bulk"),
        ("With whom do we have a live lease?", "Tarn Estates"),
        ("When did our lease with Moor Holdings end?", "2011-01-01"),
    ],
)
def test_a_statement_before_a_question_and_we_are_understood(depot: Graph, question: str, said: str) -> None:
    answer = depot.ask(question)
    assert not answer.declined
    assert said in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "A storm closed Canal Shed. Who leads the Night crew?",
        "We open in 2014. Who leads the Night crew?",
        "Who owned North Shed until 2001?",
        "Which engines do we maintain?",
        "Who handles Weir Paper?",
        "Which crew did I lead in 2010?",
        "Whose are the sheds of the Night crew?",
    ],
)
def test_what_may_mean_more_is_declined(depot: Graph, question: str) -> None:
    assert depot.ask(question).declined


@pytest.mark.parametrize(
    ("question", "said", "not_said"),
    [
        ("How long did it take kestrel-4 to get from ordered to delivered?", "2 months (59 days).", "2011"),
        ("When did kestrel-4 turn from ordered into delivered?", "2010-03-01", "2010-01-01"),
        ("Of those who lead a crew now, who has done so the longest?", "Edda Moss.", "Olga"),
        ("Of the current signallers, who has been in post the longest?", "Petra Lund.", "Ivo"),
        ("Just before Edda Moss, who sat in the leader's chair of the Night crew?", "Olga Finn", "Rune"),
    ],
)
def test_the_way_from_one_thing_to_another_and_those_of_now_are_compared(
    depot: Graph, question: str, said: str, not_said: str
) -> None:
    answer = depot.ask(question)
    assert not answer.declined
    assert said in answer.text
    assert not_said not in answer.text


def test_half_of_a_question_is_no_answer_to_it(depot: Graph) -> None:
    assert depot.ask("Which engines do the Night crew and the Dawn crew maintain, and how did they end up?").declined


def test_what_begins_after_the_as_of_date_counts_for_nobody(depot: Graph) -> None:
    answer = depot.ask("Who has been account manager of the most customers?", as_of=datetime(2011, 6, 1, tzinfo=UTC))
    assert "Marsh Dairy" not in answer.text


@pytest.mark.parametrize(
    "question", ["Which crew was based at North Shed for the longest time?", "Who coached for the longest time?"]
)
def test_a_tie_for_the_longest_time_is_said_to_be_one(depot: Graph, question: str) -> None:
    assert "tied" in depot.ask(question).text


@pytest.mark.parametrize("question", ["Which pilots are on Bulk?", "Which engines are on Bulk?"])
def test_a_noun_for_something_else_is_not_taken_for_it(depot: Graph, question: str) -> None:
    assert depot.ask(question).declined


def test_a_noun_with_a_preposition_names_who_stands_before_it() -> None:
    assert kinds_of("columnist for") == {"source": "person", "target": "newspaper"}
    assert kinds_of("correspondent in") == {"source": "person"}


def test_of_two_kinds_as_frequent_people_come_first_in_any_order_of_facts() -> None:
    rows = [
        FactRow(str(n), 0, "", "", source, relation, target, "")
        for n, (source, relation, target) in enumerate((("Ada", "doctor", "Ben"), ("Ada", "role", "pilot")))
    ]
    for facts in (rows, rows[::-1]):
        assert inferred_types(facts, ["Ada"])["Ada"] == ("person", "hospital")
