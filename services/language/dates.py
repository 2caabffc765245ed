"""Dates in English text: one grammar for questions, checks and extraction."""

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Literal

from services.language.calendar import Closed, Period, add, ends_of, unit_at
from services.language.clock_times import with_time
from services.language.date_modifiers import change_before, counted_from
from services.language.date_phrases import rules
from services.language.date_readers import Ambiguous, Reader, speaks_of_future
from services.language.date_words import AMOUNT, NTH, SEASON, SHORT_WEEKDAY, UNIT, D, M, unit_of, words_before

Bound = Literal["", "before", "after", "since", "until"]
_NOTHING = Closed(datetime.min.replace(tzinfo=UTC), datetime.min.replace(tzinfo=UTC), "day")
_LABEL = re.compile(
    r"(?:\b(?:version|chapters?|model|score|sections?|room|issue|error|ports?|parts?|pages?|no\.|number|pp?\.|vol\.|volume"
    r"|articles?|art\.|order|invoice|account|ticket|case|bug|ids?|serial|iso|iec|ieee|din|en|rfc|directive|regulation|law"
    r"|decree|resolution|act|flight|gate|lines?|lot|bus|route|form|rev\.?|build|release|clauses?|rule|items?|table|figure"
    r"|fig\.|patent|reference|code|extension|ext\.|suite|apartment|box|zip|postcode|pin|password|highway|platform|channel"
    r"|level|type|size|opus|psalm|novel|film|movie|song|album|asteroid|bytes?|rows?|user|fax|dial|phone|tel\.|range"
    r"|(?:population|total|sum|crowd|fleet|staff|workforce|audience|capacity|garrison|army|loan|height|length|distance"
    r"|depth|weight)\s+of)\s+(?:\d[\d.]*\s*(?:-|–|/|\bto\b|\band\b|\bor\b)\s*)?|\+\d[\d ()-]*)$",
    re.I,
)
"""Words before a number that only numbers something: "version 2019" does, "version 2019-05-01" is as of a day."""

