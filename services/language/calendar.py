"""Periods of the calendar in UTC: half-open, each with the precision it was written with."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Literal

Precision = Literal["instant", "day", "week", "month", "quarter", "season", "half", "part", "year", "decade", "century"]

MONTHS_OF = {"month": 1, "quarter": 3, "season": 3, "half": 6, "year": 12, "decade": 120, "century": 1200}
DAYS_OF = {"day": 1, "week": 7, "fortnight": 14}


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

    def shifted(self, count: int) -> "Closed":
        """Return the period of the same unit `count` units later."""
        return Closed(add(self.first, count, self.precision), add(self.last, count, self.precision), self.precision)


def add(at: datetime, count: int, unit: str) -> datetime:
    """Return the instant `count` units after `at`; a month on from the 31st is the last day of a shorter month."""
    if unit in DAYS_OF:
        return at + timedelta(days=count * DAYS_OF[unit])
    year, month = divmod(count * MONTHS_OF[unit] + at.year * 12 + at.month - 1, 12)
    first = at.replace(year=year, month=month + 1, day=1)
    following = (first + timedelta(days=31)).replace(day=1)
    return first.replace(day=min(at.day, (following - timedelta(days=1)).day))


def day(year: int, month: int, number: int) -> Closed:
    """Return a day; raises ValueError where the calendar has none such."""
    first = datetime(year, month, number, tzinfo=UTC)
    return Closed(first, first + timedelta(days=1), "day")


def months(year: int, month: int, precision: Precision, count: int = 0) -> Closed:
    """Return the unit that starts with a month, or `count` months from it on."""
    first = datetime(year, month, 1, tzinfo=UTC)
    return Closed(first, add(first, count or MONTHS_OF[precision], "month"), precision)


def unit_at(at: datetime, unit: str) -> Closed:
    """Return the day, week (from Monday), month, quarter, year, decade or century that `at` is in."""
    today = day(at.year, at.month, at.day)
    if unit == "week":
        monday = today.first - timedelta(days=at.weekday())
        return Closed(monday, monday + timedelta(days=7), "week")
    if unit == "month":
        return months(at.year, at.month, "month")
    if unit == "quarter":
        return months(at.year, (at.month - 1) // 3 * 3 + 1, "quarter")
    if unit == "year":
        return months(at.year, 1, "year")
    if unit == "decade":
        return months(at.year // 10 * 10, 1, "decade")
    return months((at.year - 1) // 100 * 100 + 1, 1, "century") if unit == "century" else today


def ends_of(period: Closed) -> tuple[Closed, ...]:
    """Return the first and the last unit of a period that is longer than one: of 3 to 6 June the 3rd and the 6th."""
    unit = period.precision
    if unit not in ("day", "month", "year", "century") or period.last <= add(period.first, 1, unit):
        return (period,)
    return unit_at(period.first, unit), unit_at(period.last - timedelta(microseconds=1), unit)


def edge(period: Closed, at_end: bool) -> Closed:
    """Return the first or last day of a period."""
    at = period.last - timedelta(days=1) if at_end else period.first
    return Closed(at, at + timedelta(days=1), "day", period)


def third(period: Closed, place: int) -> Closed:
    """Return the first, second or last third (0 to 2): of a month by days 10 and 20, of a year by four months."""
    first = period.first
    years = period.last.year - first.year
    if period.precision in ("decade", "century"):
        cuts = [0, 3, 7, 10] if years == 10 else [0, 33, 66, 100]
        ends = [add(first, cut, "year") for cut in cuts]
    elif period.precision in ("month", "week", "day"):
        ends = [first, first + timedelta(days=10), first + timedelta(days=20), period.last]
    else:
        count = (years * 12 + period.last.month - first.month) // 3
        ends = [add(first, count * n, "month") for n in range(3)] + [period.last]
    return replace(period, first=ends[place], last=ends[place + 1], precision="part")
