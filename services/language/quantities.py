"""The numbers of a sentence, in figures and in words, and when a number says a value or a length of time."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from services.language.numbers import CARDINAL, FRACTIONS, NUMBER, number

Approximate = Literal["", "about", "over", "under"]
Bound = Literal["", "least", "more", "most", "fewer"]
"""How a number bounds a value: "at least", "more than", "at most", "fewer than"."""

DAYS = {
    "second": 1 / 86_400,
    "minute": 1 / 1440,
    "hour": 1 / 24,
    "day": 1.0,
    "week": 7.0,
    "fortnight": 14.0,
    "month": 30.4375,
    "quarter": 91.3125,
    "year": 365.25,
    "decade": 3652.5,
    "century": 36525.0,
}
"""How many days each unit of time has."""

_PART = rf"(?:(?:{'|'.join(FRACTIONS)})s?|halves)"
_UNIT = "(?:seconds|minutes?|hours?|days?|weeks?|fortnights?|months?|quarters?|years?|decades?|century|centuries)"
_QUANTITY = re.compile(
    rf"""(?<![\w.,])(?:
      (?P<fraction>(?P<parts>an?|{CARDINAL})[\s-]+(?P<part>{_PART})(?=\s+of\b|\s+the\b))
    | (?P<of>(?P<of_a>{CARDINAL})\s+(?:in|out\s+of(?:\s+the)?)\s+(?P<of_b>{CARDINAL}))(?=\s+[^\W\d])
    | (?P<ratio>twice|double|triple|thrice|half(?=\s+(?:as|of|the))
        |(?P<times>{NUMBER})\s+times(?=\s+(?:as|more|less|fewer|the|that|\w+er)\b))\b(?!\s+(?:a|per)\b)
    | (?P<a_half>(?:an?\s+)?half(?:[\s-]+an?)?(?=[\s-]+{_UNIT}\b))
    | (?P<value>{NUMBER}|an?(?=\s+{_UNIT}\b))
    )
    (?P<percent>\s*(?:%|per\s?cent\b|percentage\s+points?\b))?
    (?:(?:[\s-]+(?:full|whole|calendar|consecutive|long))?[\s-]+(?P<unit>{_UNIT})\b(?P<unit_half>\s+and\s+a\s+half\b)?)?""",
    re.VERBOSE | re.IGNORECASE,
)
_ABOUT = re.compile(
    r"""(?<!\w)(?: (?P<over>(?:(?:just|well|slightly|a\s+little)\s+)?
              (?:(?P<least>at\s+(?:the\s+very\s+)?least|not?\s+(?:fewer|less)\s+than|a\s+minimum\s+of|upwards\s+of)
                |(?P<more>over|(?:more|longer|greater|higher)\s+than|above|exceeding|beyond)))
          | (?P<under>(?:(?:just|slightly|a\s+little)\s+)?
              (?:(?P<most>at\s+(?:the\s+)?(?:very\s+)?most|not?\s+(?:more|longer|greater)\s+than|a\s+maximum\s+of|up\s+to|within)
                |(?P<fewer>under|(?:less|fewer|lower|shorter)\s+than|below)|nearly|almost|close\s+to))
          | (?P<about>about|around|roughly|approximately|some|circa|ca\.?|~|approx\.?|an?\s+estimated)
        )\s*(?:the\s+|[$£€]\s*)?$""",
    re.VERBOSE | re.IGNORECASE,
)
_BOUNDS: tuple[Bound, ...] = ("least", "more", "most", "fewer")
_OR_MORE = re.compile(r"(?:\s+[\w-]+){0,4}?\s+or\s+(?:(?P<more>more|over)|fewer|less)\b(?!\s+than)", re.IGNORECASE)
"""Behind the number in "900 engines a month or more"."""
_NAMED_ONE = re.compile(
    r"\b(?:no|each|every|the|this|that|which|any|another|some|first|last|second|next|old|new|other|only|former)\s+$",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\s*(?:of\b|that\b|which\b|who\b|another\b|[.,;:]|$)", re.IGNORECASE)
_LONGEST_LEAD = 40
"""Characters before a number in which words on it are looked for."""
_LITTLE = 1e-6


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a text at `start` to `end`: `step` is how finely it is written, in its own size.

    `unit` is one of time, "percent" or "ratio", or empty. `figure` is how it is written, if in figures alone.
    `bound` tells that it is said to be no more or no less than that.
    """

    start: int
    end: int
    value: float
    step: float = 1.0
    unit: str = ""
    about: Approximate = ""
    figure: str = ""
    bound: Bound = ""

    def allows(self, value: float) -> bool:
        """True when a value is not beyond what this number bounds."""
        off, slack = value - self.value, _LITTLE * max(1.0, abs(value))
        if self.bound in ("least", "more"):
            return off >= -slack if self.bound == "least" else off > slack
        return not self.bound or (off <= slack if self.bound == "most" else off < -slack)

    def is_opposite_of(self, other: "Quantity") -> bool:
        """True for "at most two" beside "at least two"."""
        below, above = ("most", "fewer"), ("least", "more")
        return (self.bound in below and other.bound in above) or (self.bound in above and other.bound in below)

    def says(self, value: float) -> bool:
        """True when this number is a way to write a value."""
        near, off = self.about, value - self.value
        if not self.allows(value):
            return False
        if abs(off) <= _LITTLE * max(1.0, abs(value)):
            return True
        if self.step > 1 or (near and self.value >= 100):
            slack = max(self.step / 2, 0.05 * abs(self.value) if near else 0)
            if abs(off) <= slack:
                return True
        wide = 0.1 * abs(self.value)
        return (
            (near == "about" and abs(off) <= wide)
            or (near == "over" and 0 < off <= 2 * wide)
            or (near == "under" and 0 < -off <= 2 * wide)
        )

    def says_as(self, other: "Quantity") -> bool:
        """True when this number is a way to write another; of two that bound something, the bounds must not differ."""
        if not (self.bound and other.bound):
            return self.says(other.value)
        return not self.is_opposite_of(other) and replace(self, bound="").says(other.value)

    def lasts(self, days: float) -> bool:
        """True when this length of time is a way to say so many days."""
        if self.unit not in DAYS:
            return False
        actual = days / DAYS[self.unit]
        off, wide = actual - self.value, max(1.1, (0.34 if self.bound else 0.1) * self.value)
        if self.about == "over":
            return -0.05 <= off <= wide
        if self.about == "under":
            return -wide <= off <= 0.08
        if self.about == "about":
            return abs(off) <= max(0.62 if self.value % 1 == 0 else 0.4, 0.08 * self.value)
        if self.unit in ("day", "hour", "minute", "second"):
            return abs(off) <= 1.01
        return -0.5 <= off < 1 if self.value % 1 == 0 else abs(off) <= 0.3

    def is_part(self, values: Iterable[float]) -> bool:
        """True when this percentage, fraction or multiple is that of one value to another."""
        known = [value for value in values if value]
        size, step = (self.value / 100, self.step / 100) if self.unit == "percent" else (self.value, 0.005)
        slack = step / 2 + _LITTLE if not self.about else max(step / 2, 0.05 * size)
        if self.about in ("over", "under"):
            low, high = (size, size * 1.4) if self.about == "over" else (size * 0.6, size)
            return any(low <= one / other <= high for one in known for other in known if one != other)
        return any(
            abs(one / other - size) <= slack
            or (self.unit == "percent" and abs(abs(one - other) / other - size) <= slack)
            for one in known
            for other in known
        )


