"""Instants as people read them.

An instant at midnight UTC is a date without a time: everybody sees that date. Any other one is shown in the viewer's
time zone.
"""

from datetime import UTC, date, datetime, time, tzinfo
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from services.core import date_wording
from services.core.models import Fact, Precision
from services.core.precision import period_of
from services.core.wording import counted

_CHOICES: tuple[Precision, ...] = ("day", "month", "year")
FIRST, LAST = date(1, 1, 1), date(9990, 12, 31)
"""The days that a field of a date offers; by itself it would offer ten years on either side.

The calendar of the field never ends where it may go on to the last year that it knows, 9999.
"""


def zone() -> tzinfo:
    """The viewer's time zone; UTC where the browser does not say."""
    name = st.context.timezone
    try:
        return ZoneInfo(name) if name else UTC
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def split(value: datetime) -> tuple[date, time | None]:
    """The date and time to show for an instant; no time where it is a date alone."""
    utc = value.astimezone(UTC)
    if utc.time() == time():
        return utc.date(), None
    try:
        local = utc.astimezone(zone())
    except OverflowError:
        local = utc
    return local.date(), local.time()


def today() -> date:
    """The viewer's day of today."""
    return datetime.now(zone()).date()


def shown(value: datetime | None, precision: Precision = "instant") -> date | None:
    """The day of an instant for a field of a date, of a year or month the first; the last that it offers if later."""
    if value is None:
        return None
    return min(split(value if precision == "instant" else period_of(value, precision)[0])[0], LAST)


def join(day: date, at: time | None) -> datetime:
    """The instant that a viewer means: a date alone is the start of that day in UTC, a time is in the viewer's zone."""
    if at is None:
        return datetime.combine(day, time(), UTC)
    try:
        return datetime.combine(day, at, zone()).astimezone(UTC)
    except OverflowError:
        return datetime.combine(day, at, UTC)


def field(label: str, *value: date | None, key: str, place: Any = st, **more: Any) -> None:
    """Draw the field of a date; without a `value` it shows what the session has under its key."""
    place.date_input(label, *value, key=key, format="YYYY-MM-DD", min_value=FIRST, max_value=LAST, **more)


def instant_of(day: date | None, before: datetime | None) -> datetime | None:
    """The instant that a field says: the start of its day, or `before`, with its time, where the day was left alone."""
    if day is None:
        return None
    return before if shown(before) == day else join(day, None)


def precision_field(label: str, precision: Precision = "day", *, key: str, place: Any = st, **more: Any) -> None:
    """Draw the choice of how a date is known: to the day, the month or the year."""
    place.selectbox(label, _CHOICES, _CHOICES.index(_chosen(precision)), key=key, **more)


def _chosen(precision: Precision) -> Precision:
    return precision if precision in _CHOICES else "day"


def given(
    day: date | None, chosen: Precision | None, before: datetime | None = None, was: Precision = "instant"
) -> tuple[datetime | None, Precision]:
    """The instant and precision that two fields say, or those of `before`, where both were left alone."""
    if day is None:
        return None, "instant"
    chosen = chosen or _chosen(was)
    if shown(before, was) == day and chosen == _chosen(was):
        return before, was
    return period_of(join(day, None), chosen)[0], chosen


def day(value: datetime | None, missing: str = "") -> str:
    """The date of an instant: `2018-06-27`."""
    return missing if value is None else split(value)[0].isoformat()


def moment(value: datetime) -> str:
    """The date, and the time where there is one: `2018-06-27 14:30` or `2018-06-27 14:30:05`."""
    date_part, time_part = split(value)
    if time_part is None:
        return date_part.isoformat()
    return f"{date_part.isoformat()} {time_part:%H:%M:%S}".removesuffix(":00")


def named(asked: datetime | None, meant: datetime) -> str:
    """An instant of the view: as it was asked for, or the day alone where "now" was meant."""
    return moment(asked) if asked else day(meant)


def short(value: datetime) -> str:
    """An instant as one types it: the date alone when it is the start of its day in UTC, else ISO 8601 in UTC."""
    utc = value.astimezone(UTC)
    return utc.date().isoformat() if utc.time() == time() else utc.isoformat().replace("+00:00", "Z")


def seconds_in_utc(value: datetime) -> str:
    """The instant spelled in UTC: `2018-06-27 14:30:05Z`."""
    utc = value.astimezone(UTC)
    return f"{utc.date().isoformat()} {utc:%H:%M:%S}Z"


def span(start: datetime | None, stop: datetime | None) -> str:
    """A half-open span: `2015-05-22 → now`."""
    return f"{day(start, 'undated')} → {day(stop, 'now')}"


def written(value: datetime | None, precision: Precision, missing: str = "") -> str:
    """The date of an instant, as exactly as it is known: `June 2017`."""
    return missing if value is None else date_wording.dated(value, precision, day)


def sortable(value: datetime | None, precision: Precision) -> str:
    """The date of an instant as exactly as it is known, in a spelling that sorts by time: `1974`, `2017-06`."""
    if value is None or precision == "instant":
        return day(value)
    return date_wording.day(value)[: {"year": 4, "month": 7, "day": 10}[precision]]


def fact_span(fact: Fact) -> str:
    """When a fact holds, as exactly as that is known: `1974 → June 2017`, `undated`."""
    return date_wording.span(fact, day)


def fact_start(fact: Fact, missing: str = "undated") -> str:
    """When a fact began, as exactly as that is known: `1974`."""
    return date_wording.start(fact, day, missing)


def fact_stop(fact: Fact, missing: str = "now") -> str:
    """When a fact ended, as exactly as that is known: `June 2017`, `ended, date unknown (before 23 November 2026)`."""
    return date_wording.stop(fact, day, missing)


def fact_begins(fact: Fact) -> str:
    """The start of a fact with its preposition: `in 1974`."""
    return date_wording.on(fact.valid_at, fact.valid_at_precision, day) if fact.valid_at else "undated"


def fact_date(fact: Fact, at: datetime | None) -> str:
    """The date at which a fact began or ended, as exactly as that is known."""
    return date_wording.of(fact, at, day)


def lag(start: datetime | None, later: datetime | None) -> str:
    """Say how much later something was recorded: `same day`, `1 day`, `101 days`; "" when either is unknown."""
    if start is None or later is None:
        return ""
    days = (later - start).days
    if days < 0:
        return f"{counted(-days, 'day')} early"
    return "same day" if days == 0 else "1 day" if days == 1 else f"{days:,} days"


def on_axis(value: datetime) -> str:
    """The instant as Plotly reads it; charts are in UTC."""
    return value.astimezone(UTC).isoformat().replace("+00:00", "")
