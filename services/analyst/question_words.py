"""The words of a question, and those that say nothing of what is asked."""

import functools
import re
from calendar import month_abbr, month_name
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from services.language import inflection
from services.language.names import fold

Key = tuple[str, ...]
"""A name or a phrase as it is compared: folded words, numbers without leading zeros."""

_WORD = re.compile(r"\d+(?:\.\d+)*|[^\W\d_]+(?:['’`][^\W\d_]+)*")
_POSSESSIVE = re.compile(r"['’`]s$", re.IGNORECASE)


def lines_of(name: str) -> list[str]:
    """The lines of a file beside this one, without comments and empty ones."""
    lines = (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


FUNCTION_WORDS = frozenset(" ".join(lines_of("function_words.txt")).split())
"""Words that need no explanation in any question."""
LIGHT_WORDS = frozenset(" ".join(lines_of("light_words.txt")).split())
"""Verbs and nouns that say nothing by themselves, next to a relation that other words tell."""


SMALL_WORDS = FUNCTION_WORDS | LIGHT_WORDS
_SEVERAL = frozenset(("people", "staff", "children", "women", "men", "mice", "geese", "feet", "teeth", "sheep", "fish"))
"""Plurals without an "s"."""
MONTHS = frozenset(name.lower() for name in (*month_name, *month_abbr, "Sept") if name)


@dataclass(frozen=True, slots=True)
class WordSpan:
    """The words `first` to before `last` of a question."""

    first: int
    last: int

    @property
    def places(self) -> range:
        """The places of its words."""
        return range(self.first, self.last)


@dataclass(frozen=True, slots=True)
class QuestionWord:
    """A word of a question. `gap` is what stands between the word before and this one."""

    text: str
    low: str
    stem: str
    start: int
    end: int
    gap: str

    @property
    def is_number(self) -> bool:
        """True for digits."""
        return self.low[0].isdigit()

    @property
    def is_capitalised(self) -> bool:
        """True for a word that is written as names are."""
        return self.text[0].isupper()


def words_of(text: str) -> tuple[QuestionWord, ...]:
    """The words of a text in order; a possessive's ending is a word of its own."""
    parts: list[tuple[str, int, int]] = []
    for match in _WORD.finditer(text):
        cut = _POSSESSIVE.search(match[0])
        middle = match.start() + cut.start() if cut and cut.start() else match.end()
        parts.append((text[match.start() : middle], match.start(), middle))
        if middle < match.end():
            parts.append((text[middle : match.end()], middle, match.end()))
    lows = [_low(part) for part, _, _ in parts]
    found, before = [], 0
    for (part, start, end), low in zip(parts, lows, strict=True):
        found.append(QuestionWord(part, low, stem(low), start, end, text[before:start]))
        before = end
    return tuple(found)


def places_of(spans: Iterable[WordSpan]) -> frozenset[int]:
    """Return the places of all words of spans."""
    return frozenset(place for span in spans for place in span.places)


def _low(word: str) -> str:
    return (word.lstrip("0") or "0") if word.isdigit() else fold(word)


@functools.lru_cache(maxsize=65_536)
def key_of(name: str) -> Key:
    """A name as it is compared."""
    return tuple(word.low for word in words_of(name))


def stem(word: str) -> str:
    """Return the stem of a word; "found" is to set up in questions on a graph, not the past of "find"."""
    return inflection.stem("founded" if word == "found" else word)


@functools.lru_cache(maxsize=65_536)
def stems(phrase: str) -> Key:
    """The stems of a phrase's words."""
    return tuple(word.stem for word in words_of(phrase))


def listed(names: Sequence[str], joined: str = "and") -> str:
    """Names in a row: "A, B and C"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {joined} {names[-1]}" if names else ""


def is_plural(word: QuestionWord) -> bool:
    """True for a word that may name several: "dogs", "people"."""
    return word.low in _SEVERAL or (word.low.endswith("s") and not word.low.endswith("ss") and word.low != word.stem)
