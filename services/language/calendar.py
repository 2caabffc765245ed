"""Periods of the calendar in UTC: half-open, each with the precision it was written with."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal, cast

Precision = Literal["instant", "day", "week", "month", "quarter", "season", "half", "part", "year", "decade", "century"]

MONTHS_OF = {"month": 1, "quarter": 3, "season": 3, "half": 6, "year": 12, "decade": 120, "century": 1200}
_LENGTHS = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(days=7),
    "weekend": timedelta(days=7),
    "fortnight": timedelta(days=14),
}
_THIRDS = {120: (0, 36, 84), 1200: (0, 396, 792)}
"""Where the thirds of a decade and of a century begin, in months."""


@dataclass(frozen=True, slots=True)
class Period:
    """The time from `first` to before `last`, in UTC; an instant ends where it starts, and None is an open end."""

    first: datetime | None
    last: datetime | None
    precision: Precision


@dataclass(frozen=True, slots=True)
class Closed:
    """A period with both ends, before a word such as "since" opens one of them.

    `edge_of` is the period whose first or last day this is: of "the end of 2015", the year.
    """

    first: datetime
    last: datetime
    precision: Precision
    edge_of: "Closed | None" = None


def add(at: datetime, count: int, unit: str) -> datetime:
    """Return the instant `count` units after `at`; a month on from the 31st is the last day of a shorter month."""
    if unit in _LENGTHS:
        return at + count * _LENGTHS[unit]
    year, month = divmod(count * MONTHS_OF[unit] + at.year * 12 + at.month - 1, 12)
    return at.replace(year=year, month=month + 1, day=min(at.day, monthrange(year, month + 1)[1]))


def day(year: int, month: int, number: int) -> Closed:
    """Return a day; raises ValueError where the calendar has none such."""
    return days(datetime(year, month, number, tzinfo=UTC), 1)


def days(first: datetime, count: int, precision: Precision = "day") -> Closed:
    """Return the period of `count` days from `first` on."""
    return Closed(first, first + timedelta(days=count), precision)


def months(year: int, month: int, precision: Precision) -> Closed:
    """Return the unit that starts with a month."""
    first = datetime(year, month, 1, tzinfo=UTC)
    return Closed(first, add(first, 1, precision), precision)


def unit_at(at: datetime, unit: str) -> Closed:
    """Return the instant, day, weekend, week (from Monday), month, quarter, year, decade or century that `at` is in."""
    if unit in ("hour", "minute"):
        return Closed(at, at, "instant")
    if unit in MONTHS_OF:
        year = {"decade": at.year // 10 * 10, "century": (at.year - 1) // 100 * 100 + 1}.get(unit, at.year)
        month = {"month": at.month, "quarter": (at.month - 1) // 3 * 3 + 1}.get(unit, 1)
        return months(year, month, cast(Precision, unit))
    back = {"week": at.weekday(), "weekend": at.weekday() - 5}.get(unit, 0)
    first = datetime(at.year, at.month, at.day, tzinfo=UTC) - timedelta(days=back)
    return days(first, {"week": 7, "weekend": 2}.get(unit, 1), "week" if unit == "week" else "day")


def ends_of(period: Closed) -> tuple[Closed, ...]:
    """Return the first and the last unit of a period that is longer than one: of 3 to 6 June the 3rd and the 6th."""
    unit = period.precision
    if unit not in ("day", "month", "year", "century") or period.last <= add(period.first, 1, unit):
        return (period,)
    first, last = unit_at(period.first, unit), unit_at(period.last - timedelta(microseconds=1), unit)
    return (first, last) if (first.first, last.last) == (period.first, period.last) else (period,)


def easter(year: int) -> datetime:
    """Return Easter Sunday of the Gregorian calendar, by the formula of Meeus, Jones and Butcher."""
    century, in_century = divmod(year, 100)
    epact = (19 * (year % 19) + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    to_sunday = (32 + 2 * (century % 4) + 2 * (in_century // 4) - epact - in_century % 4) % 7
    late = (year % 19 + 11 * epact + 22 * to_sunday) // 451
    month, number = divmod(epact + to_sunday - 7 * late + 114, 31)
    return datetime(year, month, number + 1, tzinfo=UTC)


def nth_weekday(period: Closed, weekday: int, nth: int) -> Closed:
    """Return the first, second, ... such weekday of a period, or with -1 the last one; weekday 0 is Monday."""
    if nth > 0:
        return days(period.first + timedelta(days=(weekday - period.first.weekday()) % 7 + 7 * nth - 7), 1)
    return days(period.last - timedelta(days=(period.last.weekday() - weekday - 1) % 7 + 1), 1)


def part_of(period: Closed, parts: int, place: int, until: int) -> Closed:
    """Return the parts `place` to `until`, from 0, of a period in halves, thirds or quarters.

    Thirds of a year or month have four months or ten days, of a decade the years 0-2, 3-6, 7-9; a day has none.
    """
    first, last = period.first, period.last
    count, length = (last.year - first.year) * 12 + last.month - first.month, (last - first).days
    if length < 7 or period.precision == "part":
        return period
    if count <= 1:
        starts = [add(first, round((30 if length > 7 else 7) * n / parts), "day") for n in range(parts)]
    else:
        cuts = _THIRDS.get(count, ()) if parts == 3 else ()
        starts = [add(first, cut, "month") for cut in cuts or [count * n // parts for n in range(parts)]]
    precisions: tuple[Precision, ...] = ("half", "part", "quarter")
    return Closed(starts[place], [*starts, last][until + 1], precisions[parts - 2])