def quantities(text: str) -> list[Quantity]:
    """Return the numbers of a text, in order. "One of" and "no one" are none, nor are ordinals."""
    found: list[Quantity] = []
    for one in _found(text):
        before = found[-1] if found else None
        if before is not None and not one.unit and before.unit in DAYS and _OF_THEM.match(text, one.end):
            one = replace(one, unit=before.unit)
        if before is not None and _goes_on(before, one, text[before.end : one.start]):
            length = before.value * DAYS[before.unit] / DAYS[one.unit] + one.value
            found[-1] = Quantity(before.start, one.end, length, one.step, one.unit, before.about, bound=before.bound)
        else:
            found.append(one)
    return found


_OF_THEM = re.compile(r"\s+of\s+(?:them|these|those|which)\b")


def _goes_on(one: Quantity, other: Quantity, between: str) -> bool:
    """Say whether a length of time goes on in another unit: "five years and eight months"."""
    if one.unit not in DAYS or other.unit not in DAYS or DAYS[one.unit] <= DAYS[other.unit]:
        return False
    return between.strip() in ("", "and", ",", ", and")


def _found(text: str) -> Iterator[Quantity]:
    for match in _QUANTITY.finditer(text):
        before = text[max(match.start() - _LONGEST_LEAD, 0) : match.start()]
        if _is_part_of_word(text, match) or _counts_nothing(before, match):
            continue
        value, step = _value(match)
        near = _ABOUT.search(before)
        about: Approximate = "" if near is None else "over" if near["over"] else "under" if near["under"] else "about"
        bound: Bound = next((one for one in _BOUNDS if near is not None and near[one]), "")
        if behind := _OR_MORE.match(text, match.end()):
            about, bound = ("over", "least") if behind["more"] else ("under", "most")
        start = match.start() - (len(before) - near.start() if near else 0)
        figure = match["value"] if match["value"] and re.fullmatch(r"[\d.,]+", match["value"]) else ""
        yield Quantity(start, match.end(), value, step, _unit(match), about, figure, bound)


