"""Entities that may be one and the same: found by their names, their neighbours and their vectors, with the reasons.

Pairs are looked for within small blocks of names that have something telling in common, so that ten thousand names are
compared in well under a second. Entities of different types are never a pair, unless their names are equal.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from services.core.health_records import FindingPage, SameEntity, pair_key
from services.language.names import fold
from services.mirror.health_queries import NamedEntity, named_entities, neighbours
from services.mirror.mirror import Mirror
from services.mirror.name_candidates import COMPANY_FORMS
from services.retrieval.items import entity_item, text_key

_MONEY = "$¢-¥\u20a0-\u20c0"
_PART = re.compile(
    rf"[^\W\d_]+|\d+|[+#]+|(?<!\w)-(?=[{_MONEY}]?\d)|[{_MONEY}](?=\s?-?\d)"
    rf"|(?<=\d)[%‰{_MONEY}]|(?<=\d\s)[%‰{_MONEY}]"
)
"""A word, a number, or a mark that makes another thing of either: of a number its sign, its currency and a percent."""

_CROWD = 12
"""Of a word that more names have than this, the names are not compared pair by pair."""

_MOST_NEAR = 4_000
"""So many pairs at most are compared by their neighbours or vectors."""

_LONGEST_PERSON = 5
_CASE = "the same name except for case or spaces"

_SHARED = 0.5
"""At least so much of their words two names have in common, of all that either has."""

_CLOSE = 0.9
"""The least cosine of two entities' vectors that speaks for their being one."""


@dataclass(frozen=True, slots=True)
class _Name:
    """A name in parts: its words, numbers and their marks without case, accents and other punctuation; `core` without
    a legal form."""

    entity: NamedEntity
    folded: str
    parts: tuple[str, ...]
    core: tuple[str, ...]

    @property
    def key(self) -> str:
        """What names share that differ in case, punctuation, spaces or legal form alone; numbers stay apart."""
        return _joined(self.core)


def same_entities(mirror: Mirror, limit: int, dismissed: Sequence[str] = ()) -> FindingPage[SameEntity]:
    """Pairs of entities that may be one, most likely first; `dismissed` are keys of pairs."""
    left_out = set(dismissed)
    names = [_named(entity) for entity in named_entities(mirror)]
    found = {key: pair for key, pair in _by_name(names).items() if key not in left_out}
    weaker = {key: pair for key, pair in _weaker(names).items() if key not in found and key not in left_out}
    found |= _backed(mirror, weaker)
    ordered = sorted(found.values(), key=lambda p: (-p.score, p.kept.folded, p.kept.entity.uuid, p.gone.entity.uuid))
    return FindingPage(_whole(mirror, ordered[:limit]), len(ordered))


@dataclass(frozen=True, slots=True)
class _Pair:
    kept: _Name
    gone: _Name
    score: float
    reasons: tuple[str, ...]


def _named(entity: NamedEntity) -> _Name:
    parts = tuple(_PART.findall(fold(entity.name)))
    short = len(parts) > 1 and parts[-1] in COMPANY_FORMS
    return _Name(entity, " ".join(entity.name.casefold().split()), parts, parts[:-1] if short else parts)


def _joined(parts: Iterable[str]) -> str:
    """The parts in one; between two numbers a mark stays, since 3.5 is not 35."""
    joined, was_number = "", False
    for part in parts:
        joined += f".{part}" if was_number and part.isdigit() else part
        was_number = part.isdigit()
    return joined


def _pair(one: _Name, other: _Name, score: float, *reasons: str) -> tuple[str, _Pair]:
    """The pair under its key; the one in more facts is kept, of equal ones that with the fuller name."""
    kept, gone = sorted((one, other), key=lambda n: (-n.entity.facts, -len(n.entity.name), n.entity.uuid))
    return pair_key(one.entity.uuid, other.entity.uuid), _Pair(kept, gone, score, reasons)


def _same_type(one: _Name, other: _Name) -> bool:
    types, others = one.entity.types, other.entity.types
    return not types or not others or not set(types).isdisjoint(others)


def _by_name(names: Sequence[_Name]) -> dict[str, _Pair]:
    """Pairs that their names alone tell: each name with the next of its block, so that a crowd is no explosion."""
    equal, alike = defaultdict[str, list[_Name]](list), defaultdict[str, list[_Name]](list)
    for name in names:
        equal[name.folded].append(name)
        alike[name.key].append(name)
    found = dict[str, _Pair]()
    for key, block in alike.items():
        if key:
            found |= dict(_spelled_alike(block))
    for block in equal.values():
        for one, other in pairwise(sorted(block, key=lambda n: -n.entity.facts)):
            if _same_type(one, other):
                spelled = one.entity.name == other.entity.name
                found.update([_pair(one, other, 1.0 if spelled else 0.95, "the same name" if spelled else _CASE)])
            else:
                kinds = " and ".join(sorted({one.entity.types[0], other.entity.types[0]}))
                found.update([_pair(one, other, 0.6, "the same name", f"of different types: {kinds}")])
    return found


def _spelled_alike(block: Sequence[_Name]) -> Iterator[tuple[str, _Pair]]:
    for one, other in pairwise(sorted(block, key=lambda n: (n.folded, n.entity.uuid))):
        if one.folded != other.folded and _same_type(one, other):
            form = one.parts != other.parts and _joined(one.parts) != _joined(other.parts)
            yield _pair(
                one, other, 0.9, "the same name except for " + ("the legal form" if form else "case or punctuation")
            )


