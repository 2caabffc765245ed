"""The numbers of a sentence, in figures and in words, and when a number says a value or a length of time."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

Approximate = Literal["", "about", "over", "under"]

_BELOW_TWENTY = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_WORDS = {
    **{word: n for n, word in enumerate(_BELOW_TWENTY.split())},
    **{word: n * 10 for n, word in enumerate(_TENS.split(), 2)},
    "dozen": 12,
    "couple": 2,
    "twice": 2,
    "thrice": 3,
}
_SCALES = {
    "hundred": 100,
    "thousand": 1_000,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
    "k": 1e3,
    "m": 1e6,
    "bn": 1e9,
    "dozen": 12,
}
_PARTS = {
    "half": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
}
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

_WORD = "(?:" + "|".join(sorted(_WORDS, key=len, reverse=True)) + ")"
_PART = "(?:" + "|".join(_PARTS) + "|halve)s?"
_SCALE = "(?:hundred|thousand|million|billion|trillion)"
_UNIT = "(?:seconds|minutes?|hours?|days?|weeks?|fortnights?|months?|quarters?|years?|decades?|century|centuries)"
_NUMBER = re.compile(
    rf"""(?<![\w.,])(?:
      (?P<fraction>(?:a|one|two|three|four|five|six|seven|eight|nine)[\s-]+{_PART}(?=\s+of\b|\s+the\b))
    | (?P<of>(?P<of_a>\d+|{_WORD})\s+(?:in|out\s+of(?:\s+the)?)\s+(?P<of_b>\d+|{_WORD}))(?=\s+[^\W\d])
    | (?P<ratio>twice|double|triple|thrice|half(?=\s+(?:as|of|the))
        |(?P<times>\d+(?:\.\d+)?|{_WORD})\s+times(?=\s+(?:as|more|less|fewer|the|that|\w+er)\b))\b(?!\s+(?:a|per)\b)
    | (?P<a_half>(?:an?\s+)?half[\s-]+(?:an?\s+)?(?={_UNIT}\b))
    | (?P<value>\d{{1,3}}(?:[,\u202f\ ]\d{{3}})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)*
        |{_WORD}\b(?:[\s-]+(?:{_WORD}|{_SCALE})\b|(?:(?<=hundred)|(?<=thousand))\s+and\s+{_WORD}\b)*
        |an?(?=\s+(?:{_UNIT}|dozen|couple|hundred|thousand|million)\b))
      (?P<scales>(?:[\s-]+(?:hundred|thousand|million|billion|trillion|dozen)\b|(?:k|m|bn)\b)*)
      (?P<and_half>\s+and\s+(?:a\s+)?(?:half|quarter|three\s+quarters)\b)?
    )
    (?P<percent>\s*(?:%|per\s?cent\b|percentage\s+points?\b))?
    (?:(?:[\s-]+(?:full|whole|calendar|consecutive|long))?[\s-]+(?P<unit>{_UNIT})\b(?P<unit_half>\s+and\s+a\s+half\b)?)?""",
    re.VERBOSE | re.IGNORECASE,
)
_ABOUT = re.compile(
    r"""(?: (?P<over>(?:(?:just|well|slightly|a\s+little)\s+)?
              (?:over|more\s+than|above|upwards\s+of|exceeding|at\s+least|beyond))
          | (?P<under>(?:(?:just|slightly|a\s+little)\s+)?
              (?:under|less\s+than|fewer\s+than|below|nearly|almost|close\s+to|at\s+most|up\s+to))
          | (?P<about>about|around|roughly|approximately|some|circa|ca\.?|~|approx\.?|an?\s+estimated)
        )\s*(?:the\s+|[$£€]\s*)?$""",
    re.VERBOSE | re.IGNORECASE,
)
_BEFORE_ONE = "(?:no|each|every|the|this|that|which|any|another|some|first|last|second|next|old|new|other|only|former)"
_LITTLE = 1e-6


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a text at `start` to `end`: `step` is how finely it is written, in its own size.

    `unit` is one of time, "percent" or "ratio", or empty. `figure` is how it is written, if in figures alone.
    """

    start: int
    end: int
    value: float
    step: float = 1.0
    unit: str = ""
    about: Approximate = ""
    figure: str = ""

    def says(self, value: float) -> bool:
        """True when this number is a way to write a value."""
        near, off = self.about, value - self.value
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

    def lasts(self, days: float) -> bool:
        """True when this length of time is a way to say so many days."""
        if self.unit not in DAYS:
            return False
        actual = days / DAYS[self.unit]
        off = actual - self.value
        if self.about == "over":
            return -0.05 <= off <= max(1.1, 0.1 * self.value)
        if self.about == "under":
            return -max(1.1, 0.1 * self.value) <= off <= 0.08
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
    """The numbers of a text, in order. "One of" and "no one" are none, nor are ordinals."""
    found: list[Quantity] = []
    for one in _found(text):
        before = found[-1] if found else None
        if before is not None and not one.unit and before.unit in DAYS and _OF_THEM.match(text, one.end):
            one = replace(one, unit=before.unit)
        if before is not None and _goes_on(before, one, text[before.end : one.start]):
            length = before.value * DAYS[before.unit] / DAYS[one.unit] + one.value
            found[-1] = Quantity(before.start, one.end, length, one.step, one.unit, before.about)
        else:
            found.append(one)
    return found


