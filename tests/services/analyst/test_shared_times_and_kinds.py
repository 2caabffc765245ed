"""Questions of another event's time, of what two share, and of whole histories, over a graph of orchestras."""

from collections.abc import Iterator

import pytest

from services.agent.answerer import Answerer, AskRequest
from services.core.answer_records import Answer, Asked
from services.core.models import Entity
from tests.fakes.memory_graph import MemoryGraphStore
from tests.services.analyst.conftest import Graph, Row, facts_of
from tests.services.retrieval.conftest import W, open_services, write

ROWS: list[Row] = [
    ("Mara Lind", "CONDUCTS", "Fenwick Orchestra", "2000-01-01", "2006-01-01"),
    ("Olof Rask", "CONDUCTS", "Fenwick Orchestra", "2006-01-01", "2012-01-01"),
    ("Tess Amory", "CONDUCTS", "Fenwick Orchestra", "2012-01-01", "2015-01-01"),
    ("Mara Lind", "CONDUCTS", "Fenwick Orchestra", "2015-01-01", "2020-01-01"),
    ("Nils Orme", "CONDUCTS", "Tarn Sinfonia", "2004-01-01", ""),
    ("Fenwick Orchestra", "BASED_IN", "Fenwick", "1990-01-01", ""),
    ("Tarn Sinfonia", "BASED_IN", "Aldby", "1995-01-01", "2010-01-01"),
    ("Tarn Sinfonia", "BASED_IN", "Fenwick", "2010-01-01", ""),
    ("Olof Rask", "WON", "Silver Baton", "2008-05-04", ""),
    ("Tess Amory", "WON", "Golden Bow", "2008-05-04", ""),
    ("Mara Lind", "WON", "Silver Baton", "2003-02-02", ""),
    ("Olof Rask", "BELONGS_TO", "Baton Circle", "2005-01-01", ""),
    ("Tess Amory", "BELONGS_TO", "Baton Circle", "2009-01-01", ""),
    ("Mara Lind", "BELONGS_TO", "Bow Circle", "2001-01-01", ""),
]
KINDS = {"CONDUCTS": ("Person", "Orchestra"), "BASED_IN": ("Orchestra", "Town")}
KINDS |= {"WON": ("Person", "Prize"), "BELONGS_TO": ("Person", "Circle")}


