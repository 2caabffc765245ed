"""What a workspace's graph is called: names and their shorter forms, types, relations and who has which.

Built from the mirror, and kept as long as the mirror does not change.
"""

import re
import threading
import weakref
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from services.analyst.employment import employer_hints, workplaces
from services.analyst.figures import figure_of, is_of_figures
from services.analyst.inferred_types import inferred_types
from services.analyst.question_words import SMALL_WORDS, Key, key_of, stem, stems
from services.analyst.vocabulary import SYNONYM, Hint, Side, Synonyms, hints_of, is_of_people, type_groups
from services.language.relation_names import relation_words
from services.mirror.mirror import Mirror
from services.mirror.search_rows import EntityRow, FactRow

LEAST_OF_A_SHAPE = 5
"""So many names that differ in a number only are a series: another number is then a name that the graph lacks."""
MOST_OF_AN_ALIAS = 4
"""A short form of more names than these tells none of them."""
MOST_VALUES = 80
"""A relation to no more names than these, each of them for several entities, leads to values: "Draft", "Final"."""

_LONGEST_NAME = 10
_LEGAL = frozenset(
    [
        "inc",
        "ltd",
        "llc",
        "corp",
        "corporation",
        "gmbh",
        "plc",
        "ag",
        "sa",
        "co",
        "company",
        "group",
        "holdings",
        "limited",
    ]
)
_BEFORE_A_FIELD = frozenset(("of", "for", "on"))
_TITLE = re.compile(r"(?:(?:the|an?)\s+)?([^\n]{6,80})(?:\n|$)", re.IGNORECASE)

_KIND = (stem("kind"),)

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class RelationEntry:
    """A relation, what speaks for it, and what it joins. `values` are the names that it leads to, if they are few."""

    name: str
    facts: int
    hints: Mapping[Key, Hint]
    source_types: Counter[str]
    target_types: Counter[str]
    sources: int
    targets: int
    values: frozenset[str]

    def types(self, side: Side) -> Counter[str]:
        """The types on a side, counted."""
        return self.source_types if side == "source" else self.target_types

    @property
    def joins_alike(self) -> bool:
        """True where both sides have one type, so that only the words of a question tell which is which."""
        return bool(self.source_types and self.target_types) and (
            self.source_types.most_common(1)[0][0] == self.target_types.most_common(1)[0][0]
        )


