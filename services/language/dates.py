"""Dates in English text: one grammar for questions, checks and extraction."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from services.language.calendar import Closed, Period, add, edge, ends_of, third, unit_at
from services.language.date_clues import rules
from services.language.date_phrases import UNIT, Ambiguous, Reader, speaks_of_future, words_before
from services.language.numbers import COUNT, number

Bound = Literal["", "before", "after", "since", "until"]
_NOTHING = Closed(datetime.min.replace(tzinfo=UTC), datetime.min.replace(tzinfo=UTC), "day")
_LABEL = re.compile(
    r"\b(?:version|chapter|model|score|section|room|issue|error|port|part|page|no\.|number|population\s+of)\s+$",
    re.I,
)
"""Words before a number that make it no date."""
_WRITTEN_OUT = re.compile(r"\d{4}-\d\d-\d\d$|.*[^\W\d]{3}")


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date at `start` to `end` of a text and the time it names, with the word that bounds it applied.

    `named` is what its words name before that: one period, or the first and the last of a range.
    `coming` is the other reading of a date without a year or weekday: the next one instead of the last one.
    `problem` says why the date cannot be read; `period` then means nothing.
    """

    start: int
    end: int
    period: Period
    bound: Bound = ""
    named: tuple[Closed, ...] = ()
    coming: Period | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    closed: Closed
    coming: Closed | None = None
    problem: str = ""
    ends: tuple[Closed, ...] = ()


def dates_in(text: str, reference: datetime | None) -> list[DateMention]:
    """Return the dates of a text in order, none over another; relative ones count from `reference` (UTC).

    A date without a year is the last one, or the coming one where the text speaks of the future. Without a reference
    neither is read.
    """
    found = _ranges(text, _with_times(text, _referring(text, _modified(text, _singles(text, reference)))))
    return [mention for one in found for mention in _bounded(text, one)]


def _singles(text: str, reference: datetime | None) -> list[_Found]:
    found: list[_Found] = []
    at = reference or _NOTHING.first
    taken = bytearray(len(text))
    for pattern, read in rules(text, is_dated=reference is not None):
        for match in pattern.finditer(text):
            start, end = match.span("date")
            if any(taken[start:end]) or _is_label(match):
                continue
            taken[start:end] = b"\1" * (end - start)
            found += _read(text, read, match, at)
    return sorted(found, key=lambda one: one.start)


def _is_label(match: re.Match[str]) -> bool:
    """Say whether a number only numbers something: "version 2019" does, "version 2019-05-01" is as of a day."""
    labelled = _LABEL.search(words_before(match.string, match.start("date")))
    return bool(labelled) and not _WRITTEN_OUT.match(match["date"])


def _read(text: str, read: Reader, match: re.Match[str], reference: datetime) -> Iterator[_Found]:
    start, end = match.span("date")
    try:
        value = read(match, reference)
    except Ambiguous as error:
        yield _Found(start, end, _NOTHING, problem=str(error))
    except (ValueError, OverflowError):
        yield _Found(start, end, _NOTHING, problem=f"There is no such day as “{match['date']}”.")
    else:
        if isinstance(value, tuple):
            future = speaks_of_future(text, start) or re.search(r"\bby\s+$", words_before(text, start), re.I)
            yield _Found(start, end, value[1] if future else value[0], value[1])
        elif value:
            yield _Found(start, end, value)


_EDGE = re.compile(
    r"(?:the\s+)?(?P<edge>start|beginning|end|close|(?:first|last)\s+day)\s+of\s+(?:the\s+)?(?:year\s+)?$", re.I
)
_PART = re.compile(r"(?P<part>early|mid|middle\s+of|late)(?:[\s-]+(?:the\s+)?)$", re.I)
_OFFSET = re.compile(
    rf"(?:(?P<n>{COUNT})|the)\s+{UNIT}s?\s+(?P<way>before|after|following|from|prior\s+to)\s+(?:the\s+)?$", re.I
)


def _modified(text: str, found: list[_Found]) -> list[_Found]:
    return [one if one.problem else _modify(text, one) for one in found]


