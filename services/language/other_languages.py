"""Which language a question is in, where it is not English: told by its letters, or by small words of its own."""

import functools
import re
from collections.abc import Mapping
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


def other_language(text: str) -> str:
    """Return the name of the language of a question that is not in English; "" where it is, or cannot be told."""
    words = re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?", text.lower())
    counts = {language: sum(word in own for word in words) for language, own in _small_words().items()}
    letters = "".join(words)
    for language, pattern in _LETTERS.items():
        if not counts["English"] and len(re.findall(pattern, letters)) * 2 > len(letters):
            return language
    most = max(counts, key=lambda language: (counts[language], language == "English"))
    opens = bool(words) and words[0] in _small_words()[most] and not counts["English"]
    return most if most != "English" and (counts[most] >= _LEAST or opens) else ""


@functools.cache
def _small_words() -> Mapping[str, frozenset[str]]:
    lines = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    return {language: frozenset(words.split()) for language, _, words in (line.partition(":") for line in lines)}
