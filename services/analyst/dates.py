"""The dates in a question: a grammar of what people write, each as the stretch of time that it names, in UTC."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Literal

Grain = Literal["time", "day", "month", "quarter", "year", "decade", "part", "now"]
_SECOND = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Span:
    """A date at `start` to `end` of a text: from `first` to before `last`; an instant's `last` is its `first`.

    `problem` says why it can't be told which date is meant; `first` and `last` then mean nothing.
    """

    start: int
    end: int
    first: datetime
    last: datetime
    grain: Grain
    problem: str = ""

    @property
    def is_period(self) -> bool:
        """True for more than a day: what changes within it is of interest."""
        return self.grain not in ("time", "day", "now")


_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ),
        1,
    )
    for name in names.split()
}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": 4}
_NUMBERS = {
    w: n
    for n, w in enumerate(
        ["a", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], 0
    )
}
_NUMBERS |= {"a": 1, "an": 1, "couple of": 2, "few": 3}
_FEASTS = {
    "new year's day": (1, 1),
    "new year's eve": (12, 31),
    "new year": (1, 1),
    "christmas day": (12, 25),
    "christmas eve": (12, 24),
    "christmas": (12, 25),
    "valentine's day": (2, 14),
}

_NTH_DAYS = {
    word: number
    for number, word in enumerate(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
            "thirteenth",
            "fourteenth",
            "fifteenth",
            "sixteenth",
            "seventeenth",
            "eighteenth",
            "nineteenth",
            "twentieth",
        ],
        1,
    )
} | {"thirtieth": 30}
_NTH_DAYS |= {f"twenty{gap}{word}": 20 + n for word, n in list(_NTH_DAYS.items())[:9] for gap in "- "}
_NTH_DAYS |= {f"thirty{gap}first": 31 for gap in "- "}

_Y = r"(?P<y>1[4-9]\d\d|20\d\d|21\d\d)"
_MONTH = r"(?P<month>(?:" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\b)\.?"
_NAMED_DAY = "|".join(sorted(_NTH_DAYS, key=len, reverse=True))
_DAY = rf"(?P<d>[0-3]?\d(?:st|nd|rd|th)?|(?:{_NAMED_DAY})\b)"
_ZONE = r"(?:\s*(?P<zone>z\b|utc\b|gmt\b|[+-]\d\d:?\d\d))?"
_CLOCK = rf"(?P<h>[0-2]?\d):(?P<mi>[0-5]\d)(?::(?P<s>[0-5]\d)(?:\.(?P<us>\d{{1,6}}))?)?(?:\s*(?P<half>[ap]m\b))?{_ZONE}"
_HOUR = r"(?P<hour>1[0-2]|[1-9])\s*(?P<hour_half>[ap]m\b)|(?P<noon>noon\b|midday\b|midnight\b)"
_TIME = rf"(?:(?:\s*,?\s*(?:at|around)?\s+|t)(?:{_CLOCK}|{_HOUR}))?"
_LED = (
    r"(?:(?:at\s+)?(?:(?P<lnoon>noon|midday|midnight)"
    r"|(?P<lh>[0-2]?\d)(?::(?P<lmi>[0-5]\d))?\s*(?P<lhalf>[ap]m)?(?:\s+utc)?)"
    r"\s+(?:on|of)\s+(?:the\s+)?)?"
)
_WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+(?:the\s+)?)?"
_UNIT = r"(?P<unit>day|week|fortnight|month|quarter|year|decade)"
_N = r"(?P<n>\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:a\s+)?couple of|(?:a\s+)?few)"


def dates_in(text: str, now: datetime) -> list[Span]:
    """The dates of a text in order, none over another. What is told from today is told from `now`."""
    found: list[Span] = []
    taken = bytearray(len(text))
    for pattern, read in _RULES:
        for match in pattern.finditer(text):
            if any(taken[match.start() : match.end()]):
                continue
            taken[match.start() : match.end()] = b"\1" * (match.end() - match.start())
            found.append(replace(_read(read, match, now), start=match.start(), end=match.end()))
    return sorted(_narrowed(text, found), key=lambda span: span.start)


def _read(read: Callable[[re.Match[str], datetime], Span], match: re.Match[str], now: datetime) -> Span:
    try:
        return read(match, now)
    except (ValueError, OverflowError):
        return _unclear(f"There is no such day as “{match[0].strip()}”.")


def _span(first: datetime, last: datetime, grain: Grain) -> Span:
    return Span(0, 0, first, last, grain)


def _unclear(problem: str) -> Span:
    return Span(0, 0, datetime.min.replace(tzinfo=UTC), datetime.min.replace(tzinfo=UTC), "day", problem)


def _day(year: int, month: int, day: int) -> Span:
    first = datetime(year, month, day, tzinfo=UTC)
    return _span(first, first + timedelta(days=1), "day")


def _months(year: int, month: int, count: int, grain: Grain) -> Span:
    first = datetime(year, month, 1, tzinfo=UTC)
    return _span(first, add(first, count, "month"), grain)


def add(at: datetime, count: int, unit: str) -> datetime:
    """An instant so many units later, or earlier; a month on from the 31st is the last of a shorter month."""
    if unit in ("day", "week", "fortnight"):
        return at + timedelta(days=count * {"day": 1, "week": 7, "fortnight": 14}[unit])
    months = count * {"month": 1, "quarter": 3, "year": 12, "decade": 120}[unit] + at.year * 12 + at.month - 1
    year, month = divmod(months, 12)
    for day in range(at.day, 0, -1):
        try:
            return at.replace(year=year, month=month + 1, day=day)
        except ValueError:
            if day <= 28:
                raise
    return at


def number(text: str) -> int:
    """A number of one or two words: "3", "three", "a couple of"."""
    word = re.sub(r"^a\s+(?=couple|few)", "", text.lower())
    return int(word) if word.isdigit() else _NUMBERS[word]


def _full(match: re.Match[str], _: datetime) -> Span:
    """A day, with a time of it where one is given."""
    given = match.groupdict()
    month = _MONTHS[given["month"].lower()] if given.get("month") else int(given["m"])
    day = _day(int(given["y"]), month, _nth(given["d"]))
    if (seconds := _seconds(given)) is None:
        return day
    at = day.first + timedelta(seconds=seconds, microseconds=int((given.get("us") or "0").ljust(6, "0")))
    zone = (given.get("zone") or "z").lower()
    if zone[0] in "+-":
        minutes = int(zone[1:3]) * 60 + int(zone[-2:])
        at += timedelta(minutes=-minutes if zone[0] == "+" else minutes)
    return _span(at, at, "time")


def _nth(day: str) -> int:
    """The day of a month: "4", "4th", "fourth"."""
    return _NTH_DAYS.get(day.lower()) or int(re.sub(r"\D", "", day))


def _seconds(given: dict[str, str | None]) -> int | None:
    """The time of the day in seconds; None where only the day is given."""
    if noon := given.get("noon") or given.get("lnoon"):
        return 0 if noon.lower() == "midnight" else 43_200
    hour = given.get("h") or given.get("hour") or given.get("lh")
    half = given.get("half") or given.get("hour_half") or given.get("lhalf")
    if hour is None:
        return None
    hours = int(hour) % 12 + 12 * (half.lower() == "pm") if half else int(hour)
    if hours > 23:
        raise ValueError("no such hour")
    return hours * 3600 + int(given.get("mi") or given.get("lmi") or 0) * 60 + int(given.get("s") or 0)


def _numeric(match: re.Match[str], _: datetime) -> Span:
    """Day and month in figures: which is which is told only where one of them is more than 12, or both are alike."""
    one, two, year = int(match["one"]), int(match["two"]), int(match["y"])
    if one > 12 or one == two:
        return _day(year, two, one)
    if two > 12:
        return _day(year, one, two)
    return _unclear(
        f"“{match[0]}” can be read as two dates. Write it as {year}-{one:02}-{two:02} or {year}-{two:02}-{one:02}."
    )


def _relative(match: re.Match[str], now: datetime) -> Span:
    """ "Last year", "this month": whole ones of the calendar."""
    unit, which = match["unit"].lower(), match["which"].lower()
    shift = {"last": -1, "previous": -1, "past": -1, "this": 0, "current": 0, "next": 1, "coming": 1}[which]
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if unit in ("week", "fortnight"):
        monday = today - timedelta(days=today.weekday())
        first = add(monday, shift, unit)
        return _span(first, add(first, 1, unit), "part")
    start = {"month": today.month, "quarter": (today.month - 1) // 3 * 3 + 1}.get(unit, 1)
    year = today.year // 10 * 10 if unit == "decade" else today.year
    first = add(datetime(year, start, 1, tzinfo=UTC), shift, unit)
    return _span(first, add(first, 1, unit), "month" if unit == "month" else "year")


def _ago(match: re.Match[str], now: datetime) -> Span:
    at = add(now.replace(hour=0, minute=0, second=0, microsecond=0), -number(match["n"]), match["unit"].lower())
    return _span(at, at + timedelta(days=1), "day")


def _today(match: re.Match[str], now: datetime) -> Span:
    word = match[0].lower()
    if word in ("yesterday", "tomorrow"):
        today = now.replace(hour=0, minute=0, second=0, microsecond=0)
        return _day(*add(today, -1 if word == "yesterday" else 1, "day").timetuple()[:3])
    return _span(now, now, "now")


def _year(match: re.Match[str], _: datetime) -> Span:
    return _months(int(match["y"] or match["y2"]), 1, 12, "year")


def _feast(match: re.Match[str], _: datetime) -> Span:
    feast = match["feast"].lower().replace("’", "'")
    return _day(int(match["y"]), *_FEASTS[feast if feast in _FEASTS else feast.replace("years", "year's")])


def _month(match: re.Match[str], _: datetime) -> Span:
    given = match.groupdict()
    month = _MONTHS[given["month"].lower()] if given.get("month") else int(given["m"])
    return _months(int(given["y"]), month, 1, "month")


def _quarter(match: re.Match[str], _: datetime) -> Span:
    given = match.groupdict()
    which = given.get("q") or given.get("q2") or str(_ORDINALS[(given.get("nth") or "1st").lower()])
    return _months(int(given["y"] or given["y2"]), int(which) * 3 - 2, 3, "quarter")


def _half(match: re.Match[str], _: datetime) -> Span:
    which = match["q"] or str(_ORDINALS[match["nth"].lower()])
    return _months(int(match["y"]), int(which) * 6 - 5, 6, "part")


def _season(match: re.Match[str], _: datetime) -> Span:
    return _months(int(match["y"]), _SEASONS[match["season"].lower()], 3, "part")


def _decade(match: re.Match[str], _: datetime) -> Span:
    return _months(int(match["y"]) * 10, 1, 120, "decade")


def _no_year(match: re.Match[str], _: datetime) -> Span:
    return _unclear(f"“{match[0]}” of which year?")


_Rule = tuple[re.Pattern[str], Callable[[re.Match[str], datetime], Span]]


def _rule(pattern: str, read: Callable[[re.Match[str], datetime], Span]) -> _Rule:
    return re.compile(rf"(?<![\w/.-])(?:{pattern})(?![\w/]|[-.]\d)", re.IGNORECASE), read


_Y2 = _Y.replace("<y>", "<y2>")
_FEAST = "|".join(name.replace("'", "[’']?") for name in _FEASTS)
_NTH = "first|second|third|fourth|last|1st|2nd|3rd|4th"
_NOW = (
    "yesterday|today|tomorrow|now|right now|currently|at present|nowadays|these days|presently|as of now|to this day"
    r"|at the moment(?=\W*$|\s*[,?.])"
)
_AFTER_SMALL = "".join(
    f"(?<={word} )|"
    for word in ("in", "on", "since", "during", "by", "until", "before", "after", "from", "between", "and", "of")
)
_DAY_OF_MONTH = (
    rf"{_MONTH}(?:\s+{_DAY})?|{_DAY.replace('<d>', '<d2>')}\s+(?:of\s+)?{_MONTH.replace('<month>', '<month2>')}"
)
_ALONE = (
    rf"(?<![\w/.])(?<!\d\d-)(?<!\d-)(?:the\s+year\s+)?{_Y}(?![\w/]|[.]\d|-\d(?!\d{{3}}\b))"
    rf"|(?<=\b\d{{4}}[-–]){_Y2}(?![\w/]|[-.]\d)"
)
"""A year by itself, or either end of "2010-2014"."""

_RULES: tuple[_Rule, ...] = (
    _rule(rf"{_LED}{_WEEKDAY}(?P<y>\d{{4}})(?P<sep>[-/.])(?P<m>[01]?\d)(?P=sep)(?P<d>[0-3]?\d){_TIME}", _full),
    _rule(
        rf"{_LED}{_WEEKDAY}{_DAY}(?:\s+(?:day\s+)?of\s+|[\s/-]+|\.\s*){_MONTH}(?:,?\s+|[-/])(?:of\s+)?{_Y}{_TIME}",
        _full,
    ),
    _rule(rf"{_LED}{_WEEKDAY}{_MONTH}\s*(?:the\s+)?{_DAY}(?:\s*,\s*|\s+)(?:of\s+)?{_Y}{_TIME}", _full),
    _rule(rf"{_LED}{_WEEKDAY}{_Y}[,\s]+{_MONTH}\s+{_DAY}{_TIME}", _full),
    _rule(rf"(?P<one>[0-3]?\d)(?P<sep>[-/.])(?P<two>[0-3]?\d)(?P=sep){_Y}", _numeric),
    _rule(rf"(?P<feast>{_FEAST})(?:\s+of|,)?\s+{_Y}", _feast),
    _rule(rf"{_MONTH}(?:\s+of|,|-)?\s*{_Y}", _month),
    _rule(rf"{_Y}-(?P<m>0[1-9]|1[0-2])", _month),
    _rule(rf"(?P<m>0?[1-9]|1[0-2])/{_Y}", _month),
    _rule(rf"q(?P<q>[1-4])(?:\s+of|,|/|-)?\s*{_Y}|{_Y2}[\s-]?q(?P<q2>[1-4])", _quarter),
    _rule(rf"(?:the\s+)?(?P<nth>{_NTH})\s+quarter\s+(?:of\s+)?{_Y}(?P<y2>)", _quarter),
    _rule(rf"(?:the\s+)?(?:h(?P<q>[12])|(?P<nth>first|second|1st|2nd)\s+half)\s+(?:of\s+)?{_Y}", _half),
    _rule(rf"(?:the\s+)?(?P<season>{'|'.join(_SEASONS)})(?:\s+of|,)?\s+{_Y}", _season),
    _rule(r"(?:the\s+)?(?P<y>1[4-9]\d|20\d|21\d)0['’]?s", _decade),
    (re.compile(_ALONE, re.IGNORECASE), _year),
    _rule(rf"(?P<which>last|previous|past|this|current|next|coming)\s+(?!day){_UNIT}", _relative),
    _rule(rf"{_N}\s+{_UNIT}s?\s+(?:ago|earlier than now|back)", _ago),
    _rule(_NOW, _today),
    _rule(rf"(?:{_AFTER_SMALL}(?<=to ))(?:{_DAY_OF_MONTH})(?!\s*\d)", _no_year),
)

_PART = re.compile(
    r"""(?P<part>(?:the\s+)?(?:very\s+)?
    (?:start|beginning|outset|end|close|middle|first\s+day|last\s+day|turn)\s+of(?:\s+the)?(?:\s+year)?
    |(?:the\s+)?(?:early|mid|middle|late)(?:\s+in)?(?:\s+the)?|year[-\ ]end|end)[\s-]+$""",
    re.IGNORECASE | re.VERBOSE,
)
_OFFSET = re.compile(
    rf"(?:(?:exactly|about)\s+)?(?:{_N}|the)\s+{_UNIT}s?\s+"
    r"(?P<way>before|after|prior to|following|later than|from)\s+$",
    re.IGNORECASE,
)


def _narrowed(text: str, found: list[Span]) -> Iterator[Span]:
    """Dates with what stands before them: "the end of", "early", "two weeks after"."""
    for span in found:
        before = text[: span.start]
        if not span.problem and (part := _PART.search(before)):
            yield replace(_part_of(span, part["part"].lower()), start=part.start(), end=span.end)
        elif not span.problem and (offset := _OFFSET.search(before)):
            yield _offset(span, offset)
        else:
            yield span


def _part_of(span: Span, part: str) -> Span:
    """The start or end of a period is an instant; "early", "mid" and "late" are a third of it."""
    if span.last <= span.first:
        return span
    if re.search(r"start|beginning|outset|first|turn", part):
        return replace(span, last=span.first + timedelta(days=1), grain="day")
    if "last day" in part:
        return replace(span, first=span.last - timedelta(days=1), grain="day")
    if re.search(r"end|close", part):
        return replace(span, first=span.last - _SECOND, last=span.last - _SECOND, grain="time")
    return _third(span, 0 if "early" in part else 2 if "late" in part else 1)


def _third(span: Span, place: int) -> Span:
    """The first, second or last third of a period: whole months of a longer one, else ten days."""
    months = (span.last.year - span.first.year) * 12 + span.last.month - span.first.month
    if months >= 3:
        ends = [add(span.first, months // 3 * n, "month") for n in (place, place + 1)]
    else:
        days = (0, 10, 20, (span.last - span.first).days)
        ends = [span.first + timedelta(days=days[n]) for n in (place, place + 1)]
    return replace(span, first=ends[0], last=ends[1], grain="part")


def _offset(span: Span, offset: re.Match[str]) -> Span:
    count = 1 if offset["n"] is None else number(offset["n"])
    earlier = offset["way"].lower() in ("before", "prior to")
    at = add(span.first, -count if earlier else count, offset["unit"].lower())
    return Span(offset.start(), span.end, at, at + timedelta(days=1), "day")
