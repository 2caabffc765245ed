"""Words of a text: stems for matching, and the names that capitals tell."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from services.language.inflection import stems_of
from services.language.names import fold

STOP_WORDS = frozenset((Path(__file__).parent / "stop_words.txt").read_text(encoding="utf-8").split())
"""Words that say nothing about what a text is on."""

_WORD = re.compile(r"\w+")
_TOKEN = re.compile(r"\w+(?:['’]\w+)?")
_NAME = re.compile(r"[A-Z][\w'’-]+(?:\s+(?:of\s+|the\s+|de\s+|van\s+|von\s+)?[A-Z][\w'’-]+)*")
_POSSESSIVES = ("'s", "’s", "'S", "’S")


def stems(text: str) -> list[str]:
    """The words of a text for matching: lower case, without stop words, by their Snowball stems."""
    return stems_of([word for word in _WORD.findall(text.lower()) if word not in STOP_WORDS])


def tokens(text: str) -> list[str]:
    """The words of a text as they are written, without a possessive's ending."""
    return [word[:-2] if word.endswith(_POSSESSIVES) else word for word in _TOKEN.findall(text)]


def folded_words(text: str) -> list[str]:
    """Return the words of a text as they are compared, without case, accents and a possessive's ending."""
    return tokens(fold(text))


def capitalised_names(sentences: Iterable[str]) -> Iterator[str]:
    """Runs of capitalised words, in lower case; a stop word that opens a sentence is no name."""
    for sentence in sentences:
        for found in _NAME.finditer(sentence):
            words = found[0].split()
            if found.start() == 0 and words[0].lower() in STOP_WORDS:
                words = words[1:]
            if words:
                yield " ".join(words).lower()


def spans(question: str, text: str) -> tuple[tuple[int, int], ...]:
    """The places of the question's words in the text, whatever their endings; words side by side are one span."""
    asked = set(stems(question))
    words = list(_WORD.finditer(text))
    telling = stems_of([word[0].lower() for word in words])
    found: list[tuple[int, int]] = []
    for word, stem in zip(words, telling, strict=True):
        if stem not in asked:
            continue
        if found and not text[found[-1][1] : word.start()].strip():
            found[-1] = (found[-1][0], word.end())
        else:
            found.append(word.span())
    return tuple(found)
