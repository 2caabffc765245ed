"""How many, how strictly, these alone; whose kin, whose part, whose film: passages and sentences that turn them."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from services.core.answer_records import Evidence
from services.core.models import Document
from tests.services.verification.turns import chunks, marked


def titled(title: str, text: str) -> list[Evidence]:
    return [replace(one, document=Document("d", title, "", "")) for one in chunks(text)]


RULES = chunks(
    "Many gardeners water the beds in the evening. Very few visitors have seen the hidden pond.",
    "Members may park bicycles in the yard. Every guest must sign the book at the gate.",
    "Henrik Dahl restored clocks and barometers. Agda Holm was among the founders of the museum.",
    "The new stove is hard to clean. Oda Lie is known for low-fat recipes.",
    "She joined the guild in May 1911 and opened a shop of her own in 1920.",
    "Brun was the fifth child and third son of a miller. He became the second head of the school.",
    "The choir is Norwegian and sings in Swedish churches. The prize is paid in Iceland.",
)


@pytest.mark.parametrize(
    "sentence",
    [
        "Many gardeners water their beds in the evening [1].",
        "Few visitors have seen the pond [1].",
        "Bicycles may be parked in the yard by members [2].",
        "Guests have to sign the book [2].",
        "Agda Holm was one of the founders of the museum [3].",
        "It is hard to clean the new stove [4].",
        "She joined the guild before she opened a shop of her own [5].",
        "Brun was the third son of a miller [6].",
        "The choir comes from Norway [7].",
        "The Icelandic prize is paid in Iceland [7].",
    ],
)
def test_as_many_as_strictly_and_as_early_as_a_passage_says_is_supported(sentence: str) -> None:
    assert [one.mark for one in marked(sentence, RULES)] == ["supported"]


@pytest.mark.parametrize(
    "sentence",
    [
        "All gardeners water their beds in the evening [1].",
        "Most visitors have seen the hidden pond [1].",
        "Members must park their bicycles in the yard [2].",
        "Guests may sign the book at the gate [2].",
        "Henrik Dahl worked only on clocks [3].",
        "Agda Holm was the sole founder of the museum [3].",
        "The museum was founded by Agda Holm alone [3].",
        "The new stove is easier to clean [4].",
        "Oda Lie is known for high-fat recipes [4].",
        "She opened a shop of her own before she joined the guild [5].",
        "Brun was the third child and fifth son of a miller [6].",
        "The choir comes from Finland [7].",
    ],
)
def test_more_fewer_stricter_or_earlier_than_a_passage_says_is_contradicted(sentence: str) -> None:
    assert [one.mark for one in marked(sentence, RULES)] == ["contradicted"]


FAMILY = titled(
    "Otto Lien",
    "Otto Lien was a Norwegian sculptor, a son of Karl Lien and Berta Moe. He was a pupil of Ivar Sand. His daughter "
    "Tone Lien married Jens Falk, a nephew of Rolf Falk.",
)
FILMS = titled(
    "Nina Vogt",
    'Nina Vogt is an actress. She is known as Clara in "Winter Harbour" (1987), directed by Paul Reis and produced by '
    'Hugo Stern, and as Madame Roux in "The Lamp" (1991) by Ada Klein.',
)


@pytest.mark.parametrize(
    ("sentence", "cited"),
    [
        ("Karl Lien was the father of Otto Lien [1].", FAMILY),
        ("Otto Lien's father was Karl Lien [1].", FAMILY),
        ("Tone Lien was the daughter of Otto Lien [1].", FAMILY),
        ("Jens Falk was a nephew of Rolf Falk [1].", FAMILY),
        ('Vogt was Clara in "Winter Harbour" [1].', FILMS),
        ('"Winter Harbour" was directed by Paul Reis [1].', FILMS),
        ('"The Lamp" appeared in 1991 [1].', FILMS),
    ],
)
def test_kin_and_parts_that_a_passage_has_are_supported(sentence: str, cited: Sequence[Evidence]) -> None:
    assert [one.mark for one in marked(sentence, cited)] == ["supported"]


@pytest.mark.parametrize(
    ("sentence", "cited"),
    [
        ("Karl Lien was a son of Otto Lien [1].", FAMILY),
        ("Ivar Sand was a pupil of Otto Lien [1].", FAMILY),
        ("Tone Lien was the mother of Otto Lien [1].", FAMILY),
        ("Rolf Falk was the nephew of Jens Falk [1].", FAMILY),
        ('Vogt played Madame Roux in "Winter Harbour" [1].', FILMS),
        ('"Winter Harbour" was directed by Hugo Stern [1].', FILMS),
        ('Ada Klein directed "Winter Harbour" [1].', FILMS),
        ('"The Lamp" appeared in 1987 [1].', FILMS),
    ],
)
def test_kin_and_parts_that_are_others_are_contradicted(sentence: str, cited: Sequence[Evidence]) -> None:
    assert [one.mark for one in marked(sentence, cited)] == ["contradicted"]