@dataclass(frozen=True)
class Lexicon:
    """The words of a graph. `full` are whole names, `short` forms of them that tell which is meant, by their keys.

    `fields` are what offices are called after: "finance" of "Ministry of Finance". `guessed` are the names whose kinds
    the graph does not say, so that their types are guesses.
    """

    full: Mapping[Key, tuple[str, ...]]
    short: Mapping[Key, tuple[str, ...]]
    types_of: Mapping[str, tuple[str, ...]]
    types: Mapping[str, str]
    relations: Mapping[str, RelationEntry]
    hints: Mapping[Key, tuple[tuple[str, Hint], ...]]
    sides: Mapping[str, Mapping[str, frozenset[Side]]]
    targets: Mapping[Pair, frozenset[str]]
    shapes: Mapping[Key, str]
    values: Mapping[str, Sequence[str]]
    degrees: Mapping[str, int]
    longest: int = _LONGEST_NAME
    words: frozenset[str] = frozenset()
    fields: Mapping[Key, tuple[str, ...]] = field(default_factory=dict)
    fuzzy: Mapping[int, Sequence[str]] = field(default_factory=dict)
    guessed: frozenset[str] = frozenset()

    def has(self, name: str, relation: str, side: Side) -> bool:
        """True where any record of the relation has the name on that side."""
        return side in self.sides.get(name, {}).get(relation, ())

    def joined(self, one: str, relation: str, another: str) -> bool:
        """True where any record of the relation leads from one name to the other."""
        return another in self.targets.get((one, relation), ())

    def names_beside(self, name: str, relation: str, side: Side) -> frozenset[str]:
        """What any record of the relation has on its other side than the name."""
        if side == "source":
            return self.targets.get((name, relation), frozenset())
        return frozenset(source for (source, of), to in self.targets.items() if of == relation and name in to)

    def called(self, name: str) -> frozenset[str]:
        """The stems of a name's words, and of what facts say that it is: "tabby cat"."""
        kinds = (kind for relation in self.telling_kind for kind in self.targets.get((name, relation), ()))
        return frozenset(stems(name)).union(*map(stems, kinds))

    def named_after(self, noun: str) -> frozenset[str]:
        """The names that a noun ends or begins, but for figures: "Thornby Depot", "Type 41"."""
        nouns = {noun, noun.removesuffix("s")}
        ends = ((key, names) for key, names in self.full.items() if len(key) > 1 and not key[0][0].isdigit())
        return frozenset(name for key, names in ends if nouns & {key[0], key[-1]} for name in names)

    @cached_property
    def telling_kind(self) -> tuple[str, ...]:
        """The relations that tell of what kind something is: "is a", "type"."""
        return tuple(name for name, entry in self.relations.items() if _KIND in entry.hints)

    @cached_property
    def leading_to_figures(self) -> frozenset[str]:
        """The relations that lead to figures and to nothing else."""
        others = {relation for (_, relation), targets in self.targets.items() if not is_of_figures(targets)}
        return frozenset(relation for _, relation in self.targets) - others

    def busiest(self, relation: str, side: Side) -> tuple[tuple[str, int], ...]:
        """How many names each name on a side of the relation was ever joined with, most first."""
        own = [(source, targets) for (source, of), targets in self.targets.items() if of == relation]
        names = ((source, len(targets)) for source, targets in own)
        counts = names if side == "source" else Counter(target for _, targets in own for target in targets).items()
        return tuple(sorted(counts, key=lambda pair: (-pair[1], pair[0])))

    def type_of(self, name: str) -> str:
        """The type to show of a name; empty where it has none."""
        return next(iter(self.types_of.get(name, ())), "")

    def type_named(self, word: str) -> str | None:
        """The type that a word names."""
        return self.types.get(stem(word))

    def is_value(self, name: str) -> bool:
        """True for one of the few names that a relation leads to."""
        return name in self.values


def build(mirror: Mirror, synonyms: Synonyms) -> Lexicon:
    """The words of what the mirror holds now."""
    entities, facts = mirror.entity_rows(), mirror.fact_rows()
    types_of, degrees, sides, targets = _counted(entities, facts)
    busiest = sorted(types_of, key=lambda name: (-degrees[name], name))
    full = _grouped((key, name) for name in busiest if (key := key_of(name)))
    shapes = _shapes(full, types_of)
    types_of |= _of_series(full, shapes, types_of)
    relations = _relations(facts, types_of, synonyms)
    full = {key: names for key, names in full.items() if key not in shapes}
    types = _types(types_of, synonyms)
    for key, kind in shapes.items():
        if len(key) == 1 and kind:
            types.setdefault(stem(key[0]), kind)
    short = _short(full, types, types_of, entities)
    hints = _grouped((key, (entry.name, hint)) for entry in relations.values() for key, hint in entry.hints.items())
    words = {word for key in hints for word in key} | set(types)
    values = _grouped((name, entry.name) for entry in relations.values() for name in entry.values)
    return Lexicon(
        full,
        short,
        types_of,
        types,
        relations,
        hints,
        sides,
        targets,
        shapes,
        values,
        degrees,
        max(map(len, full), default=1),
        frozenset(words),
        _fields(full, types_of),
        _by_length(full),
        frozenset(types_of) - {entity.name for entity in entities if entity.types},
    )


def _counted(
    entities: Sequence[EntityRow], facts: Sequence[FactRow]
) -> tuple[dict[str, tuple[str, ...]], Counter[str], dict[str, dict[str, frozenset[Side]]], dict[Pair, frozenset[str]]]:
    types_of: dict[str, tuple[str, ...]] = {}
    for entity in entities:
        types_of[entity.name] = tuple(dict.fromkeys((*types_of.get(entity.name, ()), *entity.types)))
    degrees = Counter(name for fact in facts for name in (fact.source, fact.target))
    types_of |= {name: () for name in degrees if name not in types_of}
    types_of |= inferred_types(facts, [name for name, types in types_of.items() if not types])
    sides: dict[str, dict[str, frozenset[Side]]] = defaultdict(dict)
    for fact in facts:
        ends: tuple[tuple[str, Side], ...] = ((fact.source, "source"), (fact.target, "target"))
        for name, side in ends:
            sides[name][fact.relation] = sides[name].get(fact.relation, frozenset()) | {side}
    targets = _grouped(((fact.source, fact.relation), fact.target) for fact in facts)
    return types_of, degrees, dict(sides), {pair: frozenset(to) for pair, to in targets.items()}


