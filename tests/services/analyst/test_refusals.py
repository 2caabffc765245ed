"""What is not understood, and what the graph does not have, is said and not guessed."""

import pytest

from services.verification.claims import claims_nothing
from tests.services.analyst.conftest import Graph

HARBOUR = [
    "Why was Aurora laid up?",
    "Should Aurora be scrapped?",
    "Is Aurora a good ship?",
    "How heavy is Aurora?",
    "Who painted Aurora?",
    "Who owns Titanic?",
    "Which vessels were moored at Berth 99?",
    "What did Calypso replace?",
    "Who commanded Calypso?",
    "Who commanded Aurora on 1 January 1990?",
    "Who owned Aurora on 03/04/2010?",
    "Who will own Aurora next year?",
    "When was Borealis scrapped?",
    "What is the capital of France?",
    "Write me a poem about the sea.",
    "Who owns Aurora and how much did it cost?",
    "What is the salary of the captain of Aurora?",
    "asdf qwer zxcv",
    "?",
]
CLINIC = [
    "What is the blood pressure of Petra Novak?",
    "Who is Petra Novak married to?",
    "Which ward does Samuel Osei live in?",
    "When was Omar Haddad born?",
    "Does Maria Lindqvist like Leeds?",
    "Who sued Samuel Osei?",
]


@pytest.mark.parametrize("question", HARBOUR)
def test_a_question_that_no_fact_of_the_harbour_answers_is_declined(harbour: Graph, question: str) -> None:
    answer = harbour.ask(question)
    assert answer.declined
    assert [sentence.citations for sentence in answer.sentences] == [()]


@pytest.mark.parametrize("question", HARBOUR)
def test_what_declines_a_question_claims_nothing(harbour: Graph, question: str) -> None:
    assert all(claims_nothing(sentence.text, is_cited=False) for sentence in harbour.ask(question).sentences)


@pytest.mark.parametrize(
    "question",
    ["Why is the owner of Aurora so rich?", "Why did Aurora leave its home port?", "How come Aurora has a home port?"],
)
def test_a_question_for_reasons_is_not_offered_without_its_why(harbour: Graph, question: str) -> None:
    assert [offer for offer in harbour.ask(question).offers if offer.kind == "question"] == []


@pytest.mark.parametrize("question", CLINIC)
def test_a_question_that_no_fact_of_the_clinic_answers_is_declined(clinic: Graph, question: str) -> None:
    assert clinic.ask(question).declined


def test_what_was_not_understood_is_named(harbour: Graph) -> None:
    assert harbour.ask("Who painted the home port of Aurora?").text == "I didn't understand “painted”."


def test_what_the_graph_does_not_have_is_named_with_what_comes_nearest(harbour: Graph) -> None:
    answer = harbour.ask("What was the home port of Aurora on 1990-01-01?")
    assert answer.text == "The graph has no home port for Aurora on 1990-01-01."
    assert answer.hint == "The first is Gdansk, from 2001-01-01."


def test_an_ambiguous_date_is_asked_for_again(harbour: Graph) -> None:
    answer = harbour.ask("Who owned Aurora on 03/04/2010?")
    assert answer.hint == "“03/04/2010” is ambiguous. Write 2010-03-04 or 2010-04-03 instead."


def test_the_relations_of_an_entity_are_offered_in_words_beside_the_hint(harbour: Graph) -> None:
    answer = harbour.ask("How heavy is Aurora?")
    assert answer.offers_in_words.startswith("Relations of Aurora: ")
    assert "owned by" in answer.offers_in_words
    assert answer.hint == ""
