"""What a date of prose, with the words before it, says of a fact's start and end."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.extraction.rules.date_expressions import date_expressions

TUESDAY = datetime(2026, 3, 10, tzinfo=UTC)


def described(text: str) -> list[str]:
    return [
        f"{one.kind} {one.first:%Y-%m-%d}" + (f"..{one.last:%Y-%m-%d}" if one.last else "")
        for one in date_expressions(text, TUESDAY)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in March 2019", "at 2019-03-01"),
        ("on 4 March 2019", "at 2019-03-04"),
        ("two years ago", "at 2024-01-01"),
        ("last Friday", "at 2026-03-06"),
        ("in autumn 2024", "at 2024-09-01"),
        ("since May 2020", "since 2020-05-01"),
        ("from 2019", "since 2019-01-01"),
        ("with effect from 2027-01-15", "since 2027-01-15"),
        ("as of 9 March 2026", "since 2026-03-09"),
        ("(2019–present)", "since 2019-01-01"),
        ("until July 2027", "until 2027-07-01"),
        ("from 1990 to 1995", "between 1990-01-01..1995-01-01"),
        ("(1902–04)", "between 1902-01-01..1904-01-01"),
        ("over the weekend of 25 October 2025", "at 2025-10-25"),
        ("10–12 May 2020", "between 2020-05-10..2020-05-12"),
        ("before 2019", "vague 2019-01-01"),
        ("by March 2019", "vague 2019-03-01"),
        ("during 2019", "vague 2019-01-01"),
    ],
)
def test_a_date_is_at_since_until_or_between_by_the_words_before_it(text: str, expected: str) -> None:
    assert described(text) == [expected]


@pytest.mark.parametrize("text", ["in the 1990s", "on 31 February 2020", "on 03/04/2019", "for nine years"])
def test_what_says_neither_a_start_nor_an_end_is_no_date_of_a_fact(text: str) -> None:
    assert described(text) == []


def test_a_date_without_a_year_is_past_and_keeps_the_coming_one_unless_it_is_a_since() -> None:
    (on,) = date_expressions("She will come on 9 June", TUESDAY)
    assert (on.first.year, on.ahead and on.ahead.year) == (2025, 2026)
    (since,) = date_expressions("since 9 June", TUESDAY)
    assert since.ahead is None


def test_the_words_before_a_date_are_part_of_it_far_into_a_text() -> None:
    (found,) = date_expressions("x " * 500 + "since about 2019", TUESDAY)
    assert (found.kind, found.start) == ("since", 1000)


@given(st.text(max_size=80))
def test_no_text_raises(text: str) -> None:
    date_expressions(text, TUESDAY)
