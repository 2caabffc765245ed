"""Questions with nouns for kinds that only names of relations tell, over an untyped graph of a railway depot."""

from collections.abc import Iterator

import pytest

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
    ],
)
def test_a_noun_is_known_by_the_relations_of_what_it_names(
    depot: Graph, question: str, said: list[str], not_said: str
) -> None:
    answer = depot.ask(question)
    assert not answer.declined
    assert all(name in answer.text for name in said)
    assert not_said not in answer.text


@pytest.mark.parametrize("question", ["Which pilots are on Bulk?", "Which engines are on Bulk?"])
def test_a_noun_for_something_else_is_not_taken_for_it(depot: Graph, question: str) -> None:
    assert depot.ask(question).declined
