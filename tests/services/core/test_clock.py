"""The rule of time, case by case, and the reading of dates."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core import clock
from services.core.errors import BadInput
from services.core.models import Fact, Instants

SECOND = timedelta(seconds=1)


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def fact(**times: str) -> Fact:
    return Fact("f", "s", "t", "Ada", "WORKS_FOR", "Acme", **{k: day(v) for k, v in times.items()})


def holds(f: Fact, as_of: str, known_at: str = "2030-01-01") -> bool:
    return clock.true_at(f, Instants(day(as_of), day(known_at)))


def test_a_fact_holds_from_the_instant_it_begins() -> None:
    f = fact(valid_at="2015-05-22")
    assert holds(f, "2015-05-22")
    assert not clock.true_at(f, Instants(day("2015-05-22") - SECOND, day("2030-01-01")))


def test_a_fact_no_longer_holds_at_the_instant_it_ends() -> None:
    f = fact(valid_at="2015-01-01", invalid_at="2016-01-01")
    assert not holds(f, "2016-01-01")
    assert clock.true_at(f, Instants(day("2016-01-01") - SECOND, day("2030-01-01")))


def test_a_fact_is_unknown_before_it_was_recorded() -> None:
    f = fact(valid_at="2015-01-01", created_at="2018-01-01")
    assert not holds(f, "2016-01-01", known_at="2017-12-31")
    assert holds(f, "2016-01-01", known_at="2018-01-01")


def test_a_fact_without_a_record_time_was_always_recorded() -> None:
    assert holds(fact(valid_at="2015-01-01"), "2016-01-01", known_at="1990-01-01")


def test_a_withdrawn_record_is_believed_until_the_instant_of_its_withdrawal() -> None:
    f = fact(valid_at="2015-01-01", created_at="2015-01-01", withdrawn_at="2018-01-01")
    assert holds(f, "2016-01-01", known_at="2017-12-31")
    assert not holds(f, "2016-01-01", known_at="2018-01-01")


def test_an_end_is_not_believed_before_the_graph_learned_it() -> None:
    f = fact(valid_at="2015-01-01", invalid_at="2016-01-01", created_at="2015-01-01", expired_at="2018-01-01")
    assert holds(f, "2017-01-01", known_at="2017-06-01")
    assert not holds(f, "2017-01-01", known_at="2018-01-01")


def test_before_a_new_end_was_learned_the_believed_one_counts() -> None:
    f = fact(valid_at="2015-01-01", invalid_at="2016-01-01", expired_at="2018-01-01", believed_invalid_at="2017-01-01")
    assert holds(f, "2016-06-01", known_at="2017-06-01")
    assert not holds(f, "2017-01-01", known_at="2017-06-01")


def test_an_expired_fact_without_an_end_ended_when_it_expired() -> None:
    f = fact(valid_at="2015-01-01", expired_at="2018-01-01")
    assert holds(f, "2017-12-31")
    assert not holds(f, "2018-01-01")


def test_a_fact_that_arrived_ended_is_believed_ended_from_the_start() -> None:
    f = fact(valid_at="2015-01-01", invalid_at="2016-01-01", created_at="2020-01-01")
    assert not holds(f, "2017-01-01", known_at="2020-01-01")


def test_a_fact_without_a_start_never_holds_but_counts_as_undated() -> None:
    f = fact(invalid_at="2016-01-01")
    at = Instants(day("2015-01-01"), day("2030-01-01"))
    assert not clock.true_at(f, at)
    assert clock.undated(f, at)
    assert not clock.undated(f, replace(at, as_of=day("2016-01-01")))


def test_what_was_learned_later_is_not_in_an_earlier_answer() -> None:
    f = replace(
        fact(
            valid_at="2015-01-01",
            invalid_at="2016-01-01",
            created_at="2015-01-01",
            expired_at="2018-01-01",
            withdrawn_at="2019-01-01",
        ),
        ended_by="e",
    )
    before, after = clock.as_known(f, day("2017-01-01")), clock.as_known(f, day("2018-06-01"))
    assert (before.invalid_at, before.expired_at, before.withdrawn_at, before.ended_by) == (None, None, None, None)
    assert (after.invalid_at, after.expired_at, after.ended_by) == (day("2016-01-01"), day("2018-01-01"), "e")
    assert after.withdrawn_at is None


instants = st.datetimes(datetime(1990, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC))
facts = st.builds(
    lambda **times: Fact("f", "s", "t", "A", "R", "B", **times),
    **{
        name: st.none() | instants
        for name in ("valid_at", "invalid_at", "created_at", "expired_at", "withdrawn_at", "believed_invalid_at")
    },
)


@given(facts, instants, instants)
def test_a_fact_as_known_then_is_judged_the_same_by_the_rule(f: Fact, as_of: datetime, known_at: datetime) -> None:
    at = Instants(as_of, known_at)
    if clock.recorded(f, known_at):
        shown = clock.as_known(f, known_at)
        assert clock.true_at(shown, at) == clock.true_at(f, at)
        assert clock.undated(shown, at) == clock.undated(f, at)


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
