"""Names that are misspelt: close enough in letters, and exactly the same in digits."""

from collections.abc import Iterable, Sequence

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

_LEAST = ((8, 85.0), (6, 80.0), (4, 74.0))
"""So alike a name of so many letters must be, in percent."""


def closest(asked: str, names: Sequence[str]) -> str | None:
    """The one name that `asked` is a misspelling of; None where there is none, or several are as close."""
    cut = next((least for length, least in _LEAST if len(asked) >= length), None)
    if cut is None:
        return None
    found = process.extract(asked, names, scorer=fuzz.ratio, score_cutoff=cut, limit=4)
    close = [(name, score) for name, score, _ in found if is_misspelt(asked, name)]
    if not close or (len(close) > 1 and close[0][1] == close[1][1]):
        return None
    return close[0][0]


def is_misspelt(asked: str, name: str) -> bool:
    """True for at most one slip in a short name, two in a longer one, with the same digits."""
    if _digits(asked) != _digits(name):
        return False
    slips = OSA.distance(asked, name, score_cutoff=2)
    return slips <= (1 if min(len(asked), len(name)) < 7 else 2)


def closest_word(asked: str, words: Iterable[str]) -> str | None:
    """The word that `asked` misspells by one slip after its first letter, or two in a long one."""
    if len(asked) < 4 or not asked.isalpha():
        return None
    best, best_slips = None, 3
    for word in words:
        if word[:1] != asked[:1] or abs(len(word) - len(asked)) > 2:
            continue
        slips = OSA.distance(asked, word, score_cutoff=2)
        allowed = 2 if len(asked) >= 8 else 1 if len(asked) >= 5 or sorted(asked) == sorted(word) else 0
        if slips <= allowed and slips < best_slips:
            best, best_slips = word, slips
    return best


def is_slip(word: str, right: str) -> bool:
    """True for a small word with a letter too few, or doubled, or two that are swapped, after the first: "wht"."""
    alike = word != right and word[:1] == right[:1] and len(word) > 2 and set(word) <= set(right)
    return alike and OSA.distance(word, right, score_cutoff=1) == 1


def _digits(text: str) -> str:
    return "".join(c for c in text if c.isdigit() or c == ".")