@pytest.fixture(scope="module")
def music(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    facts = facts_of(ROWS)
    kinds = {name: kind for row in ROWS for name, kind in zip((row[0], row[2]), KINDS[row[1]], strict=True)}
    services = open_services(tmp_path_factory.mktemp("music"), MemoryGraphStore())
    write(services, *(Entity(name, name, (kind,)) for name, kind in kinds.items()), *facts)
    yield Graph(services, facts)
    services.close()


def answered(graph: Graph, question: str) -> Answer:
    return Answerer(graph.services.workspace(W)).answer(AskRequest(Asked(question))).answer


@pytest.mark.parametrize(
    ("question", "said", "not_said"),
    [
        ("Who was conducting Fenwick when Tess Amory won the Golden Bow?", ["Olof Rask conducted"], "Mara Lind"),
        ("Who conducted the Fenwick Orchestra while Olof Rask was in the Baton Circle?", ["Mara Lind", "Tess"], "Nils"),
        ("Was Olof Rask in the Baton Circle when he won the Silver Baton?", ["Yes."], "No"),
        ("Who else won a prize on the same day as Olof Rask?", ["Tess Amory won"], "Mara Lind"),
        ("Are Olof Rask and Tess Amory in the same circle?", ["Yes."], "No"),
        ("Do Mara Lind and Tess Amory belong to the same circle?", ["No."], "Yes"),
        ("Is the town of Fenwick Orchestra the same as that of Tarn Sinfonia?", ["Yes."], "No."),
        ("Who else belongs to the same circle as Tess Amory?", ["Olof Rask"], "Mara Lind"),
        ("Who conducted Fenwick twice?", ["Mara Lind"], "Olof Rask"),
        ("Has Tarn Sinfonia always been based in Fenwick?", ["No.", "Aldby"], "Yes"),
        ("Has Fenwick Orchestra always been based in Fenwick?", ["Yes."], "No."),
        ("Is anybody conducting the Fenwick Orchestra now?", ["No.", "until 2020-01-01"], "Yes"),
        ("Who conducted Fenwick Orchestra between Olof Rask and Mara Lind?", ["Tess Amory"], "Nils Orme"),
        ("Did Mara Lind conduct the Fenwick Orchestra before 2005?", ["Yes."], "No"),
        ("How many people conducted Fenwick Orchestra before 2010?", ["2 people"], "Tess Amory"),
        ("Who is not conducting the Fenwick Orchestra any more?", ["Mara Lind", "Olof Rask"], "Nils Orme"),
        ("Where is the orchestra that Nils Orme conducts?", ["located in Fenwick|based in Fenwick"], "Olof Rask"),
        ("Has anyone conducted both Fenwick Orchestra and Tarn Sinfonia?", ["No."], "Yes"),
        ("Did Olof Rask both win the Silver Baton and conduct the Fenwick Orchestra?", ["Yes."], "No"),
        ("Did Olof Rask and Tess Amory win a prize on the same day?", ["Yes."], "No"),
        ("Did Mara Lind win a prize in the same year as Olof Rask?", ["No."], "Yes"),
        ("Who has conducted Fenwick alongside Nils Orme?", [], "Olof Rask"),
        ("Which conductors of the Fenwick Orchestra later won a prize?", ["Mara Lind", "Olof Rask"], "Tess Amory"),
        ("Who conducted an orchestra most often?", ["Mara Lind: 2 times."], "Nils Orme"),
        ("Which two orchestras are based in Fenwick?", ["Fenwick Orchestra", "Tarn Sinfonia"], "Aldby"),
        ("Which twelve orchestras are based in Fenwick?", ["Fenwick Orchestra", "Tarn Sinfonia"], "Aldby"),
        ("How many people had conducted Fenwick Orchestra by 2010?", ["2 people"], "Tess Amory"),
        ("Had Mara Lind conducted the Fenwick Orchestra by 2010?", ["Yes."], "Olof Rask"),
        ("Had Tess Amory conducted the Fenwick Orchestra by 2010?", ["No, not by 2010."], "Yes"),
        ("Did Tess Amory conduct the Fenwick Orchestra before Olof Rask?", ["No, not before 2006-01-01."], "Yes"),
        ("Was Olof Rask in both the Baton Circle and the Bow Circle?", ["No."], "Yes"),
        ("Who does not conduct the Fenwick Orchestra any longer?", ["Mara Lind", "Tess Amory"], "Nils Orme"),
        ("Did Mara Lind conduct the Fenwick Orchestra after 2010?", ["Yes."], "No"),
        ("Did Olof Rask conduct the Fenwick Orchestra after 2013?", ["No, not after 2013"], "Yes"),
        ("Was Mara Lind ever in both the Baton Circle and the Bow Circle?", ["No."], "Yes"),
        ("Is there anyone who conducts the Fenwick Orchestra now?", ["No.", "until 2020-01-01"], "Yes"),
        ("Which orchestras are in neither Aldby nor Fenwick?", [], "Nils Orme"),
    ],
)
def test_a_question_made_of_others_is_answered_by_all_of_its_parts(
    music: Graph, question: str, said: list[str], not_said: str
) -> None:
    answer = answered(music, question)

    assert answer.declined is not bool(said), answer.text
    assert all(any(each in answer.text for each in words.split("|")) for words in said), answer.text
    assert not_said not in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "Who else won a prize on the same day as Nils Orme?",
        "Are Nils Orme and Tess Amory in the same circle?",
        "Who conducted Fenwick when Nils Orme won the Golden Bow?",
        "Who conducted Tarn Sinfonia twice?",
        "Who won a prize when Mara Lind became a conductor?",
    ],
)
def test_a_question_of_which_one_part_is_unknown_is_declined(music: Graph, question: str) -> None:
    assert answered(music, question).declined
