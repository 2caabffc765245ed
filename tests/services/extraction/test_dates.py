"""The grammar of dates."""

from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from services.extraction.rules.dates import find

TUESDAY = datetime(2026, 3, 10, tzinfo=UTC)


def told(text: str) -> list[str]:
    return [
        f"{one.kind} {one.first:%Y-%m-%d}" + (f"..{one.last:%Y-%m-%d}" if one.last else "")
        for one in find(text, TUESDAY)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in 2019", "at 2019-01-01"),
        ("in March 2019", "at 2019-03-01"),
        ("on 4 March 2019", "at 2019-03-04"),
        ("on March 4, 2019", "at 2019-03-04"),
        ("on 4th of March, 2019", "at 2019-03-04"),
        ("on 2019-03-04", "at 2019-03-04"),
        ("17-Feb-2026", "at 2026-02-17"),
        ("on 01.08.2024", "at 2024-08-01"),
        ("in 9/2024", "at 2024-09-01"),
        ("in Q4 2023", "at 2023-10-01"),
        ("in the second quarter of 2023", "at 2023-04-01"),
        ("in H2 2023", "at 2023-07-01"),
        ("yesterday", "at 2026-03-09"),
        ("two years ago", "at 2024-01-01"),
        ("three months ago", "at 2025-12-01"),
        ("two days ago", "at 2026-03-08"),
        ("last Friday", "at 2026-03-06"),
        ("last month", "at 2026-02-01"),
        ("last year", "at 2025-01-01"),
        ("this morning", "at 2026-03-10"),
        ("on Monday", "at 2026-03-09"),
        ("in August", "at 2025-08-01"),
        ("since May 2020", "since 2020-05-01"),
        ("with effect from 2027-01-15", "since 2027-01-15"),
        ("as of Monday", "since 2026-03-09"),
        ("until July 2027", "until 2027-07-01"),
        ("from 1990 to 1995", "between 1990-01-01..1995-01-01"),
        ("between 1988 and 1992", "between 1988-01-01..1992-01-01"),
        ("2006–2010", "between 2006-01-01..2010-01-01"),
        ("from March to May 2020", "between 2020-03-01..2020-05-01"),
        ("from 1990-1995", "between 1990-01-01..1995-01-01"),
        ("(1902–04)", "between 1902-01-01..1904-01-01"),
        ("(1999–00)", "between 1999-01-01..2000-01-01"),
        ("(2010–00)", "at 2010-01-01"),
        ("10–12 May 2020", "at 2020-05-10"),
        ("May 10–12, 2020", "at 2020-05-10"),
        ("on 29 February", "at 2024-02-29"),
        ("from 29 February to 5 May 2024", "between 2024-02-29..2024-05-05"),
        ("from 29 February to 1 January 2025", "between 2024-02-29..2025-01-01"),
        ("from 29 February to 5 May 2023", "between 2023-02-28..2023-05-05"),
        ("in autumn 2024", "at 2024-01-01"),
        ("in '91", "at 1991-01-01"),
        ("on Boxing Day 2019", "at 2019-12-26"),
        ("on 12/08/2025", "at 2025-08-12"),
        ("on Tuesday", "at 2026-03-10"),
        ("last Tuesday", "at 2026-03-03"),
        ("from now on", "since 2026-03-10"),
        ("at the end of this month", "at 2026-03-01"),
        ("before 2019", "vague 2019-01-01"),
        ("by March 2019", "vague 2019-03-01"),
        ("after 2019", "vague 2019-01-01"),
    ],
)
def test_a_date_is_read_as_people_mean_it(text, expected):
    assert told(text) == [expected]


@pytest.mark.parametrize("text", ["in spring", "at the age of 88", "for nine years", "in the 1990s", "version 2.10"])
def test_seasons_ages_durations_decades_and_versions_are_no_dates(text):
    assert told(text) == []


def test_of_a_day_that_is_not_in_the_calendar_the_month_is_read():
    assert told("on 31 February 2020") == ["at 2020-02-01"]
    assert told("on 2020-02-31") == []


@pytest.mark.parametrize("year", [1, 9999])
@pytest.mark.parametrize("text", ["yesterday", "tomorrow", "29 February", "last year", "the 31st", "next month"])
def test_a_text_of_the_first_or_the_last_day_there_is_has_dates_that_exist(text, year):
    edge = datetime(year, *((1, 1) if year == 1 else (12, 31)), tzinfo=UTC)
    for one in find(f"It was {text}, two years later and the day before.", edge, edge):
        assert 1 <= one.first.year <= 9999


def test_the_words_before_a_date_are_told_apart_far_into_a_text():
    (found,) = find("x " * 500 + "since the start of 2019", TUESDAY)
    assert (found.kind, found.start) == ("since", 1000)


def test_a_date_without_a_year_keeps_the_next_one_as_well():
    (found,) = find("on 9 June", TUESDAY)
    assert (found.first.year, found.ahead and found.ahead.year) == (2025, 2026)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two years later", "at 2004-01-01"),
        ("the following year", "at 2003-01-01"),
        ("that autumn", "at 2002-01-01"),
        ("ever since", "since 2002-05-01"),
        ("since then", "since 2002-05-01"),
    ],
)
def test_what_is_told_from_another_date_is_counted_from_the_one_before(text, expected):
    before = datetime(2002, 5, 1, tzinfo=UTC)
    (found,) = find(text, TUESDAY, before)
    assert f"{found.kind} {found.first:%Y-%m-%d}" == expected
    assert find(text, TUESDAY) == []


@given(st.text(max_size=80))
def test_no_text_raises(text):
    find(text, TUESDAY)


_WORDS = st.sampled_from(
    [
        "in",
        "on",
        "since",
        "until",
        "from",
        "to",
        "between",
        "and",
        "2019",
        "March",
        "4",
        "31",
        "last",
        "Friday",
        "Q3",
        "ago",
        "two",
        "years",
        "(",
        ")",
        "–",
        ",",
        "1990–1995",
    ]
)


@example(["Friday", "until", "March"])
@given(st.lists(_WORDS, max_size=12))
def test_ranges_are_half_open_and_expressions_do_not_overlap(words):
    text = " ".join(words)
    found = find(text, TUESDAY)
    for one in found:
        assert 0 <= one.start < one.end <= len(text)
        assert one.last is None or one.first <= one.last
    ends = [one.end for one in found]
    assert ends == sorted(ends)
