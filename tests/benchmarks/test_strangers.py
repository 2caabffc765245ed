"""How an answer to a stranger's question is judged by its key."""

import pytest

from benchmarks.strangers import JudgedAnswer


def judged(said: str, *, declined: bool = False, **key: object) -> str:
    question = {"key": {"must": [], "must_not": [], **key}}
    return JudgedAnswer(question, {"answer": said, "declined": declined}).verdict


def test_an_answer_is_right_that_has_all_it_must_and_nothing_it_must_not() -> None:
    assert judged("Robert Hale [1] and Ada Brandt [2].", must=["Robert Hale", "Ada Brandt|Ada B."]) == "right"
    assert judged("Robert Hale [1].", must=["Robert Hale", "Ada Brandt"]) == "wrong"
    assert judged("Robert Hale, after Ada Brandt.", must=["Robert Hale"], must_not=["Ada Brandt"]) == (
        "right, with context"
    )


def test_a_name_is_not_said_by_a_longer_name() -> None:
    assert judged("PEP 426 [1].", must=["PEP 42"]) == "wrong"
    assert judged("Robert Hale Jr. [1].", must=["Robert Hale"], must_not=["Robert Hale Jr."]) == "wrong"


@pytest.mark.parametrize(("said", "wanted"), [("Yes, since 2015.", "yes"), ("No, until 2023.", "no")])
def test_a_yes_or_no_is_read_from_the_sentence(said: str, wanted: str) -> None:
    assert judged(said, must=[wanted]) == "right"
    assert judged(said, must=["no" if wanted == "yes" else "yes"]) == "wrong"


def test_what_has_no_answer_is_declined_or_qualified() -> None:
    assert judged("I do not know.", declined=True, decline=True) == "declined"
    assert judged("As far as is recorded, nobody.", decline=True, must_not=["Ada"]) == "qualified"
    assert judged("Ada [1].", decline=True, must_not=["Ada"]) == "wrong"
