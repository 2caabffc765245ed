"""Date expressions of English prose: a date with what the words before make of it, and ranges.

Ages and durations are no dates. A decade is not either: it says neither a start nor an end.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from services.extraction.rules.days import Value, values

Kind = Literal["at", "since", "until", "between", "vague"]

_FILLER = (
    r"(?:(?:the|early|late|mid|about|around|roughly|c\.|ca\.|circa|at least|approximately|the start of|the end of|"
    r"the beginning of|the season of)[ -])*"
)
_WORDS: tuple[tuple[Kind, str], ...] = (
    ("vague", r"before|prior to|after|by|following|later than|earlier than|no later than|older than|than|during"),
    (
        "since",
        r"ever since|since|from|starting(?: on| in)?|beginning(?: on| in)?|as of|effective(?: from| on)?"
        r"|with effect from|as from|onwards from",
    ),
    ("until", r"until|till|up to|up until|through|to"),
)
_BEFORE = tuple(
    (kind, re.compile(rf"\b(?:{words}),? {_FILLER}(?:\w+day,? )?$", re.IGNORECASE)) for kind, words in _WORDS
)
_LINK = re.compile(r"\s*(?:-|–|—|to|until|till|through|and)\s*(?:the )?", re.IGNORECASE)
_REACH = 100
"""How many characters before a date say what it is."""
_BETWEEN = re.compile(r"\bbetween (?:the )?$", re.IGNORECASE)
_PLACED = re.compile(
    rf"(?:\b(?:in|on|of|for|the|season|est\.|b\.|d\.|died|born)\s|[(,;:–-]\s*|^\s*){_FILLER}$", re.IGNORECASE
)
_SINCE = re.compile(r"(?:ever )?since\b", re.IGNORECASE)
_ONWARDS = re.compile(r"\s+on(?:wards?)?\b|\s?[–-](?=\s*(?:\)|present|now|today))")


@dataclass(frozen=True, slots=True)
class When:
    """A date expression from `start` to `end` in a text, in characters.

    "at", "since" and "until" have `first`; "between" has both, and is half-open; "vague" ("before 2019") says neither.
    A date without a year is read as past; `ahead` is the coming one, nothing after "since".
    """

    start: int
    end: int
    kind: Kind
    first: datetime
    last: datetime | None = None
    ahead: datetime | None = None


def find(text: str, reference: datetime, before: datetime | None = None) -> list[When]:
    """The date expressions of a text in order, without overlaps. What names no day of the calendar is left out.

    `before` is the date that was told last before this text, for "two years later".
    """
    told = list(values(text, reference, before))
    found: list[When] = []
    index = 0
    while index < len(told):
        value = told[index]
        following = told[index + 1] if index + 1 < len(told) else None
        if following is not None and _is_range(text, value, following):
            found.append(_range(text, value, following))
            index += 2
            continue
        found.append(_shortened(text, value) or _single(text, value))
        index += 1
    return found


def _is_range(text: str, first: Value, last: Value) -> bool:
    link = text[first.end : last.start]
    if not _LINK.fullmatch(link) or (first.has_year and first.back > last.ahead):
        return False
    if link.strip().lower() == "and":
        return _BETWEEN.search(_before(text, first.start)) is not None
    return True


def _shortened(text: str, first: Value) -> When | None:
    """ "1902–04": a range of years whose last is told by two digits."""
    match = re.match(r"[–-](\d\d)(?![\d-])", text[first.end :])
    if match is None or not text[first.start : first.end].isdigit():
        return None
    year = first.back.year // 100 * 100 + int(match[1])
    if match[1] == "00" and first.back.year % 100 >= 90:
        year += 100  # "1999–00"
    if year <= first.back.year:
        return None
    return When(
        _trigger(text, first.start)[1], first.end + match.end(), "between", first.back, first.back.replace(year=year)
    )


def _range(text: str, first: Value, last: Value) -> When:
    """From the first to the last; a year that only the last names is the first's too ("from March to May 2020")."""
    start = first.back
    if not first.has_year and last.has_year:
        of_year = _in_year(start, last.back.year)
        start = of_year if of_year <= last.back else _in_year(start, last.back.year - 1)
    before = _before(text, first.start)
    between = _BETWEEN.search(before)
    begin = first.start - len(before) + between.start() if between else _trigger(text, first.start)[1]
    later = (day for day in (last.back, last.ahead) if day >= start)
    return When(begin, last.end, "between", start, next(later, _in_year(last.ahead, start.year + 1)))


def _in_year(day: datetime, year: int) -> datetime:
    """The same day of another year, 28 February for one that this has not."""
    try:
        return day.replace(year=year)
    except ValueError:
        return day.replace(year=year, day=28)


def _single(text: str, value: Value) -> When:
    kind, start = _trigger(text, value.start)
    if kind == "at" and value.needs_preposition and not _PLACED.search(_before(text, value.start)):
        kind = "vague"
    if kind == "until" and value.needs_preposition and re.match(r" [A-Z]", text[value.end :]):
        kind = "vague"  # "to the 1979 Cup"
    if kind == "at" and _ONWARDS.match(text, value.end):
        kind = "since"
    since = _SINCE.match(text, start) is not None
    if since and start == value.start:
        kind = "since"
    return When(start, value.end, kind, value.back, ahead=None if since else value.ahead)


def _before(text: str, start: int) -> str:
    return text[max(0, start - _REACH) : start]


def _trigger(text: str, start: int) -> tuple[Kind, int]:
    """What the words before a date that starts there make of it, and where they start."""
    before = _before(text, start)
    shift = start - len(before)
    for kind, pattern in _BEFORE:
        if match := pattern.search(before):
            return kind, shift + match.start()
    if match := re.search(r"[(\s](?:–|-|†)\s?$", before):
        return "until" if "–" in match[0] or "-" in match[0] else "at", shift + match.start() + 1
    return "at", start
