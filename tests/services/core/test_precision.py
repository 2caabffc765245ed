"""What a date leaves open by how it was given."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core import clock, time_rule
from services.core.models import Fact, Precision
from services.core.precision import finer, may_have_ended_at, overlap, period_of, start_is_imprecise_at, stored_end

TICK = timedelta(microseconds=1)
instants = st.datetimes(min_value=datetime(1, 1, 1), timezones=st.just(UTC))
units: st.SearchStrategy[Precision] = st.sampled_from(["year", "month", "day"])


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


FACT = Fact("f", "s", "t", "Ada", "WORKS_FOR", "Acme", valid_at=day("1974-01-01"))


@pytest.mark.parametrize(
    ("precision", "first", "after"),
    [
        ("year", "2012-01-01", "2013-01-01"),
        ("month", "2012-02-01", "2012-03-01"),
        ("day", "2012-02-29", "2012-03-01"),
        ("instant", "2012-02-29T05:30", "2012-02-29T05:30"),
    ],
)
def test_an_instant_lies_in_one_period_of_each_precision(precision: Precision, first: str, after: str) -> None:
    assert period_of(day("2012-02-29T05:30"), precision) == (day(first), day(after))


@given(at=instants, unit=units)
def test_periods_meet_without_a_gap(at: datetime, unit: Precision) -> None:
    first, after = period_of(at, unit)
    assert first <= at
    assert at < after or after == clock.LATEST
    assert period_of(first, unit) == (first, after)
    assert after == clock.LATEST or period_of(after, unit)[0] == after


def test_an_end_after_the_start_is_the_first_instant_of_its_period() -> None:
    assert stored_end(day("1974-01-01"), day("1979-01-01"), "year") == day("1979-01-01")
    assert stored_end(None, day("1979-01-01"), "year") == day("1979-01-01")
    assert stored_end(day("1974-01-01"), None, "year") is None


@pytest.mark.parametrize("start", ["2013-01-01", "2013-01-20"])
def test_an_end_in_the_month_of_the_start_is_that_months_last_instant(start: str) -> None:
    assert stored_end(day(start), day("2013-01-01"), "month") == day("2013-02-01") - TICK


@pytest.mark.parametrize(
    ("end", "precision"), [("2012-01-01", "year"), ("2013-05-01", "instant"), ("2013-05-01", "day")]
)
def test_an_end_that_cannot_follow_the_start_stays_as_it_is(end: str, precision: Precision) -> None:
    assert stored_end(day("2013-05-01"), day(end), precision) == day(end)


@given(start=instants, end=instants, unit=st.sampled_from(["year", "month"]))
def test_a_stored_end_lies_in_the_period_that_was_given(start: datetime, end: datetime, unit: Precision) -> None:
    stored = stored_end(start, end, unit)
    assert stored is not None
    assert period_of(stored, unit) == period_of(end, unit)
    assert stored > start or period_of(end, unit)[1] - TICK <= start


@pytest.mark.parametrize(
    ("as_of", "open_to_doubt"),
    [("1973-12-31", False), ("1974-01-01", True), ("1974-12-31", True), ("1975-01-01", False)],
)
def test_within_an_imprecise_start_and_end_nobody_knows(as_of: str, open_to_doubt: bool) -> None:
    began = replace(FACT, valid_at_precision="year")
    ended = replace(FACT, valid_at=None, invalid_at=day("1974-01-01"), invalid_at_precision="year")
    assert start_is_imprecise_at(began, day(as_of)) is open_to_doubt
    assert may_have_ended_at(ended, day(as_of)) is open_to_doubt


@pytest.mark.parametrize("precision", ["day", "instant"])
def test_a_day_is_as_fine_as_people_ask(precision: Precision) -> None:
    fact = replace(FACT, invalid_at=day("1979-01-01"), valid_at_precision=precision, invalid_at_precision=precision)
    assert not start_is_imprecise_at(fact, day("1974-01-01"))
    assert not may_have_ended_at(fact, day("1979-01-01"))


def test_an_end_that_is_not_learned_yet_has_no_precision() -> None:
    fact = replace(
        FACT,
        invalid_at=day("1979-01-01"),
        invalid_at_precision="year",
        expired_at=day("2000-01-01"),
        believed_invalid_at=day("1980-01-01"),
    )
    assert time_rule.as_known(fact, day("1999-01-01")).invalid_at_precision == "instant"
    assert time_rule.as_known(fact, day("2000-01-01")).invalid_at_precision == "year"


def test_an_end_that_was_believed_before_a_withdrawal_keeps_its_precision() -> None:
    at, end = day("2000-01-01"), day("1979-01-01")
    fact = replace(
        FACT, invalid_at=end, invalid_at_precision="year", expired_at=at, withdrawn_at=at, believed_invalid_at=end
    )
    assert time_rule.as_known(fact, day("1999-01-01")).invalid_at_precision == "year"


def test_an_unknown_end_is_unknown_to_who_asks_before_it_was_learned() -> None:
    fact = replace(FACT, expired_at=day("2000-01-01"), ended_unknown=True)
    before, after = (time_rule.as_known(fact, day(text)) for text in ("1999-01-01", "2000-01-01"))
    assert (before.ended_unknown, before.invalid_at) == (False, None)
    assert (after.ended_unknown, after.invalid_at) == (True, day("2000-01-01"))


@given(one=units, other=units)
def test_the_finer_of_two_precisions_is_that_of_the_shorter_period(one: Precision, other: Precision) -> None:
    at = day("2012-02-29T05:30")
    first, after = period_of(at, finer(one, other))
    assert after - first == min(after - first for first, after in (period_of(at, one), period_of(at, other)))
    assert finer(one, "instant") == finer("instant", one) == one


@pytest.mark.parametrize(
    ("one", "other", "unordered"),
    [
        (("2013-01-01", "year"), ("2013-05-01", "month"), True),
        (("2013-05-01", "month"), ("2013-05-07", "instant"), True),
        (("2013-05-07", "day"), ("2013-05-07", "day"), True),
        (("2013-05-07", "instant"), ("2013-05-07", "instant"), True),
        (("2013-05-01", "month"), ("2013-06-01", "instant"), False),
        (("2012-01-01", "year"), ("2013-01-01", "year"), False),
        (("2013-05-07", "instant"), ("2013-05-08", "instant"), False),
    ],
)
def test_dates_have_an_order_where_their_periods_share_no_instant(
    one: tuple[str, Precision], other: tuple[str, Precision], unordered: bool
) -> None:
    first, second = (clock.parse_instant(one[0]), one[1]), (clock.parse_instant(other[0]), other[1])
    assert (overlap(*first, *second), overlap(*second, *first)) == (unordered, unordered)
