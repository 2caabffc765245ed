"""What stands before a date and makes another of it: "the end of", "early", "two weeks after"."""

import re
from collections.abc import Callable
from functools import cache

from services.language.calendar import MONTHS_OF, Closed, add, nth_weekday, part_of, unit_at
from services.language.date_readers import in_year
from services.language.date_words import (
    AMOUNT,
    CAPITAL,
    FEAST,
    HOW_MANY,
    SEASON,
    UNIT,
    WEEKDAY,
    D,
    M,
    amount,
    weekday_number,
)
from services.language.numbers import ordinal

Change = Callable[[Closed, re.Match[str]], Closed | None]


def _edge(period: Closed, match: re.Match[str]) -> Closed:
    at = add(period.last, -1, "day") if match["edge"].lower() in ("end", "close") else period.first
    return Closed(at, add(at, 1, "day"), "day", edge_of=period)


def _third(period: Closed, match: re.Match[str]) -> Closed:
    since, until = ("eml".index(word[0].lower()) for word in (match["since"] or match["part"], match["part"]))
    return part_of(period, 3, since, until)


def _place(match: re.Match[str]) -> int:
    """Return 1 for the first, -1 for the last."""
    word = match["nth"].lower()
    return {"last": -1, "final": -1, "closing": -1, "opening": 1}.get(word) or ordinal(word)


def _fraction(period: Closed, match: re.Match[str]) -> Closed:
    parts, place = {"h": 2, "t": 3, "q": 4}[match["fraction"][0].lower()], _place(match)
    place = parts - 1 if place < 0 else place - 1
    return part_of(period, parts, place, place)


def _units(period: Closed, match: re.Match[str]) -> Closed | None:
    """Return the first or last day, week or three months of a period; its "last weeks" are nothing sure."""
    if match["plural"] and not match["n"]:
        return None
    place, (length, unit) = _place(match), amount(match)
    first = add(period.first, place - 1, unit) if place > 0 else add(period.last, -length, unit)
    return Closed(first, add(first, length, unit), unit_at(first, unit).precision)


def _nth_weekday(period: Closed, match: re.Match[str]) -> Closed:
    return nth_weekday(period, weekday_number(match["weekday"]), _place(match))


def _weekday_beside(period: Closed, match: re.Match[str]) -> Closed:
    """Return "the Friday before Christmas 2019"."""
    is_before = match["way"].lower() == "before"
    edge = period.first if is_before else period.last
    return nth_weekday(Closed(edge, edge, "day"), weekday_number(match["weekday"]), -1 if is_before else 1)


def _day_of(period: Closed, match: re.Match[str]) -> Closed | None:
    return unit_at(add(period.first, ordinal(match["d"]) - 1, "day"), "day") if period.precision == "month" else None


def _unit_with(period: Closed, match: re.Match[str]) -> Closed:
    """Return the week that a date is in, begins or ends: "the week of", "week commencing", "the year ended"."""
    (count, unit), how = amount(match), match["how"].lower()
    within = unit_at(period.first, unit)
    if how in ("of", "containing"):
        return within
    edge = period.last if how in ("after", "following", "ended", "ending", "to", "up to") else period.first
    if how in ("beginning", "commencing", "starting", "after", "following"):
        return Closed(edge, add(edge, count, unit), within.precision)
    return Closed(add(edge, -count, unit), edge, within.precision)


def _offset(period: Closed, match: re.Match[str]) -> Closed | None:
    return None if match["way"].lower() == "from" and period.precision != "day" else counted_from(period, match)


def counted_from(period: Closed, match: re.Match[str]) -> Closed:
    """Return what lies so many units before or after a period, as fine as the unit; weeks of a count are days."""
    number, unit = amount(match)
    is_earlier = re.match("before|prior|earlier|preceding|previous", match["way"], re.I)
    at = add(period.first, -number if is_earlier else number, unit)
    is_whole = unit in (*MONTHS_OF, "hour", "minute") or re.match(r"the\s+week", match[0], re.I)
    return unit_at(at, unit if is_whole else "day")


def _of_the_year(period: Closed, match: re.Match[str]) -> Closed | None:
    """Return "May" of last year, or "Easter" of next year."""
    return in_year(match, period.first.year) if period.precision == "year" else None


def _weekday_of(period: Closed, match: re.Match[str]) -> Closed | None:
    """Return "Friday" of last week."""
    return nth_weekday(period, weekday_number(match["weekday"]), 1) if period.precision == "week" else None


