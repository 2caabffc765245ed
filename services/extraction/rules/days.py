"""The single dates of English prose: whole and partial days, quarters, seasons of a year, feasts, and what is told from
the day of the text ("last Friday", "two years ago") or from the date told before ("two years later", "that autumn").

A year is read as its first day, a month as its first: how precise a date was is not kept. A decade is none.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from services.language.numbers import COUNT, number

MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_FEASTS = {
    "new year": (1, 1),
    "new year's day": (1, 1),
    "new year's eve": (12, 31),
    "christmas": (12, 25),
    "christmas day": (12, 25),
    "christmas eve": (12, 24),
    "boxing day": (12, 26),
}

_MONTH = (
    r"(?P<month>January|February|March|April|May|June|July|August|September|October|November|December|"
    r"(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
)
FULL_YEAR = r"(?:1[0-9]\d\d|20\d\d)"
_YEAR = rf"(?P<year>{FULL_YEAR})(?![\d%]|\.\d|s\b|-\d)"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b"
_TO_DAY = r"(?:[–-][0-3]?\d\b)?"
"""The last of some days of one month, "10–12 May", of which the first is read."""
_WEEKDAY = r"(?P<weekday>Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b"
_COUNT = rf"(?P<count>{COUNT})"
_SEASON = r"(?P<season>spring|summer|autumn|fall|winter)"
_OF_DAY = (
    r"(?:(?:early |late |mid-?)?(?:morning|afternoon|evening|night)|week|month|quarter|year|(?:Mon|Tues|"
    r"Wednes|Thurs|Fri|Satur|Sun)day)\b"
)
_PERIOD = r"(?P<period>day|week|month|year|spring|summer|autumn|winter)\b"

_VALUES: tuple[tuple[str, str], ...] = (
    ("iso", r"(?<![\d.])(?P<year>[12]\d{3})-(?P<number>[01]\d)-(?P<day>[0-3]\d)(?:[T ]\d\d:\d\d\S*)?(?!\d)"),
    ("iso", r"(?<![\d.-])(?P<year>[12]\d{3})-(?P<number>0[1-9]|1[0-2])(?![\d-])"),
    ("iso", r"(?<![\d.])(?P<day>[0-3]?\d)\.(?P<number>[01]?\d)\.(?P<year>[12]\d{3})(?!\d)"),
    ("slashed", r"(?<![\d./])(?P<one>[0-3]?\d)/(?P<other>[0-3]?\d)/(?P<year>[12]\d{3})(?![\d/])"),
    ("short", rf"\b{_MONTH} ?['’](?P<short>\d\d)\b"),
    ("short_year", r"(?<=\b[Ii]n )['’](?P<short>\d\d)\b"),
    ("last", rf"\bthe last day of {_MONTH}(?: {_YEAR})?"),
    ("named", rf"\b{_DAY}{_TO_DAY}[ -](?:of )?{_MONTH},?(?:[ -]{_YEAR})?"),
    ("named", rf"\b{_MONTH} {_DAY}{_TO_DAY},? {_YEAR}"),
    ("named", rf"\b{_MONTH},? (?:of )?{_YEAR}"),
    ("named", rf"\b{_MONTH} {_DAY}(?![\d:.]\d)"),
    ("feast", rf"\b(?P<feast>New Year(?:['’]s (?:Day|Eve))?|Christmas(?: Day| Eve)?|Boxing Day)\b(?:,? {_YEAR})?"),
    ("season", rf"\b{_SEASON}(?: of)? {_YEAR}"),
    ("quarter", rf"\bQ(?P<quarter>[1-4])[ /,-]*(?:of )?{_YEAR}"),
    ("quarter", rf"\b{_YEAR}[ -]?Q(?P<quarter>[1-4])\b"),
    ("quarter", rf"\b(?:the )?(?P<nth>first|second|third|fourth) quarter of {_YEAR}"),
    ("quarter", r"\bQ(?P<quarter>[1-4])\b"),
    ("half", rf"\bH(?P<half>[12])[ /,-]*{_YEAR}"),
    ("iso", r"(?<![\d./-])(?P<number>0?[1-9]|1[0-2])/(?P<year>[12]\d{3})(?![\d/])"),
    ("ago", rf"\b{_COUNT} (?P<unit>day|week|month|year)s? ago\b"),
    ("later", rf"\b{_COUNT} (?P<unit>day|week|month|year)s? (?P<way>later|on\b|after that|earlier|before that)"),
    ("next", rf"\bthe (?P<way>following|next) {_PERIOD}"),
    ("same", rf"\b(?:the same|that(?: same| very)?) {_PERIOD}"),
    ("then", r"(?<=\bever )since\b(?=\s*(?:[.,;)]|$))|(?<=\bsince )then\b|(?<=\buntil )then\b|(?<=\bfrom )then\b"),
    ("of_text", r"\bthe (?P<edge>end|start|beginning|middle) of (?P<which>the|this|next|last) (?P<of>month|year)\b"),
    ("relative", rf"\b(?P<which>last|past|this|next|earlier this|later this) (?:(?P<of>{_OF_DAY})|{_SEASON}|{_MONTH})"),
    ("relative", r"(?<=\bfrom )(?P<adverb>now)(?= on\b)"),
    ("relative", r"\b(?P<adverb>yesterday|today|tonight|tomorrow|the day before yesterday)\b"),
    ("day", r"\bthe (?P<day>[1-3]?\d)(?:st|nd|rd|th)\b(?! [a-z])"),
    ("weekday", rf"(?<!every )(?<!each )(?<!other )\b{_WEEKDAY}(?! (?:to|through) (?:\w+day)\b)(?!,? {_DAY})"),
    ("month", rf"\b{_MONTH}(?! \d)"),
    ("year", rf"(?<![\d.,$€£#/-])\b{_YEAR}"),
    ("year", rf"(?<![\d.,$€£#/-])\b(?P<year>{FULL_YEAR})(?=-(?:1[3-9]|[2-9]\d|{FULL_YEAR})\b(?!-))"),
    ("year", rf"(?<=\b\d{{4}}-)(?P<year>{FULL_YEAR})\b(?!-)"),
)
_WITHOUT_YEAR = ("last", "named", "feast", "quarter", "weekday", "day", "month")
"""Kinds that may leave out the year, which then is the nearest."""
_LOWER = ("ago", "later", "next", "same", "then", "of_text", "relative", "season")
_PATTERNS = tuple((kind, re.compile(pattern, re.IGNORECASE if kind in _LOWER else 0)) for kind, pattern in _VALUES)

Days = tuple[date, date]
"""The last such day up to the day of the text, and the next one from then on; twice the same where the year is told."""


@dataclass(frozen=True, slots=True)
class Value:
    """A date from `start` to `end` in a text, in characters: as a past one and as a coming one.

    `needs_preposition`: without "in" before it, it may be a number or a name. `is_then` refers back to another date.
    """

    start: int
    end: int
    back: datetime
    ahead: datetime
    needs_preposition: bool = False
    has_year: bool = True
    is_then: bool = False


def values(text: str, reference: datetime, before: datetime | None = None) -> Iterator[Value]:
    """The dates of a text in order, without overlaps. `before` is the date that was told last before the text."""
    taken: list[tuple[int, int]] = []
    found: list[tuple[str, re.Match[str]]] = []
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            if kind in _BACK or _read(kind, match, reference, before) is not None:
                taken.append(match.span())
                found.append((kind, match))
    for kind, match in sorted(found, key=lambda one: one[1].start()):
        value = _read(kind, match, reference, before)
        if value is not None:
            before = value.back
            yield value


def _read(kind: str, match: re.Match[str], reference: datetime, before: datetime | None) -> Value | None:
    try:
        if kind in _BACK:
            both = _BACK[kind](match, before.date()) if before is not None else None
        else:
            both = _READERS[kind](match, reference.date())
    except (ValueError, OverflowError):
        return None
    if both is None:
        return None
    back, ahead = (datetime(day.year, day.month, day.day, tzinfo=UTC) for day in both)
    return Value(
        match.start(),
        match.end(),
        back,
        ahead,
        needs_preposition=kind in ("month", "year"),
        has_year=bool(match.groupdict().get("year")) or kind not in _WITHOUT_YEAR,
        is_then=kind in _BACK,
    )


def _twice(day: date) -> Days:
    return day, day


def _iso(match: re.Match[str], _: date) -> Days:
    parts = match.groupdict()
    return _twice(date(int(parts["year"]), int(parts["number"]), int(parts.get("day") or 1)))


def _slashed(match: re.Match[str], today: date) -> Days:
    """ "12/08/2024": the day stands first, unless it is none, or one after the text's own where the other is not."""
    year, one, other = (int(match[name]) for name in ("year", "one", "other"))
    if other > 12:
        return _twice(date(year, one, other))
    british = date(year, other, one)
    american = date(year, one, other) if one <= 12 else british
    return _twice(american if american <= today < british else british)