def _relations(
    facts: Iterable[FactRow], types_of: Mapping[str, tuple[str, ...]], synonyms: Synonyms
) -> dict[str, RelationEntry]:
    found = {}
    by_name = _grouped((fact.relation, fact) for fact in facts)
    for name, own in sorted(by_name.items(), key=lambda pair: -len(pair[1])):
        sources, targets = {f.source for f in own}, Counter(f.target for f in own)
        few = len(targets) <= MOST_VALUES and len(own) >= 2.5 * len(targets)
        values = frozenset(targets) if few else frozenset[str]()
        found[name] = RelationEntry(
            name,
            len(own),
            hints_of(name, synonyms.relations.get(name, ())),
            _types_in_order(types_of[f.source] for f in own),
            _types_in_order(types_of[f.target] for f in own),
            len(sources),
            len(targets),
            values,
        )
    for name, own in by_name.items():
        found[name] = replace(found[name], hints={**_units(own), **found[name].hints})
    for name in workplaces(by_name, types_of):
        found[name] = replace(found[name], hints={**employer_hints(), **found[name].hints})
    return found


def _types_in_order(types: Iterable[Sequence[str]]) -> Counter[str]:
    """Return types counted; of those that are as frequent people come first, whatever order the facts are in."""
    return Counter(sorted((kind for own in types for kind in own), key=lambda kind: (not is_of_people(kind), kind)))


def _units(facts: Iterable[FactRow]) -> dict[Key, Hint]:
    """Return what the figures count that a relation leads to: "passengers" of "420 passengers"."""
    figures = [figure_of(fact.target) for fact in facts]
    if not figures or None in figures:
        return {}
    units = {tuple(figure.unit.split()) for figure in figures if figure is not None}
    return {unit: Hint(SYNONYM, "noun", "target") for unit in units if len(unit) == 1 and unit[0].isalpha()}


def _types(types_of: Mapping[str, tuple[str, ...]], synonyms: Synonyms) -> dict[str, str]:
    """Types by the stems of their names and synonyms; a type's own name beats another's synonym."""
    names = [name for name, _ in Counter(t for types in types_of.values() for t in types).most_common()]
    found: dict[str, str] = {}
    for name in names:
        found.setdefault("".join(stems(name)) if " " in name else stem(name), name)
    found |= {stem(declared): name for name in names for declared in synonyms.types.get(name, ())}
    heads = {word: own[0] for word, own in _by_last_word(names).items() if len(own) == 1}
    found = {**heads, **found}
    called = [*((stem(name), name) for name in names), *heads.items()]
    alike = ((word, name) for own, name in called for group in type_groups() if own in group for word in group)
    for word, name in alike:
        found.setdefault(word, name)
    return found


