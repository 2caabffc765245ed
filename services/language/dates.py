"""Dates in English text: one grammar for questions, checks and extraction."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Literal

from services.language.calendar import Closed, Period, add, ends_of, months, nth_weekday, unit_at
from services.language.clock_times import with_time
from services.language.date_modifiers import change_before, counted_from
from services.language.date_phrases import rules
from services.language.date_readers import YEARLESS, Ambiguous, Reader, in_year, speaks_of_future
from services.language.date_words import (
    AMOUNT,
    CAPITAL,
    FEAST,
    NTH,
    SEASON,
    SEASONS,
    SHORT_WEEKDAY,
    UNIT,
    WEEKDAY,
    D,
    M,
    unit_of,
    weekday_number,
    words_before,
)
from services.language.left_out_years import SpokenYears, left_out_years, near

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

_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
_WRITTEN_OUT = re.compile(r"\d{4}-\d\d-\d\d$|.*[^\W\d]{3}")


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date at `start` to `end` of a text and the time it names, with the word that bounds it applied.

    `named` is what its words name before that: one period, or the first and the last of a range.
    `readings` are those of a date without a year: the last one and the coming one.
    `problem` says why the date cannot be read; `period` then means nothing. `is_assumed` says that its year is only
    the last that the text has before it.
    """

    start: int
    end: int
    period: Period
    bound: Bound = ""
    named: tuple[Closed, ...] = ()
    readings: tuple[Closed, ...] = ()
    problem: str = ""
    is_assumed: bool = False


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    closed: Closed
    readings: tuple[Closed, ...] = ()
    problem: str = ""
    ends: tuple[Closed, ...] = ()
    is_assumed: bool = False


def dates_in(text: str, reference: datetime | None, *, is_prose: bool = False) -> list[DateMention]:
    """Return the dates of a text in order, none over another; relative ones count from `reference` (UTC).

    A date without a year is the last one, or the coming one where the text speaks of the future. Without a reference
    neither is read. In prose a date without a year has the year that the text speaks of, if it does.
    """
    settled = [_timed(text, one) for one in _settled(text, reference, is_prose=is_prose)]
    return [_bounded(text, one) for one in _ranges(text, settled, reference)]


def _singles(text: str, reference: datetime | None, *, is_prose: bool) -> list[_Found]:
    found: list[_Found] = []
    years: SpokenYears | None = None
    taken = bytearray(len(text))
    for pattern, read in rules(text, is_dated=reference is not None, has_years=is_prose):
        if is_prose and not years and read in YEARLESS:
            years = _years_of(text, found, reference)
        for match in pattern.finditer(text):
            start, end = match.span("date")
            if any(taken[start:end]):
                continue
            taken[start:end] = b"\1" * (end - start)
            is_label = _LABEL.search(text, max(start - 40, 0), start) and not _WRITTEN_OUT.match(match["date"])
            if not is_label and (one := _read(text, read, match, reference, years)):
                found.append(one)
    return _in_one_century(text, found)


def _years_of(text: str, found: Sequence[_Found], reference: datetime | None) -> SpokenYears:
    dates = [(one.end, one.closed) for one in found if not one.problem and _YEAR.search(text, one.start, one.end)]
    return left_out_years(text, dates, is_dated=reference is not None)


