"""Which relation of an entity a question means, and on which side of it the entity stands."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from services.analyst import phrasing
from services.analyst.employment import is_occupation
from services.analyst.graph_lexicon import Lexicon, RelationEntry
from services.analyst.mentions import NameMention
from services.analyst.question_cues import ASKING_KIND, QuestionCues, RelationCue
from services.analyst.question_words import QuestionWord, places_of, stem
from services.analyst.subject_sides import subject_side
from services.analyst.vocabulary import (
    OF_TYPE,
    OWN,
    SYNONYM,
    Side,
    is_like,
    is_of_people,
    named_side,
    other,
    taken_apart,
)

LEAST = 0.4
"""Below this nothing speaks for a relation."""
LINKED, POSSIBLE, ALIKE = 0.7, 0.55, 0.0
"""What a value says for a relation: a record joins it with the entity, or with another one, or with none but others of
its kind."""
_SIDES: tuple[Side, ...] = ("source", "target")
_OF_ANYTHING = frozenset(("product",))
"""Kinds of what has a word of its own in most graphs: wines and engines are products."""
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
class RelationChoice:
    """A relation with the subject's side, how strongly it is meant, and the words that this explains.

    `word_score` is what words alone say for it; `sure` tells that a value does, or that the subject has no other.
    `among` are the only answers, where the noun asked for tells which: "rowing" of "which rowing club".
    """

    relation: str
    side: Side
    score: float
    places: frozenset[int]
    word_score: float
    sure: bool = False
    among: frozenset[str] = frozenset()


def choices(
    cues: QuestionCues,
    subject: NameMention,
    name: str,
    value: NameMention | None = None,
    *,
    asked: bool = True,
    or_alike: bool = False,
) -> list[RelationChoice]:
    """The relations that `name` has, for each side of it, the most likely first; `value` stands on the other side.

    Not `asked` are those of events and conditions, which the question word does not ask for; `or_alike` allows values
    that never stood there, but others of their kind.
    """
    found = []
    for relation, sides in cues.lexicon.sides.get(name, {}).items():
        entry = cues.lexicon.relations[relation]
        own = [cue for cue in cues.relations if cue.relation == relation]
        wanted = subject_side(cues.words, own, subject, stative=taken_apart(relation).stative)
        fixed = wanted if entry.joins_alike and not is_symmetric(relation) else None
        for side in sides if fixed is None else sides & {fixed}:
            choice = _choice(cues, entry, side, name, own, value, wanted, or_alike=or_alike)
            if choice and (not asked or _is_asked_for(cues, entry, side)):
                found.append(choice)
    return sorted(found, key=lambda c: (-c.score, -cues.lexicon.relations[c.relation].facts))


def choices_of_kind(cues: QuestionCues) -> Iterator[RelationChoice]:
    """The relations that the words speak for, on the side of those whom a question asks for that names nobody: "which
    fund invested", "who sponsors"."""
    people = next((place for place, word in enumerate(cues.words) if word.low in ("who", "whom")), None)
    asked = people if cues.head is None else cues.head
    kind = "person" if cues.head is None else cues.types[cues.head]
    for entry in cues.lexicon.relations.values() if asked is not None else ():
        own = [cue for cue in cues.relations if cue.relation == entry.name]
        sides: list[Side] = [side for side in ("source", "target") if _of_type(entry.types(side), kind)]
        if len(sides) == 2 and own and asked is not None:
            span = NameMention(asked, asked + 1, (), "whole")
            wanted = subject_side(cues.words, own, span, stative=taken_apart(entry.name).stative)
            sides = [side for side in sides if side == wanted]
        verb = next((cue.hint.side for cue in own if cue.hint.form == "verb" and cue.hint.weight >= OWN), None)
        if not sides and cues.head is None and verb is not None:
            sides = [verb]  # "who won" may ask for a club
        for side in sides if own else ():
            weight = max(cue.hint.weight for cue in own)
            _, typed = _by_types(cues, entry, side, weight)
            yield RelationChoice(entry.name, side, weight, places_of(own) | typed, weight, sure=True)


