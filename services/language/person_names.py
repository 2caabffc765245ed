"""Whom a title, a heading or a question names, in any way of writing names, and whether two names can be one person's.

"Dr. Ada K. Lovelace", "Lovelace, Ada", "Ada Lovelace (née Byron)" and "A. Lovelace" are read; so is "PEP 484", whose
words are compared as those of people are.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntFlag
from functools import lru_cache
from itertools import product

from services.language.names import fold

PARTICLES = frozenset(
    [
        "van",
        "von",
        "der",
        "den",
        "de",
        "la",
        "le",
        "di",
        "da",
        "del",
        "della",
        "du",
        "dos",
        "das",
        "bin",
        "ibn",
        "al",
        "el",
        "ter",
        "ten",
        "zu",
        "af",
        "av",
    ]
)
_MALE, _FEMALE = frozenset(("mr", "sir", "lord", "herr")), frozenset(("mrs", "ms", "miss", "dame", "lady", "frau"))
TITLES = (
    _MALE
    | _FEMALE
    | frozenset(["dr", "doctor", "prof", "professor", "mx", "rev", "reverend", "mme", "ing", "dipl", "capt", "captain"])
)
_SPELLED_OUT = {"doctor": "dr", "professor": "prof", "reverend": "rev", "captain": "capt"}
_DEGREES = frozenset(["phd", "msc", "bsc", "mba", "esq"])
_OF_DOCUMENTS = frozenset(
    [
        "cv",
        "resume",
        "curriculum",
        "vitae",
        "profile",
        "biography",
        "bio",
        "about",
        "of",
        "the",
        "for",
        "on",
        "application",
        "portfolio",
        "candidate",
        "applicant",
        "employee",
        "txt",
        "md",
        "pdf",
        "docx",
        "doc",
        "html",
        "rst",
    ]
)
"""Words that say what a document is, beside whose it is."""
FORMERLY = r"née|nee|né|born|formerly|geb\.?|now|aka|a\.k\.a\."
_CAPITAL = r"(?=[^\W\d_])[^a-zà-ÿ]"
_ALIAS = re.compile(rf"[(,]?\s*\b(?:{FORMERLY})\s+({_CAPITAL}[^(),;|–—]*)\)?")
_BRACKETS = re.compile(r"\(([^()]*)\)")
_NICKNAME = re.compile(rf"[\"“'‘]({_CAPITAL}\w+)[\"”'’](?=\s+{_CAPITAL})")
_POSSESSIVE = re.compile(r"(?<=\w)['’]s\b|(?<=s)['’](?=\W|$)", re.IGNORECASE)
_SEPARATOR = re.compile(r"\s+[-–—]\s+|[–—|:;/•&+]|\s+(?:and|with)\s+", re.IGNORECASE)
_WORD = re.compile(r"\w+(?:['’-]\w+)*")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
_MOST_INVERTED = 2
"""So many words may stand before the comma of "García Márquez, Gabriel"."""


class Difference(IntFlag):
    """How one writing of a name differs from another that may be the same person's; the greater the farther."""

    ACCENT = 1
    INITIAL = 2
    MORE_WORDS = 4
    FEWER_WORDS = 8
    MARRIED = 16
    WITHIN = 32
    WITHOUT_TITLE = 64


@dataclass(frozen=True, slots=True)
class PersonName:
    """A name: its words in reading order, without case, and the titles of address that stood before it.

    `is_alias` says that it is a further name of somebody whom the text calls otherwise.
    """

    words: tuple[str, ...]
    titles: frozenset[str] = frozenset()
    is_alias: bool = False


@lru_cache(maxsize=4_096)
def readings(text: str) -> tuple[tuple[PersonName, ...], ...]:
    """Return each way to read whom a text names, the likeliest first.

    A comma may stand within a name or between two; the names of one reading are those of several people, or of one.
    """
    text, aliases = _without_aliases(_POSSESSIVE.sub("", text))
    parts = [part for part in _SEPARATOR.split(text) if part.strip(" ,")]
    listed = [name for part in parts for name in map(_name, part.split(",")) if name.words]
    inverted = list(filter(None, map(_inverted, parts)))
    found = [_with_aliases(names, aliases) for names in (inverted, listed) if names]
    return tuple(dict.fromkeys(found))


def names_in(text: str) -> tuple[PersonName, ...]:
    """Return whom a text may name, by any reading."""
    return tuple(dict.fromkeys(name for reading in readings(text) for name in reading))


def difference(asked: PersonName, held: PersonName) -> Difference | None:
    """Say how a name that is asked for differs from one that is held; None where they are not one person's.

    Of a name of several words the first and the last have to be there. A name of one word is anybody's who bears it.
    """
    if _contradict(asked.titles, held.titles):
        return None
    pairs = product(_forms(asked.words), _forms(held.words))
    found = [one for words, own in pairs if (one := _between(words, own)) is not None]
    if not found:
        return None
    found_by_alias = Difference.MARRIED if held.is_alias else Difference(0)
    return min(found) | found_by_alias | (Difference.WITHOUT_TITLE if asked.titles - held.titles else Difference(0))


