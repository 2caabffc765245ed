"""A sentence that its facts bear out, but that nobody asked for, is marked so."""

import pytest

from services.language.answer_sentences import split
from services.verification.check import check
from tests.services.verification.turns import AT, facts

FACTS = facts("""
Ira Stone | HEADS | Tidal Lab | 2001-02-01 | 2009-06-01
Uma Reed | HEADS | Tidal Lab | 2009-06-01
Tidal Lab | LOCATED_IN | Namur | 1990-01-01
Veld Rail | LOCATED_IN | Bruges | 1995-01-01
Uma Reed | MARRIED_TO | Lea Brook | 2003-01-01
""")


def _mark(question: str, text: str) -> str | None:
    (sentence,) = check(split(text), FACTS, AT, question=question)
    return sentence.mark


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Where is Tidal Lab located?", "Veld Rail is located in Bruges [4]."),
        ("Who heads Tidal Lab?", "Tidal Lab is located in Namur [3]."),
        ("Who headed Tidal Lab in 2005?", "Uma Reed has headed Tidal Lab since June 2009 [2]."),
    ],
)
def test_what_tells_of_another_entity_relation_or_time_is_beside_the_question(question: str, text: str) -> None:
    assert _mark(question, text) == "beside"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Where is Tidal Lab located?", "Tidal Lab is located in Namur [3]."),
        ("Who headed Tidal Lab in 2005?", "Ira Stone headed Tidal Lab until June 2009 [1]."),
        ("Who headed Tidal Lab before Uma Reed?", "Ira Stone headed Tidal Lab until June 2009 [1]."),
        ("What is known of Uma Reed?", "Uma Reed is married to Lea Brook [5]."),
        ("", "Veld Rail is located in Bruges [4]."),
    ],
)
def test_an_answer_is_supported(question: str, text: str) -> None:
    assert _mark(question, text) == "supported"


def test_what_an_answer_leads_to_is_no_other_entity() -> None:
    text = "Uma Reed heads Tidal Lab [2]. She is married to Lea Brook [5]."
    marks = [
        one.mark for one in check(split(text), FACTS, AT, question="Who heads Tidal Lab, and who is she married to?")
    ]
    assert marks == ["supported", "supported"]


def test_a_wrong_sentence_is_contradicted_whatever_was_asked() -> None:
    assert _mark("Who heads Tidal Lab?", "Veld Rail is located in Namur [4].") == "contradicted"
