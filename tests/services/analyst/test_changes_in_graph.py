"""What changed in the whole graph in some time: how much of each kind, and what first."""

import pytest

from services.analyst.analyst import Analyst
from services.core.answer_records import Answer, Asked
from services.tools.registry import TOOLS
from services.tools.tool import Context
from services.tools.toolbox import Toolbox
from services.verification.check import check
from tests.services.analyst.conftest import Graph
from tests.services.retrieval.conftest import W

ASKED = (
    "What changed in 2014?",
    "Show everything that changed in 2014",
    "List all the changes in 2014",
    "How many facts changed in 2014?",
    "what is different between 2014-01-02 and 2015-01-02?",
    "What happened between 2014-01-02 and 2015-01-02?",
)
OF_SOMETHING = (
    "Who changed in 2014?",
    "Which vessels changed in 2014?",
    "What changed in the fleet in 2014?",
    "Why did everything change in 2014?",
    "What changed?",
    "What was corrected in 2014?",
)


def counts(answer: Answer) -> list[str]:
    return [sentence.text for sentence in answer.sentences[:2]]


@pytest.mark.parametrize("question", ASKED)
def test_changes_of_the_whole_graph_are_counted_and_the_first_listed(harbour: Graph, question: str) -> None:
    answer = harbour.ask(question)
    assert not answer.declined
    assert [text.split()[:3] for text in counts(answer)][1] in (["3", "facts", "ended"], ["4", "facts", "ended"])
    assert "Added:\n- Aurora is owned by Polar Freight, since 2014-09-30." in answer.text
    assert "- Aurora was owned by Meridian Lines from 2001-01-01 until 2014-09-30." in answer.text


def test_the_counts_of_changes_are_backed_by_the_comparison(harbour: Graph) -> None:
    toolbox = Toolbox(Context(harbour.services.workspace(W), None, None), TOOLS.values())
    question = "What changed between 2012 and 2016?"
    answer = Analyst().answer(Asked(question), toolbox)
    checked = check(answer.sentences, toolbox.evidence, answer.at, as_of_2=answer.as_of_2, question=question)
    assert {sentence.mark for sentence in checked} == {"supported", None}
    assert counts(answer) == ["4 facts were added between 2012 and 2016.", "4 facts ended between 2012 and 2016."]


def test_changes_of_one_kind_are_those_that_a_question_asks_for(harbour: Graph) -> None:
    answer = harbour.ask("What ended in 2014?")
    assert answer.text.startswith("3 facts ended in 2014. [1]\n\nEnded:")
    assert "Added" not in answer.text
    assert harbour.ask("What was added in 2003?").text == "No fact was added in 2003."


def test_what_begins_on_the_first_day_since_is_counted(harbour: Graph) -> None:
    answer = harbour.ask("What was added since 2014-09-30?")
    assert "Aurora is owned by Polar Freight, since 2014-09-30." in answer.text


@pytest.mark.parametrize("question", OF_SOMETHING)
def test_a_question_about_something_or_no_time_is_not_about_the_whole_graph(harbour: Graph, question: str) -> None:
    assert harbour.ask(question).declined