def _named(match: re.Match[str], today: date) -> Days:
    parts = match.groupdict()
    month = _month_number(parts["month"])
    day = int(parts.get("day") or 1)
    if parts.get("year"):
        return _twice(date(int(parts["year"]), month, day))
    return _around(lambda year: date(year, month, day), today)


def _last(match: re.Match[str], today: date) -> Days:
    """ "the last day of May"."""
    month = _month_number(match["month"])
    named = [int(match["year"])] * 2 if match["year"] else [day.year for day in _month(match, today)]
    back, ahead = (_shifted(date(year, month, 1), "month", 1) - timedelta(days=1) for year in named)
    return back, ahead


def _month(match: re.Match[str], today: date) -> Days:
    """A month that is not over is the coming one as well."""
    number = _month_number(match["month"])
    this = date(today.year, number, 1)
    return (
        this if number <= today.month else date(today.year - 1, number, 1),
        this if number >= today.month else date(today.year + 1, number, 1),
    )


def _feast(match: re.Match[str], today: date) -> Days:
    month, day = _FEASTS[match["feast"].lower().replace("’", "'")]
    if match["year"]:
        return _twice(date(int(match["year"]), month, day))
    return _around(lambda year: date(year, month, day), today)


def _around(of_year: Callable[[int], date], today: date) -> Days:
    """The last one and the next; 29 February is not in each year."""
    near = [day for step in range(-8, 9) if (day := _day_of(of_year, today.year + step)) is not None]
    return max(day for day in near if day <= today), min(day for day in near if day >= today)


