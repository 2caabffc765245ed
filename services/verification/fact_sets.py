"""Whether several facts together bear out a sentence: each name, each date and each number in it."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import combinations

from services.core.answer_records import Evidence
from services.core.fact_periods import as_one, spells_of
from services.language.quantities import DAYS, Quantity
from services.verification.agent_roles import agents
from services.verification.evidence_index import IndexedFact, TurnInstants
from services.verification.fact_check import fits, withdrawn
from services.verification.fact_match import FactMatch, Mismatch, SentenceContext
from services.verification.fact_order import not_in_order
from services.verification.number_changes import differences, number_change_problem
from services.verification.result_check import IndexedResult, explained
from services.verification.sentence_clauses import About, SentenceClause, clauses
from services.verification.sentence_reading import ReadSentence
from services.verification.unknown_names import unknown_names
from services.verification.word_classes import is_ending, is_negative

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What facts make of a sentence: the `problem` that keeps them from bearing it out, or None."""

    problem: Mismatch | None
    undated: bool = False


def check_facts(
    reading: ReadSentence,
    facts: Sequence[IndexedFact],
    results: Sequence[IndexedResult],
    before: frozenset[str],
    relations: frozenset[str],
    turn: TurnInstants,
) -> Verdict:
    """Hold a sentence against the facts that it cites; `results` beside them may explain its numbers.

    `before` are the keys of the names spoken of in earlier sentences, `relations` the words of the turn's relations.
    """
    if wrong := next(withdrawn(facts, turn), None):
        return Verdict(wrong)
    nearest = _nearest(reading, facts)
    known = frozenset().union(*(fact.known for fact in facts), *(result.vocabulary for result in results))
    keys = frozenset(name.key for fact in facts for name in (fact.source, fact.target))
    keys |= {name.key for result in results for name in result.names}
    if odd := unknown_names(reading, known, keys):
        return Verdict(Mismatch(f"the fact does not name “{odd[0]}”", nearest.n, 3))
    named = frozenset(word.name for word in reading.names)
    context = SentenceContext(named, before, relations, _rivals(facts, named), tuple(facts))
    if "undated" in reading.text.lower() and all(fact.start() is not None for fact in facts):
        return Verdict(Mismatch("the fact has a date", nearest.n, 5))
    if wrong := not_in_order(reading, facts) or number_change_problem(reading, facts):
        return Verdict(wrong)
    reading = _without_contrast(reading)
    used: list[IndexedFact] = []
    about: About = "numbers" if sum(fact.target.is_number for fact in facts) > 1 else "names"
    for clause in _telling(clauses(reading, about)):
        fitted, problem = _on_clause(clause, facts, context, turn)
        if problem is not None:
            return Verdict(problem)
        if odd_number := next(
            (q for q in clause.numbers if not _is_explained(q, clause, fitted, facts, results, reading, turn)), None
        ):
            number = reading.text[odd_number.start : odd_number.end].strip()
            return Verdict(Mismatch(f"the fact does not say {number}", nearest.n, 4))
        used += fitted
    return Verdict(None, any(fact.start() is None for fact in used))


def _contrast(reading: ReadSentence) -> tuple[int, int] | None:
    """Where the "not" and the name of "…, not Ada (any more)" stand among the words."""
    words = reading.words
    for i, word in enumerate(words[1:-1], 1):
        if word.lower == "not" and words[i - 1].lower == "," and words[i + 1].name:
            return i, i + 1
    return None


def _without_contrast(reading: ReadSentence) -> ReadSentence:
    """The sentence without ", not Ada any more"."""
    place = _contrast(reading)
    if place is None:
        return reading
    end = place[1] + 1
    while end < len(reading.words) and reading.words[end].lower in ("any", "more", "longer", "anymore"):
        end += 1
    words = reading.words[: place[0] - 1] + reading.words[end:]
    return replace(reading, words=words, names=tuple(word for word in words if word.name))


def _rivals(facts: Sequence[IndexedFact], named: frozenset[str]) -> frozenset[frozenset[str]]:
    """Each two names of the sentence that share a relation and its other end."""
    sharing: defaultdict[tuple[tuple[str, ...], str], set[str]] = defaultdict(set)
    for fact in facts:
        source, target = fact.source.key, fact.target.key
        for shared, own in ((source, target), (target, source)):
            if own in named and own != shared:
                sharing[tuple(fact.relation), shared].add(own)
    return frozenset(frozenset(pair) for names in sharing.values() for pair in combinations(names, 2))


def _telling(found: Sequence[SentenceClause]) -> Sequence[SentenceClause]:
    """Without a name that only opens the sentence."""
    return found[1:] if len(found) > 1 and found[0].is_bare and not found[0].numbers else found


def _nearest(reading: ReadSentence, facts: Sequence[IndexedFact]) -> IndexedFact:
    named = {word.name for word in reading.names}
    return max(facts, key=lambda fact: len({fact.source.key, fact.target.key} & named))


