"""Which relation of an entity a question means, and on which side of it the entity stands."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from services.analyst.evidence import Evidence, Told
from services.analyst.lexicon import Lexicon, RelationEntry
from services.analyst.mentions import Mention
from services.analyst.vocabulary import OF_TYPE, OWN, Side, is_like, is_of_people, other, taken_apart
from services.analyst.voices import side_told
from services.analyst.words import stem

LEAST = 0.4
"""Below this nothing speaks for a relation."""
LINKED, POSSIBLE = 0.7, 0.55
"""What a value says for a relation: a record joins it with the entity, or with another one."""
_TURNED = 0.2
"""What it takes from a relation that the words put the subject on its other side."""

_SYMMETRIC = frozenset(
    map(
        stem,
        (
            "married",
            "marry",
            "wed",
            "spouse",
            "sibling",
            "friend",
            "know",
            "knows",
            "partner",
            "compete",
            "rival",
            "connected",
            "borders",
            "adjacent",
            "related",
            "equivalent",
            "collaborate",
            "ally",
            "twin",
            "neighbour",
        ),
    )
)


@dataclass(frozen=True, slots=True)
class Choice:
    """A relation with the subject's side, how strongly it is meant, and the words that this explains.

    `evidence` is what words alone say for it; `sure` tells that a value does, or that the subject has no other.
    `others` are the subject's other relations.
    """

    relation: str
    side: Side
    score: float
    places: frozenset[int]
    evidence: float
    others: frozenset[str] = frozenset()
    sure: bool = False


def choices(
    evidence: Evidence, subject: Mention, name: str, value: Mention | None = None, *, asked: bool = True
) -> list[Choice]:
    """The relations that `name` has, for each side of it, the most likely first; `value` stands on the other side.

    Not `asked` are those of events and conditions, which the question word does not ask for.
    """
    found = []
    for relation, sides in evidence.lexicon.sides.get(name, {}).items():
        entry = evidence.lexicon.relations[relation]
        told = [t for t in evidence.told if t.relation == relation]
        wanted = side_told(evidence.words, told, subject, stative=taken_apart(relation).stative)
        for side in sides:
            if wanted is not None and side != wanted and entry.joins_alike and not is_symmetric(entry.name):
                continue
            choice = _choice(evidence, entry, side, name, told, value, wanted)
            if choice is None or (asked and not _is_asked_for(evidence, entry, side, choice.places)):
                continue
            found.append(choice)
    return sorted(found, key=lambda c: (-c.score, -evidence.lexicon.relations[c.relation].facts))


def is_symmetric(relation: str) -> bool:
    """True for a relation that holds both ways, whichever way it was written down."""
    return any(stem(word) in _SYMMETRIC for word in taken_apart(relation).content)


def value_of(lexicon: Lexicon, relation: str, side: Side, name: str, value: Mention) -> tuple[str, float] | None:
    """Which of a mention's names stands on the other side of the relation, and how likely that is."""
    for candidate in value.names:
        pair = (name, candidate) if side == "source" else (candidate, name)
        if lexicon.joined(pair[0], relation, pair[1]):
            return candidate, LINKED
    for candidate in value.names:
        if lexicon.has(candidate, relation, other(side)):
            return candidate, POSSIBLE
    return None


def _choice(
    evidence: Evidence,
    entry: RelationEntry,
    side: Side,
    name: str,
    told: Sequence[Told],
    value: Mention | None,
    wanted: Side | None,
) -> Choice | None:
    lexicon = evidence.lexicon
    weights = sorted((t.hint.weight for t in told), reverse=True)
    score = (weights[0] + 0.05 * (len({t.first for t in told}) - 1)) if weights else 0.0
    places = {place for t in told for place in range(t.first, t.last)}
    score += max((_by_preposition(evidence, entry, t) for t in told), default=0.0)
    if value is not None:
        linked = value_of(lexicon, entry.name, side, name, value)
        if linked is None:
            return None
        score = max(score, linked[1]) + (0.3 if linked[1] == LINKED else 0.1)
    score, typed = _by_types(evidence, entry, side, score)
    places |= typed
    score = _by_small_words(evidence, entry, side, score, name)
    if score < LEAST:
        return None
    if not weights and any(place not in places for place in evidence.types):
        score -= 0.3
    score += 0.02 if side == "source" else 0.0
    if wanted is not None and side != wanted and not is_symmetric(entry.name):
        score -= _TURNED
    return Choice(
        entry.name,
        side,
        score,
        frozenset(places),
        weights[0] if weights else 0.0,
        frozenset(lexicon.sides[name]) - {entry.name},
        value is not None
        or _is_only_of_type(evidence, entry, side, name)
        or entry.name in lexicon.values.get(name, ())
        or _is_only(evidence, entry, side, name),
    )