def _day_of(of_year: Callable[[int], date], year: int) -> date | None:
    try:
        return of_year(year)
    except ValueError:
        return None


def _month_number(name: str) -> int:
    return next(n for n, month in enumerate(MONTHS, start=1) if month.startswith(name.lower().rstrip(".")[:3]))


def _short(match: re.Match[str], today: date) -> Days:
    """ "Feb '24": the year of this century or the last that is nearest."""
    year = 2000 + int(match["short"])
    return _twice(date(year if year <= today.year + 10 else year - 100, _month_number(match["month"]), 1))


def _short_year(match: re.Match[str], today: date) -> Days:
    """ "in '91"."""
    year = today.year // 100 * 100 + int(match["short"])
    return _twice(date(year if year <= today.year else year - 100, 1, 1))


def _day(match: re.Match[str], today: date) -> Days:
    """ "the 21st": of this month, or of the one before or after."""
    named = int(match["day"])
    months = [_shifted(today, "month", step) for step in (-2, -1, 0, 1, 2)]
    days = [month.replace(day=named) for month in months if _has_day(month, named)]
    return max(day for day in days if day <= today), min(day for day in days if day >= today)


def _has_day(month: date, day: int) -> bool:
    return 1 <= day <= (_shifted(month, "month", 1) - timedelta(days=1)).day


def _quarter(match: re.Match[str], today: date) -> Days:
    parts = match.groupdict()
    number = int(parts.get("quarter") or 0) or _QUARTERS[parts["nth"].lower()]
    if not parts.get("year"):
        return _around(lambda year: date(year, 3 * number - 2, 1), today)
    return _twice(date(int(parts["year"]), 3 * number - 2, 1))


def _half(match: re.Match[str], _: date) -> Days:
    return _twice(date(int(match["year"]), 1 if match["half"] == "1" else 7, 1))


def _year(match: re.Match[str], _: date) -> Days:
    return _twice(date(int(match["year"]), 1, 1))


def _count(match: re.Match[str]) -> int:
    return int(number(match["count"]))


def _ago(match: re.Match[str], today: date) -> Days:
    return _twice(_shifted(today, match["unit"].lower(), -_count(match)))