_OF_THEM = re.compile(r"\s+of\s+(?:them|these|those|which)\b")


def _goes_on(one: Quantity, other: Quantity, between: str) -> bool:
    """True for a length of time in two units: "five years and eight months"."""
    if one.unit not in DAYS or other.unit not in DAYS or DAYS[one.unit] <= DAYS[other.unit]:
        return False
    return between.strip() in ("", "and", ",", ", and")


def _found(text: str) -> Iterator[Quantity]:
    for match in _NUMBER.finditer(text):
        if not re.match(r"\w|$|[^\w]", text[match.end() : match.end() + 1]) or _is_part_of_word(text, match):
            continue
        if _counts_nothing(text, match):
            continue
        value, step = _value(match)
        unit = (match["unit"] or "").lower()
        if match["percent"]:
            unit = "percent"
        elif match["fraction"] or match["of"] or match["ratio"]:
            unit = "ratio"
        else:
            unit = "century" if unit == "centuries" else unit.removesuffix("s")
        near = _ABOUT.search(text[: match.start()])
        about: Approximate = "" if near is None else "over" if near["over"] else "under" if near["under"] else "about"
        start = near.start() if near else match.start()
        figure = match["value"] if match["value"] and re.fullmatch(r"[\d.,]+", match["value"]) else ""
        yield Quantity(start, match.end(), value, step, unit, about, "" if match["scales"] else figure)


def _is_part_of_word(text: str, match: re.Match[str]) -> bool:
    """True inside what is no number: "someone", "3rd", "python3"."""
    after = text[match.end() : match.end() + 1]
    return after.isalnum() or after == "_"


def _counts_nothing(text: str, match: re.Match[str]) -> bool:
    """True for the "one" of "one of them", "no one", "each one" and "the one that"."""
    if match[0].strip().lower() != "one":
        return False
    before, after = text[: match.start()].lower(), text[match.end() :].lower()
    return bool(
        re.search(
            r"(?:\b(?:no|each|every|the|this|that|which|any|another|some|first|last|second|next|old|new|other|only|former)\s+)$",
            before,
        )
        or re.match(r"\s*(?:of\b|that\b|which\b|who\b|another\b|[.,;:]|$)", after)
    )


def _value(match: re.Match[str]) -> tuple[float, float]:
    """The number and how finely it is written."""
    if match["fraction"]:
        many, part = re.split(r"[\s-]+", match["fraction"].lower(), maxsplit=1)
        base = _PARTS[part if part in _PARTS else "half" if part.startswith("hal") else part.removesuffix("s")]
        return (1 if many in ("a", "an") else _WORDS[many]) / base, 0.01
    if match["of"]:
        return _plain(match["of_a"]) / max(1.0, _plain(match["of_b"])), 0.01
    if match["ratio"]:
        named = {"twice": 2.0, "double": 2.0, "triple": 3.0, "thrice": 3.0, "half": 0.5}
        return named.get(match["ratio"].lower()) or _plain(match["times"]), 0.01
    if match["a_half"]:
        return 0.5, 0.5
    value, step = _plain(match["value"]), _step(match["value"])
    for scale in re.findall(r"hundred|thousand|million|billion|trillion|dozen|k|m|bn", match["scales"].lower()):
        value, step = value * _SCALES[scale], step * _SCALES[scale]
    if match["and_half"] or match["unit_half"]:
        value += 0.25 if match["and_half"] and "a quarter" in match["and_half"].lower() else 0.5
    return value, step


def _plain(text: str) -> float:
    lower = text.lower().strip()
    if lower in ("a", "an"):
        return 1.0
    if lower[:1].isdigit():
        bare = re.sub(r"[,\s\u202f]", "", lower)
        first, *more = bare.split(".")
        if len(more) > 1:  # a version: no other number is the same
            return float(f"{first}.{more[0]}") + sum(int(part) * 1e-4**n for n, part in enumerate(more[1:], 1))
        return float(f"{first}.{more[0]}" if more else first)
    total = small = 0.0
    for word in re.findall(r"[a-z]+", lower):
        if word in _WORDS:
            small += _WORDS[word]
        elif word == "hundred":
            small = max(small, 1) * 100
        elif word in _SCALES:
            total, small = total + max(small, 1) * _SCALES[word], 0.0
    return total + small


def _step(text: str) -> float:
    return 10.0 ** -len(text.split(".")[1]) if re.fullmatch(r"[\d,]+\.\d+", text) else 1.0