def _weaker(names: Sequence[_Name]) -> dict[str, _Pair]:
    """Pairs that need something else to speak for them: a shorter name of the same, or many words in common."""
    found = dict[str, _Pair]()
    by_name = {name.core: name for name in names}
    initialled = defaultdict[tuple[str, str], list[_Name]](list)
    for name in names:
        if 1 < len(name.core) <= _LONGEST_PERSON and all(part.isalpha() for part in name.core):
            initialled[name.core[0][0], name.core[-1]].append(name)
        for cut in range(1, len(name.core)):
            short = by_name.get(name.core[cut:])
            if short and not short.core[0].isdigit() and len(short.core[0]) > 1 and _same_type(short, name):
                found.update([_pair(short, name, 0.6, "one name is the end of the other")])
    for block in initialled.values():
        for one, other in combinations(block[:_CROWD], 2):
            if _initials_fit(one.core, other.core) and _same_type(one, other):
                found.update([_pair(one, other, 0.65, "the same last name with matching initials")])
    return _with_many_words_in_common(names) | found


def _initials_fit(one: Sequence[str], other: Sequence[str]) -> bool:
    """“J. Smith” and “John Smith”: every given name fits the other's in its place, and one is an initial."""
    pairs = list(zip(one[:-1], other[:-1], strict=False))
    fits = all(a == b or (min(len(a), len(b)) == 1 and a[0] == b[0]) for a, b in pairs)
    return fits and one != other


def _with_many_words_in_common(names: Sequence[_Name]) -> dict[str, _Pair]:
    """Pairs that share half their words, one of them rare, and all their numbers with their marks."""
    having = defaultdict[str, list[_Name]](list)
    for name in names:
        for word in set(name.core):
            having[word].append(name)
    found = dict[str, _Pair]()
    for word, block in having.items():
        if not word.isalpha() or len(block) > _CROWD:
            continue
        for one, other in combinations(block, 2):
            if _same_type(one, other) and _numbers(one) == _numbers(other) and _overlap(one, other) >= _SHARED:
                found.update([_pair(one, other, 0.5, "most words of the names are the same")])
    return found


def _numbers(name: _Name) -> list[str]:
    return sorted(part for part in name.core if not part.isalpha())


def _overlap(one: _Name, other: _Name) -> float:
    words, others = set(one.core), set(other.core)
    return len(words & others) / len(words | others)


def _backed(mirror: Mirror, pairs: Mapping[str, _Pair]) -> dict[str, _Pair]:
    """Those of the pairs that shared neighbours or close vectors speak for, and no fact between the two speaks against.

    A name with a first name or initials needs neighbours; one with words in common needs its vector.
    """
    asked = dict(list(pairs.items())[:_MOST_NEAR])
    uuids = sorted({name.entity.uuid for pair in asked.values() for name in (pair.kept, pair.gone)})
    near = neighbours(mirror, uuids)
    cosines = _cosines(mirror, list(asked.values()))
    found = dict[str, _Pair]()
    for (key, pair), cosine in zip(asked.items(), cosines, strict=True):
        one, other = pair.kept.entity.uuid, pair.gone.entity.uuid
        around, others = near.get(one, set()), near.get(other, set())
        if other in around:
            continue
        shared, by_words = len(around & others), "most words of the names are the same" in pair.reasons
        if by_words and cosine < _CLOSE:
            continue
        if not by_words and not shared:
            continue
        reasons = [*pair.reasons, *([f"{shared} neighbours in common"] if shared > 1 else [])]
        reasons += ["a neighbour in common"] if shared == 1 else []
        reasons += ["nearly the same meaning"] if cosine >= _CLOSE else []
        score = min(0.89, pair.score + 0.05 * min(shared, 4) + (0.1 if cosine >= _CLOSE else 0))
        found[key] = _Pair(pair.kept, pair.gone, round(score, 2), tuple(reasons))
    return found


def _cosines(mirror: Mirror, pairs: Sequence[_Pair]) -> list[float]:
    """How close the vectors of each pair are; 0 where one has none."""
    model = mirror.vectors.model()
    if model is None or not pairs:
        return [0.0] * len(pairs)
    uuids = list(dict.fromkeys(name.entity.uuid for pair in pairs for name in (pair.kept, pair.gone)))
    places = {uuid: place for place, uuid in enumerate(uuids)}
    texts = {e.uuid: entity_item(e.uuid, e.name, e.types, e.summary).embedded[-1] for e in mirror.entities(uuids)}
    vectors, _ = mirror.vectors.of([text_key(texts.get(uuid, "")) for uuid in uuids], model)
    one = vectors[[places[pair.kept.entity.uuid] for pair in pairs]]
    other = vectors[[places[pair.gone.entity.uuid] for pair in pairs]]
    cosines: list[float] = np.einsum("ij,ij->i", one, other).tolist()
    return cosines


def _whole(mirror: Mirror, pairs: Sequence[_Pair]) -> tuple[SameEntity, ...]:
    uuids = [name.entity.uuid for pair in pairs for name in (pair.kept, pair.gone)]
    held = {entity.uuid: entity for entity in mirror.entities(uuids)}
    return tuple(
        SameEntity(held[p.kept.entity.uuid], held[p.gone.entity.uuid], p.score, p.reasons)
        for p in pairs
        if {p.kept.entity.uuid, p.gone.entity.uuid} <= held.keys()
    )
