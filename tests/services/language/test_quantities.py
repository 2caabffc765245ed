"""The numbers of a text with their units, and what is none."""

import pytest

from services.language.quantities import quantities


def _found(text: str) -> list[tuple[str, float, str]]:
    return [(text[one.start : one.end], round(one.value, 3), one.unit) for one in quantities(text)]


def test_numbers_are_found_with_their_units_of_time() -> None:
    assert _found("It ran a couple of weeks, then two and a half years, half a year; a day.") == [
        ("a couple of weeks", 2, "week"),
        ("two and a half years", 2.5, "year"),
        ("half a year", 0.5, "year"),
        ("a day", 1, "day"),
    ]


def test_a_length_in_two_units_is_one_number() -> None:
    assert _found("five years and six months") == [("five years and six months", 66, "month")]


def test_parts_and_multiples_are_ratios() -> None:
    text = "a third of the votes, two out of five members, 12 per cent, twice as many, three times the price"
    assert [value for _, value, unit in _found(text) if unit == "ratio"] == [0.333, 0.4, 2, 3]
    assert ("12 per cent", 12, "percent") in _found(text)


def test_the_name_of_a_fraction_that_is_halved_or_cut_in_parts_is_read() -> None:
    assert _found("two halves of the field") == [("two halves", 1, "ratio")]
    assert _found("three quarters of them") == [("three quarters", 0.75, "ratio")]


@pytest.mark.parametrize(
    "text",
    ["one of them left", "no one came", "the one that won", "the 3rd row", "python3", "the couple moved"],
)
def test_what_counts_nothing_is_no_number(text: str) -> None:
    assert _found(text) == []


def test_words_before_a_number_say_how_near_it_is() -> None:
    near = {
        "almost 30": "under",
        "well over two hundred": "over",
        "about a dozen": "about",
        "roughly 12": "about",
        "over the 12": "over",
        "we discover 12": "",
        "handsome 12": "",
    }
    assert {text: quantities(text)[0].about for text in near} == near


def test_a_number_written_coarsely_says_what_rounds_to_it() -> None:
    for text in ("2 million", "two million"):
        assert quantities(text)[0].says(2_134_000)
        assert not quantities(text)[0].says(2_600_000)
    assert not quantities("two hundred")[0].says(230)
    assert not quantities("half a million")[0].says(600_000)


def test_a_number_in_figures_is_known_by_how_it_is_written() -> None:
    assert [one.figure for one in quantities("3.10 is not 3.1 nor 3 million")] == ["3.10", "3.1", ""]


def test_the_numbers_of_a_long_text_are_found_in_linear_time() -> None:
    text = "about twelve of 30 people, " * 4000
    assert len(quantities(text)) == 8000
