"""Relations taken twice, superlatives of figures and nouns for untold kinds, over an untyped graph of an orchard."""

from collections.abc import Iterator

import pytest

from tests.services.analyst.conftest import Graph, Row, untyped

ROWS: list[Row] = [
    ("Ada Brandt", "reports to", "Olof Rask", "2010-01-01", ""),
    ("Olof Rask", "reports to", "Tess Amory", "2008-01-01", ""),
    ("Nils Orme", "trained under", "Ada Brandt", "2012-01-01", "2014-01-01"),
    ("Ada Brandt", "trained under", "Tess Amory", "2004-01-01", "2006-01-01"),
    ("North Strip", "has area", "4 hectares", "2001-01-01", ""),
    ("Mill Corner", "has area", "9 hectares", "2001-01-01", ""),
    ("North Strip", "is tended by", "Ada Brandt", "2011-01-01", ""),
    ("Mill Corner", "is tended by", "Nils Orme", "2015-01-01", ""),
    ("North Strip", "allocated to", "Fell House", "2011-01-01", ""),
    ("Mill Corner", "allocated to", "Fell House", "2012-01-01", ""),
    ("Ada Brandt", "keeper of", "Bramble", "2011-01-01", "2013-01-01"),
    ("Olof Rask", "keeper of", "Bramble", "2013-01-01", ""),
    ("Fell House", "makes", "Amber Perry", "2011-01-01", ""),
    ("Fell House", "makes", "Fell Dry", "2012-01-01", ""),
]


@pytest.fixture(scope="module")
def orchard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    graph = untyped(tmp_path_factory.mktemp("orchard"), ROWS)
    yield graph
    graph.services.close()


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who is the boss of Ada Brandt's boss?", "Tess Amory"),
        ("Who trained the woman who trained Nils Orme?", "Tess Amory"),
        ("What is the biggest parcel?", "Mill Corner"),
        ("What is the smallest parcel and who tends it?", "Ada Brandt"),
        ("How many parcels are allocated to Fell House?", "2."),
        ("Which ciders does Fell House make?", "Amber Perry"),
        ("Which of the two parcels are allocated to Fell House?", "Mill Corner"),
        ("When Ada Brandt stopped looking after Bramble, who took over as keeper?", "Olof Rask is"),
    ],
)
def test_what_a_question_asks_twice_or_of_the_greatest_figure_is_answered(
    orchard: Graph, question: str, said: str
) -> None:
    assert said in orchard.ask(question).text


@pytest.mark.parametrize("question", ["What is the biggest castle?", "What is the heaviest parcel?"])
def test_a_superlative_of_what_the_graph_cannot_have_is_declined(orchard: Graph, question: str) -> None:
    assert orchard.ask(question).declined


def test_what_is_made_is_not_counted_as_what_it_is_sold_in(orchard: Graph) -> None:
    assert orchard.ask("How many bottles does Fell House make?").declined
