from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from components import dates
from services.core.models import Precision


@pytest.fixture
def berlin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dates, "zone", lambda: ZoneInfo("Europe/Berlin"))


@pytest.mark.usefixtures("berlin")
def test_midnight_in_utc_is_a_date_that_everybody_sees() -> None:
    assert dates.moment(datetime(2018, 6, 27, tzinfo=UTC)) == "2018-06-27"


@pytest.mark.usefixtures("berlin")
def test_a_time_is_shown_in_the_viewers_zone_and_spelled_in_utc() -> None:
    value = datetime(2018, 6, 27, 22, 30, 5, tzinfo=UTC)
    assert dates.moment(value) == "2018-06-28 00:30:05"
    assert dates.seconds_in_utc(value) == "2018-06-27 22:30:05Z"


@pytest.mark.usefixtures("berlin")
@pytest.mark.parametrize("value", [datetime(2018, 6, 27, 22, 30, 5, tzinfo=UTC), datetime(987, 1, 2, tzinfo=UTC)])
def test_what_is_shown_is_read_back_as_the_same_instant(value: datetime) -> None:
    assert dates.join(*dates.split(value)) == value


@pytest.mark.usefixtures("berlin")
def test_midnight_of_the_viewer_is_not_the_date_alone() -> None:
    assert dates.join(date(2018, 6, 27), time(0, 0)) == datetime(2018, 6, 26, 22, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "day"),
    [
        (None, None),
        (datetime(2018, 6, 27, tzinfo=UTC), date(2018, 6, 27)),
        (datetime(9999, 12, 31, tzinfo=UTC), dates.LAST),
    ],
)
def test_a_field_of_a_date_shows_the_last_day_that_it_offers_for_a_later_one(value: datetime | None, day: date) -> None:
    assert dates.shown(value) == day


def test_years_before_1000_have_four_digits() -> None:
    assert dates.day(datetime(987, 1, 2, tzinfo=UTC)) == "0987-01-02"


@pytest.mark.parametrize(("hours", "words"), [(0, "same day"), (23, "same day"), (30, "1 day"), (24 * 101, "101 days")])
def test_a_lag_is_counted_in_days(hours: int, words: str) -> None:
    start = datetime(2020, 1, 1, tzinfo=UTC)
    assert dates.lag(start, datetime.fromtimestamp(start.timestamp() + hours * 3600, UTC)) == words


@pytest.mark.usefixtures("berlin")
def test_fields_of_a_date_that_are_left_alone_give_the_same_date() -> None:
    last = datetime(2013, 2, 1, tzinfo=UTC) - timedelta(microseconds=1)
    assert dates.shown(last, "month") == date(2013, 1, 1)
    assert dates.given(date(2013, 1, 1), "month", last, "month") == (last, "month")
    noon = datetime(2013, 1, 1, 12, tzinfo=UTC)
    assert dates.given(date(2013, 1, 1), "day", noon, "instant") == (noon, "instant")


@pytest.mark.parametrize(("chosen", "first"), [("day", (2013, 5, 22)), ("month", (2013, 5, 1)), ("year", (2013, 1, 1))])
def test_a_day_that_is_known_to_the_year_or_month_means_its_first(
    chosen: Precision, first: tuple[int, int, int]
) -> None:
    assert dates.given(date(2013, 5, 22), chosen) == (datetime(*first, tzinfo=UTC), chosen)
    assert dates.given(None, chosen) == (None, "instant")