def same_word(one: str, other: str) -> bool:
    """True for two spellings of a word, with accents and without: `Gödel`, `Godel` and `Goedel`."""
    return one == other or not spellings(one).isdisjoint(spellings(other))


@lru_cache(maxsize=16_384)
def spellings(word: str) -> frozenset[str]:
    """Return how a word is written without accents: with their letters left bare, and spelled out as in German."""
    lower = word.casefold()
    return frozenset((fold(lower), fold(lower.translate(_UMLAUTS))))


def _without_aliases(text: str) -> tuple[str, list[str]]:
    """A text without other names of the same person, and these."""
    aliases = [found.strip() for found in _ALIAS.findall(text)]
    text = _ALIAS.sub(" ", text)
    aliases += [found for found in _BRACKETS.findall(text) if re.fullmatch(rf"{_CAPITAL}[\w'’-]+", found)]
    text = _BRACKETS.sub(" ", text)
    return _NICKNAME.sub(" ", text), aliases + _NICKNAME.findall(text)


def _with_aliases(names: list[PersonName], aliases: list[str]) -> tuple[PersonName, ...]:
    """Names, and the first of them with each alias in the place of its last word and of its first."""
    first, *_ = names
    for alias in aliases:
        words = _name(alias).words
        if len(words) == 1 and len(first.words) > 1:
            by_place = ((*first.words[:-1], *words), (*words, *first.words[1:]))
            names = [*names, *(PersonName(one, first.titles, is_alias=True) for one in by_place)]
        elif words:
            names = [*names, PersonName(words, first.titles, is_alias=True)]
    return tuple(names)


def _inverted(part: str) -> PersonName | None:
    """The name that is written as in a register: "Lovelace, Dr. Ada"."""
    last, comma, given = part.partition(",")
    family, rest = _name(last), _name(given)
    if not comma or "," in given or not 0 < len(family.words) <= _MOST_INVERTED or not rest.words:
        return None
    is_list = len(rest.words) > 1 and len(family.words) > 1 and family.words[0] not in PARTICLES
    return None if is_list else PersonName(rest.words + family.words, family.titles | rest.titles)


def _name(text: str) -> PersonName:
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(text)]
    titles = frozenset(_SPELLED_OUT.get(word, word) for word in words[:-1] if word in TITLES)
    named = [word for word in words[:-1] if word not in TITLES] + words[-1:]
    return PersonName(tuple(word for word in named if fold(word) not in _DEGREES | _OF_DOCUMENTS), titles)


def _contradict(some: frozenset[str], others: frozenset[str]) -> bool:
    return bool(some & _MALE and others & _FEMALE) or bool(some & _FEMALE and others & _MALE)


@lru_cache(maxsize=4_096)
def _forms(words: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """A name as it is, and with hyphens taken for spaces."""
    return tuple(dict.fromkeys((words, tuple(piece for word in words for piece in word.split("-")))))


def _between(asked: tuple[str, ...], held: tuple[str, ...]) -> Difference | None:
    if not asked or not held:
        return None
    if len(asked) == 1:
        return _of_one_word(asked[0], held)
    ends = (_compared(asked[0], held[0]), _compared(asked[-1], held[-1])) if len(held) > 1 else (None, None)
    middle = _middles(asked[1:-1], held[1:-1])
    if ends[0] is not None and ends[1] is not None and middle is not None:
        return ends[0] | ends[1] | middle
    starts = range(len(held) - len(asked) + 1)
    inside = any(all(map(same_word, asked, held[start : start + len(asked)])) for start in starts)
    return Difference.WITHIN if inside else None


def _of_one_word(asked: str, held: tuple[str, ...]) -> Difference | None:
    if len(held) == 1 and (found := _compared(asked, held[0])) is not None and len(asked) > 1:
        return found
    return Difference.MORE_WORDS if any(same_word(asked, word) for word in held) else None


def _compared(asked: str, held: str) -> Difference | None:
    """How two words of names differ; a part of a double name is that of somebody who married."""
    if asked == held:
        return Difference(0)
    if same_word(asked, held):
        return Difference.ACCENT
    if 1 in (len(asked), len(held)) and (asked + held).isalpha():
        return Difference.INITIAL if fold(asked)[:1] == fold(held)[:1] else None
    parts = [part for part in held.split("-") if same_word(asked, part)] if "-" in held else []
    return Difference.MARRIED if parts else None


def _middles(asked: tuple[str, ...], held: tuple[str, ...]) -> Difference | None:
    """How the words between first and last differ: one has some that the other leaves out, but no others."""
    fewer, more = sorted((asked, held), key=len)
    found, rest = Difference(0), iter(more)
    for word in fewer:
        next_one = next(_alike(word, rest), None)
        if next_one is None:
            return None
        found |= next_one
    if len(asked) == len(held):
        return found
    return found | (Difference.MORE_WORDS if len(held) > len(asked) else Difference.FEWER_WORDS)


def _alike(word: str, words: Iterator[str]) -> Iterator[Difference]:
    return (found for other in words if (found := _compared(word, other)) is not None)
