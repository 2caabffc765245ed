"""Verbs, idioms and nouns of beginning and ending, from changes.tsv: who loses what, and who gains what."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

from services.language.inflection import stem

_FILE = Path(__file__).parent / "changes.tsv"

_FAR = 4
"""How many words may stand between those of an idiom."""

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
    def begins(self) -> bool:
        """True where something begins, and nothing ends for another."""
        return not self.loses and bool(self.gains)


@cache
def change_verbs() -> Mapping[str, Sequence[ChangeVerb]]:
    """The lines of verbs by the first of their words, those of most words first."""
    found: defaultdict[str, list[ChangeVerb]] = defaultdict(list)
    for _, words, *places, about in _verb_lines():
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
def ending_phrases() -> frozenset[str]:
    """The verbs and idioms, as lemmas, that tell of an end by themselves: not where one only changes for another."""
    return frozenset(
        phrase
        for kind, words, loses, gains, lost, *_ in _verb_lines()
        if kind == "verb" and loses != "-" and ("object" in lost if gains == loses else gains != "subject")
        for phrase in _wordings(words)
    )


@cache
def stopping_verbs() -> frozenset[str]:
    """The verbs, as lemmas, that end what somebody does or uses: "stopped working", "quit smoking"."""
    stops = (one for changes in change_verbs().values() for one in changes if one.about == {"use"} and not one.gains)
    return frozenset(verb for one in stops if len(one.words) == 1 for verb in one.words[0])


@cache
def starting_verbs() -> frozenset[str]:
    """The verbs, as lemmas, that tell of a beginning by themselves."""
    beginning = [words for kind, words, loses, *_ in _verb_lines() if kind == "verb" and loses == "-"]
    beginning += [words for kind, words, *_ in _lines() if kind == "start"]
    return frozenset(verb for words in beginning if " " not in words for verb in words.split("|"))


@cache
def momentary_verbs() -> frozenset[str]:
    """The verbs, as lemmas, of what happens at once and does not go on: "win", "acquire"."""
    return frozenset(verb for kind, words, *_ in _lines() if kind == "moment" for verb in words.split("|"))


def _verb_lines() -> Iterator[list[str]]:
    return (cells for cells in _lines() if cells[0] in ("verb", "handover"))


def _wordings(words: str) -> Iterator[str]:
    return map(" ".join, product(*(word.split("|") for word in words.split())))


@cache
def _ending_stems() -> Mapping[str, Sequence[tuple[str, ...]]]:
    found: defaultdict[str, list[tuple[str, ...]]] = defaultdict(list)
    for phrase in (*ending_phrases(), *change_nouns("event")):
        first, *others = map(stem, phrase.split())
        found[first].append(tuple(others))
    return found


def tells_end(words: Sequence[str]) -> bool:
    """True where words in lower case tell of an end: "after she handed in her notice", "before the departure of"."""
    stems = [stem(word) for word in words]
    return any(
        all(other in stems[place + 1 : place + 2 + _FAR] for other in others)
        for place, first in enumerate(stems)
        for others in _ending_stems().get(first, ())
    )


def _lines() -> Iterator[list[str]]:
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")