_WRITTEN_OUT = re.compile(r"\d{4}-\d\d-\d\d$|.*[^\W\d]{3}")


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date at `start` to `end` of a text and the time it names, with the word that bounds it applied.

    `named` is what its words name before that: one period, or the first and the last of a range.
    `readings` are those of a date without a year: the last one and the coming one.
    `problem` says why the date cannot be read; `period` then means nothing.
    """

    start: int
    end: int
    period: Period
    bound: Bound = ""
    named: tuple[Closed, ...] = ()
    readings: tuple[Closed, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    closed: Closed
    readings: tuple[Closed, ...] = ()
    problem: str = ""
    ends: tuple[Closed, ...] = ()


def dates_in(text: str, reference: datetime | None) -> list[DateMention]:
    """Return the dates of a text in order, none over another; relative ones count from `reference` (UTC).

    A date without a year is the last one, or the coming one where the text speaks of the future. Without a reference
    neither is read.
    """
    settled = [_timed(text, one) for one in _settled(text, reference)]
    return [_bounded(text, one) for one in _ranges(text, settled, reference)]


def _singles(text: str, reference: datetime | None) -> list[_Found]:
    found: list[_Found] = []
    at = reference or _NOTHING.first
    taken = bytearray(len(text))
    for pattern, read in rules(text, is_dated=reference is not None):
        for match in pattern.finditer(text):
            start, end = match.span("date")
            if any(taken[start:end]):
                continue
            taken[start:end] = b"\1" * (end - start)
            is_label = _LABEL.search(words_before(text, start)) and not _WRITTEN_OUT.match(match["date"])
            if not is_label and (one := _read(text, read, match, at)):
                found.append(one)
    return found


def _read(text: str, read: Reader, match: re.Match[str], reference: datetime) -> _Found | None:
    start, end = match.span("date")
    try:
        value = read(match, reference)
    except Ambiguous as error:
        return _Found(start, end, _NOTHING, problem=str(error))
    except (ValueError, OverflowError, IndexError):
        return _Found(start, end, _NOTHING, problem=f"There is no such day as “{match['date']}”.")
    if isinstance(value, tuple):
        return _Found(start, end, value[speaks_of_future(text, start)], value)
    return _Found(start, end, value) if value else None


_REFERRING = (
    rf"\b{AMOUNT}\s+(?P<way>later|earlier|after\s+that|before\s+that)\b",
    rf"\bthe\s+(?P<way>following|preceding|next|previous)\s+{UNIT}\b",
    rf"\bthe\s+{UNIT}\s+(?P<way>before|after)(?=\s*[.,;:)]|\s*$)",
    rf"\b(?:that|the\s+same)\s+{UNIT}\b(?P<way>)",
    rf"\b(?P<edge>end|start|beginning|close|middle|(?:first|second|third|last)\s+(?:half|quarter))\s+of\s+the\s+(?!day){UNIT}\b(?P<way>)(?!\s+\d|-[a-z])",
)
_THEN = re.compile(r"\b(?:since|from|until|till|before|after)\s+(?P<then>then)\b", re.I)
_FINER = {"month": ("instant", "day", "month"), "day": ("instant", "day"), "week": ("instant", "day", "week")}


def _settled(text: str, reference: datetime | None) -> list[_Found]:
    """Return the dates with what stands before them applied, and those that count from the date before them."""
    patterns = _REFERRING if re.search(UNIT, text, re.I) else ()
    referring = [match for pattern in patterns for match in re.finditer(pattern, text, re.I)]
    referring += _THEN.finditer(text)
    places: list[tuple[int, _Found | re.Match[str]]] = [(match.start(), match) for match in referring]
    places += [(one.start, one) for one in _singles(text, reference)]
    settled: list[_Found] = []
    for start, one in sorted(places, key=lambda place: place[0]):
        if settled and start < settled[-1].end:
            continue
        with suppress(ValueError, OverflowError, IndexError):
            found = one if isinstance(one, _Found) else _referred(one, settled[-1] if settled else None, reference)
            if found:
                found = _changed(text, found)
                while settled and settled[-1].end > found.start:
                    settled.pop()
                settled.append(found)
    return settled


def _referred(match: re.Match[str], earlier: _Found | None, reference: datetime | None) -> _Found | None:
    """Return what "two years later" or "the following month" names after a date that is as fine as the unit."""
    if "then" in match.groupdict():
        return _Found(*match.span("then"), earlier.closed) if earlier and not earlier.problem else None
    unit, way, is_edge = unit_of(match), match["way"], "edge" in match.groupdict()
    start, end = match.span("unit") if is_edge else match.span()
    if earlier and not earlier.problem and earlier.closed.precision in _FINER.get(unit, (earlier.closed.precision,)):
        at = max(earlier.closed.first, earlier.closed.last - timedelta(microseconds=1))
        on = Closed(unit_at(at, "day").first, earlier.closed.last, "day")
        return _Found(start, end, counted_from(on, match) if way else unit_at(at, unit))
    return _Found(start, end, unit_at(reference, unit)) if is_edge and reference else None


def _changed(text: str, one: _Found) -> _Found:
    """Apply the words right before a date: "the end of", "early", "two weeks after"."""
    while not one.problem and (change := change_before(text, one.start)):
        start, apply = change
        closed, *readings = map(apply, (one.closed, *one.readings))
        if not closed:
            break
        one = _Found(start, one.end, closed, tuple(reading for reading in readings if reading))
    return one


def _timed(text: str, one: _Found) -> _Found:
    is_day = one.closed.precision == "day" and not one.problem
    timed = with_time(text, one.start, one.end, one.closed.first) if is_day else None
    return _Found(timed[0], timed[1], Closed(timed[2], timed[3], "instant")) if timed else one


_JOIN = (
    r"\s*(?:-{1,2}|–|—|/|\.\.+|,?\s*\b(?:up\s+)?(?:to|until|till)\b|\b(?:right\s+)?through(?:\s+to)?\b|\bthru\b|\band\b|&)\s*"
    r"(?:the\s+)?"
)
_JOINED = re.compile(_JOIN, re.I)
_HEAD = re.sub(r"\?P<\w+>", "?:", rf"(?:{D}|{M}|{SEASON}|{NTH}|{SHORT_WEEKDAY}|[qh][1-4])\.?")
_BORROWING = re.compile(rf"(?<![\w/.#$€£+'’-])(?:{_HEAD}[ -])?(?P<one>{_HEAD})(?P<join>{_JOIN})$", re.I)


def _ranges(text: str, found: list[_Found], reference: datetime | None) -> list[_Found]:
    """Join the dates that are the two ends of a range, end included."""
    joined: list[_Found] = []
    for one in found:
        borrowing = _borrowing(text, one, reference)
        if borrowing:
            joined = [*(other for other in joined if other.end <= borrowing.start), borrowing]
        before = joined[-1] if joined else None
        if before and (last := _range_end(text, before, one)):
            whole = Closed(before.closed.first, last.last, before.closed.precision)
            joined[-1] = _Found(before.start, one.end, whole, ends=(before.closed, last))
        elif not before or one.start >= before.end:
            joined.append(one)
    return joined


def _range_end(text: str, first: _Found, last: _Found) -> Closed | None:
    """Return the end of a range whose ends these two dates are; "and" needs "between" or neighbours."""
    between = text[first.end : last.start]
    if first.problem or last.problem or not _JOINED.fullmatch(between):
        return None
    end = last.readings[-1] if last.readings and last.closed.last <= first.closed.first else last.closed
    is_list = re.search(r"and|&", between, re.I) and first.closed.last != end.first
    if is_list and not re.search(r"\bbetween\s+(?:the\s+)?$", words_before(text, first.start), re.I):
        return None
    return end if first.closed.first < end.last else None


def _borrowing(text: str, one: _Found, reference: datetime | None) -> _Found | None:
    """Return the date that stands before another and takes its month or year from it: the "3" of "3 to 5 May 2019"."""
    match = _BORROWING.search(text, max(one.start - 40, 0), one.start)
    if not match or one.problem or _LABEL.search(words_before(text, match.start())):
        return None
    tails = [text[one.start + gap.start() : one.end] for gap in re.finditer(r"\s", text[one.start : one.end])]
    for start, tail in product(sorted({match.start(), match.start("one")}), tails):
        words = text[start : match.end("one")] + tail
        for other in _settled(words, reference):
            if (other.start, other.end, other.closed.precision) == (0, len(words), one.closed.precision):
                return _Found(start, match.end("one"), _before(other, one.closed))
    return None


def _before(one: _Found, later: Closed) -> Closed:
    """Return the last reading of a date without a year, or whose year another gives, that starts before that other."""
    ways = [one.closed, *one.readings]
    ways += [Closed(add(way.first, -1, "year"), add(way.last, -1, "year"), way.precision) for way in ways]
    before = [way for way in ways if way.first <= later.first]
    return max(before, key=lambda way: way.first) if before else one.closed


_BOUNDS: dict[Bound, str] = {
    "since": r"(?:not|no|never)\s+(?:before|earlier\s+than)|on\s+or\s+after|since|as\s+from|with\s+effect\s+from"
    r"|(?:starting|beginning|commencing|effective)(?:\s+(?:from|on|in|as\s+of))?",
    "until": r"(?:not?|never)\s+(?:after|later\s+than)|on\s+or\s+before|(?:up\s+)?(?:until|till?)|by"
    r"|up\s+to(?:\s+and\s+including)?|through|thru",
    "before": r"before|prior\s+to|earlier\s+than|preceding|ahead\s+of|pre",
    "after": r"after|later\s+than|following|subsequent\s+to|post|beyond|past",
}
_BOUND_BEFORE = re.compile(
    rf"\b(?:{'|'.join(f'(?P<{bound}>{words})' for bound, words in _BOUNDS.items())})[\s-]+(?:the\s+)?(?:year\s+)?$",
    re.I,
)
_SINCE_AFTER = re.compile(
    r",?\s+(?:onwards?\b|or\s+(?:later|after|beyond)\b|and\s+(?:later|after|beyond)(?=\s*(?:[.,;:?!)]|$)))"
    r"|\s*(?:[-–—]|\bto\b|\buntil\b|\btill\b)\s*(?:(?:the\s+)?(?:present|now|date)\b|\))",
    re.I,
)
_UNTIL_AFTER = re.compile(r",?\s+(?:or|and(?=\s+\w+\s*(?:[.,;:?!)]|$)))\s+(?:before|earlier)\b(?!\s+\d)", re.I)
_FROM = re.compile(r"\bfrom\s+(?:the\s+)?(?:year\s+)?$", re.I)
_ON = re.compile(r",?\s+on\b(?!\s+\w+day)", re.I)


def _bounded(text: str, one: _Found) -> DateMention:
    before = words_before(text, one.start)
    led = _BOUND_BEFORE.search(before)
    bound: Bound = led.lastgroup if led else ""  # type: ignore[assignment]
    if not bound and (_SINCE_AFTER.match(text, one.end) or (_FROM.search(before) and _ON.match(text, one.end))):
        bound = "since"
    elif not bound and _UNTIL_AFTER.match(text, one.end):
        bound = "until"
    named = one.ends or ends_of(one.closed)
    return DateMention(one.start, one.end, _opened(one.closed, bound), bound, named, one.readings, one.problem)


def _opened(closed: Closed, bound: Bound) -> Period:
    first, last = closed.first, closed.last
    ends = {"before": (None, first), "after": (last, None), "since": (first, None), "until": (None, last)}
    return Period(*ends.get(bound, (first, last)), closed.precision)