def choices_of_nouns(cues: QuestionCues) -> Iterator[RelationChoice]:
    """The relations with a noun for the people asked for, on the side on which these stand: "who are the editors"."""
    for cue in cues.relations:
        is_whole_name = cue.hint.weight > OWN
        is_noun = cue.hint.form == "noun" or (cue.first and cues.words[cue.first - 1].low in ASKING_KIND)
        side = cue.hint.named or cue.hint.side or (named_side(taken_apart(cue.relation)) if is_whole_name else None)
        if not (is_noun or is_whole_name) or side is None or cue.hint.weight < SYNONYM:
            continue
        entry = cues.lexicon.relations[cue.relation]
        if any(is_of_people(kind) for kind, _ in entry.types(side).most_common(1)):
            weight, kinds = cue.hint.weight, entry.types(other(side))
            typed = frozenset(at for at, kind in cues.types.items() if kinds[kind])
            yield RelationChoice(cue.relation, side, weight, frozenset(cue.places) | typed, weight, sure=True)


def choices_of_counted(cues: QuestionCues, place: int) -> Iterator[RelationChoice]:
    """The relations between those asked for and what stands at a place to be counted: "who has the most pets"."""
    kind = cues.types.get(place, "")
    for entry in cues.lexicon.relations.values() if kind else ():
        own = [cue for cue in cues.relations if cue.relation == entry.name]
        for side in _SIDES:
            is_counted = _of_type(entry.types(other(side)), kind) and not _of_type(entry.types(side), kind)
            asked = _places_asked(cues, entry, side, own) if is_counted else frozenset()
            if asked:
                yield RelationChoice(entry.name, side, SYNONYM, asked | places_of(own) | {place}, SYNONYM, sure=True)


def _places_asked(cues: QuestionCues, entry: RelationEntry, side: Side, own: Sequence[RelationCue]) -> frozenset[int]:
    """Return the places of the words that ask for those on a side: of their type, of people, or of the relation."""
    if cues.head is not None:
        return frozenset((cues.head,)) if _of_type(entry.types(side), cues.types[cues.head]) else frozenset()
    opening = [word.low for word in cues.words[:1]]
    if opening == ["who"]:
        is_of_people_here = any(is_of_people(kind) for kind, _ in entry.types(side).most_common(1))
        return frozenset((0,)) if is_of_people_here else frozenset()
    return places_of(cue for cue in own if cue.first == 1 and opening[0] in ASKING_KIND)


def is_symmetric(relation: str) -> bool:
    """True for a relation that holds both ways, whichever way it was written down."""
    return any(stem(word) in _SYMMETRIC for word in taken_apart(relation).content)


def is_untold(entry: RelationEntry, side: Side, *, counted: bool = False) -> bool:
    """True where the graph says of most on a side of a relation not of what kind they are.

    What is counted has to be of that kind: the bottles that somebody makes are more than the wines.
    """
    own = taken_apart(entry.name).words  # "class" may stand for the course of "takes course"
    vague = frozenset() if counted else _OF_ANYTHING
    of_kinds = (count for kind, count in entry.types(side).items() if kind not in own and kind not in vague)
    return sum(of_kinds) * 2 <= entry.facts


def unsaid(relation: str, words: Sequence[QuestionWord]) -> int:
    """Return how many words of a relation's name a question does not say: "director" is no "deputy director"."""
    return len({stem(word) for word in taken_apart(relation).content} - {word.stem for word in words})


def value_of(
    lexicon: Lexicon, relation: str, side: Side, name: str, value: NameMention, *, or_alike: bool = False
) -> tuple[str, float] | None:
    """Which of a mention's names stands on the other side of the relation, and how likely that is."""
    for candidate in value.names:
        pair = (name, candidate) if side == "source" else (candidate, name)
        if lexicon.joined(pair[0], relation, pair[1]):
            return candidate, LINKED
    for candidate in value.names:
        if lexicon.has(candidate, relation, other(side)):
            return candidate, POSSIBLE
    kinds = lexicon.relations[relation].types(other(side))
    alike = (one for one in value.names if or_alike and kinds[lexicon.type_of(one)] * 2 > kinds.total())
    return next(((candidate, ALIKE) for candidate in alike), None)


