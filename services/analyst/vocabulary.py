"""What words mean for relations and types: their own names, the synonyms of any graph, and those of a workspace."""

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from services.analyst.question_words import Key, lines_of, stem, stems
from services.language.changes import momentary_verbs
from services.language.inflection import is_past, possible_bases
from services.language.relation_names import relation_words

Side = Literal["source", "target"]
Form = Literal["verb", "noun", "word"]

OWN, SYNONYM, OF_TYPE = 1.0, 0.9, 0.5
"""How strongly a word speaks for a relation: its own name, a synonym, the type of what it leads to."""

_PARTICLES = frozenset(
    [
        "has",
        "have",
        "had",
        "is",
        "was",
        "are",
        "were",
        "be",
        "a",
        "an",
        "the",
        "of",
        "to",
        "in",
        "at",
        "by",
        "for",
        "from",
        "with",
        "on",
        "as",
        "into",
        "up",
    ]
)

_LIGHT_VERBS = frozenset(("take", "takes", "make", "makes", "get", "gets", "give", "gives", "put", "puts"))
"""Verbs that mean by themselves nothing that other verbs mean too: "takes course"."""

_PEOPLE = frozenset(
    map(
        stem,
        (
            "player",
            "captain",
            "employee",
            "worker",
            "author",
            "writer",
            "customer",
            "patient",
            "doctor",
            "physician",
            "nurse",
            "student",
            "teacher",
            "professor",
            "artist",
            "actor",
            "actress",
            "singer",
            "musician",
            "composer",
            "painter",
            "politician",
            "senator",
            "minister",
            "judge",
            "lawyer",
            "attorney",
            "scientist",
            "researcher",
            "engineer",
            "developer",
            "athlete",
            "coach",
            "manager",
            "director",
            "driver",
            "pilot",
            "sailor",
            "officer",
            "contact",
            "user",
            "client",
            "child",
            "parent",
            "founder",
            "investor",
            "witness",
            "suspect",
            "character",
        ),
    )
)


@dataclass(frozen=True)
class Synonyms:
    """What a workspace calls its types and relations besides their names."""

    types: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    relations: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hint:
    """What a word says of a relation. A verb's subject is on `side`; who is called by a noun is on `side`.

    `named` is whom a noun of the same stem calls, where that is the other side: "depends", "dependency".
    """

    weight: float
    form: Form = "word"
    side: Side | None = None
    named: Side | None = None


@dataclass(frozen=True, slots=True)
class RelationName:
    """A relation's name taken apart. `doer` is the side of who does what its verb says; `by` marks a passive name.

    `stative` tells a participle without "by" ("LOCATED_IN"), whose subject is the source all the same.
    """

    name: str
    words: Key
    content: Key
    form: Form
    doer: Side
    by: bool
    stative: bool


Group = tuple[Mapping[Key, None], ...]
"""Words of one meaning, as stems of phrases in columns: what A does and is, what B does and is, and the rest."""


def other(side: Side) -> Side:
    """The other side of a relation."""
    return "target" if side == "source" else "source"


@functools.cache
def groups() -> tuple[Group, ...]:
    """The groups of synonyms.txt."""
    return tuple(map(_group, lines_of("synonyms.txt")))


def _group(line: str) -> Group:
    return tuple(dict.fromkeys(stems(phrase.replace("_", " ")) for phrase in part.split()) for part in line.split("|"))


def _opening(group: Group) -> Sequence[Key]:
    """Return the first phrase of a group, which relations of that name have for their own."""
    return [next(iter(column)) for column in group if column][:1]


@functools.cache
def type_groups() -> tuple[frozenset[str], ...]:
    """The groups of type_synonyms.txt, as stems."""
    return tuple(frozenset(map(stem, line.split())) for line in lines_of("type_synonyms.txt"))


@functools.cache
def english_stems() -> frozenset[str]:
    """The stems of every word of the groups, which are no misspellings of one another: "employee" and "employer"."""
    phrases = (phrase for group in groups() for column in group for phrase in column)
    return frozenset(word for phrase in phrases for word in phrase).union(*type_groups(), _PEOPLE)


@functools.cache
def qualities() -> frozenset[str]:
    """The stems of the nouns that the groups have for what does nothing: "nationality", "price", but not "customer".

    What means a kind may be anything that is asked for: "which class does she take".
    """
    things = (group[3] for group in groups() if len(group) > 3 and not group[2] and (stem("kind"),) not in group[3])
    return frozenset(key[0] for column in things for key in column if len(key) == 1)


@functools.lru_cache(maxsize=16_384)
def is_like(kind: str, *words: str) -> bool:
    """True for a type that is one of these or a synonym of it."""
    own, others = stem(kind), {stem(word) for word in words}
    return own in others or any(own in group and others & group for group in type_groups())


@functools.lru_cache(maxsize=4096)
def is_of_people(kind: str) -> bool:
    """True for a type whose members are people: "Person", "Player", "Captain"."""
    return bool(kind) and (is_like(kind, "person") or stem(kind) in _PEOPLE)


