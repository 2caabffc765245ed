"""The sections of a document: their places in the tree of headings, their ids and their anchors."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from services.documents.outline import Heading

_NO_WORD = re.compile(r"\W+")
_NO_ANCHOR = re.compile(r"[^a-z0-9]+")
_NO_ANCHOR_AT_ENDS = re.compile(r"^[-0-9]+|-+$")
_LETTERS = str.maketrans(
    dict(zip("øđħıłŧƀƃƈƌƒƙƚƞƥƫƭƴƶǥȥȴȵȶȷȼȿɀɇɉɋɍɏ", "odhiltbbcdfklnpttyzgzlntjcszejqry", strict=True))
    | {"ß": "sz", "æ": "ae", "œ": "oe", "ȸ": "db", "ȹ": "qp"}
)
"""Latin letters that are no letter with an accent, spelled as docutils spells them."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a heading stands: its level from 1, the path from the top, and the line after its part, from 0."""

    heading: Heading
    level: int
    path: str
    parent_path: str
    end: int


def places(headings: Sequence[Heading], line_count: int) -> list[Place]:
    """Each heading's place. A level is a depth: a heading two ranks below the one above it is one level below it."""
    found: list[Place] = []
    above: list[int] = []
    for heading in headings:
        while above and found[above[-1]].heading.rank >= heading.rank:
            ended = above.pop()
            found[ended] = replace(found[ended], end=heading.start)
        parent, own = found[above[-1]].path if above else "", f"Level {len(above) + 1}: {heading.name}"
        above.append(len(found))
        found.append(Place(heading, len(above), f"{parent} > {own}" if parent else own, parent, line_count))
    return found


def regions(headings: Sequence[Heading], line_count: int) -> Iterator[tuple[int, int]]:
    """The lines between headings: before the first, and under each."""
    starts = [0, *(heading.end for heading in headings)]
    ends = [*(heading.start for heading in headings), line_count]
    return zip(starts, ends, strict=True)


def section_name(name: str) -> str:
    """A heading's name with one underscore for whatever is no word: Technical_Expertise."""
    return "_".join(_NO_WORD.sub(" ", name).split())


def anchor(name: str) -> str:
    """The id that docutils, and with it Sphinx, gives to what has this name."""
    name = unicodedata.normalize("NFKD", name.lower().translate(_LETTERS)).encode("ascii", "ignore").decode()
    return _NO_ANCHOR_AT_ENDS.sub("", _NO_ANCHOR.sub("-", name))


class Unique:
    """Gives each name once: one that was given gets a number behind it, from `first` on."""

    def __init__(self, separator: str, first: int) -> None:
        self._separator, self._first = separator, first
        self._given: set[str] = set()
        self._asked: Counter[str] = Counter()

    def __call__(self, name: str, empty: str = "") -> str:
        """The name, or with its number; for an empty name always `empty` with a number."""
        candidate, base = name, name or empty
        while not candidate or candidate in self._given:
            candidate = f"{base}{self._separator}{self._first + self._asked[base]}"
            self._asked[base] += 1
        self._given.add(candidate)
        return candidate