def _by_last_word(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Types of several words by the stem of their last one: "ShippingCompany" and "shipping company" by "company"."""
    return _grouped((stem(words[-1]), name) for name in names if len(words := relation_words(name)) > 1)


def _grouped[K, V](pairs: Iterable[tuple[K, V]]) -> dict[K, tuple[V, ...]]:
    """What each key stands beside, in order."""
    found: dict[K, list[V]] = defaultdict(list)
    for key, value in pairs:
        found[key].append(value)
    return {key: tuple(values) for key, values in found.items()}


def _short(
    full: Mapping[Key, tuple[str, ...]],
    types: Mapping[str, str],
    types_of: Mapping[str, tuple[str, ...]],
    entities: Iterable[EntityRow],
) -> dict[Key, tuple[str, ...]]:
    """The beginnings and ends of names without numbers, and titles that summaries begin with, if they tell a name.

    What is a whole name as well may begin the name of something of another kind: a town's, that of a club.
    """
    everyday = SMALL_WORDS | _LEGAL
    parts = [
        (short, names[0])
        for key, names in full.items()
        if 2 <= len(key) <= 5 and names[0][0].isupper() and not any(word[0].isdigit() for word in key)
        for short in _shortened(key)
        if len(short) > 1 or not (len(short[0]) < 3 or short[0] in everyday or stem(short[0]) in types)
    ]
    titles = [(key_of(title[1]), e.name) for e in entities if (title := _TITLE.match(e.summary))]
    fitting = [(key, name) for key, name in titles if 2 <= len(key) <= _LONGEST_NAME]
    found = _grouped(dict.fromkeys(parts + fitting))
    kinds = {key: {kind for name in names for kind in types_of[name]} for key, names in full.items() if key in found}
    own = {
        key: tuple(
            name
            for name in found[key]
            if key not in kinds or (key_of(name)[: len(key)] == key and not kinds[key] & {*types_of[name]})
        )
        for key in found
    }
    return {key: names for key, names in own.items() if 0 < len(names) <= MOST_OF_AN_ALIAS}


def _shortened(key: Key) -> Iterable[Key]:
    yield from (key[:end] for end in range(1, len(key)))
    yield from (key[start:] for start in range(1, len(key)) if key[start] not in _LEGAL)
    if len(key) > 2:
        yield (key[0], key[-1])


def _fields(full: Mapping[Key, tuple[str, ...]], types_of: Mapping[str, tuple[str, ...]]) -> dict[Key, tuple[str, ...]]:
    """What is left of a name without the word for its kind: "Ministry of the Environment", "Budget Committee"."""
    found: list[tuple[Key, str]] = []
    for key, names in full.items():
        kinds = {stem(kind) for kind in types_of[names[0]]}
        if len(key) > 2 and key[1] in _BEFORE_A_FIELD and stem(key[0]) in kinds:
            found.append((key[3:] if key[2] == "the" else key[2:], names[0]))
        elif len(key) > 1 and stem(key[-1]) in kinds:
            found.append((key[:-1], names[0]))
    return {key: own for key, own in _grouped(found).items() if key and key not in full}


def _shapes(full: Mapping[Key, tuple[str, ...]], types_of: Mapping[str, tuple[str, ...]]) -> dict[Key, str]:
    """What stands before the number in a series of names, and the type of the series."""
    numbered = [key for key in full if len(key) > 1 and [w for w in key if w[0].isdigit()] == [key[-1]]]
    types = _grouped((key[:-1], "".join(types_of[full[key][0]][:1])) for key in numbered)
    return {key: Counter(of).most_common(1)[0][0] for key, of in types.items() if len(of) >= LEAST_OF_A_SHAPE}


def _of_series(
    full: Mapping[Key, tuple[str, ...]], shapes: Mapping[Key, str], types_of: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """The kinds of names of a series that have no type: "Harbour Cup 2014" is a cup."""
    own = ((name, key[-2]) for key, names in full.items() if len(key) > 2 and key[:-1] in shapes for name in names)
    return {name: (kind,) for name, kind in own if not types_of[name]}


def _by_length(full: Mapping[Key, tuple[str, ...]]) -> Mapping[int, Sequence[str]]:
    """Names for a misspelt look-up, by how many words they have."""
    return _grouped((len(key), name) for key in full if len(key) <= 5 and len(name := " ".join(key)) >= 4)


class Lexicons:
    """The lexicon of each mirror, built anew once it has changed. Any thread may ask."""

    def __init__(self) -> None:
        self._kept: weakref.WeakKeyDictionary[Mirror, dict[tuple[int, str], Lexicon]] = weakref.WeakKeyDictionary()
        self._lock = threading.Lock()

    def of(self, mirror: Mirror, synonyms: Synonyms) -> Lexicon:
        """The lexicon of what the mirror holds now."""
        key = (mirror.version, repr(synonyms))
        with self._lock:
            kept = self._kept.setdefault(mirror, {})
            if key not in kept:
                kept.clear()
                kept[key] = build(mirror, synonyms)
            return kept[key]
