"""Sentences on passages as somebody sums them up: other names for what a pronoun or a title stands for, other order."""

import pytest

from services.core import clock
from services.core.answer_records import Evidence, Sentence
from services.core.models import Chunk, Document, Instants
from services.verification.check import check

NOW = clock.parse_instant("2026-11-26T00:00:00+00:00")
TITLED = {
    "RFC 77 – Quiet Mode": "Quiet mode keeps the pump from starting at night. Operators can silence it without calling "
    "the office. The second oldest pump is left out.",
    "Irma Solberg": "Solberg founded the choir of Hamar in 1971. She conducted it with Aksel Lie, who had taught at "
    "Molde. In 1984 she was followed by Ragna Moe. The choir won third prize in Graz. "
    "Solberg is a cousin of Ragna Moe.",
}


def mark(title: str, sentence: str) -> str | None:
    text = TITLED[title]
    chunk = Chunk("c", "d", "", 0, text, 1, 1)
    at = Instants(NOW, NOW)
    record = Evidence(1, "chunk", "c", (at,), text, chunk=chunk, document=Document("d", title, "", ""))
    return check([Sentence(sentence, (1,))], [record], at)[0].mark


@pytest.mark.parametrize(
    ("title", "sentence"),
    [
        ("RFC 77 – Quiet Mode", "RFC 77 keeps the pump from starting at night."),
        ("RFC 77 – Quiet Mode", "Operators need not call the office to silence it."),
        ("Irma Solberg", "Irma Solberg conducted the choir together with Aksel Lie."),
        ("Irma Solberg", "Irma Solberg founded the choir in 1971."),
    ],
)
def test_a_sentence_that_sums_a_passage_up_is_supported(title: str, sentence: str) -> None:
    assert mark(title, sentence) == "supported"


@pytest.mark.parametrize(
    ("title", "sentence"),
    [
        ("RFC 77 – Quiet Mode", "RFC 78 keeps the pump from starting at night."),
        ("RFC 77 – Quiet Mode", "The third oldest pump is left out."),
        ("Irma Solberg", "Ragna Moe founded the choir of Hamar."),
        ("Irma Solberg", "The choir won second prize in Graz."),
    ],
)
def test_a_sentence_with_another_name_number_or_order_is_not(title: str, sentence: str) -> None:
    assert mark(title, sentence) == "contradicted"
