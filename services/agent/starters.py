"""Questions to begin with, made from a workspace's own facts: they can be answered, and show what can be asked."""

from collections.abc import Sequence

from services.core.models import Fact, Instants
from services.language.inflection import participle_of, plural, without_s
from services.language.relation_names import relation_words
from services.mirror.mirror import Mirror

HOW_MANY = 4
_LOOKED_AT = 12
_LONGEST_NAME = 40
_CHANGED = 2
"""A value is asked for in its history from so many on."""
_PREPOSITIONS = frozenset(str.split("about after against as at before by for from in into of on over to under with"))


def starter_questions(mirror: Mirror, at: Instants) -> tuple[str, ...]:
    """Four questions at most, each of another kind, and about another entity where there are enough of them."""
    busy = [item.entity.uuid for item in mirror.busiest(at, _LOOKED_AT)]
    facts = {uuid: [f for f in mirror.history(uuid, at.known_at) if _is_shown(f, uuid, at)] for uuid in busy}
    kinds, found = [_history, _value, _beginning, _inverse], list[str]()
    for uuid in (*busy, *busy * len(kinds)):  # an entity is asked about again only after all others were
        for make in kinds:
            if (question := make(mirror, facts[uuid], at)) is not None:
                found.append(question)
                kinds.remove(make)
                break
    return tuple(found[:HOW_MANY])


def about(mirror: Mirror, entity_uuid: str, at: Instants) -> tuple[str, ...]:
    """What else could be asked about an entity, each of another kind."""
    facts = [fact for fact in mirror.history(entity_uuid, at.known_at) if _is_shown(fact, entity_uuid, at)]
    made = (make(mirror, facts, at) for make in (_history, _value, _beginning, _inverse))
    return tuple(question for question in made if question is not None)


def _is_shown(fact: Fact, uuid: str, at: Instants) -> bool:
    begun = fact.valid_at is not None and fact.valid_at <= at.as_of
    return fact.source_uuid == uuid and begun and len(fact.target) <= _LONGEST_NAME


def _history(_: Mirror, facts: Sequence[Fact], __: Instants) -> str | None:
    """How the value changed that changed most often; of a verb what was before the last value."""
    relations = [fact.relation for fact in facts]
    most = max(dict.fromkeys(relations), key=relations.count, default="")
    if relations.count(most) < _CHANGED:
        return None
    last = [fact for fact in facts if fact.relation == most][-1]
    if noun := _noun(most):
        return f"How has the {noun} of {last.source} changed?"
    verb = _verb(most)
    return f"{_question(verb, 'did', last.source)} before {last.target}?" if verb else None


def _value(_: Mirror, facts: Sequence[Fact], at: Instants) -> str | None:
    """Who or what it is now, of the relation that holds fewest values."""
    held = [fact for fact in facts if _holds(fact, at)]
    relations = [fact.relation for fact in held]
    for fact in sorted(held, key=lambda fact: (relations.count(fact.relation), fact.relation)):
        words = relation_words(fact.relation)
        if noun := _noun(fact.relation):
            return f"What is the {noun} of {fact.source}?"
        if words[-1:] == ("by",) and len(words) > 1:
            return f"Who was {fact.source} {' '.join(words)}?"
        if verb := _verb(fact.relation):
            return f"{_question(verb, 'does', fact.source)}?"
    return None


def _beginning(_: Mirror, facts: Sequence[Fact], at: Instants) -> str | None:
    """When something came about that holds, or how long it has held."""
    for fact in reversed([fact for fact in facts if _holds(fact, at)]):
        if noun := _noun(fact.relation):
            return f"When did the {noun} of {fact.source} become {fact.target}?"
        if verb := _verb(fact.relation):
            return f"How long has {fact.source} {_participle(verb)} {fact.target}?"
    return None


def _inverse(mirror: Mirror, facts: Sequence[Fact], at: Instants) -> str | None:
    """How many stand in the same relation to the same thing."""
    for fact in (fact for fact in facts if _holds(fact, at)):
        kind = next((entity.type for entity in mirror.entities([fact.source_uuid])), "")
        noun, verb = _noun(fact.relation), _verb(fact.relation)
        if kind and (noun or verb):
            many = "people" if kind.casefold() == "person" else plural(kind)
            return f"How many {many} {f'have the {noun}' if noun else verb} {fact.target}?"
    return None


def _holds(fact: Fact, at: Instants) -> bool:
    return fact.invalid_at is None or fact.invalid_at > at.as_of


def _question(verb: str, does: str, name: str) -> str:
    """`Where does Ada live`, `What does Ada work for`."""
    root, _, last = verb.rpartition(" ")
    return f"Where {does} {name} {root}" if root and last in ("in", "at") else f"What {does} {name} {verb}"


def _noun(relation: str) -> str:
    """What a relation calls its target, "status" of HAS_STATUS; "" of one that is a verb."""
    words = relation_words(relation)
    if words[:1] in (("has",), ("have",)):
        words = words[1:]
    elif _is_verb(words):
        return ""
    return "" if not words or words[-1] in _PREPOSITIONS or words[0].endswith(("ed", "ing")) else " ".join(words)


def _verb(relation: str) -> str:
    """A relation as one asks for it, "work for" of WORKS_FOR; "" of a noun, and of a verb with an object of its own."""
    words = relation_words(relation)
    if not _is_verb(words) or words[0] == "has" or any(word not in _PREPOSITIONS for word in words[1:]):
        return ""
    return " ".join([without_s(words[0]), *words[1:]])


def _participle(verb: str) -> str:
    """`lived in` of `live in`."""
    first, *others = verb.split()
    return " ".join([participle_of(first), *others])


def _is_verb(words: Sequence[str]) -> bool:
    return bool(words) and words[0].endswith("s") and not words[0].endswith(("ss", "us", "is"))
