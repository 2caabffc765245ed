"""Which language a question is in, where it is not English: told by its letters, or by small words of its own."""

import functools
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

_LETTERS: Mapping[str, str] = {
    "Japanese": r"[\u3040-\u30ff]",
    "Korean": r"[\uac00-\ud7af]",
    "Chinese": r"[\u4e00-\u9fff]",
    "a language in Cyrillic letters": r"[\u0400-\u04ff]",
    "a language in Arabic letters": r"[\u0600-\u06ff]",
    "Greek": r"[\u0370-\u03ff]",
    "Hebrew": r"[\u0590-\u05ff]",
    "Hindi": r"[\u0900-\u097f]",
}
"""Letters that English has not; Japanese stands before Chinese, whose letters it shares."""
_LEAST = 2
"""So many small words of a language tell it; one alone may be part of a name, unless it opens the question."""


_ENGLISH_TOO = frozenset(("as", "come", "era", "is", "no", "son", "war", "was"))
"""Small words of other languages that are words of English as well."""


def other_language(text: str) -> str:
    """Return the name of the language of a question that is not in English; "" where it is, or cannot be told.

    Names and keywords alone are no question: one asks with a word for it, which is no part of a name.
    """
    written = re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?", text)
    words = [word.lower() for word in written]
    counts = {language: sum(word in own for word in words) for language, own in _small_words().items()}
    letters = "".join(words)
    for language, pattern in _LETTERS.items():
        if not counts["English"] and len(re.findall(pattern, letters)) * 2 > len(letters):
            return language
    most = max(counts, key=lambda language: (counts[language], language == "English"))
    asking = [place for place, word in enumerate(words) if word in _asking_words(most) and _is_asked(written, place)]
    opens = asking[:1] == [0] and words[0] not in _ENGLISH_TOO and not counts["English"]
    return most if most != "English" and asking and (counts[most] >= _LEAST or opens) else ""


def languages() -> tuple[str, ...]:
    """Return the names of languages that a question may be in, as they are said of it."""
    return (*_LETTERS, *(language for language in _small_words() if language != "English"))


def _is_asked(written: Sequence[str], place: int) -> bool:
    """False for a word with a capital within a question, which is a part of a name."""
    return place == 0 or written[place].islower()


def _asking_words(language: str) -> frozenset[str]:
    return _words()[language][0]


@functools.cache
def _small_words() -> Mapping[str, frozenset[str]]:
    return {language: asking | others for language, (asking, others) in _words().items()}


@functools.cache
def _words() -> Mapping[str, tuple[frozenset[str], frozenset[str]]]:
    """The words that ask in each language, and its other small words."""
    lines = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    parts = {language: words.partition("|") for language, _, words in (line.partition(":") for line in lines)}
    return {language: (frozenset(a.split()), frozenset(b.split())) for language, (a, _, b) in parts.items()}
