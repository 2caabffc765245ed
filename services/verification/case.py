"""A clause held against a fact, and what stands around it."""

from dataclasses import dataclass

from services.verification.clauses import Clause
from services.verification.held import HeldFact, Turn
from services.verification.lexicon import GENERAL
from services.verification.reading import Word


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a record does not bear out a clause. The nearer it came, the higher `near`."""

    reason: str
    n: int
    near: int = 0


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around a clause.

    `text` is its sentence in lower case and `sentence` the keys of all names in it, `before` those spoken of earlier.
    `relations` are the words of the turn's relations; `rivals` any two that had the same, one after the other; `alone`
    is true where one record is cited. `facts` are all that the sentence cites.
    """

    text: str
    sentence: frozenset[str]
    before: frozenset[str]
    relations: frozenset[str]
    rivals: frozenset[frozenset[str]]
    alone: bool
    facts: tuple[HeldFact, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """A clause that a fact may bear out."""

    clause: Clause
    fact: HeldFact
    around: Around
    turn: Turn


def is_content(word: Word) -> bool:
    """True for a word that names something; not for those that every sentence about facts has."""
    if word.name or not word.is_word or len(word.lower) < 2:
        return False
    return word.lower not in GENERAL and not word.lower.endswith("ly")
