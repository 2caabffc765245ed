"""What a date leaves open that was given as a year, a month or a day."""

from datetime import datetime, timedelta

from services.core import clock
from services.core.models import Fact, Precision

_TICK = timedelta(microseconds=1)
_COARSEST_FIRST: tuple[Precision, ...] = ("instant", "year", "month", "day")
_COARSEST: tuple[Precision, ...] = ("year", "month", "day", "instant")
_LONGEST = {"day": 1, "month": 31, "year": 366}


def period_of(at: datetime, precision: Precision) -> tuple[datetime, datetime]:
    """Return the first instant of the year, month or day in UTC that `at` lies in, and the first after it.

    An instant is both.
    """
    if precision == "instant":
        return at, at
    day = at.replace(hour=0, minute=0, second=0, microsecond=0)
    first = {"day": day, "month": day.replace(day=1), "year": day.replace(month=1, day=1)}[precision]
    return first, _first_after(first, precision)


def _first_after(first: datetime, precision: Precision) -> datetime:
    try:
        later = first + timedelta(days=_LONGEST[precision])
    except OverflowError:
        return clock.LATEST
    return later if precision == "day" else later.replace(day=1)


def stored_end(start: datetime | None, end: datetime | None, precision: Precision) -> datetime | None:
    """Return the end to store for one that was given: of a year, month or day the first instant.

    Where that is not after the start, a year or month is read through its end: its last instant is stored ("January
    2013 to January 2013"). An end that cannot follow the start comes back as it is.
    """
    if start is None or end is None or end > start or not is_imprecise(precision):
        return end
    last = period_of(end, precision)[1] - _TICK
    return last if last > start else end


def given_end(end: datetime | None, precision: Precision) -> datetime | None:
    """Return the end as it was given: the first instant of a year or month that `stored_end` read through its end."""
    if end is None or not is_imprecise(precision):
        return end
    first, after = period_of(end, precision)
    return first if end == after - _TICK else end


def is_as_exact(at: datetime, precision: Precision) -> bool:
    """True where a date that was given with this precision can be stored as `at`: as its first or last instant."""
    first, after = period_of(at, precision)
    return at in (first, after - _TICK)


def overlap(one: datetime, one_precision: Precision, other: datetime, other_precision: Precision) -> bool:
    """True where two dates have no order: the periods that they were given as share an instant ("2013", "May 2013")."""
    first, after = period_of(one, one_precision)
    other_first, other_after = period_of(other, other_precision)
    return first == other_first or (first < other_after and other_first < after)


def finer(one: Precision, other: Precision) -> Precision:
    """Return the finer precision of two that one date was given with; an instant tells nothing of how it was given."""
    return one if one == other else max(one, other, key=_COARSEST_FIRST.index)


def coarser(one: Precision, other: Precision) -> Precision:
    """Return the coarser precision of two; an instant is the finest."""
    return min(one, other, key=_COARSEST.index)


def is_imprecise(precision: Precision) -> bool:
    """True for a year or a month: a day is as fine as people ask."""
    return precision in ("year", "month")


def start_is_imprecise_at(fact: Fact, as_of: datetime) -> bool:
    """True where the fact began sometime in the year or month that `as_of` lies in, maybe after it."""
    return fact.valid_at is not None and _is_within(fact.valid_at, fact.valid_at_precision, as_of)


def may_have_ended_at(fact: Fact, as_of: datetime) -> bool:
    """True where a fact as known ended sometime in the year or month that `as_of` lies in, maybe after it.

    By the rule it does not hold then.
    """
    return fact.invalid_at is not None and _is_within(fact.invalid_at, fact.invalid_at_precision, as_of)


def _is_within(at: datetime, precision: Precision, as_of: datetime) -> bool:
    return is_imprecise(precision) and at <= as_of < period_of(at, precision)[1]