def _in_one_century(text: str, found: Sequence[_Found]) -> list[_Found]:
    """Return the dates with each "'61" in the century of the years that the text has in full, where all are older."""
    full = [one.closed.first.year for one in found if not one.problem and _YEAR.search(text, one.start, one.end)]
    if not full or max(full) >= 1900:
        return list(found)
    back = 100 * (max(full) // 100 - 19)
    return [
        replace(one, closed=months(one.closed.first.year + back, 1, "year"))
        if re.fullmatch(r"['’]\d\d", text[one.start : one.end])
        else one
        for one in found
    ]


def _read(
    text: str, read: Reader, match: re.Match[str], reference: datetime | None, years: SpokenYears | None
) -> _Found | None:
    start, end = match.span("date")
    try:
        spoken = years.before(match) if years and read in YEARLESS else None
        if spoken and (closed := near(match, read, spoken.near)):
            is_earlier = closed.last <= spoken.near.first  # few texts go back
            return _Found(start, end, closed, is_assumed=not spoken.is_sure or is_earlier)
        value = None if read in YEARLESS and not reference else read(match, reference or _NOTHING.first)
    except Ambiguous as error:
        return _Found(start, end, _NOTHING, problem=str(error))
    except (ValueError, OverflowError, IndexError):
        return _Found(start, end, _NOTHING, problem=f"The day “{match['date']}” does not exist.")
    if isinstance(value, tuple):
        return _Found(start, end, value[speaks_of_future(text, start)], value)
    return _Found(start, end, value) if value else None


_REFERRING = (
    rf"\b{AMOUNT}\s+(?P<way>later|earlier|after\s+that|before\s+that)\b",
    rf"\bthe\s+(?P<way>following|preceding|next|previous)\s+{UNIT}\b",
    rf"\bthe\s+{UNIT}\s+(?P<way>before|after)(?=\s*[.,;:)]|\s*$)",
    rf"\b(?:that|the\s+same)\s+{UNIT}\b(?P<way>)",
    rf"\b(?P<again>the\s+following|the\s+same|that)\s+(?:{CAPITAL}(?:{M}|{WEEKDAY})|{SEASON}|{FEAST})\b(?!\s+\d)",
    rf"\b(?P<edge>end|start|beginning|close|middle|(?:first|second|third|last)\s+(?:half|quarter))\s+of\s+the\s+(?!day){UNIT}\b(?P<way>)(?!\s+\d|-[a-z])",
)
_MAY_REFER = re.compile(rf"(?i:{UNIT})|\b(?:following|that|same)\s+(?:[A-Z]|{'|'.join(SEASONS)})")
_THEN = re.compile(r"\b(?:since|from|until|till|before|after)\s+(?P<then>then)\b", re.I)
_FINER = {"month": ("instant", "day", "month"), "day": ("instant", "day"), "week": ("instant", "day", "week")}


def _settled(text: str, reference: datetime | None, *, is_prose: bool = False) -> list[_Found]:
    """Return the dates with what stands before them applied, and those that count from the date before them."""
    patterns = _REFERRING if _MAY_REFER.search(text) else ()
    referring = [match for pattern in patterns for match in re.finditer(pattern, text, re.I)]
    referring += _THEN.finditer(text)
    places: list[tuple[int, _Found | re.Match[str]]] = [(match.start(), match) for match in referring]
    places += [(one.start, one) for one in _singles(text, reference, is_prose=is_prose)]
    settled: list[_Found] = []
    for start, one in sorted(places, key=lambda place: place[0]):
        if settled and start < settled[-1].end:
            continue
        with suppress(ValueError, OverflowError, IndexError):
            found = one if isinstance(one, _Found) else _referred(one, _earlier(text, settled, start), reference)
            if found:
                found = _changed(text, found)
                while settled and settled[-1].end > found.start:
                    settled.pop()
                settled.append(found)
    return settled


def _earlier(text: str, settled: Sequence[_Found], start: int) -> _Found | None:
    """Return the date that one at `start` refers to: of "1 September of that year" the one before it."""
    is_part = settled and re.fullmatch(r"\s+(?:of|in)\s+", text[settled[-1].end : start])
    return next(iter(settled[-2:-1] if is_part else settled[-1:]), None)


def _recurring(match: re.Match[str], earlier: Closed) -> Closed:
    """Return "the following May" or "that autumn"."""
    is_following = match["again"].lower().endswith("following")
    if match["weekday"]:
        return nth_weekday(Closed(earlier.last, earlier.last, "day"), weekday_number(match["weekday"]), 1)
    one = in_year(match, earlier.first.year)
    return in_year(match, earlier.first.year + 1) if is_following and one.first < earlier.last else one


def _referred(match: re.Match[str], earlier: _Found | None, reference: datetime | None) -> _Found | None:
    """Return what "two years later" or "the following month" names after a date that is as fine as the unit."""
    if "then" in match.groupdict():
        return _Found(*match.span("then"), earlier.closed) if earlier and not earlier.problem else None
    if "again" in match.groupdict():
        is_fine = earlier and not earlier.problem and earlier.closed.precision not in ("decade", "century")
        return _Found(*match.span(), _recurring(match, earlier.closed)) if earlier and is_fine else None
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
        one = replace(one, start=start, closed=closed, readings=tuple(reading for reading in readings if reading))
    return one


def _timed(text: str, one: _Found) -> _Found:
    is_day = one.closed.precision == "day" and not one.problem
    timed = with_time(text, one.start, one.end, one.closed.first) if is_day else None
    if timed is None:
        return one
    return replace(one, start=timed[0], end=timed[1], closed=Closed(timed[2], timed[3], "instant"), readings=())


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
            is_assumed = before.is_assumed or one.is_assumed
            joined[-1] = _Found(before.start, one.end, whole, ends=(before.closed, last), is_assumed=is_assumed)
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
    if not match or one.problem or _LABEL.search(text, max(match.start() - 40, 0), match.start()):
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
    period = _opened(one.closed, bound)
    return DateMention(one.start, one.end, period, bound, named, one.readings, one.problem, one.is_assumed)


def _opened(closed: Closed, bound: Bound) -> Period:
    first, last = closed.first, closed.last
    ends = {"before": (None, first), "after": (last, None), "since": (first, None), "until": (None, last)}
    return Period(*ends.get(bound, (first, last)), closed.precision)
