"""Questions made of others, over a small graph whose entities have no types: what is cited, and what is declined."""

from collections.abc import Iterator

import pytest

from services.analyst.analyst import Analyst
from services.analyst.inferred_types import kinds_of
from services.core.answer_records import Answer, Asked
from services.tools.registry import TOOLS
from services.tools.tool import Context
from services.tools.toolbox import Toolbox
from tests.services.analyst.conftest import Graph, untyped
from tests.services.retrieval.conftest import W

ROWS = [
    ("Ada Brook", "CEO_OF", "Oakley Mills", "2001-01-01", "2009-01-01"),
    ("Ben Crane", "CEO_OF", "Oakley Mills", "2009-01-01", ""),
    ("Ada Brook", "CEO_OF", "Pinewood Paper", "2010-01-01", ""),
    ("Cora Dale", "CEO_OF", "Quarry Stone", "2005-01-01", ""),
    ("Ben Crane", "sits_on_board_of", "Pinewood Paper", "2012-01-01", ""),
    ("Ben Crane", "sits_on_board_of", "Quarry Stone", "2013-01-01", ""),
    ("Cora Dale", "sits_on_board_of", "Pinewood Paper", "2014-01-01", ""),
    ("Oakley Mills", "founded_by", "Ada Brook", "2001-01-01", ""),
    ("Pinewood Paper", "founded_by", "Cora Dale", "2003-01-01", ""),
    ("Rivet Works", "acquired_by", "Quarry Stone", "2015-06-01", ""),
    ("Oakley Mills", "headquartered in", "Ashford", "2001-01-01", ""),
    ("Pinewood Paper", "headquartered in", "Birkdale", "2003-01-01", ""),
    ("Quarry Stone", "headquartered in", "Birkdale", "2005-01-01", ""),
    ("Pinewood Paper", "makes", "Paperclip One", "2004-01-01", ""),
    ("Rivet Works", "makes", "Steel Beam", "2004-01-01", ""),
    ("Oakley Mills", "employs", "240 people", "2002-01-01", ""),
    ("Quarry Stone", "employs", "90 people", "2006-01-01", ""),
]


@pytest.fixture(scope="module")
def mills(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    graph = untyped(tmp_path_factory.mktemp("mills"), ROWS)
    yield graph
    graph.services.close()


def asked(graph: Graph, question: str) -> tuple[Answer, set[tuple[str, str]]]:
    """The answer, and the two ends of each fact that it cites."""
    toolbox = Toolbox(Context(graph.services.workspace(W), None, None), TOOLS.values())
    answer = Analyst().answer(Asked(question), toolbox)
    numbers = {n for sentence in answer.sentences for n in sentence.citations}
    cited = {
        (one.fact.source, one.fact.target) for one in toolbox.evidence if one.fact is not None and one.n in numbers
    }
    return answer, cited


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "Which companies have their head office in Birkdale?",
            {("Pinewood Paper", "Birkdale"), ("Quarry Stone", "Birkdale")},
        ),
        ("In which town is Oakley Mills based?", {("Oakley Mills", "Ashford")}),
        (
            "Who is the CEO of the company that makes Paperclip One?",
            {("Pinewood Paper", "Paperclip One"), ("Ada Brook", "Pinewood Paper")},
        ),
        (
            "Where is the firm that acquired Rivet Works headquartered?",
            {("Rivet Works", "Quarry Stone"), ("Quarry Stone", "Birkdale")},
        ),
        (
            "Which people sit on the boards of both Pinewood Paper and Quarry Stone?",
            {("Ben Crane", "Pinewood Paper"), ("Ben Crane", "Quarry Stone")},
        ),
        ("Who sits on the board of Pinewood Paper but not Quarry Stone?", {("Cora Dale", "Pinewood Paper")}),
        ("Other than Cora Dale, who sits on the board of Pinewood Paper?", {("Ben Crane", "Pinewood Paper")}),
        (
            "Who was CEO of Oakley Mills first, Ada Brook or Ben Crane?",
            {("Ada Brook", "Oakley Mills"), ("Ben Crane", "Oakley Mills")},
        ),
        (
            "Is Oakley Mills older than Pinewood Paper?",
            {("Oakley Mills", "Ada Brook"), ("Pinewood Paper", "Cora Dale")},
        ),
    ],
)
def test_a_question_made_of_others_cites_what_answers_each(
    mills: Graph, question: str, expected: set[tuple[str, str]]
) -> None:
    answer, cited = asked(mills, question)
    assert not answer.declined, answer.text
    assert cited == expected, answer.text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Is Oakley Mills older than Pinewood Paper?", "Yes."),
        ("Is Oakley Mills younger than Pinewood Paper?", "No."),
        ("Who was CEO of Oakley Mills first, Ada Brook or Ben Crane?", "Ada Brook first."),
    ],
)
def test_a_comparison_says_first_how_it_went(mills: Graph, question: str, said: str) -> None:
    answer, _ = asked(mills, question)
    assert answer.text.startswith(said)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which firm has the smallest number of employees?", {("Quarry Stone", "90 people")}),
        ("How many people does Oakley Mills employ?", {("Oakley Mills", "240 people")}),
        (
            "Who has been CEO of more than one company?",
            {("Ada Brook", "Oakley Mills"), ("Ada Brook", "Pinewood Paper")},
        ),
        (
            "Who sits on the greatest number of boards?",
            {("Ben Crane", "Pinewood Paper"), ("Ben Crane", "Quarry Stone")},
        ),
    ],
)
def test_a_ranking_cites_the_facts_of_who_is_first(mills: Graph, question: str, expected: set[tuple[str, str]]) -> None:
    answer, cited = asked(mills, question)
    assert cited == expected, answer.text


@pytest.mark.parametrize(
    "question",
    [
        "Who is the lawyer of the company that makes Paperclip One?",
        "Who sits on the board of Oakley Mills but not Quarry Stone?",
        "Who is the CEO of the company that makes Glue Stick?",
        "Is Rivet Works older than Oakley Mills?",
        "Who will be CEO of Oakley Mills in 2044?",
    ],
)
def test_a_question_is_declined_where_a_part_of_it_has_no_answer(mills: Graph, question: str) -> None:
    answer, cited = asked(mills, question)
    assert answer.declined, answer.text
    assert not cited


@pytest.mark.parametrize(
    ("relation", "source", "target"),
    [
        ("HEAD_COACH", "club", "person"),
        ("trained_by", "club", "person"),
        ("coached by", "club", "person"),
        ("plays_for", "person", "club"),
        ("CFO of", "person", "company"),
        ("located in", None, "city"),
    ],
)
def test_a_relations_name_tells_of_what_kind_its_ends_are(
    relation: str, source: str | None, target: str | None
) -> None:
    kinds = kinds_of(relation)
    assert (kinds.get("source"), kinds.get("target")) == (source, target)
