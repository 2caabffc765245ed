"""A question with a part of it taken off, or called something else."""

import pytest

from components.ask.reworded import of_relation, with_another, without
from services.core.answer_records import Offer


@pytest.mark.parametrize(
    ("question", "words", "left"),
    [
        ("What was the status of PEP 484 in June 2018?", "in June 2018", "What was the status of PEP 484?"),
        ("What was the status of PEP 484 in June 2018?", "PEP 484", "What was the status in June 2018?"),
        ("Who did Ada work for on 2020-06-01?", "on 2020-06-01", "Who did Ada work for?"),
        ("Which party did Dora join in June?", "party join", "Which did Dora in June?"),
        ("What is PEP 8's status?", "PEP 8", "What is status?"),
        ("Who wrote PEP 8?", "PEP", "Who wrote 8?"),
        ("Who wrote PEP 8?", "EP 8", "Who wrote PEP 8?"),
    ],
)
def test_words_are_taken_off_with_what_joins_them(question: str, words: str, left: str) -> None:
    assert without(question, words) == left


def test_a_name_is_put_in_place_of_another() -> None:
    assert with_another("Who wrote pep 8 and PEP 80?", "PEP 80", r"\1") == r"Who wrote pep 8 and \1?"


def test_another_relation_keeps_the_date() -> None:
    offer = Offer("relation", "knows", "What does Ada know?")
    assert of_relation(offer, "in June 2018") == "In June 2018, what does Ada know?"
    assert of_relation(offer, "") == "What does Ada know?"