def _on_clause(
    clause: SentenceClause, facts: Sequence[IndexedFact], context: SentenceContext, turn: TurnInstants
) -> tuple[list[IndexedFact], Mismatch | None]:
    """The facts that bear out a clause, or what keeps them from it: each name in it is in one that does."""
    found = [(fact, fits(FactMatch(clause, fact, context, turn))) for fact in (*facts, *_joined(facts))]
    fitted = [fact for fact, problem in found if problem is None]
    fitted += _beside(clause, [fact for fact, problem in found if problem is not None], fitted, context, turn)
    keys = clause.keys
    whole = [fact for fact in fitted if {fact.source.key, fact.target.key} <= keys]
    covered = {key for fact in whole for key in (fact.source.key, fact.target.key)}
    left = keys - covered
    if wrong := _out_of_order(clause, whole, context):
        return [], Mismatch(f"the fact came before the fact about {wrong.fact.source}", wrong.n, 5)
    if not fitted or (left and not _is_covered(left, fitted, bool(whole))):
        problems = [problem for _, problem in found if problem is not None]
        problems.sort(key=lambda problem: -problem.near)
        return [], problems[0] if problems else Mismatch("the fact does not say this", facts[0].n)
    return (whole or fitted), None


def _joined(facts: Sequence[IndexedFact]) -> list[IndexedFact]:
    """Return terms that follow each other as one: "senator since 2001" of three terms."""
    by_uuid = {fact.fact.uuid: fact for fact in facts}
    spells = [spell for spell in spells_of(fact.fact for fact in facts) if len(spell) > 1]
    firsts = [(by_uuid[spell[0].uuid], as_one(spell)) for spell in spells]
    return [IndexedFact(Evidence(one.n, "fact", whole.uuid, one.at, whole.text), whole) for one, whole in firsts]


def _beside(
    clause: SentenceClause,
    facts: Sequence[IndexedFact],
    fitted: Sequence[IndexedFact],
    context: SentenceContext,
    turn: TurnInstants,
) -> list[IndexedFact]:
    """The facts that only tell more of a name: the clause's date and negation are said of another relation."""
    relations = {tuple(fact.relation) for fact in fitted if {fact.source.key, fact.target.key} <= clause.keys}
    relations = relations or {tuple(fact.relation) for fact in fitted}
    if not relations:
        return []
    words = tuple(w for w in clause.words if w.name or not (is_negative(w.lower) or is_ending(w.lower)))
    lower = frozenset(word.lower for word in words if not word.name) - {"longer", "yet", "more", "anymore"}
    words = tuple(word for word in words if word.name or word.lower in lower)
    bare = replace(clause, words=words, lower=lower, dates=())
    return [
        fact
        for fact in facts
        if tuple(fact.relation) not in relations
        and {fact.source.key, fact.target.key} <= clause.keys
        and fits(FactMatch(bare, fact, context, turn)) is None
    ]


def _out_of_order(clause: SentenceClause, facts: Sequence[IndexedFact], context: SentenceContext) -> IndexedFact | None:
    """The fact of a successor that began before its predecessor's."""
    if not context.rivals:
        return None
    for one, other in combinations(facts, 2):
        pair = frozenset((one.source.key, one.target.key)) ^ frozenset((other.source.key, other.target.key))
        if one.relation != other.relation or pair not in context.rivals:
            continue
        first, second = pair
        later = agents(clause.words, first, second).get("=succeed")
        ours, theirs = (one, other) if later in (one.source.key, one.target.key) else (other, one)
        start, before = ours.start(), theirs.start()
        if later is not None and start is not None and before is not None and start < before:
            return ours
    return None


def _is_covered(left: frozenset[str], fitted: Sequence[IndexedFact], has_whole: bool) -> bool:
    """True when each name is in a fact whose other end is meant too: the same for all where none is named with them."""
    ends = [(fact.source.key, fact.target.key) for fact in fitted]
    other_ends = [{b if a == key else a for a, b in ends if key in (a, b)} for key in left]
    if not all(other_ends):
        return False
    return has_whole or len(other_ends) == 1 or bool(set.intersection(*other_ends))


def _is_explained(
    number: Quantity,
    clause: SentenceClause,
    fitted: Sequence[IndexedFact],
    facts: Sequence[IndexedFact],
    results: Sequence[IndexedResult],
    reading: ReadSentence,
    turn: TurnInstants,
) -> bool:
    """True for a number that the facts state, for one that counts them, and for a length of time between their ends."""
    about = [fact for fact in facts if {fact.source.key, fact.target.key} & clause.keys]
    stated = [other for fact in (*fitted, *(about or facts)) for other in fact.numbers]
    if any(
        number.says_as(other) and (number.unit == other.unit or not number.unit or not other.unit) for other in stated
    ):
        return True
    if number.unit in DAYS:
        return any(number.lasts(days) for days in _lengths(fitted, facts, turn))
    if any(number.says(value) for value in differences(reading, facts)):
        return True
    if any(number.says(float(count)) for count in _counts(facts)) and (len(facts) > 1 or not number.figure):
        return True
    return bool(results) and explained(number, clause, results, reading.text)


def _counts(facts: Sequence[IndexedFact]) -> set[int]:
    return {len(facts), len({fact.source.key for fact in facts}), len({fact.target.key for fact in facts})}


def _lengths(fitted: Sequence[IndexedFact], facts: Sequence[IndexedFact], turn: TurnInstants) -> Iterator[float]:
    """In days: how long each fact was true, and the time between the ends of any two."""
    for fact in fitted:
        yield from fact.days(turn)
    for one, other in combinations(facts, 2):
        ends = [[moment for moment in (fact.start(), fact.end(turn)) if moment is not None] for fact in (one, other)]
        yield from (abs(a - b) / _DAY for a in ends[0] for b in ends[1])
