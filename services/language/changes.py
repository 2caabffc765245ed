"""Verbs, idioms and nouns of beginning and ending, from changes.tsv: who loses what, and who gains what."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

_FILE = Path(__file__).parent / "changes.tsv"

Places = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChangeVerb:
    """A verb or an idiom of change: in which places of its clause is who loses, who gains, and what.

    `words` are lemmas, the verb's first; in each place any one of several may stand.
    """

    words: tuple[tuple[str, ...], ...]
    loses: Places
    gains: Places
    lost: Places
    gained: Places
    about: frozenset[str]

    @property
    def is_swap(self) -> bool:
        """True where one has something else after it than before it."""
        return self.gains == self.loses

    @property
    def ends(self) -> bool:
        """True where something ends for its subject, its object or what they have, and nothing begins for another."""
        return not self.gains or self.is_swap or "to" in self.gains

    @property
    def begins(self) -> bool:
        """True where something begins for its subject or its object, and nothing ends for another."""
        return not self.loses and bool(self.gains)


@cache
def change_verbs() -> Mapping[str, Sequence[ChangeVerb]]:
    """The lines of verbs by the first of their words, those of most words first."""
    found: defaultdict[str, list[ChangeVerb]] = defaultdict(list)
    for kind, words, *places, about in _lines():
        if kind == "verb":
            loses, gains, lost, gained = (tuple(place.split("|")) if place != "-" else () for place in places)
            alternatives = tuple(tuple(word.split("|")) for word in words.split())
            change = ChangeVerb(alternatives, loses, gains, lost, gained, frozenset(about.split(",")))
            for verb in alternatives[0]:
                found[verb].append(change)
    return {verb: sorted(changes, key=lambda one: -len(one.words)) for verb, changes in found.items()}


@cache
def change_nouns(kind: str) -> Mapping[str, frozenset[str]]:
    """What the nouns of a kind ("spell", "event", "post", "office") are about, as lemmas."""
    return {
        noun: frozenset(about.split(","))
        for word, *cells in _lines()
        if word == "noun" and cells[0] == kind
        for noun in cells[1].split("|")
        for about in cells[2:]
    }


@cache
def phrases(*, ending: bool) -> frozenset[str]:
    """The phrases, as lemmas, that tell of an ending; else those that tell of a beginning."""
    return frozenset(
        " ".join(words)
        for verb, changes in change_verbs().items()
        for one in changes
        if (one.ends if ending else one.begins)
        for words in product((verb,), *one.words[1:])
    )


def _lines() -> Iterator[list[str]]:
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")
