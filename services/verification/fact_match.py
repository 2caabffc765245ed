"""A clause held against a fact, and what stands around it."""

from dataclasses import dataclass

from services.verification.evidence_index import IndexedFact, TurnInstants
from services.verification.sentence_clauses import SentenceClause
from services.verification.sentence_reading import ReadWord
from services.verification.word_classes import GENERAL


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why a record does not bear out a clause. The nearer it came, the higher `near`."""

    reason: str
    n: int
    near: int = 0


@dataclass(frozen=True, slots=True)
class SentenceContext:
    """What stands around a clause.

    `sentence` are the keys of all names in its sentence, `before` those spoken of earlier, `relations` the words of the
    turn's relations, `rivals` any two that had the same, one after the other, `facts` all that the sentence cites.
    """

    sentence: frozenset[str]
    before: frozenset[str]
    relations: frozenset[str]
    rivals: frozenset[frozenset[str]]
    facts: tuple[IndexedFact, ...] = ()


@dataclass(frozen=True, slots=True)
class FactMatch:
    """A clause that a fact may bear out."""

    clause: SentenceClause
    fact: IndexedFact
    context: SentenceContext
    turn: TurnInstants


def is_content(word: ReadWord) -> bool:
    """True for a word that names something; not for those that every sentence about facts has."""
    if word.name or not word.is_word or len(word.lower) < 2:
        return False
    return word.lower not in GENERAL and not word.lower.endswith("ly")