def _modify(text: str, one: _Found) -> _Found:
    """Apply the words right before a date: "the end of", "early", "two weeks after"."""
    before, closed = max(one.start - 80, 0), one.closed
    if match := _EDGE.search(text, before, one.start):
        return _modify(
            text,
            _Found(
                match.start(), one.end, edge(closed, match["edge"].lower() not in ("start", "beginning", "first day"))
            ),
        )
    if match := _PART.search(text, before, one.start):
        place = {"e": 0, "m": 1, "l": 2}[match["part"][0].lower()]
        return _modify(text, _Found(match.start(), one.end, third(closed, place)))
    match = _OFFSET.search(text, before, one.start)
    if match and (match["way"].lower() != "from" or closed.precision == "day"):
        return _Found(match.start(), one.end, _offset(closed, match))
    return one


def _offset(closed: Closed, match: re.Match[str]) -> Closed:
    earlier = match["way"].lower().startswith(("before", "prior", "earlier", "preceding"))
    count = int(number(match["n"] or "a")) * (-1 if earlier else 1)
    unit = match["unit"].lower()
    return unit_at(add(closed.first, count, unit), unit if unit in ("month", "year", "decade") else "day")


_REFERRING = (
    re.compile(rf"\b(?P<n>{COUNT})\s+{UNIT}s?\s+(?P<way>later|earlier|after\s+that|before\s+that)\b", re.I),
    re.compile(rf"\bthe\s+(?P<n>)(?P<way>following|preceding)\s+{UNIT}\b", re.I),
)
_FINER = {"month": ("instant", "day", "month"), "day": ("instant", "day"), "week": ("instant", "day")}


def _referring(text: str, found: list[_Found]) -> list[_Found]:
    """Add the dates that count from the one before them in the text: "two years later", "the following month"."""
    every = list(found)
    for match in sorted((m for p in _REFERRING for m in p.finditer(text)), key=lambda m: m.start()):
        earlier = [one for one in every if one.start < match.end()]
        if earlier and earlier[-1].end <= match.start() and not earlier[-1].problem:
            since, unit = earlier[-1].closed, match["unit"].lower()
            if unit in ("year", "decade") or since.precision in _FINER.get(unit, ()):
                end = max(since.first, since.last - timedelta(microseconds=1))
                on = _offset(Closed(unit_at(end, "day").first, since.last, "day"), match)
                every = sorted([*every, _Found(*match.span(), on)], key=lambda one: one.start)
    return every


_ZONES = {"z": 0, "utc": 0, "gmt": 0, "cet": 60, "cest": 120, "bst": 60, "est": -300, "edt": -240, "cst": -360}
_ZONES |= {"cdt": -300, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420}
_ZONE = r"(?:\s*(?P<zone>[+-]\d\d:?\d\d|" + "|".join(_ZONES) + r")\b)?"
_CLOCK = (
    rf"(?:(?P<noon>noon|midday|midnight)\b|"
    rf"(?P<h>\d{{1,2}})(?::(?P<mi>\d\d)(?::(?P<s>\d\d)(?:\.\d+)?)?)?(?:\s*(?P<pm>[ap]\.?m\b\.?))?){_ZONE}"
)
_TIME_AFTER = re.compile(rf"\s*,?\s*(?:at\s+)?{_CLOCK}", re.I)
_TIME_BEFORE = re.compile(rf"\b(?:at\s+)?{_CLOCK}(?:\s+on)?\s+(?:the\s+)?$", re.I)
_TIMES_BEFORE = re.compile(rf"(?:from\s+)?(?P<from>\d{{1,2}}:\d\d)\s*(?:to|-|–|until)\s*{_CLOCK}(?:\s+on)?\s+$", re.I)


def _with_times(text: str, found: list[_Found]) -> list[_Found]:
    return [_timed(text, one) if one.closed.precision == "day" and not one.problem else one for one in found]