def _by_preposition(evidence: Evidence, entry: RelationEntry, told: Told) -> float:
    """ "Works on" is not "works for": what follows the verb speaks for or against the relation."""
    own = taken_apart(entry.name).words[-1]
    if own not in _PREPOSITIONS or told.hint.form != "verb" or told.hint.weight < OWN:
        return 0.0
    after = evidence.words[told.last] if told.last < len(evidence.words) else None
    if after is not None and after.low in _PREPOSITIONS and told.last not in evidence.dated:
        return 0.1 if after.low == own else -0.25
    return 0.0


_PREPOSITIONS = frozenset(("on", "for", "at", "with", "in", "to", "from", "under"))
_PLACES = (
    "city",
    "country",
    "location",
    "region",
    "district",
    "village",
    "street",
    "building",
    "port",
    "harbour",
    "ground",
    "island",
    "continent",
    "address",
    "room",
    "station",
    "airport",
)
_OF_PLACES = frozenset(("at", "in", "for", "to", "from"))


def _by_types(evidence: Evidence, entry: RelationEntry, side: Side, score: float) -> tuple[float, set[int]]:
    """A named type speaks for relations that lead to it; the subject's own explains itself."""
    places = set()
    answers, own = entry.types(other(side)), entry.types(side)
    for place, kind in evidence.types.items():
        if _of_type(answers, kind) * 5 >= answers.total() > 0:
            score = max(score, OF_TYPE) + 0.1
            places.add(place)
        elif _of_type(own, kind):
            places.add(place)
    return score, places


def _of_type(types: Counter[str], kind: str) -> int:
    """How many are of a type; "people" are those of any type of people."""
    if is_like(kind, "person"):
        return sum(count for own, count in types.items() if is_of_people(own))
    return types[kind]


def _by_small_words(evidence: Evidence, entry: RelationEntry, side: Side, score: float, subject: str) -> float:
    """ "Where" speaks for places, "who" for people, "by" for who did it; prepositions of the name a little."""
    name = taken_apart(entry.name)
    answers = [kind for kind, _ in entry.types(other(side)).most_common(1)]
    if evidence.said("where", "where's", "everywhere") and _is_place(answers):
        score = max(score, OF_TYPE) + 0.1
    if evidence.said("who", "whom", "who's", "whose") and any(is_of_people(kind) for kind in answers):
        score += 0.05
    if _is_only(evidence, entry, side, subject):
        score = max(score, OF_TYPE)
    if evidence.asks_where and name.words[-1] not in _OF_PLACES and not _is_place(answers):
        score -= 0.15
    if evidence.said("by") and name.by:
        score = max(score, OF_TYPE) + 0.05
    if name.words[-1] in ("in", "at", "for", "to", "from", "with", "on") and evidence.said(name.words[-1]):
        score += 0.05
    return score


def _is_place(kinds: Sequence[str]) -> bool:
    return any(is_like(kind, *_PLACES) for kind in kinds)


def _is_elsewhere(evidence: Evidence, entry: RelationEntry, side: Side) -> bool:
    """True where a place is asked for, and the relation leads to people."""
    answers = entry.types(other(side)).most_common(1)
    return evidence.asks_where and bool(answers) and is_of_people(answers[0][0])


def _is_asked_for(evidence: Evidence, entry: RelationEntry, side: Side, told: frozenset[int]) -> bool:
    """True where the relation leads to what the question word asks for."""
    return not (_is_elsewhere(evidence, entry, side) or _is_of_another_type(evidence, entry, side, told))


def _is_of_another_type(evidence: Evidence, entry: RelationEntry, side: Side, told: frozenset[int]) -> bool:
    """True where "which PEPs" are asked for, and the relation leads to people."""
    head = evidence.head
    if head is None or (
        head in told and any(t.first <= head < t.last and t.relation == entry.name for t in evidence.told)
    ):
        return False
    return not _of_type(entry.types(other(side)), evidence.types[head])


def _is_only_of_type(evidence: Evidence, entry: RelationEntry, side: Side, subject: str) -> bool:
    """True where "which unit" is asked for, and this alone of the subject's relations leads to one."""
    if evidence.head is None:
        return False
    kind, relations = evidence.types[evidence.head], evidence.lexicon.relations
    leading = {
        (relation, on)
        for relation, sides in evidence.lexicon.sides[subject].items()
        for on in sides
        if _of_type(relations[relation].types(other(on)), kind)
    }
    return leading == {(entry.name, side)}


def _is_only(evidence: Evidence, entry: RelationEntry, side: Side, subject: str) -> bool:
    """True for what only one relation leads to: "Who is an editor?" can mean nothing else."""
    own = evidence.lexicon.sides[subject]
    return side == "target" and len(own) == 1 and own[entry.name] == frozenset(("target",))
