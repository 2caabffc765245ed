"""Instants, and the one rule of time: what was true at T, as the graph knew it at K.

This is the reference. The mirror's SQL macro (`services/mirror/rule.sql`) and each database's Cypher fragment
(`services/graph/`) say the same thing, and property tests hold them to this module.
"""

import functools
import re
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from typing import Literal

from dateutil import parser as dateutil_parser

from services.core.errors import BadInput
from services.core.models import Fact, Instants

EARLIEST = datetime.min.replace(tzinfo=UTC)
LATEST = datetime.max.replace(tzinfo=UTC)

_YEAR_OR_MONTH = re.compile(r"(\d{4})(?:-(\d{1,2}))?")
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
        raise BadInput(f"“{text}” is not a date.", "Write it as 2018-06-27 or 2018-06-27T14:30:00Z.") from error


@functools.lru_cache(maxsize=4096)
def _parse_words(text: str) -> datetime:
    """Dates in words. Read three ways, so that a part nobody wrote and an ambiguous "03/04/2019" are noticed."""
    if not re.search(r"\d{4}", text) or text.isdigit():
        raise ValueError("no year")
    parsed = dateutil_parser.parse(text, default=_LEFT_OUT, tzinfos=_zone)
    no_year = dateutil_parser.parse(text, default=datetime(2, 1, 1), tzinfos=_zone) != parsed
    year_first = re.match(r"\d{4}", text)
    day_first = dateutil_parser.parse(text, default=_LEFT_OUT, tzinfos=_zone, dayfirst=not year_first)
    if no_year or day_first != parsed:
        raise ValueError("no year" if no_year else "day and month could be either way round")
    return parsed


def precision(text: str) -> Literal["year", "month", "day", "time"]:
    """What an instant that `parse_instant` reads was named to: "2015-03" and "March 2015" name a month."""
    text = text.strip()
    if named := _YEAR_OR_MONTH.fullmatch(text):
        return "month" if named[2] else "year"
    first, other = (_filled_up(text, left_out) for left_out in (_LEFT_OUT, datetime(1, 2, 2, 1, 1)))
    if first.month != other.month:
        return "year"
    if first.day != other.day:
        return "month"
    return "day" if first.hour != other.hour else "time"


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


def recorded(fact: Fact, known_at: datetime) -> bool:
    """True when the graph held this record at `known_at`; a missing `created_at` counts as always."""
    return (fact.created_at is None or fact.created_at <= known_at) and (
        fact.withdrawn_at is None or fact.withdrawn_at > known_at
    )


def end(fact: Fact, known_at: datetime) -> datetime | None:
    """When the fact stops being true, as believed at `known_at`; None while no end is known."""
    if fact.expired_at is None:
        return fact.invalid_at
    if fact.expired_at <= known_at:
        return fact.invalid_at or fact.expired_at
    return fact.believed_invalid_at


def true_at(fact: Fact, at: Instants) -> bool:
    """True when the fact holds at `at.as_of` as known at `at.known_at`; one without a start never does."""
    return fact.valid_at is not None and fact.valid_at <= at.as_of and _open(fact, at)


def undated(fact: Fact, at: Instants) -> bool:
    """True when the fact is recorded and not ended, but nobody knows when it began."""
    return fact.valid_at is None and _open(fact, at)


def _open(fact: Fact, at: Instants) -> bool:
    if not recorded(fact, at.known_at):
        return False
    stop = end(fact, at.known_at)
    return stop is None or stop > at.as_of


def as_known(fact: Fact, known_at: datetime) -> Fact:
    """The fact as the graph showed it at `known_at`: its end as believed then, and nothing that was learned later."""
    learned_end = fact.expired_at is not None and fact.expired_at <= known_at
    return replace(
        fact,
        invalid_at=end(fact, known_at),
        expired_at=fact.expired_at if learned_end else None,
        believed_invalid_at=fact.believed_invalid_at if learned_end else None,
        ended_by=fact.ended_by if learned_end or fact.expired_at is None else None,
        withdrawn_at=fact.withdrawn_at if fact.withdrawn_at and fact.withdrawn_at <= known_at else None,
    )
