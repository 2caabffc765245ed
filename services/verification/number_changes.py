"""Whether a number rose or fell as a sentence says, where facts hold it at one time and at another."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from services.core import clock
from services.language.quantities import Quantity
from services.verification.evidence_index import IndexedFact
from services.verification.fact_match import Mismatch
from services.verification.sentence_reading import ReadSentence
from services.verification.word_classes import meanings, word_set

_MORE = word_set("bigger higher larger greater")
_LESS = word_set("smaller lower fewer")
Step = tuple[IndexedFact, IndexedFact]


def number_change_problem(reading: ReadSentence, facts: Sequence[IndexedFact]) -> Mismatch | None:
    """What a sentence that says that a number rose or fell has the other way round; None where nothing is."""
    stated = [_with_lead(number, reading) for number in reading.numbers]
    for one, other in _steps(facts) if stated and (_rises(reading) or _from_to(stated)) else ():
        before, after = _value(one), _value(other)
        meant = [(number, word) for number, word in stated if number.says(before) or number.says(after)]
        if not meant and not any(number.says(abs(after - before)) for number, _ in stated):
            continue
        is_turned = any((w == "from" and not n.says(before)) or (w == "to" and not n.says(after)) for n, w in meant)
        if is_turned or (_rises(reading) and (after > before) not in _rises(reading)):
            return Mismatch(f"the value went from {one.fact.target} to {other.fact.target}", other.n, 5)
    return None


def differences(reading: ReadSentence, facts: Sequence[IndexedFact]) -> set[float]:
    """By how much the numbers of facts rose or fell, where a sentence speaks of that."""
    return {abs(_value(one) - _value(other)) for one, other in _steps(facts)} if _rises(reading) else set()


def _steps(facts: Sequence[IndexedFact]) -> Iterator[Step]:
    """Each two facts that follow each other with a number of the same thing."""
    series = defaultdict(list)
    for fact in facts:
        if fact.target.is_number and fact.numbers and fact.start() is not None:
            series[fact.source.key, fact.relation].append(fact)
    for found in series.values():
        yield from pairwise(sorted(found, key=lambda fact: fact.start() or clock.EARLIEST))


def _value(fact: IndexedFact) -> float:
    return fact.numbers[0].value


def _with_lead(number: Quantity, reading: ReadSentence) -> tuple[Quantity, str]:
    """A number with the "from" or the "to" before it."""
    before = reading.text[: number.start].lower().split()[-1:]
    return number, before[0] if before and before[0] in ("from", "to") else ""


def _from_to(stated: Sequence[tuple[Quantity, str]]) -> bool:
    return {"from", "to"} <= {word for _, word in stated}


def _rises(reading: ReadSentence) -> frozenset[bool]:
    """True for a verb that says that something rose, False for one that it fell."""
    words = {word.lower for word in reading.words}
    compared = {is_more for some, is_more in ((_MORE, True), (_LESS, False)) if "than" in words and words & some}
    meant = {meaning for word in reading.words for meaning, _ in meanings(word.lower)}
    return frozenset(compared) | frozenset(
        is_rise for meaning, is_rise in (("=rise", True), ("=fall", False)) if meaning in meant
    )
