"""How the dates of facts are said: as exactly as they are known."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from services.core import date_wording
from services.core.models import Fact, Instants, Precision

FACT = Fact("f", "s", "t", "Ada", "WORKS_FOR", "Acme")
LATER = datetime(2030, 1, 1, tzinfo=UTC)


def at(year: int, month: int = 1, day: int = 1, hour: int = 0) -> datetime:
    return datetime(year, month, day, hour, tzinfo=UTC)


def dated(
    start: datetime | None, end: datetime | None = None, began: Precision = "instant", ended: Precision = "instant"
) -> Fact:
    return replace(FACT, valid_at=start, invalid_at=end, valid_at_precision=began, invalid_at_precision=ended)


@pytest.mark.parametrize(
    ("instant", "precision", "words"),
    [
        (at(1974), "year", "1974"),
        (at(974), "year", "974"),
        (at(2017, 6), "month", "June 2017"),
        (at(2017, 6, 30), "day", "2017-06-30"),
        (at(2017, 6, 30, 9), "day", "2017-06-30"),
        (at(2017, 6, 30), "instant", "2017-06-30"),
        (at(2017, 6, 30, 9), "instant", "2017-06-30T09:00:00+00:00"),
        (at(2014) - timedelta(microseconds=1), "year", "2013"),
    ],
)
def test_a_date_is_said_as_exactly_as_it_is_known(instant: datetime, precision: Precision, words: str) -> None:
    assert date_wording.dated(instant, precision) == words


@pytest.mark.parametrize(
    ("hour", "minute", "second", "words"),
    [(0, 0, 0, "2018-06-27"), (14, 30, 0, "2018-06-27 14:30 UTC"), (14, 30, 5, "2018-06-27 14:30:05 UTC")],
)
def test_an_instant_is_shown_in_utc_with_what_it_has_of_a_time(hour: int, minute: int, second: int, words: str) -> None:
    there = datetime(2018, 6, 27, hour, minute, second, tzinfo=UTC).astimezone(timezone(timedelta(hours=-3)))
    assert date_wording.in_utc(there) == words


@pytest.mark.parametrize(
    ("fact", "listed", "said"),
    [
        (dated(None), "undated", ""),
        (dated(at(1974), began="year"), "1974 → now", "since 1974"),
        (dated(at(1974, 5), began="month"), "May 1974 → now", "since May 1974"),
        (dated(at(1974)), "1974-01-01 → now", "since 1974-01-01"),
        (
            dated(at(1974), at(2017, 6), "year", "month"),
            "1974 → June 2017",
            "from 1974 until June 2017",
        ),
        (dated(at(1974), at(1979), "year"), "1974 → 1979-01-01", "from 1974 until 1979-01-01"),
        (dated(None, at(2017, 6), ended="month"), "undated → June 2017", "until June 2017"),
        (dated(at(2013), at(2014) - timedelta(microseconds=1), "year", "year"), "in 2013", "in 2013"),
        (dated(at(2013), at(2013, 6), "year", "month"), "2013 → June 2013", "from 2013 until June 2013"),
    ],
)
def test_a_span_is_said_as_exactly_as_it_is_known(fact: Fact, listed: str, said: str) -> None:
    assert date_wording.span(fact) == listed
    assert date_wording.when(fact) == said


@pytest.mark.parametrize(
    ("start", "precision", "words"),
    [
        (at(1974), "year", "in 1974"),
        (at(1974, 5), "month", "in May 1974"),
        (at(1974, 5, 2), "day", "on 1974-05-02"),
        (at(1974, 5, 2), "instant", "on 1974-05-02"),
    ],
)
def test_an_event_is_said_with_its_preposition(start: datetime, precision: Precision, words: str) -> None:
    assert date_wording.when(dated(start, began=precision), is_event=True) == words


def test_an_end_that_nobody_knows_is_never_said_as_a_date() -> None:
    learned = replace(dated(at(1974), began="year"), ended_unknown=True, expired_at=at(2026, 11, 23))
    words = "ended, date unknown (before 23 November 2026)"
    assert date_wording.stop(learned) == words
    assert date_wording.span(learned) == f"1974 → {words}"
    assert date_wording.when(learned) == f"from 1974; {words}"
    assert date_wording.of(learned, at(2026, 11, 23)) == "before 2026-11-23"
    corrected = replace(learned, expired_at=None, invalid_at=at(2026, 11, 23))
    assert date_wording.span(corrected) == f"1974 → {words}"


@pytest.mark.parametrize(
    ("as_of", "doubt"),
    [
        (at(1973, 12, 31), ""),
        (at(1974), "sometime in 1974"),
        (at(1974, 12, 31), "sometime in 1974"),
        (at(1975), ""),
        (at(1979, 4, 30), ""),
        (at(1979, 5), "ended sometime in May 1979"),
        (at(1979, 5, 31), "ended sometime in May 1979"),
        (at(1979, 6), ""),
    ],
)
def test_only_within_the_year_or_month_that_is_given_a_date_leaves_something_open(as_of: datetime, doubt: str) -> None:
    fact = dated(at(1974), at(1979, 5), "year", "month")
    assert date_wording.doubt(fact, as_of) == doubt
    assert date_wording.doubt_at(fact, Instants(as_of, LATER)) == doubt
    assert date_wording.may_have_ended(fact, Instants(as_of, LATER)) == doubt.startswith("ended")


def test_days_and_instants_leave_nothing_open() -> None:
    fact = dated(at(1974), at(1979), "day", "instant")
    assert not date_wording.doubt(fact, at(1974))
    assert not date_wording.doubt(fact, at(1979))


def test_an_end_that_was_not_learned_by_then_leaves_nothing_open() -> None:
    fact = replace(dated(at(1974), at(1979), "year", "year"), expired_at=at(1990))
    assert date_wording.may_have_ended(fact, Instants(at(1979, 5), at(1990)))
    assert not date_wording.may_have_ended(fact, Instants(at(1979, 5), at(1989)))


def test_a_withdrawn_record_has_not_ended() -> None:
    fact = replace(dated(at(1974), at(1979), "year", "year"), withdrawn_at=at(1990))
    assert not date_wording.may_have_ended(fact, Instants(at(1979, 5), LATER))
