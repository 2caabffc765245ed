"""What the benchmark of MCP counts as wrong."""

from datetime import timedelta

from benchmarks.mcp import FoundFacts, Question, judged, questions
from tests.services.tools.conftest import day, fact

ENDED = fact("ended", "Ada", "WORKS_FOR", "Engines", "2018-01-01", "2020-01-01")
OPEN = fact("open", "Ada", "KNOWS", "Bob", "2018-01-01")
LATER = fact("later", "Ada", "KNOWS", "Cy", "2024-01-01")
LEARNED_LATER = fact("learned", "Ada", "KNOWS", "Labs", "2018-01-01", created_at=day("2023-01-01"))
FACTS = [ENDED, OPEN, LATER, LEARNED_LATER]


def test_facts_that_were_not_true_or_not_known_at_the_pin_are_wrong() -> None:
    asked = [Question("Ada", day("2021-01-01"))] * 2
    answers = {"one": [FoundFacts([one.uuid for one in FACTS], 1.0), FoundFacts(["open"], 1.0)]}
    *_, row = judged(asked, answers, FACTS)
    assert row.startswith("| one | 2 | 5 | 3 (60%) |")
    assert row.split("|")[6].strip() == "1", "one question of two had a wrong fact"


def test_questions_are_always_the_same_and_asked_after_their_fact_began() -> None:
    asked = questions(FACTS, 4)
    assert asked == questions(FACTS, 4)
    assert {one.at - day("2018-01-01") > timedelta(0) for one in asked} == {True}
