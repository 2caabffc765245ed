"""When a question asks about: what its dates mean by the words around them, on the world's clock and on the graph's."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from services.language.calendar import Closed, Period, months
from services.language.dates import DateMention, dates_in

Way = Literal["none", "at", "period", "pair", "before", "after", "since"]

_TICK = timedelta(microseconds=1)
_NOW = re.compile(
    r"\b(?:today|(?:right\s+)?now|currently|at\s+present|nowadays|these\s+days|presently|as\s+of\s+now|to\s+this\s+day"
    r"|at\s+the\s+moment(?=\W*$|\s*[,?.]))\b",
    re.IGNORECASE,
)
_BARE_YEAR = re.compile(r"(?<![\w/.#-])(?:1[4-9]|2[01])\d\d(?![\w/]|[-.]\d)")
_KNOWN_BEFORE = re.compile(
    r"""(?:\b(?:based|going|judging|relying|according)\s+(?:on|by|to)\s+)?
    (?:\bwhat\s+(?:was|were|we|people|they|you|the\s+graph)\s+)?
    \b(?:known|knew|knows?|knowing|believed?|believing|beliefs?|recorded|records?|knowledge|graph|database|understood
    |thought|viewpoint|perspective|standpoint|point\s+of\s+view|snapshot|view|(?:as|beliefs?|views?)\s+held|told|learned
    |learnt|aware|think|assumed?|expect(?:ed)?
    |(?:on|by|to|with|from|given|using|per)\s+(?:(?:the|our|your|all|what)\s+)*(?:information|data))
    (?:\s+(?:it|us|we|them|then|as|back|to|be|was|is|were|available|that|dated|had|stood|looked|the|of|state|and
    |believed|known))*
    \s+(?:on|in|at|by|of|from|as\s+of|back\s+in|until|up\s+to|up\s+until)\s+(?:the\s+)?$""",
    re.IGNORECASE | re.VERBOSE,
)
_KNOWN_AFTER = re.compile(
    r"""^\s*,?\s*(?:(?:what|who|which|where|how)\b[\w\s]{0,24}?\s)?(?:did|had|would|was)\s+
    (?:we|the\s+graph|it|you|they|anyone|people|the\s+records?|the\s+database)\s+
    (?:believe|know|think|say|record|hold|have\s+known|known)\b
    |^\s*,?\s*(?:what|who|which|where)\b[\w\s]{0,24}?\s(?:was|were)\s+(?:believed|known|thought|recorded)\b
    |^\s*(?:knowledge|records?|belief|view|snapshot)\b""",
    re.IGNORECASE | re.VERBOSE,
)


_FROM = re.compile(r"\b(?:from|starting\s+(?:in|on))\s+(?:the\s+)?(?:year\s+)?$", re.IGNORECASE)
_INSTANT = re.compile(r"\b(?:by|as\s+of|as\s+at|as\s+on|at|effective)\s+(?:the\s+)?(?:year\s+)?$", re.IGNORECASE)
_LEADING = re.compile(
    r"""(?:\b(?:on|in|at|by|as\s+of|as\s+at|during|throughout|within|over|across|for|from|between|since|until|till
    |before|after|prior\s+to|up\s+to|around|of|back\s+in|following|just|right|straight|immediately|shortly|directly|starting
    |in\s+the\s+course\s+of|through|as\s+known|known|believed|as\s+believed|as\s+recorded|recorded|the|years?|date|day
    |month)\s+)+$""",
    re.IGNORECASE | re.VERBOSE,
)
_STRANDED = re.compile(
    r"(?:for|in|at|on|of|by|from|within|over|across|through)\s+"
    r"(?=(?:on|in|at|as\s+of|as\s+at|during|throughout|between|from|since|until|till|before|after|back|by|just|right)\b)",
    re.IGNORECASE,
)
"""The "for" of "Who did she work for on 2020-06-01"."""


@dataclass(frozen=True, slots=True)
class TimeFrame:
    """The time of a question: from `first` to before `last`, where `way` has both.

    `second` starts the later of a pair, or the last part of a range ("between 2010 and 2012" is a period).
    `phrase` are the words that it was taken from, `spans` where dates and the words that belong to them stand.
    `problem` says why a date cannot be read. `up_to` tells "until" from "before", "as of" from "on".
    """

    way: Way = "none"
    first: datetime | None = None
    last: datetime | None = None
    known_at: datetime | None = None
    phrase: str = ""
    spans: tuple[tuple[int, int], ...] = ()
    problem: str = ""
    up_to: bool = False
    second: datetime | None = None


def time_frame(question: str, masked: str, now: datetime) -> TimeFrame:
    """Return the time of a question whose names are masked by other letters at the same places."""
    found = _dates(masked, now)
    problem = next((date.problem for date in found if date.problem), "")
    if problem:
        return TimeFrame(problem=problem)
    known = [date for date in found if _is_known(masked, date)]
    known = [date for date in known if _KNOWN_AFTER.search(masked[date.end :])] or known
    dates = [date for date in found if date not in known]
    if len(known) > 1 or len(dates) > 2:
        return TimeFrame(problem="The question has more than two dates. Ask about one date or two.")
    places = sorted([(date.start, date.end) for date in found] + [match.span() for match in _NOW.finditer(masked)])
    spans = [(_start(masked, start), end) for start, end in places]
    phrase = ", ".join(question[start:end].strip() for start, end in spans)
    spans += [words for date in known for words in _known_words(masked, date)]
    frame = _single(masked, dates[0]) if len(dates) == 1 else _pair([date.named[0] for date in dates])
    return replace(frame, known_at=known[0].named[0].first if known else None, phrase=phrase, spans=tuple(spans))


def _dates(text: str, now: datetime) -> list[DateMention]:
    """Return the dates of a question in order: years by themselves too, but neither "today" nor what is to come."""
    found = [d for d in dates_in(text, now) if not (_NOW.fullmatch(text, d.start, d.end) or _is_to_come(text, d, now))]
    for match in _BARE_YEAR.finditer(text):
        if not any(date.start <= match.start() < date.end for date in found):
            year = months(int(match[0]), 1, "year")
            found.append(DateMention(*match.span(), Period(year.first, year.last, "year"), named=(year,)))
    return sorted(found, key=lambda date: date.start)


def _is_to_come(text: str, date: DateMention, now: datetime) -> bool:
    """True for a date in the future that counts from now."""
    return date.named[0].first > now and not re.search(r"\d{4}", text[date.start : date.end])


def _is_known(text: str, date: DateMention) -> bool:
    """True for a date of the graph's clock: "as known on", "what did we believe on"."""
    return bool(_KNOWN_BEFORE.search(text[: date.start]) or _KNOWN_AFTER.search(text[date.end :]))


