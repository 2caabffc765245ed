"""When two names are the same, and how names and texts are spelled to be compared.

What is stored is told apart by `same_name` alone: databases fold case each in its own way, so this is decided here for
all of them. The other foldings serve reading and never decide what is kept.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable

_LETTERS = {
    "ł": "l",
    "ø": "o",
    "đ": "d",
    "ı": "i",
    "æ": "ae",
    "œ": "oe",
    "ß": "ss",
    "Ł": "L",
    "Ø": "O",
    "Đ": "D",
    "Æ": "A",
    "Œ": "O",
    **dict.fromkeys("’‘`", "'"),
    **dict.fromkeys("“”„«»", '"'),
    **dict.fromkeys("‑‐−", "-"),
}
"""What Unicode does not take apart: letters with a stroke, ligatures, and the marks of print."""

_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)


def same_name(one: str, other: str) -> bool:
    """Say whether names differ in case at most, in any script: `STRASSE` is `straße`, `ΣΊΣΥΦΟΣ` is `σίσυφος`."""
    return one == other or one.casefold() == other.casefold()


def of_name[T](items: Iterable[T], name: str, named: Callable[[T], str]) -> list[T]:
    """Return the items that are named exactly so; failing that, those of the same name."""
    everything = list(items)
    exact = [item for item in everything if named(item) == name]
    return exact or [item for item in everything if same_name(named(item), name)]


def fold(text: str) -> str:
    """Return a text without case, accents and the marks of print: `Łódź’s` and `lodz's` are the same."""
    if text.isascii():
        return text.lower().replace("`", "'")
    return unicodedata.normalize("NFKD", text).casefold().translate(_FOLDED)


class _Folded(dict[int, str]):
    def __missing__(self, code: int) -> str:
        letter = chr(code)
        self[code] = found = "" if unicodedata.combining(letter) else _LETTERS.get(letter, letter)
        return found


_FOLDED = _Folded()


def without_accents(text: str) -> str:
    """Return a text without accents and the marks of print, letter for letter, so that places in it stay."""
    return text if text.isascii() and "`" not in text else text.translate(_UNACCENTED)


class _Unaccented(dict[int, str]):
    def __missing__(self, code: int) -> str:
        letter = chr(code)
        self[code] = found = (_LETTERS.get(letter) or unicodedata.normalize("NFKD", letter))[:1]
        return found


_UNACCENTED = _Unaccented()


def name_key(name: str) -> str:
    """Return what names of one entity share: all but case, spaces and full stops.

    Accents tell names apart here, since what has the key of an entity is written to it without a question.
    """
    return " ".join(name.replace(".", "").casefold().split())


def mention_key(name: str) -> str:
    """Return what mentions of one thing in a text share: all but what `name_key` leaves out, quotes and an article."""
    return name_key(_ARTICLE.sub("", name.replace("’", "'").strip(" \"'“”.")))