@functools.lru_cache(maxsize=4096)
def taken_apart(relation: str) -> RelationName:
    """A relation's name in words: what it says, and on which side its doer is."""
    words = relation_words(relation)
    content = tuple(word for word in words if word not in _PARTICLES) or words
    by = len(words) > 1 and words[-1] == "by"
    has = bool(words) and words[0] in ("has", "have", "had")
    of = len(words) > 1 and words[-1] == "of"
    participle = bool(content) and content[0].endswith(("ed", "en", "wn")) and words[-1] in _PARTICLES
    form: Form = "noun" if has or of or not content else "verb"
    return RelationName(relation, words, content, form, "target" if by else "source", by, participle and not by)


@functools.lru_cache(maxsize=4096)
def is_momentary(relation: str) -> bool:
    """True for a relation that is named after what happens at once: "BORN_IN", "ACQUIRED"."""
    first = taken_apart(relation).words[:1]
    return any((word == "born" or is_past(word)) and momentary_verbs() & possible_bases(word) for word in first)


def hints_of(relation: str, declared: Iterable[str] = ()) -> Mapping[Key, Hint]:
    """What stems and phrases of stems say of a relation: its own words, their synonyms, and what was declared."""
    name = taken_apart(relation)
    found: dict[Key, Hint] = {}
    for group, column in () if _is_number(name) else _groups_of(name):
        _add_group(found, _without_other_kinds(group, column, name), column, name)
    for word in name.content if name.content[0] not in _PARTICLES else ():
        key = (stem(word),)
        found[key] = _own(name, key, found.get(key))
    if len(name.content) > 1:
        whole = Hint(OWN + 0.1, "verb", name.doer) if name.by else Hint(OWN + 0.1)
        found[stems(" ".join(name.content))] = whole
    for phrase in declared:
        found[stems(phrase)] = Hint(OWN)
    return found


def _is_number(name: RelationName) -> bool:
    """True for "number_of_students" and "member count": not what students or members do."""
    return len(name.words) > 1 and bool({name.words[0], name.words[-1]} & {"number", "count", "total"})


def _groups_of(name: RelationName) -> list[tuple[Group, int]]:
    """Return the groups of a relation with its column in each: only those that its word opens, or that have all of its
    words, where there are any."""
    of_any = [(group, column) for group in groups() if (column := _column(group, name)) is not None]
    opened = [
        (group, column)
        for group, column in of_any
        if any(key in _opening(group) for key in _keys(name)) or _has_all(group, name)
    ]
    return opened or of_any


def _has_all(group: Group, name: RelationName) -> bool:
    """True for a group with both the verb and the noun of a relation's name: "learn study | language"."""
    return len(name.content) > 1 and all(any((stem(word),) in part for part in group) for word in name.content)


def _without_other_kinds(group: Group, column: int, name: RelationName) -> Group:
    """Return a group without nouns for another kind of thing than a relation's name says that it leads to: who studies
    a language need not study at a university."""
    if name.form != "verb" or len(name.content) < 2 or column not in (0, 2) or name.content[-1] in _PARTICLES:
        return group
    own = stem(name.content[-1])
    kinds = frozenset[str]().union(*(kind for kind in type_groups() if own not in kind))
    kinds -= frozenset[str]().union(*(kind for kind in type_groups() if own in kind))
    far = 3 if column == 0 else 1
    return tuple(
        {key: None for key in part if key[-1] == own or key[-1] not in kinds} if at == far else part
        for at, part in enumerate(group)
    )


def _own(name: RelationName, key: Key, known: Hint | None) -> Hint:
    if known is not None and known.form != "word":
        return replace(known, weight=OWN)
    if name.form == "verb" and key == (stem(name.content[0]),):
        return Hint(OWN, "verb", name.doer)
    return Hint(OWN, "noun", named_side(name))


def named_side(name: RelationName) -> Side:
    """Who a relation's noun names: "CEO_OF" its source, "HAS_STATUS" and "STATUS" its target."""
    return "source" if name.words[-1] == "of" else "target"


@functools.lru_cache(maxsize=4096)
def _keys(name: RelationName) -> tuple[Key, ...]:
    """What a relation's groups are found by: its whole name, where one has it ("runs on" is not "runs")."""
    whole = stems(" ".join(name.words))
    if len(whole) > 1 and any(whole in column for group in groups() for column in group):
        return (whole,)
    telling = [word for word in name.content if word not in _LIGHT_VERBS] or name.content
    return (stems(" ".join(name.content)), *((stem(word),) for word in telling))


def _column(group: Group, name: RelationName) -> int | None:
    """Which column of the group the relation's first word of content is in."""
    for key in _keys(name):
        columns = [number for number, column in enumerate(group) if key in column]
        if columns:
            nouns = [number for number in columns if number in (1, 3)]
            return nouns[0] if nouns and (name.form == "noun" or columns == nouns) else columns[0]
    return None


def _add_group(found: dict[Key, Hint], group: Group, column: int, name: RelationName) -> None:
    """Add the words of a group, turned so that A is on the side where the relation has it in `column`."""
    own = name.doer if column in (0, 2) else named_side(name)
    a_side = "source" if column == 4 else own if column in (0, 1) else other(own)
    b_side = other(a_side)
    sides: tuple[tuple[Form, Side | None], ...] = (
        ("verb", a_side),
        ("noun", a_side),
        ("verb", b_side),
        ("noun", b_side),
        ("word", None),
    )
    for words, (form, side) in zip(group, sides, strict=False):
        for key in words:
            known = found.setdefault(key, Hint(SYNONYM, form, side))
            if known.form == "verb" and form == "noun" and known.side != side:
                found[key] = replace(known, named=side)
