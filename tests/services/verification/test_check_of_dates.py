"""Dates of a sentence, read by the one grammar and held against when a fact began and ended."""

import pytest

from services.core.answer_records import Mark
from tests.services.verification.turns import chunks, facts, mark

TENURE = facts("Ada Lane | MANAGES | Depot North | 2015-12-20 | 2019-05-03 | Ada Lane manages Depot North")
UNDATED_YEARS = facts("Ada Lane | MANAGES | Depot North | 1998-06-01 | 1999-10-01 | Ada Lane manages Depot North")


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ("from winter 2015 to 3 May 2019", "supported"),  # December 2015 to February 2016
        ("from winter 2016 to 3 May 2019", "contradicted"),
        ("from the end of 2015 to May 2019", "supported"),  # about the end: the last third
        ("from the start of 2015 to May 2019", "contradicted"),
        ("from late 2015 to the second quarter of 2019", "supported"),
        ("from early 2015 to mid-2019", "contradicted"),
        ("from Q4 2015 to the first half of 2019", "supported"),
        ("from Q3 2015 to the first half of 2019", "contradicted"),
        ("from the day before 21 December 2015 to 3 May 2019", "supported"),
        ("from 20 Dec '15 to 3 May '19", "supported"),
        ("from 20 December 2015 to two weeks after 19 April 2019", "supported"),
        ("from the twentieth of December 2015 to 2019", "supported"),
        ("from 20/12/2015 to 2019", "supported"),
        ("from 20/11/2015 to 2019", "contradicted"),
        ("from 2015-12-20 00:00:00 UTC until 2019-05-03 00:00:00 UTC", "supported"),
        ("from 2015-12-21 02:12:45 UTC until 2019-05-03 00:00:00 UTC", "contradicted"),
        ("in the 2010s", "supported"),
        ("in the 1990s", "contradicted"),
        ("in the 21st century", "supported"),
        ("in the 20th century", "contradicted"),
    ],
)
def test_a_fact_is_held_against_the_period_that_a_date_names(when: str, expected: Mark) -> None:
    assert mark(f"Ada Lane managed Depot North {when} [1].", TENURE) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Ada Lane left Depot North after April 2019 [1].", "supported"),
        ("Ada Lane left Depot North after 2018 [1].", "supported"),
        ("Ada Lane left Depot North after May 2019 [1].", "contradicted"),  # "after" starts where the month ends
        ("Ada Lane left Depot North before June 2019 [1].", "supported"),
        ("Ada Lane left Depot North before May 2019 [1].", "contradicted"),
        ("Ada Lane had left Depot North by May 2019 [1].", "supported"),  # "by" includes the month
        ("Ada Lane had left Depot North by April 2019 [1].", "contradicted"),
    ],
)
def test_a_word_before_a_date_bounds_when_it_happened(sentence: str, expected: Mark) -> None:
    assert mark(sentence, TENURE) == expected


def test_two_years_written_as_one_are_a_range() -> None:
    assert mark("Ada Lane managed Depot North in 1998-99 [1].", UNDATED_YEARS) == "supported"
    assert mark("Ada Lane managed Depot North in 2001-02 [1].", UNDATED_YEARS) == "contradicted"


def test_a_date_that_counts_from_an_unknown_day_is_no_date_of_a_passage() -> None:
    minutes = chunks("Last year the board met on 3 May. It met again on 12 March 2024.")
    assert mark("The board met again on 12 March 2024 [1].", minutes) == "supported"
    assert mark("The board met again on 13 March 2024 [1].", minutes) == "contradicted"


def test_a_year_may_open_what_is_said_of_it() -> None:
    report = chunks("The board reported a surplus for 2023, up from a loss in 2022.")
    assert mark("The board reported that 2023 had closed with a surplus [1].", report) == "supported"


def test_a_passage_may_speak_of_times_that_no_calendar_has() -> None:
    ice = chunks("The ice melted in 2010. It had come 20,000 years later than the first, at the age of 90,000.")
    assert mark("The ice melted in 2010 [1].", ice) == "supported"


def test_a_day_is_that_of_a_change_only_where_one_fact_ends_as_the_other_begins() -> None:
    ministers = facts("""
        Rita Gomez | MINISTER_OF | Norland | 2014-12-01
        Paul Adeyemi | MINISTER_OF | Norland | 2009-03-01 | 2014-11-30
        Omar Said | MINISTER_OF | Norland | 1999-03-01 | 2004-11-30
    """)
    followed = "{} succeeded Paul Adeyemi as minister of Norland in {} [1][2][3]."
    assert mark(followed.format("Rita Gomez", "December 2014"), ministers) == "supported"
    assert mark(followed.format("Rita Gomez", "March 2009"), ministers) == "contradicted"
    assert mark(followed.format("Omar Said", "March 1999"), ministers) == "contradicted"