_NTH = r"(?:the\s+)?(?P<nth>first|second|third|fourth|fifth|last|final|opening|closing|1st|2nd|3rd|4th|5th)\s+"
_WAY = r"(?P<way>before|after|following|from|prior\s+to|preceding)\s+(?:the\s+)?"
_CHANGES: dict[str, Change] = {
    r"(?:the\s+)?(?:very\s+)?(?P<edge>start|beginning|end|close)\s+of\s+(?:the\s+)?(?:year\s+)?": _edge,
    r"(?:(?:year|month|quarter)[\s-])?(?P<edge>end)[\s-]+": _edge,
    r"(?:(?P<since>early|mid)[\s-]+to[\s-]+)?(?:the\s+)?(?P<part>early|mid(?:way\s+through|dle\s+of)?|late)"
    r"(?:\s+in)?[\s-]+(?:the\s+)?": _third,
    r"(?P<fraction>[qh])(?P<nth>[1-4])\s+(?:of\s+)?(?:the\s+)?": _fraction,
    rf"{_NTH}(?P<fraction>half|third|quarter|qtr\.?|q)\s+(?:of\s+)?(?:the\s+)?(?:year\s+)?": _fraction,
    rf"{_NTH}(?:{HOW_MANY}\s+)?{UNIT}(?P<plural>s?)\s+(?:of|in)\s+(?:the\s+)?(?:year\s+)?": _units,
    rf"{_NTH}{WEEKDAY}\s+(?:of|in)\s+(?:the\s+)?": _nth_weekday,
    rf"(?:the\s+)?{D}\s+(?:day\s+)?of\s+": _day_of,
    r"(?:the\s+)?(?P<unit>week|weekend|quarter)\s+(?P<how>of|containing|beginning|commencing|starting)"
    r"\s+(?:on\s+)?": _unit_with,
    rf"(?:the\s+)?(?:{HOW_MANY}\s+)?{UNIT}s?\s+(?P<how>ended|ending)\s+(?:on\s+)?": _unit_with,
    rf"(?:the\s+)?{HOW_MANY}\s+{UNIT}s?\s+(?P<how>(?:up\s+)?to)\s+(?:the\s+)?": _unit_with,
    r"the\s+(?P<unit>week|month|quarter|year)\s+(?P<how>to)\s+": _unit_with,
    rf"the\s+{HOW_MANY}\s+{UNIT}s?\s+(?P<how>before|after|following|preceding)\s+(?:the\s+)?": _unit_with,
    rf"(?:the\s+)?{WEEKDAY}\s+(?P<way>before|after)\s+(?:the\s+)?": _weekday_beside,
    rf"(?:(?:{D}\s+(?:of\s+)?)?{CAPITAL}{M}|{FEAST}|{SEASON})\s+(?:of\s+|in\s+)?": _of_the_year,
    rf"{CAPITAL}{M}\s+{D}\s+(?:of\s+)?": _of_the_year,
    rf"(?:on\s+)?{WEEKDAY}\s+(?:of\s+|from\s+)?": _weekday_of,
    rf"the\s+{UNIT}\s+(?:(?:right|immediately)\s+)?{_WAY}": _offset,
    rf"(?<!\bfor\s){AMOUNT}\s+{_WAY}(?:(?:his|her|its|their)\s+[a-z]+\s+(?:in|on)\s+)?": _offset,
    r"(?:the\s+)?(?:cob|eod|(?:end|close)\s+of\s+(?:business|day|play|trading))\s+(?:on\s+)?": lambda period, _: period,
}


_MAY_CHANGE = re.compile(
    r"(?:\b(?:of|end|early|mid|late|half|third|quarter|qtr\.?|q|through|containing|beginning|commencing|starting|ended|ending"
    r"|cob|eod|business|play|trading|\w*day|\d+(?:st|nd|rd|th)?)|(?:early|late|day|week|month|quarter)s?\s+in"
    rf"|{UNIT}s?(?:\s+and\s+a\s+half)?(?:\s+right|\s+immediately)?\s+(?:before|after|following|from|preceding|(?:prior\s+|up\s+)?to)"
    r"|\b(?:before|after)\s+(?:his|her|its|their)\s+[a-z]+\s+(?:in|on)"
    rf"|\b(?:{M}|{FEAST}|{SEASON})(?:\s+in)?)[\s-]+(?:on\s+)?(?:the\s+)?(?:year\s+)?$",
    re.I,
)
"""What one of these ends with: to look for this first takes a tenth of the time."""


@cache
def _compiled() -> list[tuple[re.Pattern[str], Change]]:
    return [(re.compile(rf"\b(?:{pattern})$", re.I), change) for pattern, change in _CHANGES.items()]


def change_before(text: str, position: int) -> tuple[int, Callable[[Closed], Closed | None]] | None:
    """Return where the words right before a date begin that make another of it, and how they do."""
    for pattern, change in _compiled() if _MAY_CHANGE.search(text, max(position - 40, 0), position) else ():
        if match := pattern.search(text, max(position - 80, 0), position):
            return match.start(), lambda period, change=change, match=match: change(period, match)
    return None
