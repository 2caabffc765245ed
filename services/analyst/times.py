"""When a question asks about: its dates with the words before them, on the world's clock and on the graph's."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from services.analyst.dates import Span, dates_in

Way = Literal["none", "at", "period", "pair", "before", "after", "since"]

_KNOWN_BEFORE = re.compile(
    r"""(?:\b(?:based|going|judging|relying|according)\s+(?:on|by|to)\s+)?
    (?:\bwhat\s+(?:was|were|we|people|they|you|the\s+graph)\s+)?
    \b(?:known|knew|knows?|knowing|believed?|believing|beliefs?|recorded|records?|knowledge|graph|database|understood
    |information|data|thought|viewpoint|perspective|standpoint|point\s+of\s+view|snapshot|view|held|told|learned|learnt
    |aware|think|assumed?|expect(?:ed)?)
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
_SOON = r"(?:(?:just|right|immediately|shortly|directly)\s+)?"


def _leading(words: str) -> re.Pattern[str]:
    """What stands right before a date."""
    return re.compile(rf"\b(?:{words})\s+(?:the\s+)?$", re.IGNORECASE)


_BEFORE = _leading(rf"{_SOON}(?:before|prior\s+to|preceding|ahead\s+of|earlier\s+than)")
_UNTIL = _leading(r"until|till|til|up\s+to|up\s+until|through|thru")
_AFTER = _leading(rf"{_SOON}(?:after|following|later\s+than|subsequent\s+to|past)")
_SINCE = _leading(r"since|starting(?:\s+(?:in|from|on))?|from")
_INSTANT = _leading(r"by|as\s+of|as\s+at|as\s+on|at|effective")
_ONWARDS = re.compile(r"^\s*(?:onwards?|on\b|forward|and\s+(?:later|after|onwards?))", re.IGNORECASE)
_LEADING = re.compile(
    r"""(?:\b(?:on|in|at|by|as\s+of|as\s+at|during|throughout|within|over|across|for|from|between|since|until|till
    |before|after|prior\s+to|up\s+to|around|of|back\s+in|following|just|right|immediately|shortly|directly|starting
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
class When:
    """The time of a question. `first` to before `last` is its date; of a pair the first instants of both.

    `said` are the words that it was taken from, `spans` where dates and the words that belong to them stand. `problem`
    says why a date cannot be told. `up_to` tells "until" from "before".
    """

    way: Way = "none"
    first: datetime | None = None
    last: datetime | None = None
    known_at: datetime | None = None
    said: str = ""
    spans: tuple[tuple[int, int], ...] = ()
    problem: str = ""
    up_to: bool = False


def read_times(question: str, masked: str, now: datetime) -> When:
    """The time of a question whose names are masked by other letters at the same places."""
    found = dates_in(masked, now)
    problem = next((span.problem for span in found if span.problem), "")
    if problem:
        return When(problem=problem)
    known = [span for span in found if _is_known(masked, span)]
    known = [span for span in known if _KNOWN_AFTER.search(masked[span.end :])] or known
    dates = [span for span in found if span not in known]
    if len(known) > 1 or len(dates) > 2:
        return When(problem="There are more dates in the question than one or two.")
    told = _told(masked, dates)
    if told.problem:
        return told
    covers = tuple((_start(masked, span), span.end) for span in found)
    said = ", ".join(question[start:end].strip() for start, end in covers)
    covers += tuple(words for span in known for words in _known_words(masked, span))
    return replace(told, known_at=known[0].first if known else None, said=said, spans=covers)


def _is_known(text: str, span: Span) -> bool:
    """True for a date of the graph's clock: "as known on", "what did we believe on"."""
    return span.grain != "now" and bool(
        _KNOWN_BEFORE.search(text[: span.start]) or _KNOWN_AFTER.search(text[span.end :])
    )


def _known_words(text: str, span: Span) -> Iterator[tuple[int, int]]:
    """Where the words stand that make a date one of the graph's clock."""
    if before := _KNOWN_BEFORE.search(text[: span.start]):
        yield before.span()
    if after := _KNOWN_AFTER.search(text[span.end :]):
        verb = re.search(r"\w+\W*$", after[0])
        assert verb is not None, "it ends with a word"
        yield span.end + after.start() + verb.start(), span.end + after.end()


def _start(text: str, span: Span) -> int:
    """Where the words that lead to a date begin; a preposition that is left over from a verb leads to none."""
    leading = _LEADING.search(text[: span.start])
    if leading is None:
        return span.start
    stranded = _STRANDED.match(leading[0])
    return leading.start() + (stranded.end() if stranded else 0)


def _told(text: str, dates: Sequence[Span]) -> When:
    dates = [span for span in dates if span.grain != "now"] or list(dates)[:1]
    if not dates:
        return When()
    if len(dates) == 2:
        return _pair(*dates)
    (span,) = dates
    before = text[: span.start]
    if span.grain == "now":
        return When()
    if _BEFORE.search(before) or _UNTIL.search(before):
        return When("before", span.first, span.last, up_to=bool(_UNTIL.search(before)))
    if _AFTER.search(before):
        return When("after", span.first, span.last)
    if _SINCE.search(before) or _ONWARDS.search(text[span.end :]):
        return When("since", span.first, span.last)
    if span.is_period and not _INSTANT.search(before):
        return When("period", span.first, span.last)
    return When("at", span.first, span.last)


def _pair(one: Span, two: Span) -> When:
    """Two dates that are compared, or that something lies between."""
    if one.first > two.first:
        one, two = two, one
    return When("pair", one.first, two.first)
