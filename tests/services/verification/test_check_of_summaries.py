"""Sentences on passages as somebody sums them up: other names for what a pronoun or a title stands for, other order."""

import pytest

from services.core import clock
from services.core.answer_records import Evidence, Sentence
from services.core.models import Chunk, Document, Instants
from services.verification.check import check
from tests.services.verification.turns import chunks, marked

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


REPORTS = chunks(
    "The route was changed to avoid the flooded tunnel. The old bridge carries trams again.",
    "The tender was rejected because its sums were not complete.",
    "A guest cannot rename, move or delete a folder. Members can do all of that.",
    "The mayor of Lund gave the key to the guests from Lund in June.",
    "The rescue kit holds a lamp, a rope, some blankets and a small stove.",
)


@pytest.mark.parametrize(
    "sentence",
    [
        "The route was changed so that it would not go through the flooded tunnel [1].",
        "The tender was rejected [2].",
        "Guests are not allowed to delete folders [3].",
        "The mayor of Lund gave the guests from Lund a key [4].",
        "Four kinds of things are in the rescue kit [5].",
    ],
)
def test_what_a_report_says_by_other_means_is_supported(sentence: str) -> None:
    assert [one.mark for one in marked(sentence, REPORTS)] == ["supported"]


@pytest.mark.parametrize(
    "sentence",
    [
        "The route was not changed [1].",
        "The tender was accepted [2].",
        "A guest may delete a folder [3].",
        "The guests from Lund gave the key to the mayor of Lund [4].",
        "Five kinds of things are in the rescue kit [5].",
    ],
)
def test_what_a_report_denies_is_contradicted(sentence: str) -> None:
    assert [one.mark for one in marked(sentence, REPORTS)] == ["contradicted"]
