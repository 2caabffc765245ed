"""Instants: now, read from any spelling, and spelled in the one that sorts."""

import functools
import re
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo

from dateutil import parser as dateutil_parser

from services.core.errors import BadInput
from services.core.models import Precision

EARLIEST = datetime.min.replace(tzinfo=UTC)
LATEST = datetime.max.replace(tzinfo=UTC)

_YEAR_OR_MONTH = re.compile(r"(\d{4})(?:-(\d{1,2}))?")
_DAY_OR_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:$|([T ]\d))")
_LONGEST_MONTH = len("2015-03")
_LEFT_OUT = datetime(1, 1, 1)


def now() -> datetime:
    """The current instant in UTC."""
    return datetime.now(UTC)


def instant(value: datetime | date) -> datetime:
    """`value` as an aware instant in UTC; a date is the start of its day, a naive time is taken as UTC."""
    if not isinstance(value, datetime):
        value = datetime.combine(value, time())
    if value.tzinfo is UTC:
        return value
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def parse_instant(text: str) -> datetime:
    """Read an instant in any spelling that people and databases write: ISO 8601, "2015", "2015-03", "22 May 2015".

    Parts that are left out are their first value, so a date is the start of its day in UTC.
    Raises `BadInput` when the text is no date, or one that names no day ("10:30", "Friday").
    """
    text = text.strip()
    try:
        if len(text) <= _LONGEST_MONTH and (named := _YEAR_OR_MONTH.fullmatch(text)):
            return datetime(int(named[1]), int(named[2] or 1), 1, tzinfo=UTC)
        try:
            return instant(datetime.fromisoformat(text))
        except ValueError:
            return instant(_parse_words(text))
    except (ValueError, OverflowError) as error:
        raise BadInput(
            f"“{text}” is not a valid date.", "Write a date as 2018-06-27 or 2018-06-27T14:30:00Z."
        ) from error


@functools.lru_cache(maxsize=4096)
def _parse_words(text: str) -> datetime:
    """Dates in words. Read three ways, so that a part nobody wrote and an ambiguous "03/04/2019" are noticed.

    A year before Christ is none that could be kept, and one before 100 would be taken for one of this century.
    """
    if not re.search(r"\d{4}", text) or text.isdigit() or text.startswith("-"):
        raise ValueError("no year")
    parsed = dateutil_parser.parse(text, default=_LEFT_OUT, tzinfos=_zone)
    if f"{parsed.year:04}" not in text:
        raise ValueError("no year")
    no_year = dateutil_parser.parse(text, default=datetime(2, 1, 1), tzinfos=_zone) != parsed
    year_first = re.match(r"\d{4}", text)
    day_first = dateutil_parser.parse(text, default=_LEFT_OUT, tzinfos=_zone, dayfirst=not year_first)
    if no_year or day_first != parsed:
        raise ValueError("no year" if no_year else "day and month are ambiguous")
    return parsed


def precision(text: str) -> Precision:
    """What an instant that `parse_instant` reads was named to: "2015-03" and "March 2015" name a month."""
    text = text.strip()
    if named := _YEAR_OR_MONTH.fullmatch(text):
        return "month" if named[2] else "year"
    if named := _DAY_OR_TIME.match(text):
        return "instant" if named[1] else "day"
    first, other = (_filled_up(text, left_out) for left_out in (_LEFT_OUT, datetime(1, 2, 2, 1, 1)))
    if first.month != other.month:
        return "year"
    if first.day != other.day:
        return "month"
    return "day" if first.hour != other.hour else "instant"


def _filled_up(text: str, left_out: datetime) -> datetime:
    return dateutil_parser.parse(text, default=left_out, tzinfos=_zone)


def _zone(name: str | None, offset: int | None) -> tzinfo | None:
    """Offsets and UTC alone: "EST" or "IST" is several zones, and dateutil would take it for UTC."""
    if offset is None and name is not None:
        raise ValueError("an abbreviated time zone")
    return None if offset is None else timezone(timedelta(seconds=offset))


def spell(value: datetime) -> str:
    """The one spelling of an instant that sorts as text in time order: ISO 8601 in UTC, as Graphiti writes it."""
    return _spelled(instant(value))


@functools.lru_cache(maxsize=131_072)
def _spelled(value: datetime) -> str:
    """Of an instant in UTC. Kept, since an import spells a date several times: for a fact's uuid, and to store it.

    Only in UTC: in a zone whose clocks go back, two instants an hour apart are equal and have the same hash.
    """
    return value.isoformat()
