"""Of what kind entities without a type are, by the relations that they have: who is a CEO is a person."""

import functools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from services.analyst.question_words import SMALL_WORDS, Key, key_of, lines_of, stem, stems
from services.analyst.vocabulary import (
    RelationName,
    Side,
    is_like,
    is_of_people,
    named_side,
    other,
    taken_apart,
    type_groups,
)
from services.mirror.search_rows import FactRow

_BEFORE_A_FIELD = frozenset(("of", "for"))
_PREFIXES = dict.fromkeys(("mv", "ms", "ss", "hms", "uss", "rms"), "ship")
_UNTOLD = "-"
_LEAST_CALLED_ALIKE = 2
_BEHIND_NOUNS = frozenset(("of", "for", "in", "at", "to"))
_BESIDE_OTHERS = frozenset(("of", "for", "number", "count", "total"))
"""Words in a relation's name beside which its last noun tells no kind: "date of birth"."""


def inferred_types(facts: Iterable[FactRow], untyped: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the kinds of those names that are `untyped`, the one that most of their facts tell first."""
    found: dict[str, Counter[str]] = {name: Counter() for name in untyped}
    for fact in facts if found else ():
        kinds = kinds_of(fact.relation)
        ends: tuple[tuple[str, Side], ...] = ((fact.source, "source"), (fact.target, "target"))
        for name, side in ends:
            if name in found and (kind := kinds.get(side)):
                found[name][kind] += 1
    known = {kind for kinds in found.values() for kind in kinds}
    by_relations = {
        name: sorted(kinds, key=lambda kind: (-kinds[kind], not is_of_people(kind), kind))
        for name, kinds in found.items()
    }
    nouns = Counter(noun for name in found if (noun := _noun_behind(name)))
    known |= {noun for noun, number in nouns.items() if number >= _LEAST_CALLED_ALIKE}
    return {name: _with_kind_of_name(name, kinds, known) for name, kinds in by_relations.items()}


def _noun_behind(name: str) -> str:
    """Return a noun in small letters that ends a name: "team" of "Payments team"."""
    first, *rest = name.split()
    return rest[-1] if rest and first[0].isupper() and rest[-1].isalpha() and rest[-1].islower() else ""


def _with_kind_of_name(name: str, kinds: Sequence[str], known: Set[str]) -> tuple[str, ...]:
    """Return the kinds of a thing and what its name says besides, in the word of `known` kinds."""
    key = key_of(name)
    if key[:1] and key[0] in _PREFIXES and len(key) > 1:
        return (_PREFIXES[key[0]],)
    word = key[0] if len(key) > 2 and key[1] in _BEFORE_A_FIELD else key[-1]
    is_noun = _noun_behind(name) in known or any(stem(word) in group for group in type_groups())
    says_more = len(key) > 1 and not word.endswith("s") and is_noun
    if not says_more or any(is_of_people(kind) or is_like(kind, word) for kind in kinds):
        return tuple(kinds)
    return (*kinds, next((kind for kind in sorted(known) if is_like(kind, word)), word))


@functools.lru_cache(maxsize=4096)
def kinds_of(relation: str) -> Mapping[Side, str]:
    """Return the kinds of a relation's two ends, by their sides, as far as its name tells them."""
    name = taken_apart(relation)
    form, listed = _listed_kinds(name)
    by_nouns = _kinds_by_nouns(name)
    return {**by_nouns, **listed} if form == "n" and name.words[-1] != "of" else {**listed, **by_nouns}


def _listed_kinds(name: RelationName) -> tuple[str, Mapping[Side, str]]:
    """Return what the table has for a name or for a word of it, and whether that is a verb or a noun."""
    for key in (stems(" ".join(name.words)), stems(" ".join(name.content)), *(stems(word) for word in name.content)):
        entries = _table().get(key, [])
        says_verb = len(name.words) == 1 and name.words[0].endswith("s")  # "chairs" is what a chair does
        for form, own, far in sorted(entries, key=lambda one: one[0] != "v") if says_verb else entries:
            side: Side = name.doer if form == "v" else named_side(name)
            if form == "n" and name.words[-1] in _BEHIND_NOUNS:
                side, far = "source", _UNTOLD if name.words[-1] == "in" else far  # a correspondent in a town
            return form, {on: kind for on, kind in ((side, own), (other(side), far)) if kind != _UNTOLD}
    return "", {}


def _kinds_by_nouns(name: RelationName) -> Mapping[Side, str]:
    """Return the kinds that nouns tell of: "owns service" leads to services, "project manager of" to projects."""
    if not name.words:
        return {}
    if name.words[-1] == "of":
        *before, _ = name.content
        is_kind = any(stem(word) in group for word in before[-1:] for group in type_groups())
        return {other(named_side(name)): before[-1]} if is_kind and is_of_people(name.content[-1]) else {}
    *before, last = name.words
    return {"target": last} if before and _is_noun(last) and not _BESIDE_OTHERS & set(before) else {}


def _is_noun(word: str) -> bool:
    """False for a preposition, an adverb and a participle at the end of a name."""
    return word not in SMALL_WORDS and not word.endswith(("ly", "ed", "ing"))


@functools.cache
def _table() -> Mapping[Key, list[tuple[str, str, str]]]:
    found: defaultdict[Key, list[tuple[str, str, str]]] = defaultdict(list)
    for key, kinds in _entries():
        found[key].append(kinds)
    return found


def _entries() -> Iterator[tuple[Key, tuple[str, str, str]]]:
    for line in lines_of("relation_kinds.txt"):
        words, own, far = (part.strip() for part in line.split("|"))
        form, *phrases = words.split()
        for phrase in phrases:
            yield stems(phrase.replace("_", " ")), (form, own, far)