def _timed(text: str, one: _Found) -> _Found:
    before = max(one.start - 80, 0)
    if (match := _TIMES_BEFORE.search(text, before, one.start)) and (last := _clock(match, one.closed.first)):
        hours, minutes = match["from"].split(":")
        end = one.closed.first + timedelta(hours=int(match["h"]), minutes=int(match["mi"] or 0))
        first = last - end + one.closed.first + timedelta(hours=int(hours), minutes=int(minutes))
        return _Found(match.start(), one.end, Closed(first, last, "instant"))
    if (match := _TIME_BEFORE.search(text, before, one.start)) and (at := _clock(match, one.closed.first)):
        return _Found(match.start(), one.end, Closed(at, at, "instant"))
    if (match := _TIME_AFTER.match(text, one.end)) and (at := _clock(match, one.closed.first)):
        return _Found(one.start, match.end(), Closed(at, at, "instant"))
    return one


def _clock(match: re.Match[str], midnight: datetime) -> datetime | None:
    """Return the instant in UTC that a time of a day names; None for a number that is no time."""
    if match["noon"]:
        return midnight + timedelta(hours=0 if match["noon"].lower() == "midnight" else 12)
    hour = int(match["h"])
    if (not match["mi"] and not match["pm"]) or hour > 23 or int(match["mi"] or 0) > 59:
        return None
    if match["pm"]:
        hour = hour % 12 + 12 * (match["pm"][0].lower() == "p")
    at = midnight + timedelta(hours=hour, minutes=int(match["mi"] or 0), seconds=int(match["s"] or 0))
    return at - timedelta(minutes=_zone((match["zone"] or "z").lower()))


def _zone(zone: str) -> int:
    minutes = int(zone[1:3]) * 60 + int(zone[-2:]) if zone[0] in "+-" else _ZONES[zone]
    return -minutes if zone[0] == "-" else minutes


_JOIN = re.compile(r"\s*(?:-|–|—|/|to|until|till|through|and)\s*(?:the\s+)?", re.I)


def _ranges(text: str, found: list[_Found]) -> list[_Found]:
    """Join the dates that are the two ends of a range, end included."""
    joined: list[_Found] = []
    for one in found:
        before = joined[-1] if joined else None
        if before and _is_range(text, before, one):
            whole = Closed(before.closed.first, one.closed.last, before.closed.precision)
            joined[-1] = _Found(before.start, one.end, whole, ends=(before.closed, one.closed))
        elif not before or one.start >= before.end:
            joined.append(one)
    return joined


def _is_range(text: str, first: _Found, last: _Found) -> bool:
    between = text[first.end : last.start]
    if first.problem or last.problem or not _JOIN.fullmatch(between) or first.closed.first >= last.closed.last:
        return False
    led = re.search(r"\bbetween\s+(?:the\s+)?$", words_before(text, first.start), re.I)
    return "and" not in between.lower() or bool(led)


_BOUNDS: dict[Bound, str] = {
    "before": r"before|prior\s+to|earlier\s+than|preceding|ahead\s+of",
    "after": r"after|later\s+than|following|subsequent\s+to|past",
    "since": r"since|starting(?:\s+from)?",
    "until": r"until|till?|by|up\s+to|up\s+until|no\s+later\s+than|through|thru",
}
_THE_YEAR = r"\s+(?:the\s+)?(?:year\s+)?"
_ONWARDS = re.compile(r",?\s+on(?:wards?)?\b(?!\s+\w+day)", re.I)


def _bounded(text: str, one: _Found) -> Iterator[DateMention]:
    before = words_before(text, one.start)
    led = (bound for bound, words in _BOUNDS.items() if re.search(rf"\b(?:{words}){_THE_YEAR}$", before, re.I))
    bound: Bound = next(led, "")
    if not bound and re.search(rf"\bfrom{_THE_YEAR}$", before, re.I) and _ONWARDS.match(text, one.end):
        bound = "since"
    coming = _opened(one.coming, bound) if one.coming else None
    named = one.ends or ends_of(one.closed)
    yield DateMention(one.start, one.end, _opened(one.closed, bound), bound, named, coming, one.problem)


def _opened(closed: Closed, bound: Bound) -> Period:
    first, last = closed.first, closed.last
    if bound == "before":
        return Period(None, first, closed.precision)
    if bound == "after":
        return Period(last, None, closed.precision)
    return Period(None if bound == "until" else first, None if bound == "since" else last, closed.precision)
