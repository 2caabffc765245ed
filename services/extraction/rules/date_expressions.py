"""Dates of prose as what starts or ends a fact: the grammar of `services.language.dates`, read with the words before.

"From", "to" and "by" bound nothing in a question; in a statement the first says since when, the second until when, and
the third neither.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from services.language.calendar import Closed
from services.language.date_words import words_before
from services.language.dates import DateMention, dates_in

Kind = Literal["at", "since", "until", "between", "vague"]

_UNDATABLE = ("decade", "century")
"""Precisions that say neither a start nor an end."""
_BOUNDS: dict[str, Kind] = {"before": "vague", "after": "vague", "since": "since", "until": "until"}
_LEADS: tuple[tuple[Kind, str], ...] = (
    ("vague", r"before|prior to|after|by|following|(?:later|earlier|older) than|during"),
    ("between", r"between"),
    ("since", r"(?:ever )?since|(?:as |onwards )?from|(?:starting|beginning|effective)(?: on| in| from)?|as of"),
    ("until", r"(?:up )?until|till|(?:up )?to|through"),
)
_APPROXIMATE = (
    r"(?:(?:the|about|around|roughly|c\.|ca\.|circa|as (?:late|early) as|at least|approximately|the season of)[ -])*"
)
_LED = tuple((kind, re.compile(rf"\b(?:{words}),? {_APPROXIMATE}$", re.IGNORECASE)) for kind, words in _LEADS)


@dataclass(frozen=True, slots=True)
class DateExpression:
    """A date expression from `start` to `end` in a text, in characters, with the word before that bounds it.

    "at", "since" and "until" have `first`; "between" has both, and is half-open; "vague" ("before 2019") says neither a
    start nor an end. A date without a year is read as past; `ahead` is the coming one, nothing after "since".
    `is_assumed` says that the year is only the last that the text has before it. `periods` are what the dates name.
    """

    start: int
    end: int
    kind: Kind
    first: datetime
    last: datetime | None = None
    ahead: datetime | None = None
    is_assumed: bool = False
    periods: tuple[Closed, ...] = ()


def date_expressions(text: str, reference: datetime | None) -> list[DateExpression]:
    """Return the date expressions of a text in order, without overlaps; relative ones count from `reference` (UTC)."""
    mentions = (mention for mention in dates_in(text, reference, is_prose=True) if not mention.problem)
    return [one for mention in mentions for one in _expression(text, mention)]


def _expression(text: str, mention: DateMention) -> Iterator[DateExpression]:
    first, last = mention.named[0], mention.named[-1]
    kind, start = _led(text, mention)
    if first.precision in _UNDATABLE:
        return
    if len(mention.named) > 1 and "weekend" not in text[mention.start : mention.end].lower():
        yield DateExpression(
            start, mention.end, "between", first.first, last.first, None, mention.is_assumed, mention.named
        )
    else:
        past, *coming = (one.first for one in mention.readings or mention.named)
        ahead = coming[0] if coming and kind != "since" else None
        periods = (*mention.named, *mention.readings)
        yield DateExpression(start, mention.end, kind, past, None, ahead, mention.is_assumed, periods)


def _led(text: str, mention: DateMention) -> tuple[Kind, int]:
    """Return what the words before a date make of it, and where they start."""
    before = words_before(text, mention.start)
    for kind, pattern in _LED:
        if match := pattern.search(before):
            return kind, mention.start - len(before) + match.start()
    return _BOUNDS.get(mention.bound, "at"), mention.start
