"""How verbs tell relations, from lexicon.tsv, and which of its lines a clause fits."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import cast

from services.extraction.rules.clause_dates import Time

_FILE = Path(__file__).parent / "lexicon.tsv"


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the lexicon. `relation` may name a choice ("@joins"); `other` is a type, or a category ("school")."""

    lemma: str
    place: str
    relation: str
    time: Time
    forward: bool
    other: str = ""


def entries(lemma: str) -> tuple[Entry, ...]:
    """The lines of a verb in the order of the file."""
    return _entries().get(lemma, ())


def verbs() -> frozenset[str]:
    """Every verb that the lexicon has, as lemmas."""
    return frozenset(lemma.split()[0] for lemma in _entries())


@lru_cache(maxsize=1)
def _entries() -> Mapping[str, tuple[Entry, ...]]:
    by_lemma: dict[str, list[Entry]] = defaultdict(list)
    for entry in every_entry():
        by_lemma[entry.lemma].append(entry)
    return {lemma: tuple(found) for lemma, found in by_lemma.items()}


def every_entry() -> Iterator[Entry]:
    """The lines of the lexicon in order."""
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            lemma, place, relation, time, way, *other = line.split("\t")
            yield Entry(lemma, place, relation, cast(Time, time), way == ">", other[0] if other else "")
