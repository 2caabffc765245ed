"""Whether two facts came in the order that a sentence has them in: "before", "after", "then"."""

from collections.abc import Sequence
from itertools import permutations

from services.core import clock
from services.verification.event_order import orders
from services.verification.evidence_index import IndexedFact
from services.verification.fact_match import Mismatch
from services.verification.sentence_reading import ReadSentence, ReadWord
from services.verification.word_classes import is_ending, meanings


def not_in_order(reading: ReadSentence, facts: Sequence[IndexedFact]) -> Mismatch | None:
    """A fact that the sentence has "before" another, and that began after it; or the other way."""
    for earlier, later in orders(reading):
        for one, other in permutations(facts, 2):
            if (one.start() or clock.EARLIEST) <= (other.start() or clock.LATEST):
                continue
            if _are_rivals(one, other, earlier, later) or _are_events(one, other, earlier, later, facts):
                is_same = one.source.key == other.source.key
                return Mismatch(
                    f"the fact started after {other.fact.target if is_same else other.fact.source}", one.n, 5
                )
    return None


def _are_rivals(one: IndexedFact, other: IndexedFact, earlier: Sequence[ReadWord], later: Sequence[ReadWord]) -> bool:
    """True where two facts of one relation differ in one end, and the sentence has the ends in this order."""
    pair = frozenset((one.source.key, one.target.key)) ^ frozenset((other.source.key, other.target.key))
    if one.relation != other.relation or len(pair) != 2:
        return False
    ours, theirs = ({fact.source.key, fact.target.key} & pair for fact in (one, other))
    return [{word.name for word in words} & pair for words in (earlier, later)] == [ours, theirs]


def _are_events(
    one: IndexedFact,
    other: IndexedFact,
    earlier: Sequence[ReadWord],
    later: Sequence[ReadWord],
    facts: Sequence[IndexedFact],
) -> bool:
    """True where each event is what one of two facts of different relations says, and nothing in it tells of an end."""
    if one.relation == other.relation or any(is_ending(word.lower) for word in (*earlier, *later)):
        return False
    return [fact.n for fact in facts if _tells(earlier, fact)] == [one.n] and [
        fact.n for fact in facts if _tells(later, fact)
    ] == [other.n]


def _tells(words: Sequence[ReadWord], fact: IndexedFact) -> bool:
    """True for words with one of a fact's names and what its relation means."""
    meant = {meaning for word in words if not word.name for meaning, _ in meanings(word.lower)}
    return bool({fact.source.key, fact.target.key} & {word.name for word in words}) and any(
        meaning in meant for word in fact.relation for meaning, _ in meanings(word)
    )