def _shifted(today: date, unit: str, count: int) -> date:
    """As precise as the unit: years ago is a year, months ago a month, weeks and days ago a day."""
    if unit == "year":
        return date(today.year + count, 1, 1)
    if unit == "month":
        months = today.year * 12 + today.month - 1 + count
        return date(months // 12, months % 12 + 1, 1)
    return today + timedelta(days=count * (7 if unit == "week" else 1))


def _relative(match: re.Match[str], today: date) -> Days | None:
    parts = match.groupdict()
    if adverb := (parts.get("adverb") or "").lower():
        days = {"yesterday": -1, "tomorrow": 1, "the day before yesterday": -2}.get(adverb, 0)
        return _twice(today + timedelta(days=days))
    which, of = parts["which"].lower(), (parts["of"] or "").lower()
    step = {"last": -1, "past": -1, "next": 1}.get(which, 0)
    if of in ("month", "year", "week"):
        return None if which.endswith("this") and of == "week" else _twice(_shifted(today, of, step))
    if of.endswith(("morning", "afternoon", "evening", "night")):
        return _twice(today + timedelta(days=step))
    if of in _DAYS:
        back, ahead = _near(today, _DAYS.index(of))
        back = back - timedelta(days=7) if back == today and step < 0 else back
        return _twice(ahead if step > 0 else back)
    if parts["month"]:
        number = _month_number(parts["month"])
        back, ahead = _around(lambda year: date(year, number, 1), today)
        return _twice(date(today.year, number, 1) if step == 0 else ahead if step > 0 else back)
    return _twice(_of_season(parts["season"].lower(), step, today)) if parts["season"] else None


def _of_season(season: str, step: int, today: date) -> date:
    """The year of "last autumn": this one's, where it is over by now or has not come, or the one before or after."""
    begun = _SEASONS[season] <= today.month
    year = today.year - (1 if step < 0 and not (begun and today.month > _SEASONS[season] + 2) else 0)
    return date(year + (1 if step > 0 and begun else 0), 1, 1)


def _of_text(match: re.Match[str], today: date) -> Days | None:
    """ "at the end of the month": that month. Of a year only its start and its end are dates."""
    step = {"next": 1, "last": -1}.get(match["which"].lower(), 0)
    if match["of"].lower() == "month":
        return _twice(_shifted(today, "month", step))
    ends = {"start": (1, 1), "beginning": (1, 1), "end": (12, 31)}.get(match["edge"].lower())
    return _twice(date(today.year + step, *ends)) if ends else None


def _weekday(match: re.Match[str], today: date) -> Days:
    return _near(today, next(n for n, day in enumerate(_DAYS) if day.startswith(match["weekday"].lower())))


def _near(today: date, weekday: int) -> Days:
    """The last such day up to today, and the next one after it."""
    back = (today.weekday() - weekday) % 7
    ahead = (weekday - today.weekday()) % 7 or 7
    return today - timedelta(days=back), today + timedelta(days=ahead)


def _later(match: re.Match[str], then: date) -> Days:
    """ "two years later", "three days earlier"."""
    sign = -1 if match["way"].lower() in ("earlier", "before that") else 1
    return _twice(_shifted(then, match["unit"].lower(), sign * _count(match)))


def _next(match: re.Match[str], then: date) -> Days:
    period = match["period"].lower()
    return _twice(_shifted(then, "year" if period in _SEASONS else period, 1))


def _same(match: re.Match[str], then: date) -> Days:
    """ "that autumn": the year of the date before; "the same day" is that date."""
    period = match["period"].lower()
    if period in ("day", "week"):
        return _twice(then)
    return _twice(then.replace(day=1) if period == "month" else date(then.year, 1, 1))


def _then(_: re.Match[str], then: date) -> Days:
    return _twice(then)


_READERS: dict[str, Callable[[re.Match[str], date], Days | None]] = {
    "iso": _iso,
    "slashed": _slashed,
    "last": _last,
    "named": _named,
    "month": _month,
    "feast": _feast,
    "season": _year,
    "quarter": _quarter,
    "half": _half,
    "year": _year,
    "ago": _ago,
    "relative": _relative,
    "of_text": _of_text,
    "weekday": _weekday,
    "short": _short,
    "short_year": _short_year,
    "day": _day,
}
_BACK: dict[str, Callable[[re.Match[str], date], Days]] = {
    "later": _later,
    "next": _next,
    "same": _same,
    "then": _then,
}
"""What is told from another date of the text."""