def _choice(
    cues: QuestionCues,
    entry: RelationEntry,
    side: Side,
    name: str,
    own: Sequence[RelationCue],
    value: NameMention | None,
    wanted: Side | None,
    *,
    or_alike: bool,
) -> RelationChoice | None:
    lexicon, by_words = cues.lexicon, max((cue.hint.weight for cue in own), default=0.0)
    score = by_words + 0.05 * max(len({cue.first for cue in own}) - 1, 0)
    if value is not None:
        linked = value_of(lexicon, entry.name, side, name, value, or_alike=or_alike and by_words >= SYNONYM)
        if linked is None:
            return None
        score = max(score, linked[1]) + {LINKED: 0.3, POSSIBLE: 0.1}.get(linked[1], 0.0)
    score, typed = _by_types(cues, entry, side, score)
    named, among = _asked_in_names(cues, entry, side, name, places_of(own))
    score = max(score, OF_TYPE) if named else score
    places = places_of(own) | typed | named
    score = _by_small_words(cues, entry, side, score, name)
    if score < LEAST:
        return None
    if not own and not places.issuperset(cues.types):
        score -= 0.3
    score += 0.02 if side == "source" else 0.0
    if wanted not in (None, side) and not is_symmetric(entry.name):
        score -= _TURNED
    sure = (
        value is not None
        or _is_only_of_type(cues, entry, side, name)
        or entry.name in lexicon.values.get(name, ())
        or _is_only(cues, entry, side, name)
    )
    return RelationChoice(entry.name, side, score, places, by_words, sure, among)


_PLACED = re.compile(r"is \w.* (?:at|in)$")
_OF_PLACES = frozenset(("at", "in", "for", "to", "from"))


def _by_types(cues: QuestionCues, entry: RelationEntry, side: Side, score: float) -> tuple[float, set[int]]:
    """A named type speaks for relations that lead to it; the subject's own explains itself."""
    places = set()
    answers, own = entry.types(other(side)), entry.types(side)
    for place, kind in cues.types.items():
        if _of_type(answers, kind) * 5 >= answers.total() > 0:
            score = max(score, OF_TYPE) + 0.1
            places.add(place)
        elif _of_type(own, kind) or (place == cues.head and not answers and _is_read_by_verb(cues, entry)):
            places.add(place)
    return score, places


def _asked_in_names(
    cues: QuestionCues, entry: RelationEntry, side: Side, name: str, known: frozenset[int]
) -> tuple[frozenset[int], frozenset[str]]:
    """Return the places of the noun asked for, as far as it is not known, and the answers that are called so or are of
    such a kind: "which rowing club"."""
    asked = {place: cues.words[place].stem for place in cues.asked_noun if place not in known}
    answers = cues.lexicon.names_beside(name, entry.name, side) if asked else ()
    among = frozenset(one for one in answers if cues.lexicon.called(one).issuperset(asked.values()))
    return (frozenset(asked), among) if among else (frozenset(), among)


def _of_type(types: Counter[str], kind: str) -> int:
    """How many are of a type; "people" are those of any type of people."""
    if is_like(kind, "person"):
        return sum(count for own, count in types.items() if is_of_people(own))
    return types[kind]


def _by_small_words(cues: QuestionCues, entry: RelationEntry, side: Side, score: float, subject: str) -> float:
    """ "Where" speaks for places, "who" for people, "by" for who did it; prepositions of the name a little."""
    name = taken_apart(entry.name)
    answers = [kind for kind, _ in entry.types(other(side)).most_common(1)]
    if cues.has_word("who", "whom", "who's", "whose", "anyone", "anybody", "someone", "somebody") and any(
        is_of_people(kind) for kind in answers
    ):
        score += 0.05
    if _is_only(cues, entry, side, subject):
        score = max(score, OF_TYPE)
    if cues.asks_where and name.words[-1] not in _OF_PLACES:
        score -= 0.15
    if cues.asks_where and _is_only_place(cues, entry, side, subject):
        score = max(score, OF_TYPE)
    if cues.has_word("by") and name.by:
        score = max(score, OF_TYPE) + 0.05
    if name.words[-1] in ("in", "at", "for", "to", "from", "with", "on") and cues.has_word(name.words[-1]):
        score += 0.05
    return score