def _unit(match: re.Match[str]) -> str:
    if match["percent"]:
        return "percent"
    if match["fraction"] or match["of"] or match["ratio"]:
        return "ratio"
    unit = (match["unit"] or "").lower()
    return "century" if unit == "centuries" else unit.removesuffix("s")


def _is_part_of_word(text: str, match: re.Match[str]) -> bool:
    """Say whether a match is part of what is no number: "someone", "3rd", "python3"."""
    after = text[match.end() : match.end() + 1]
    return after.isalnum() or after == "_"


def _counts_nothing(before: str, match: re.Match[str]) -> bool:
    """Say whether this is the "one" of "one of them", "no one", "each one" or "the one that"."""
    if match[0].strip().lower() != "one":
        return False
    return bool(_NAMED_ONE.search(before) or _PRONOUN.match(match.string, match.end()))


def _value(match: re.Match[str]) -> tuple[float, float]:
    """Return the number and how finely it is written."""
    if match["fraction"]:
        part = match["part"].lower()
        return number(match["parts"]) / FRACTIONS["half" if part == "halves" else part.removesuffix("s")], 0.01
    if match["of"]:
        return number(match["of_a"]) / max(1.0, number(match["of_b"])), 0.01
    if match["ratio"]:
        named = {"double": 2.0, "triple": 3.0, "half": 0.5}
        return named.get(match["ratio"].lower()) or number(match["times"] or match["ratio"]), 0.01
    if match["a_half"]:
        return 0.5, 0.5
    return number(match["value"]) + (0.5 if match["unit_half"] else 0), _step(match["value"].lower())


def _step(text: str) -> float:
    """Return the size of the last place that a number has: 100,000 of "1.2 million", 1,000 of "five thousand"."""
    decimals = re.match(r"[\d,]+\.(\d+)(?!\.)", text)
    scale = re.search(r"(?:thousand|million|billion|trillion|k|m|bn)$", text)
    finest = 10.0 ** -len(decimals[1]) if decimals else 0.1 if "half" in text or "quarter" in text else 1.0
    return finest * (number(scale[0]) if scale else 1)
