"""Numbers in figures and words: which part of a text is one, and which one."""

import re
from datetime import UTC, datetime

import pytest

from services.language.dates import dates_in
from services.language.numbers import NUMBER, number, ordinal

NUMBERS = {
    "0": 0,
    "1,500": 1500,
    "1 500 000": 1_500_000,
    "1.2 million": 1_200_000,
    "3 hundred thousand": 300_000,
    "5k": 5000,
    "3bn": 3_000_000_000,
    "2 and a half": 2.5,
    "zero": 0,
    "seventeen": 17,
    "forty-two": 42,
    "Forty two": 42,
    "two dozen": 24,
    "a dozen": 12,
    "half a dozen": 6,
    "a couple of": 2,
    "a hundred": 100,
    "a hundred and twenty": 120,
    "two hundred and fifty-three": 253,
    "twenty-five hundred": 2500,
    "a hundred thousand": 100_000,
    "one thousand and one": 1001,
    "two thousand five hundred": 2500,
    "two million three hundred thousand": 2_300_000,
    "nine hundred ninety-nine thousand nine hundred ninety-nine": 999_999,
    "two and a half million": 2_500_000,
    "a million and a half": 1_500_000,
    "half a million": 500_000,
    "quarter million": 250_000,
    "one and three quarters": 1.75,
    "one and three  quarters": 1.75,
    "one and a quarter": 1.25,
}


@pytest.mark.parametrize("text", NUMBERS)
def test_a_number_is_found_whole_and_read(text: str) -> None:
    found = re.search(rf"\b{NUMBER}", f"there were {text} of them", re.IGNORECASE)
    assert found is not None
    assert found[0].removesuffix(" of") == text.removesuffix(" of")
    assert number(text) == NUMBERS[text]


def test_numbers_that_stand_side_by_side_are_not_added_up() -> None:
    assert re.findall(rf"\b{NUMBER}", "two three, and twenty twenty; three million and two") == [
        *("two", "three", "twenty", "twenty", "three million", "two")
    ]


def test_a_version_has_a_number_that_no_other_version_has() -> None:
    assert len({number(version) for version in ("3.1", "3.10.2", "3.1.2", "3.11", "3.1.0.2", "3.2")}) == 5
    assert number("3.1") == number("3.10")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("first", 1), ("3rd", 3), ("Twelfth", 12), ("twentieth", 20), ("twenty-first", 21), ("ninety  ninth", 99)],
)
def test_ordinals_are_read_in_figures_and_in_words(text: str, expected: int) -> None:
    assert ordinal(text) == expected


def test_dates_count_in_every_number_that_can_be_written() -> None:
    now = datetime(2024, 5, 15, tzinfo=UTC)
    counted = {
        "twenty years ago": 2004,
        "twenty-five years ago": 1999,
        "a hundred and two years ago": 1922,
        "a couple of years ago": 2022,
        "a dozen years ago": 2012,
    }
    assert {text: first.year for text in counted if (first := dates_in(text, now)[0].period.first)} == counted