def _known_words(text: str, date: DateMention) -> Iterator[tuple[int, int]]:
    """Find the words that make a date one of the graph's clock."""
    if before := _KNOWN_BEFORE.search(text[: date.start]):
        yield before.span()
    if after := _KNOWN_AFTER.search(text[date.end :]):
        yield date.end + len(after[0].rpartition(" ")[0]), date.end + after.end()


def _start(text: str, start: int) -> int:
    """Return where the words that lead to a date begin; a preposition that is left over from a verb leads to none."""
    leading = _LEADING.search(text[:start])
    if leading is None:
        return start
    stranded = _STRANDED.match(leading[0])
    return leading.start() + (stranded.end() if stranded else 0)


def _pair(named: Sequence[Closed]) -> TimeFrame:
    """Return what two dates ask for; none ask for nothing."""
    if not named:
        return TimeFrame()
    first, second = sorted(named, key=lambda period: period.first)
    return TimeFrame("pair", first.first, second.last, second=second.first)


def _single(text: str, date: DateMention) -> TimeFrame:
    """Return what one date asks for: "by 2012" and "until 2012" end with it, ranges include both of their ends."""
    if len(date.named) > 1:
        return replace(_pair(date.named), way="period")
    before, (named,) = text[: date.start], date.named
    at_once = _INSTANT.search(before)
    if date.bound == "until" and at_once:
        return TimeFrame("at", named.last - _TICK, up_to=True)
    if date.bound in ("before", "until"):
        return TimeFrame("before", named.first, named.last, up_to=date.bound == "until")
    if date.bound == "after":
        return TimeFrame("after", named.last - _TICK)
    if date.bound == "since" or _FROM.search(before):
        return TimeFrame("since", named.first)
    if named.precision in ("instant", "day") or at_once:
        return TimeFrame("at", named.first, named.last, up_to=bool(at_once))
    return TimeFrame("period", named.first, named.last)
