"""The phrases that name a date in English, each with how it is read."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from services.language.calendar import Closed, Precision, add, day, months, unit_at
from services.language.numbers import COUNT, ORDINALS, number, ordinal

MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_TENS = ("twent", "thirt", "fort", "fift", "sixt", "sevent", "eight", "ninet")
_DECADES = {f"{word}ies": n for n, word in enumerate(_TENS, 2)}
_FEASTS = {
    "new year's day": (1, 1),
    "new year's eve": (12, 31),
    "valentine's day": (2, 14),
    "st patrick's day": (3, 17),
    "april fools' day": (4, 1),
    "fourth of july": (7, 4),
    "independence day": (7, 4),
    "bastille day": (7, 14),
    "halloween": (10, 31),
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "christmas": (12, 25),
    "boxing day": (12, 26),
}


Reader = Callable[[re.Match[str], datetime], Closed | tuple[Closed, Closed] | None]
_Y = r"(?P<y>1\d{3}|2[01]\d\d)"
_YY = r"(?P<y>1\d{3}|2[01]\d\d|['’]\d\d)"
_M = (
    r"(?P<month>(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b)\.?"
)
_NAMED = "|".join(word.replace("-", "[- ]") for word, n in sorted(ORDINALS.items(), reverse=True) if n <= 31)
_D = rf"(?P<d>(?:[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?\b|(?:{_NAMED})\b)"
_WEEKDAY = r"(?:mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?(?:day)?\b"
_FEAST = "|".join(name.replace("'", "['’]?") for name in _FEASTS)
UNIT = r"(?P<unit>day|week|fortnight|month|quarter|year|decade|century)"
_QUARTER_WORD = r"(?P<nth>first|second|third|fourth|last|1st|2nd|3rd|4th)"


_FUTURE = re.compile(r"\b(?:will|shall|going to|is due|are due|must|upcoming|won['’]t)\b|['’]ll\b", re.I)
_AHEAD = re.compile(
    r"\b(?:due|again|is|are|opens?|starts?|begins?|leaves?|arrives?|closes?|ends?|expires?|returns?|resumes?)\s*$", re.I
)
"""What stands right before "in three days" where that counts from now: of what was done it says how long it took."""

_MEASURED = re.compile(
    r"\b(?:temperatures?|speeds?|scores?(?!\s+of)|highs?|lows?|percentages?|humidity)\b[^.;!?]*(?<!\bof)\s+the\s+$",
    re.I,
)
"""What makes a later "the 80s" a range of figures."""

_NAME_BEFORE = re.compile(rf"\b(?!(?i:{_WEEKDAY}))[A-Z][a-z]+\s+(?!(?i:{_WEEKDAY}))[A-Z][a-z]+\s+$")
"""A name right before a day without a year, which then is part of a title."""


class Ambiguous(Exception):
    """A numeric date that names two days."""


def speaks_of_future(text: str, position: int) -> bool:
    """Say whether the sentence around `position` speaks of what is to come."""
    before = re.split(r"[.!?]\s+|\n", text[max(position - 400, 0) : position])[-1]
    after = re.split(r"[.!?]\s|\n", text[position : position + 400])[0]
    return bool(_FUTURE.search(before + after))


def words_before(text: str, position: int) -> str:
    """Return the 80 characters before `position`: a whole text before each date would take quadratic time."""
    return text[max(position - 80, 0) : position]


def _year(match: re.Match[str]) -> int:
    given = match["y"]
    if len(given) == 4:
        return int(given)
    return int(given[1:]) + (1900 if int(given[1:]) > 30 else 2000)


def _month_number(match: re.Match[str]) -> int:
    return MONTHS.index(match["month"][:3].lower()) + 1


def _named_day(match: re.Match[str], _: datetime) -> Closed:
    return day(_year(match), _month_number(match), ordinal(match["d"]))


def _iso_day(match: re.Match[str], _: datetime) -> Closed:
    return day(int(match["y"]), int(match["m"]), int(match["d"]))


def _numeric(match: re.Match[str], _: datetime) -> Closed:
    one, two, year = int(match["one"]), int(match["two"]), int(match["y"])
    if one > 12 or one == two or match["sep"] == ".":
        return day(year, two, one)
    if two > 12:
        return day(year, one, two)
    ways = f"{year}-{one:02}-{two:02} or {year}-{two:02}-{one:02}"
    raise Ambiguous(f"“{match['date']}” can be read as two dates. Write it as {ways}.")


def _iso_instant(match: re.Match[str], _: datetime) -> Closed:
    at = datetime.fromisoformat(match["date"].replace("z", "Z"))
    at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    return Closed(at, at, "instant")


def _iso_week(match: re.Match[str], _: datetime) -> Closed:
    first = datetime.fromisocalendar(int(match["y"]), int(match["week"]), 1).replace(tzinfo=UTC)
    return Closed(first, first + timedelta(days=7), "week")


def _days(match: re.Match[str], _: datetime) -> Closed:
    year, month = _year(match), _month_number(match)
    return Closed(day(year, month, ordinal(match["d0"])).first, day(year, month, ordinal(match["d"])).last, "day")


def _from_day(match: re.Match[str], _: datetime) -> Closed:
    last = day(_year(match), _month_number(match), ordinal(match["d"]))
    month = MONTHS.index(match["month0"][:3].lower()) + 1
    first = day(last.first.year - (month > last.first.month), month, ordinal(match["d0"]))
    return Closed(first.first, last.last, "day")


def _from_month(match: re.Match[str], _: datetime) -> Closed:
    last = months(_year(match), _month_number(match), "month")
    month = MONTHS.index(match["month0"][:3].lower()) + 1
    first = months(last.first.year - (month > last.first.month), month, "month")
    return Closed(first.first, last.last, "month")


def _month(match: re.Match[str], _: datetime) -> Closed:
    return months(_year(match), _month_number(match), "month")


def _iso_month(match: re.Match[str], _: datetime) -> Closed:
    return months(int(match["y"]), int(match["m"]), "month")


def _in_parts(unit: Precision, size: int) -> Reader:
    def read(match: re.Match[str], _: datetime) -> Closed:
        word = match["nth"].lower()
        number = 12 // size if word == "last" else ordinal(word)
        return months(int(match["y"]), number * size - size + 1, unit)

    return read


def _season(match: re.Match[str], _: datetime) -> Closed:
    return months(_year(match), SEASONS[match["season"].lower()], "season")


def _feast(match: re.Match[str], _: datetime) -> Closed:
    plain = re.sub(r"\W", "", match["feast"]).lower()
    return next(day(int(match["y"]), *on) for name, on in _FEASTS.items() if re.sub(r"\W", "", name) == plain)


def _decade(match: re.Match[str], _: datetime) -> Closed:
    return months(int(match["y"]), 1, "decade")


def _short_decade(match: re.Match[str], _: datetime) -> Closed | None:
    word = match["tens"].lower()
    if match["date"][0] not in "'’" and _MEASURED.search(words_before(match.string, match.start("date"))):
        return None
    tens = _DECADES[word] if word in _DECADES else int(word[0])
    return months((1900 if tens >= 2 else 2000) + tens * 10, 1, "decade")


def _century(match: re.Match[str], _: datetime) -> Closed:
    last = months(ordinal(match["nth"]) * 100 - 99, 1, "century")
    first = months(ordinal(match["from"]) * 100 - 99, 1, "century") if match["from"] else last
    return Closed(first.first, last.last, "century")


def _whole_year(match: re.Match[str], _: datetime) -> Closed:
    return months(_year(match), 1, "year")


def _led_year(match: re.Match[str], now: datetime) -> Closed | None:
    """Read four digits alone as a year only behind a word that a year follows."""
    return _whole_year(match, now) if _YEAR_LED.search(words_before(match.string, match.start())) else None


def _any_year(match: re.Match[str], _: datetime) -> Closed:
    return months(int(match["any"]), 1, "year")


def _years(match: re.Match[str], _: datetime) -> Closed | None:
    first, last = int(match["y"]), int(match["y"][: 4 - len(match["y2"])] + match["y2"])
    return (
        Closed(datetime(first, 1, 1, tzinfo=UTC), datetime(last + 1, 1, 1, tzinfo=UTC), "year")
        if last > first
        else None
    )


def _today(match: re.Match[str], now: datetime) -> Closed:
    words = match["date"].lower()
    shift = (1 if "tomorrow" in words else -1 if "yesterday" in words else 0) * (2 if words[4:7] == "day" else 1)
    return unit_at(now, "day").shifted(shift)


def _calendar_unit(match: re.Match[str], now: datetime) -> Closed:
    shift = {"l": -1, "p": -1, "n": 1, "c": 0, "t": 0}[match["which"][0].lower()]
    return unit_at(now, match["unit"].lower()).shifted(shift)


def _relative_season(match: re.Match[str], now: datetime) -> Closed:
    month, way = SEASONS[match["season"].lower()], match["which"].lower()
    around = [months(now.year + n, month, "season") for n in range(-2, 3)]
    if way == "last":
        return [one for one in around if one.last <= now][-1]
    if way == "next":
        return next(one for one in around if one.first > now)
    return next((one for one in around if one.first <= now < one.last), around[2])


def _relative_weekday(match: re.Match[str], now: datetime) -> Closed:
    _, coming = _weekdays(match, now)
    ahead = coming.first <= now < coming.last
    if match["which"].lower() == "last":
        return coming.shifted(-7)
    return coming.shifted(7) if ahead and match["which"].lower() == "next" else coming


def _weekdays(match: re.Match[str], now: datetime) -> tuple[Closed, Closed]:
    today = unit_at(now, "day")
    gap = (WEEKDAYS.index(match["weekday"][:3].lower()) - now.weekday()) % 7
    return today.shifted(gap - 7 if gap else 0), today.shifted(gap)


def _monthless_year(match: re.Match[str], now: datetime) -> tuple[Closed, Closed]:
    around = [months(now.year + n, _month_number(match), "month") for n in (-1, 0, 1)]
    return [o for o in around if o.first <= now][-1], next(o for o in around if o.last > now)


def _yearless_day(match: re.Match[str], now: datetime) -> tuple[Closed, Closed] | None:
    if _NAME_BEFORE.search(words_before(match.string, match.start("date"))):
        return None
    around = []
    for year in range(now.year - 8, now.year + 9):
        try:
            around.append(day(year, _month_number(match), ordinal(match["d"])))
        except ValueError:
            continue
    return [o for o in around if o.first <= now][-1], next(o for o in around if o.last > now)


def _in_time(match: re.Match[str], now: datetime) -> Closed | None:
    before = words_before(match.string, match.start("date"))
    alone = not re.search(r"\w", before + match.string[match.end() :])
    ahead = (
        alone
        or match["date"].lower().endswith("time")
        or _AHEAD.search(before)
        or speaks_of_future(match.string, match.start())
    )
    return _ago(match, now) if ahead else None


def _ago(match: re.Match[str], now: datetime) -> Closed:
    unit = match["unit"].lower()
    count = int(number(match["n"])) * (-1 if match["date"].lower().endswith("ago") else 1)
    return unit_at(add(unit_at(now, "day").first, count, unit), unit if unit in ("month", "year", "decade") else "day")


def _rule(pattern: str, read: Reader, before: str = "") -> tuple[str, Reader]:
    return rf"(?i:(?:(?<=\bmid-)|(?<![\w/.#$€£+-]))(?:{before})(?P<date>{pattern})(?![\w/]|[-.,:]\d))", read


_W = rf"(?:{_WEEKDAY}\.?,?\s+(?:the\s+)?)?"
_DASH = r"\s*(?:-|–|—|\bto\b|\band\b|\buntil\b|\btill\b|\bthrough\b)\s*(?:the\s+)?"
_D0, _M0 = r"(?<!['’])" + _D.replace("<d>", "<d0>"), _M.replace("<month>", "<month0>")
_OF = r"(?:\s+of)?(?:\s+the\s+year)?\s*,?\s*"
_LED = r"(?:in|since|during|throughout|until|till|by|before|after|from|to|between|and|of|for|around|about|through)"
_YEAR_LED = re.compile(
    r"(?:^|\b(?:in|since|during|throughout|until|till|by|before|after|from|to|between|and|or|of|for|around|about|through"
    r"|circa|as|ending|the|year|early|late|mid|prior to|than|his|her|its|their|our|this|copyright|class of"
    r"|end|within)"
    r"(?:\s+|-)|['’]s\s+|[(©]\s*|\d{4}\s*(?:-|–|,|to)\s*)$",
    re.I,
)
_COUNTED = (
    r"(?!\s*(?:(?:to|and|-|–)\s*[\d,]+\s*)?(?:%|percent|people|inhabitants|residents|men|women|metres|meters|miles|km|kilomet|euros?|dollars|pounds|votes|units|pages|words"
    r"|employees|workers|students|soldiers|troops|seats|copies|members|words|times|years|days|hours|points|kg|mm|ml|hp)\b)"
    r"(?!\s+(?:[A-Z][a-z]+\s+){1,2}(?i:avenue|street|road|lane|drive|boulevard)\b)(?!:\s*[A-Z])"
)
_NO_RANGE = r"(?!\s+(?:range|per\s?cent|degrees?|%|°|[FCK]\b|mph|fahrenheit|celsius))"

RULES: tuple[tuple[str, Reader], ...] = (
    _rule(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)", _iso_instant),
    _rule(rf"{_D0}{_DASH}{_D}\s+(?:of\s+)?{_M}{_OF}{_YY}", _days),
    _rule(rf"{_M}\s+{_D0}{_DASH}{_D},?\s+{_YY}", _days),
    _rule(rf"{_D0}\s+(?:of\s+)?{_M0}{_DASH}{_D}\s+(?:of\s+)?{_M}{_OF}{_YY}", _from_day),
    _rule(rf"{_M0}\s+{_D0}{_DASH}{_M}\s+{_D},?\s+{_YY}", _from_day),
    _rule(rf"{_M0}{_DASH}{_M}{_OF}{_YY}", _from_month),
    _rule(rf"{_W}{_D}(?:\s+of\s+|[\s/-]+){_M}(?:{_OF}|[-/]){_YY}", _named_day),
    _rule(rf"{_W}{_M}\s+(?:the\s+)?{_D}\s*,?\s*(?:of\s+)?{_YY}", _named_day),
    _rule(rf"{_Y},?\s+{_M}\s+{_D}", _named_day),
    (
        rf"(?:(?<=\d-\d\d/)|(?<![\w/.-]))(?P<date>{_Y}(?P<sep>[-/.])(?P<m>[01]\d)(?P=sep)(?P<d>[0-3]\d))(?!\w|[-.]\d)",
        _iso_day,
    ),
    _rule(r"(?P<y>19\d\d|20\d\d)(?P<m>0[1-9]|1[0-2])(?P<d>[0-3]\d)", _iso_day),
    _rule(rf"(?P<one>[0-3]?\d)(?P<sep>[-/.])(?P<two>[0-3]?\d)(?P=sep){_Y}", _numeric),
    _rule(rf"{_Y}-?W(?P<week>[0-5]\d)", _iso_week),
    _rule(rf"(?P<feast>{_FEAST})(?:\s+of|,)?\s+{_Y}", _feast),
    _rule(rf"{_M}(?:{_OF}|-){_YY}", _month),
    _rule(rf"{_Y}\s+{_M}", _month),
    _rule(rf"{_Y}-(?P<m>0[1-9]|1[0-2])", _iso_month),
    _rule(rf"(?P<m>0[1-9]|1[0-2])/{_Y}", _iso_month),
    _rule(rf"q(?P<nth>[1-4])(?:\s+of|[/-])?\s*{_Y}", _in_parts("quarter", 3)),
    _rule(rf"(?P<nth>[1-4])q\s*{_Y}", _in_parts("quarter", 3)),
    _rule(rf"{_Y}[\s-]?q(?P<nth>[1-4])", _in_parts("quarter", 3)),
    _rule(rf"{_QUARTER_WORD}\s+quarter\s+(?:of\s+)?{_Y}", _in_parts("quarter", 3)),
    _rule(rf"h(?P<nth>[12])(?:\s+of)?\s+{_Y}", _in_parts("half", 6)),
    _rule(rf"{_QUARTER_WORD}\s+half\s+(?:of\s+)?{_Y}", _in_parts("half", 6)),
    _rule(rf"(?P<season>{'|'.join(SEASONS)})(?:\s+of|,)?\s+{_YY}", _season),
    _rule(r"(?P<y>[12]\d\d0)['’]?s", _decade),
    _rule(r"['’](?P<tens>\d)0s", _short_decade),
    _rule(
        rf"(?P<tens>[2-9](?=0)|{'|'.join(_DECADES)})(?:0s)?{_NO_RANGE}",
        _short_decade,
        r"(?<=the )|(?<=mid-)|(?<=early )|(?<=late )",
    ),
    _rule(
        rf"(?:(?P<from>\d\d?th|{_NAMED})(?:\s+century)?{_DASH})?(?P<nth>\d\d?(?:st|nd|rd|th)|{_NAMED})[\s-]century",
        _century,
        r"(?<!\ba )",
    ),
    _rule(r"(?:AD|CE)\s*(?P<any>\d{1,4})", _any_year),
    _rule(rf"{_Y}\s?[-–—/]\s?(?P<y2>\d{{4}}|\d\d)", _years),
    _rule(rf"{_Y}(?=\s+(?:had|was|saw|brought|marked|ended|began)\b)", _whole_year),
    (rf"(?P<date>{_Y})(?![\w/]|[-.,]\d|[\"”]){_COUNTED}", _led_year),
    _rule(r"(?P<y>['’]\d\d)", _whole_year, r"(?:(?<=in )|(?<=since )|(?<=of )|(?<=by )|(?<=until )|(?<=before ))"),
)
"""Each phrase with its reader, surest first."""

RELATIVE: tuple[tuple[str, Reader], ...] = (
    _rule(r"(?:the\s+day\s+(?:before|after)\s+)?(?<![\"“])(?:yesterday|today|tomorrow)(?![\"”])", _today),
    _rule(rf"(?P<which>last|previous|past|this|current|next|coming)\s+(?!day){UNIT}", _calendar_unit),
    _rule(rf"(?P<which>last|this|next)\s+(?P<season>{'|'.join(SEASONS)})", _relative_season),
    _rule(rf"(?P<which>last|this|next)\s+(?P<weekday>{_WEEKDAY})", _relative_weekday),
    _rule(rf"(?P<n>{COUNT})\s+{UNIT}s?\s+(?:ago|from\s+now)", _ago),
    _rule(rf"in\s+(?P<n>{COUNT})\s+{UNIT}s?(?:['’]s?\s+time)?\b(?!\s+(?:of|or|with)\b)", _in_time),
    (
        r"\b(?:on|by|until|till|since|before|after|[Oo]n|[Bb]y)\s+"
        r"(?P<date>(?P<weekday>Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b(?!\s+[A-Z])",
        _weekdays,
    ),
    _rule(rf"{_D}\s+(?:of\s+)?(?=(?-i:[A-Z])){_M}(?!\s*\d)", _yearless_day),
    _rule(rf"(?=(?-i:[A-Z])){_M}\s+{_D}(?!\s*[\d%]){_COUNTED}", _yearless_day),
    (
        r"\b(?:[Ii]n|[Ss]ince|[Uu]ntil|[Bb]y|[Dd]uring|[Bb]efore|[Aa]fter|[Ll]ast|[Nn]ext)\s+(?:early\s+|late\s+)?"
        r"(?P<date>(?P<month>January|February|March|April|May|June|July|August|September|October|November|December))"
        r"\b(?!['’]|\s+[A-Z])",
        _monthless_year,
    ),
)
"""Those that count from when a text was written; behind the others."""
