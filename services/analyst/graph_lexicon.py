"""What a workspace's graph is called: names and their shorter forms, types, relations and who has which.

Built from the mirror, and kept as long as the mirror does not change.
"""

import re
import threading
import weakref
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from services.analyst.question_words import SMALL_WORDS, Key, key_of, stem, stems
from services.analyst.vocabulary import Hint, Side, Synonyms, hints_of, tells_kind, type_groups
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
_TITLE = re.compile(r"([^\n]{6,80})(?:\n|$)")

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
    """The words of a graph. `full` are whole names, `short` forms of them that tell which is meant, by their keys."""

    full: Mapping[Key, tuple[str, ...]]
    short: Mapping[Key, tuple[str, ...]]
    types_of: Mapping[str, tuple[str, ...]]
    types: Mapping[str, str]
    relations: Mapping[str, RelationEntry]
    hints: Mapping[Key, tuple[tuple[str, Hint], ...]]
    sides: Mapping[str, Mapping[str, frozenset[Side]]]
    targets: Mapping[Pair, frozenset[str]]
    shapes: Mapping[Key, str]
    values: Mapping[str, frozenset[str]]
    degrees: Mapping[str, int]
    longest: int = _LONGEST_NAME
    words: frozenset[str] = frozenset()
    fuzzy: Mapping[int, Sequence[str]] = field(default_factory=dict)

    def has(self, name: str, relation: str, side: Side) -> bool:
        """True where any record of the relation has the name on that side."""
        return side in self.sides.get(name, {}).get(relation, ())

    def joined(self, one: str, relation: str, another: str) -> bool:
        """True where any record of the relation leads from one name to the other."""
        return another in self.targets.get((one, relation), ())

    def type_of(self, name: str) -> str:
        """The type to show of a name; empty where it has none."""
        return next(iter(self.types_of.get(name, ())), "")

    def kinds_of(self, name: str) -> frozenset[str]:
        """The stems of what a name is said to be ("dog"); else what others of its type are."""
        return self._kinds.get(name) or self._kinds_of_types.get(self.type_of(name), frozenset())

    @cached_property
    def _kinds(self) -> Mapping[str, frozenset[str]]:
        """What names are said to be, by a relation that tells just that."""
        found: dict[str, set[str]] = defaultdict(set)
        for (name, relation), targets in self.targets.items():
            if tells_kind(relation):
                found[name].update(stem(target.casefold()) for target in targets)
        return {name: frozenset(kinds) for name, kinds in found.items()}

    @cached_property
    def _kinds_of_types(self) -> Mapping[str, frozenset[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for name, kinds in self._kinds.items():
            found[self.type_of(name)].update(kinds)
        return {kind: frozenset(kinds) for kind, kinds in found.items()}

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
    relations = _relations(facts, types_of, synonyms)
    full = _full(types_of, degrees)
    shapes = _shapes(full, types_of)
    full = {key: names for key, names in full.items() if key not in shapes}
    types = _types(types_of, synonyms)
    for key, kind in shapes.items():
        if len(key) == 1 and kind:
            types.setdefault(stem(key[0]), kind)
    short = _short(full, types, entities)
    hints = _hints(relations)
    words = {word for key in hints for word in key} | set(types)
    values = {
        name: frozenset(r.name for r in relations.values() if name in r.values)
        for r in relations.values()
        for name in r.values
    }
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
        _by_length(full),
    )


def _counted(
    entities: Sequence[EntityRow], facts: Sequence[FactRow]
) -> tuple[dict[str, tuple[str, ...]], Counter[str], dict[str, dict[str, frozenset[Side]]], dict[Pair, frozenset[str]]]:
    types_of: dict[str, tuple[str, ...]] = {}
    for entity in entities:
        types_of[entity.name] = tuple(dict.fromkeys((*types_of.get(entity.name, ()), *entity.types)))
    degrees = Counter[str]()
    sides: dict[str, dict[str, set[Side]]] = defaultdict(lambda: defaultdict(set))
    targets: dict[Pair, set[str]] = defaultdict(set)
    for fact in facts:
        degrees[fact.source] += 1
        degrees[fact.target] += 1
        sides[fact.source][fact.relation].add("source")
        sides[fact.target][fact.relation].add("target")
        targets[fact.source, fact.relation].add(fact.target)
        types_of.setdefault(fact.source, ())
        types_of.setdefault(fact.target, ())
    kept: dict[str, dict[str, frozenset[Side]]] = {
        name: {relation: frozenset(on) for relation, on in of.items()} for name, of in sides.items()
    }
    return types_of, degrees, kept, {pair: frozenset(to) for pair, to in targets.items()}


def _relations(
    facts: Iterable[FactRow], types_of: Mapping[str, tuple[str, ...]], synonyms: Synonyms
) -> dict[str, RelationEntry]:
    by_name: dict[str, list[FactRow]] = defaultdict(list)
    for fact in facts:
        by_name[fact.relation].append(fact)
    found = {}
    for name, own in sorted(by_name.items(), key=lambda pair: -len(pair[1])):
        sources, targets = {f.source for f in own}, Counter(f.target for f in own)
        few = len(targets) <= MOST_VALUES and len(own) >= 2.5 * len(targets)
        values = frozenset(targets) if few else frozenset[str]()
        found[name] = RelationEntry(
            name,
            len(own),
            hints_of(name, synonyms.relations.get(name, ())),
            Counter(t for f in own for t in types_of[f.source][:1]),
            Counter(t for f in own for t in types_of[f.target][:1]),
            len(sources),
            len(targets),
            values,
        )
    return found


def _types(types_of: Mapping[str, tuple[str, ...]], synonyms: Synonyms) -> dict[str, str]:
    """Types by the stems of their names and synonyms; a type's own name beats another's synonym."""
    names = [name for name, _ in Counter(t for types in types_of.values() for t in types).most_common()]
    found: dict[str, str] = {}
    for name in names:
        found.setdefault("".join(stems(name)) if " " in name else stem(name), name)
    for name in names:
        for declared in synonyms.types.get(name, ()):
            found[stem(declared)] = name
    for name in names:
        for group in type_groups():
            if stem(name) in group:
                for word in group:
                    found.setdefault(word, name)
    return found


def _full(types_of: Mapping[str, tuple[str, ...]], degrees: Mapping[str, int]) -> dict[Key, tuple[str, ...]]:
    """Names by their keys; the busiest first where several have one."""
    found: dict[Key, list[str]] = defaultdict(list)
    for name in types_of:
        if key := key_of(name):
            found[key].append(name)
    return {key: tuple(sorted(own, key=lambda name: (-degrees[name], name))) for key, own in found.items()}


def _short(
    full: Mapping[Key, tuple[str, ...]], types: Mapping[str, str], entities: Iterable[EntityRow]
) -> dict[Key, tuple[str, ...]]:
    """The beginnings and ends of names without numbers, and titles that summaries begin with, if they tell a name."""
    found: dict[Key, dict[str, None]] = defaultdict(dict)
    for key, names in full.items():
        if 2 <= len(key) <= 5 and names[0][0].isupper() and not any(word[0].isdigit() for word in key):
            for short in _shortened(key):
                if not (len(short) == 1 and (stem(short[0]) in types or _is_everyday(short[0]))):
                    found[short][names[0]] = None
    for entity in entities:
        title = _TITLE.match(entity.summary)
        if title and title[1].strip() != entity.name and 2 <= len(key := _bare(key_of(title[1]))) <= _LONGEST_NAME:
            found[key][entity.name] = None
    return {key: tuple(own) for key, own in found.items() if len(own) <= MOST_OF_AN_ALIAS and key not in full}


def _bare(key: Key) -> Key:
    """A title without its article."""
    return key[1:] if key[:1] in (("the",), ("a",), ("an",)) else key


def _shortened(key: Key) -> Iterable[Key]:
    yield from (key[:end] for end in range(1, len(key)))
    yield from (key[start:] for start in range(1, len(key)) if key[start] not in _LEGAL)
    if len(key) > 2:
        yield (key[0], key[-1])


def _is_everyday(word: str) -> bool:
    return len(word) < 3 or word in SMALL_WORDS or word in _LEGAL


def _hints(relations: Mapping[str, RelationEntry]) -> dict[Key, tuple[tuple[str, Hint], ...]]:
    found: dict[Key, list[tuple[str, Hint]]] = defaultdict(list)
    for relation in relations.values():
        for key, hint in relation.hints.items():
            found[key].append((relation.name, hint))
    return {key: tuple(own) for key, own in found.items()}


def _shapes(full: Mapping[Key, tuple[str, ...]], types_of: Mapping[str, tuple[str, ...]]) -> dict[Key, str]:
    """What stands before the number in a series of names, and the type of the series."""
    counted: dict[Key, Counter[str]] = defaultdict(Counter)
    for key, names in full.items():
        if len(key) >= 2 and key[-1][0].isdigit() and not any(word[0].isdigit() for word in key[:-1]):
            counted[key[:-1]][next(iter(types_of[names[0]]), "")] += 1
    return {key: types.most_common(1)[0][0] for key, types in counted.items() if types.total() >= LEAST_OF_A_SHAPE}


def _by_length(full: Mapping[Key, tuple[str, ...]]) -> Mapping[int, Sequence[str]]:
    """Names for a misspelt look-up, by how many words they have."""
    found: dict[int, list[str]] = defaultdict(list)
    for key in full:
        if len(key) <= 5 and len(" ".join(key)) >= 4:
            found[len(key)].append(" ".join(key))
    return found


class Lexicons:
    """The lexicon of each mirror, built anew once it has changed. Any thread may ask."""

    def __init__(self) -> None:
        self._kept: weakref.WeakKeyDictionary[Mirror, dict[tuple[int, int], Lexicon]] = weakref.WeakKeyDictionary()
        self._lock = threading.Lock()

    def of(self, mirror: Mirror, synonyms: Synonyms) -> Lexicon:
        """The lexicon of what the mirror holds now."""
        key = (mirror.version, hash((_frozen(synonyms.types), _frozen(synonyms.relations))))
        with self._lock:
            kept = self._kept.setdefault(mirror, {})
            if key not in kept:
                kept.clear()
                kept[key] = build(mirror, synonyms)
            return kept[key]


def _frozen(declared: Mapping[str, tuple[str, ...]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(sorted((name, tuple(words)) for name, words in declared.items()))
