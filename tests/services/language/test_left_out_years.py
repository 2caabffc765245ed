"""Which year a day without one is in, by the years that its text speaks of."""

from datetime import UTC, datetime

import pytest

from services.language.dates import dates_in

NOW = datetime(2020, 2, 17, tzinfo=UTC)


def days(text: str, reference: datetime | None) -> list[str]:
    """Return the days and months that prose names without a year, as it means them."""
    found = dates_in(text, reference, is_prose=True)
    return [f"{one.named[0].first:%Y-%m-%d}{'?' * one.is_assumed}" for one in found if one.named[0].precision != "year"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The year 2014 was a busy one: on 3 February she was made a partner, on 29 August she married.",
         ["2014-02-03", "2014-08-29"]),
        ("Back in 2008 the firm was in turmoil. The managing director quit on 12 May.", ["2008-05-12"]),
        ("Chronicle 1977. March 3: the mayor resigns. April 19: a new one is sworn in.", ["1977-03-03", "1977-04-19"]),
        ("In 1942 the fleet sailed for Crete, and on November 5 it sank.", ["1942-11-05"]),
        ("1942 was a hard year. Snow fell until 2 May.", ["1942-05-02"]),
    ],
)  # fmt: skip
def test_a_day_is_in_the_year_that_its_text_is_about(text: str, expected: list[str]) -> None:
    assert days(text, NOW) == expected
    assert days(text, None) == expected


def test_the_sentence_behind_a_scene_may_be_of_now_in_a_dated_text() -> None:
    text = "In 1942 the fleet sailed for Crete. On November 5 it sank."
    assert days(text, NOW) == ["1942-11-05?"]
    assert days(text, None) == ["1942-11-05"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Founded in 1998, the firm hired him on 2 January.", "2020-01-02"),
        ("Built in 1979, it made its last run in December.", "2019-12-01"),
        ("In 1942 the fleet sailed. It was sold in 1951. In 1960 it burned.\n\nOn 3 May we met.", "2019-05-03"),
    ],
)
def test_a_year_in_passing_moves_no_date_of_a_text_with_a_time_of_its_own(text: str, expected: str) -> None:
    assert days(text, NOW) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It was bought on 20 December 2019 and delisted on 4 January.", ["2019-12-20", "2020-01-04"]),
        ("Hired on 5 May 1942, he was let go on 7 June.", ["1942-05-05", "1942-06-07"]),
        ("On 5 July 1954 it was up for sale, and on Saturday the 17th it was hers.", ["1954-07-05", "1954-07-17"]),
        ("He came on 28 May 1960 and left on the 3rd.", ["1960-05-28", "1960-06-03"]),
        ("Elected in 1994, he was gone on November 30.", ["1994-11-30?"]),
        ("She was born on 4 June 1980. She joined Kiln on 3 May.", ["1980-06-04", "1980-05-03?"]),
        ("Back in 2008 it was small. We sold it on 2 July 2015. On 3 May we met.", ["2015-07-02", "2015-05-03?"]),
        ("He left on 14 October.", []),
        ("He left last March, yesterday, or on Friday.", []),
    ],
)
def test_without_a_time_of_its_own_a_text_has_the_years_that_it_tells(text: str, expected: list[str]) -> None:
    assert days(text, None) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hired in September 2011, he was laid off the following May.", "2012-05-01"),
        ("He left in the spring of 2019, and she came that autumn.", "2019-09-01"),
        ("It ran until Aug. 2020 and, from 1 September of that year, under him.", "2020-09-01"),
        ("Fourteen months before his death in June 1981 he sold it.", "1980-04-01"),
        ("From August of 1669 on, having served since '61.", "1661-01-01"),
        ("He signed on 6 May 2016 and joined the following Monday.", "2016-05-09"),
        ("Of the 7th inst.", "2020-02-07"),
        ("Your letter of the 28th ult.", "2020-01-28"),
        ("He left on Lady Day, 1825.", "1825-03-25"),
        ("At the mill, 3.2003–11.2009", "2003-03-01"),
    ],
)
def test_old_prose_and_words_that_refer_back_are_read(text: str, expected: str) -> None:
    assert f"{dates_in(text, NOW)[-1].named[0].first:%Y-%m-%d}" == expected


@pytest.mark.parametrize("text", ["Born on November 5 , 1942 .", "On Thursday, November 5 , 1942 , he was born."])
def test_a_weekday_beside_a_full_date_and_spaces_before_commas_change_nothing(text: str) -> None:
    (found,) = dates_in(text, NOW)
    assert f"{found.period.first:%Y-%m-%d}" == "1942-11-05"