def _is_asked_for(cues: QuestionCues, entry: RelationEntry, side: Side) -> bool:
    """False where a place is asked for and a relation leads to people or jobs, or "which PEPs" and it leads to none."""
    answers, head = entry.types(other(side)), cues.head
    places = taken_apart(entry.name).words[-1] in _OF_PLACES
    of_people = any(is_of_people(kind) for kind, _ in answers.most_common(1))
    is_at_place = taken_apart(entry.name).words[-1] in ("at", "in") and not _of_bodies(answers)
    if side == "source" and not of_people and is_at_place and _asks_who(cues):
        return False
    is_of_thing = not places and any(
        _of_type(answers, kind) for kind in cues.types.values()
    )  # "where is the club that"
    if cues.asks_where and (
        is_of_thing or of_people or is_occupation(entry.name) or (entry.joins_alike and not places)
    ):
        return False
    if cues.asks_as_what and not is_occupation(entry.name):
        return False
    named = any(head in cue.places and cue.relation == entry.name for cue in cues.relations)
    untold = not answers and (
        cues.has_word("many") or _is_read_by_verb(cues, entry)
    )  # "how many people does it employ?"
    return head is None or named or untold or bool(_of_type(answers, cues.types[head]))


def _is_read_by_verb(cues: QuestionCues, entry: RelationEntry) -> bool:
    """True where a verb tells a relation, so that its answers, whose kind nobody knows, may be of any."""
    return any(cue.relation == entry.name and cue.hint.form == "verb" for cue in cues.relations)


def _of_bodies(types: Counter[str]) -> bool:
    """True for companies, clubs and the like, which act as people do: "who does she work for"."""
    return any(is_like(kind, "company", "organisation", "club") for kind, _ in types.most_common(1))


def _asks_who(cues: QuestionCues) -> bool:
    """True for a question that "who" opens: places are no answer to it."""
    return [word.low for word in cues.words[:1]] == ["who"]


def _is_only_of_type(cues: QuestionCues, entry: RelationEntry, side: Side, subject: str) -> bool:
    """True where "which unit" is asked for, and this alone of the subject's relations leads to one."""
    if cues.head is None:
        return False
    kind, relations = cues.types[cues.head], cues.lexicon.relations
    leading = {
        (relation, on)
        for relation, sides in cues.lexicon.sides[subject].items()
        for on in sides
        if _of_type(relations[relation].types(other(on)), kind)
    }
    return leading == {(entry.name, side)}


def _is_only(cues: QuestionCues, entry: RelationEntry, side: Side, subject: str) -> bool:
    """True for what only one relation leads to: "Who is an editor?" can mean nothing else."""
    own = cues.lexicon.sides[subject]
    return side == "target" and len(own) == 1 and own[entry.name] == frozenset(("target",))


def _is_only_place(cues: QuestionCues, entry: RelationEntry, side: Side, subject: str) -> bool:
    """True for the one relation that tells where its source is: "located in", "housed at", but not "invested in"."""
    own = cues.lexicon.sides[subject]
    relations = cues.lexicon.relations
    telling = [one for one, sides in own.items() if "source" in sides and _tells_place(relations[one])]
    return side == "source" and telling == [entry.name]


def _tells_place(entry: RelationEntry) -> bool:
    """True for a relation that says so by its name, or leads to towns and countries: "headquarters"."""
    kinds = [kind for kind, _ in entry.target_types.most_common(1)]
    is_named = _PLACED.match(phrasing.relation_words(entry.name)) is not None
    return is_named or any(is_like(kind, "city", "country") for kind in kinds)
