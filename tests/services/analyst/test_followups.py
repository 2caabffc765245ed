"""Questions that lean on the one before."""

import pytest

from services.core.answer_records import Answer, Topic
from tests.services.analyst.conftest import Graph, day


def talk(graph: Graph, *questions: str) -> str:
    """The answer to the last of these questions, each asked after the one before."""
    topic: Topic | None = None
    text = ""
    for question in questions:
        answer = graph.ask(question, topic)
        topic, text = answer.topic, answer.text
    return text


@pytest.mark.parametrize(
    ("questions", "told"),
    [
        (("Who owned Aurora on 2010-01-01?", "and on 2015-01-01?"), "Polar Freight"),
        (("Who owned Aurora on 2010-01-01?", "and now?"), "Polar Freight"),
        (("Who owned Aurora on 2015-01-01?", "And before that?"), "Meridian Lines"),
        (("Who owned Aurora on 2010-01-01?", "And after that?"), "Polar Freight"),
        (("Who owned Aurora on 2010-01-01?", "Who commanded it?"), "Ines Calder"),
        (("Who owned Aurora on 2010-01-01?", "What was its home port?"), "Gdansk"),
        (("Who owned Aurora on 2010-01-01?", "What about Borealis?"), "Polar Freight"),
        (("Who owns Aurora?", "Since when?"), "2014-09-30"),
        (("What is the state of Aurora?", "How did it change?"), "laid up"),
        (("What is the state of Aurora?", "Was it laid up on 2013-01-01?"), "Yes."),
        (("Who owned Aurora on 2010-01-01?", "Who commanded it?", "and in 2012?"), "Tomas Berg"),
    ],
)
def test_what_is_left_out_is_taken_from_before(harbour: Graph, questions: tuple[str, ...], told: str) -> None:
    assert told in talk(harbour, *questions)


def test_a_count_asked_of_another_date_is_a_count(harbour: Graph) -> None:
    assert talk(harbour, "How many vessels did Polar Freight own on 2010-01-01?", "and on 2015-01-01?").startswith("2 ")


def test_a_question_of_its_own_does_not_take_over_the_date(harbour: Graph) -> None:
    assert "Polar Freight" in talk(harbour, "Who owned Aurora on 2010-01-01?", "Who owns Aurora?")


def test_entity_and_instants_are_the_topic(harbour: Graph) -> None:
    topic = harbour.ask("Who owned Aurora in 2014?").topic
    assert (topic.entities, topic.relation) == (("Aurora",), "OWNED_BY")
    assert (topic.as_of, topic.as_of_2) == (day("2014-01-01"), day("2015-01-01"))


def test_why_is_declined_after_an_answer_too(harbour: Graph) -> None:
    answer = harbour.ask("why?", harbour.ask("Who owns Aurora?").topic)
    assert answer.declined


def asked_after(graph: Graph, before: str, question: str) -> Answer:
    return graph.ask(question, graph.ask(before).topic)


def carried(answer: Answer) -> list[tuple[str, str]]:
    return [(part.kind, part.name) for part in answer.understood if part.carried]


def test_what_is_taken_from_the_question_before_is_shown_as_such(harbour: Graph) -> None:
    answer = asked_after(harbour, "Who owned Aurora on 2010-01-01?", "Who commanded it?")
    assert carried(answer) == [("entity", "Aurora"), ("period", "at 2010-01-01")]
    assert answer.dated_by == "the previous question"


def test_what_a_question_says_itself_is_not_taken_from_before(harbour: Graph) -> None:
    for question in ("Who owns Borealis?", "Who owned Borealis on 2012-01-01?"):
        assert carried(asked_after(harbour, "Who commanded Aurora on 2010-01-01?", question)) == []


def test_a_question_in_the_present_does_not_take_over_the_date(harbour: Graph) -> None:
    answer = asked_after(harbour, "Who owned Aurora on 2010-01-01?", "Who is its captain?")
    assert ("entity", "Aurora") in carried(answer)
    assert "Tomas Berg" in answer.text


@pytest.mark.parametrize(
    "question", ["hello", "Thanks!", "ok", "the newest vessel", "Which berth?", "good morning to you"]
)
def test_a_question_with_a_noun_of_its_own_or_none_is_not_about_what_came_before(harbour: Graph, question: str) -> None:
    assert asked_after(harbour, "Who owned Aurora on 2010-01-01?", question).declined


def test_the_second_part_of_a_question_has_the_date_of_the_first(harbour: Graph) -> None:
    answer = harbour.ask("Who owned Aurora on 2010-01-01 and who commanded it?")
    assert [s.text.split(" from")[0] for s in answer.sentences] == [
        "Aurora was owned by Meridian Lines",
        "Aurora was commanded by Ines Calder",
    ]
    assert carried(answer) == []
    assert answer.dated_by == "on 2010-01-01"
