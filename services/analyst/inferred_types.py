"""Of what kind entities without a type are, by the relations that they have: who is a CEO is a person."""

import functools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from services.analyst.question_words import Key, key_of, lines_of, stem, stems
from services.analyst.vocabulary import Side, is_like, is_of_people, named_side, other, taken_apart, type_groups
from services.mirror.search_rows import FactRow

_BEFORE_A_FIELD = frozenset(("of", "for"))
_PREFIXES = dict.fromkeys(("mv", "ms", "ss", "hms", "uss", "rms"), "ship")
_UNTOLD = "-"


def inferred_types(facts: Iterable[FactRow], untyped: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the kinds of those names that are `untyped`, the one that most of their facts tell first."""
    found: dict[str, Counter[str]] = {name: Counter() for name in untyped}
    for fact in facts if found else ():
        kinds = kinds_of(fact.relation)
        for name, side in ((fact.source, "source"), (fact.target, "target")):
            if name in found and (kind := kinds.get(side)):
                found[name][kind] += 1
    known = {kind for kinds in found.values() for kind in kinds}
    by_relations = {name: [kind for kind, _ in kinds.most_common()] for name, kinds in found.items()}
    return {name: _with_kind_of_name(name, kinds, known) for name, kinds in by_relations.items()}


def _with_kind_of_name(name: str, kinds: Sequence[str], known: Iterable[str]) -> tuple[str, ...]:
    """Return the kinds of a thing and what its name says besides, in the word of `known` kinds."""
    key = key_of(name)
    if key[:1] and key[0] in _PREFIXES and len(key) > 1:
        return (_PREFIXES[key[0]],)
    word = key[0] if len(key) > 2 and key[1] in _BEFORE_A_FIELD else key[-1]
    says_more = len(key) > 1 and not word.endswith("s") and any(stem(word) in group for group in type_groups())
    if not says_more or any(is_of_people(kind) or is_like(kind, word) for kind in kinds):
        return tuple(kinds)
    return (*kinds, next((kind for kind in sorted(known) if is_like(kind, word)), word))


@functools.lru_cache(maxsize=4096)
def kinds_of(relation: str) -> Mapping[str, str]:
    """Return the kinds of a relation's two ends, by their sides, as far as its name tells them."""
    name = taken_apart(relation)
    for key in (stems(" ".join(name.words)), stems(" ".join(name.content)), *(stems(word) for word in name.content)):
        for form, own, far in _table().get(key, ()):
            side: Side = name.doer if form == "v" else named_side(name)
            return {on: kind for on, kind in ((side, own), (other(side), far)) if kind != _UNTOLD}
    return {}


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
