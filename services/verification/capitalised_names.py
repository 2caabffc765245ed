"""The names of a sentence as runs of capitalised words: "The Lost City", "King Charles IV of Spain"."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from services.verification.passage_parts import names_in, roots_of
from services.verification.sentence_reading import ReadSentence, ReadWord
from services.verification.word_classes import word_set

_INSIDE = word_set("the de von van la")


@dataclass(frozen=True, slots=True)
class CapitalisedName:
    """Capitalised words that follow each other, as one name."""

    start: int
    end: int
    text: str
    roots: frozenset[str]

    def is_same_as(self, other: "CapitalisedName") -> bool:
        """True where one has all words of the other: "Karl" beside "Karl Lind"."""
        return self.roots <= other.roots or other.roots <= self.roots


def with_list(names: Sequence[CapitalisedName], text: str) -> CapitalisedName:
    """A name with those that a comma or an "and" joins to it."""
    found = names[0]
    for run in names[1:]:
        if text[found.end : run.start].strip(" \"'") not in (",", "and", "or", ", and", ""):
            break
        found = CapitalisedName(found.start, run.end, text[found.start : run.end], found.roots | run.roots)
    return found


def runs(reading: ReadSentence) -> Iterator[CapitalisedName]:
    """The names of a sentence, each with all of its words: "The Lost City", "Empress Dowager Du of Song"."""
    current: list[ReadWord] = []
    for word in names_in(reading):
        if current and not _goes_on(reading.text[current[-1].end : word.start]):
            yield _run(current, reading.text)
            current = []
        current.append(word)
    if current:
        yield _run(current, reading.text)


def _goes_on(between: str) -> bool:
    inside = set(between.split())
    return between in (" ", "-", ". ", "- ") or (bool(inside) and inside <= _INSIDE)


def _run(words: Sequence[ReadWord], text: str) -> CapitalisedName:
    roots = frozenset(root for word in words for root in roots_of(word.lower))
    return CapitalisedName(words[0].start, words[-1].end, text[words[0].start : words[-1].end], roots)
