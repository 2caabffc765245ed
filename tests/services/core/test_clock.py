"""The reading and the spelling of dates."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core import clock
from services.core.errors import BadInput

SECOND = timedelta(seconds=1)


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@given(st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=5, minutes=30)), None])))
def test_spelled_instants_sort_as_text_and_read_back(value: datetime) -> None:
    if not 2 < value.year < 9998:
        return
    other = clock.instant(value) + timedelta(microseconds=1)
    assert clock.spell(value) < clock.spell(other)
    assert clock.parse_instant(clock.spell(value)) == clock.instant(value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2015", "2015-01-01T00:00:00"),
        ("2015-03", "2015-03-01T00:00:00"),
        ("2018-06-27", "2018-06-27T00:00:00"),
        ("2018-06-27T10:00:00Z", "2018-06-27T10:00:00"),
        ("2018-06-27 10:00:00+02:00", "2018-06-27T08:00:00"),
        ("2018-06-27T10:00:00.123456789Z", "2018-06-27T10:00:00.123456"),
        (" 22 May 2015 ", "2015-05-22T00:00:00"),
        ("March 2015", "2015-03-01T00:00:00"),
        ("2019/03/04", "2019-03-04T00:00:00"),
        ("03/25/2019", "2019-03-25T00:00:00"),
        ("25.03.2019 14:30 UTC", "2019-03-25T14:30:00"),
        ("22 May 2015 10:00 +0200", "2015-05-22T08:00:00"),
    ],
)
def test_dates_are_read_in_the_spellings_that_people_write(text: str, expected: str) -> None:
    assert clock.parse_instant(text) == day(expected)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "10:30",
        "Friday",
        "2015-13-01",
        "2015-02-30",
        "0000",
        "12345678901234567890",
        "03/04/2019",
        "2018-06-27 14:30 EST",
        "-0044-03-15",
        "-0044-03-15T00:00:00Z",
        "-2018",
        "0044 AD",
        "15 March 0044",
    ],
)
def test_what_names_no_day_is_refused_with_a_hint(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        clock.parse_instant(text)
    assert "2018-06-27" in caught.value.hint


def test_a_date_is_the_start_of_its_day_in_utc() -> None:
    assert clock.instant(date(2015, 5, 22)) == day("2015-05-22")


def test_two_instants_an_hour_apart_are_spelled_apart_where_clocks_go_back() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    summer, winter = (datetime(2021, 10, 31, 2, 30, tzinfo=berlin, fold=fold) for fold in (0, 1))
    assert (clock.spell(summer), clock.spell(winter)) == ("2021-10-31T00:30:00+00:00", "2021-10-31T01:30:00+00:00")


@pytest.mark.parametrize("digits", ["151201", "121501", "2015120"])
def test_bare_digits_are_a_year_or_a_whole_date_and_nothing_else(digits: str) -> None:
    with pytest.raises(BadInput):
        clock.parse_instant(digits)
