"""How well words of a question stand for the words of a name: whole, shortened, or by another word for the same."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from services.analyst.question_words import FUNCTION_WORDS, lines_of, stem
from services.analyst.sql_words import words_named

_VOWELS = frozenset("aeiou")
_SHORTEST, _LONGEST_SHORT = 3, 6
"""How many letters the beginning of a word has to have to stand for it, and fewer than how many it has."""
_SHORTEST_HEAD, _SHORTEST_BEFORE, _NO_HEAD = 4, 4, "ship"
"""How many letters the head of a compound in one word has at least, and what stands before it."""
NEARLY, PARTLY = 0.8, 0.6
"""How well a phrase fits a name of which it says the head, or another part."""
_WHOLE = frozenset(words_named("whole")) | FUNCTION_WORDS | {"id"}
"""Words that shorten no others."""


def _groups() -> dict[str, frozenset[str]]:
    """Return for each word those that columns are named by instead: its line of the file, stemmed."""
    found: dict[str, frozenset[str]] = {}
    for line in lines_of("column_synonyms.txt"):
        words = frozenset(map(stem, line.split()))
        for word in words:
            found[word] = found.get(word, frozenset()) | words
    return found


SYNONYMS = _groups()


def fit(phrase: Sequence[str], words: Sequence[str]) -> float:
    """Return how well a phrase names what goes by these words: all of them, their head, or with others before it."""
    return _fit_of(tuple(phrase), tuple(words))


@lru_cache(maxsize=65_536)
def _fit_of(phrase: tuple[str, ...], words: tuple[str, ...]) -> float:
    if not phrase or not words:
        return 0.0
    if "".join(phrase) == "".join(words):
        return 1.0
    same = [likeness(one, words) for one in phrase]
    covered = {word for word in words if any(_alike(one, word) for one in phrase)}
    if not all(same):
        return 0.0
    of_part = NEARLY if words[-1] in covered else PARTLY
    return min(same) * (1.0 if len(covered) == len(words) else of_part)


def likeness(word: str, words: Iterable[str]) -> float:
    """Return how well a word stands for the one of several that it fits best, from 0 to 1."""
    return max((_alike(word, other) for other in words), default=0.0)


@lru_cache(maxsize=65_536)
def _alike(one: str, other: str) -> float:
    if one == other:
        return 1.0
    if other in SYNONYMS.get(one, ()):
        return 0.85
    if shortens(other, one):
        return 0.8
    if any(shortens(other, synonym) for synonym in SYNONYMS.get(one, ())):
        return 0.75
    shorter, longer = sorted((one, other), key=len)
    head = shorter.removesuffix("er")  # which stems of long words end without
    is_head = len(head) >= _SHORTEST_HEAD and longer.endswith((head, shorter)) and shorter != _NO_HEAD
    if is_head and len(longer) - len(shorter) >= _SHORTEST_BEFORE:
        return 0.8  # "holders" of policyholders
    return 0.8 if len(shorter) >= 4 and longer.startswith(shorter) and len(longer) - len(shorter) <= 4 else 0.0


def shortens(short: str, word: str) -> bool:
    """True for "mbr" beside "member", "insp" beside "inspection" and "ht" beside "height"."""
    short, word = (f"{one[:-1]}y" if one.endswith("i") else one for one in (short, word))  # as stems end
    bare = short[:-1] if len(short) >= _SHORTEST and short.endswith("s") else short
    if not 1 < len(bare) < min(len(word), _LONGEST_SHORT) or bare[0] != word[0] or bare in _WHOLE:
        return False
    if word.startswith(bare):
        return len(bare) >= _SHORTEST
    if set(bare[1:]) & _VOWELS:
        return False
    letters = iter(word)
    is_end = len(bare) >= _SHORTEST or bare[-1] == next((one for one in reversed(word) if one not in _VOWELS), "")
    return is_end and all(one in letters for one in bare)


def share_root(one: str, other: str, least: int = 5) -> bool:
    """True for words that begin alike: "conducted" and "conductor"."""
    return min(len(one), len(other)) >= least and one[:least] == other[:least]
