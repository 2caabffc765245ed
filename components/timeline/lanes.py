"""How an entity's facts are laid out on a timeline: which facts share a lane, which lanes are shown."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from components.markup import relation
from services.core import clock, contradictions, time_rule
from services.core.models import Fact, Instants

MOST_IN_A_LANE = 60
"""More bars could neither be read nor be drawn in time."""


@dataclass(frozen=True, slots=True)
class Lane:
    """One line of the timeline. `label` is empty on all but the first lane of a relation.

    `total` counts the facts that `facts` were cut from.
    """

    label: str
    facts: tuple[Fact, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Laid:
    """The lanes that fit, and how many there are in all."""

    lanes: tuple[Lane, ...]
    total: int


def value(fact: Fact, about: str) -> str:
    """The other end of a fact, seen from the entity with uuid `about`."""
    return fact.target if fact.source_uuid == about else fact.source


def lay_out(facts: Iterable[Fact], about: str, at: Instants, *, limit: int, one_valued: Collection[str] = ()) -> Laid:
    """One lane for each relation, and one for each value where several hold at once; at most `limit` lanes.

    The facts of a relation in `one_valued` share a lane even where they overlap. When lanes are left out, those with a
    fact that holds at `at` are kept first, and each relation keeps its share. Of a crowded lane, the facts nearest to
    `at` are kept.
    """
    groups: dict[tuple[bool, str], list[Fact]] = defaultdict(list)
    for fact in facts:
        groups[fact.source_uuid != about, fact.relation].append(fact)
    split = {key: _split(group, about, at, one_valued) for key, group in groups.items()}
    order = sorted(split, key=lambda key: (key[0], len(split[key]) > 1, _first(groups[key]), key[1]))
    share = _shares([len(split[key]) for key in order], limit)
    lanes = tuple(
        Lane("" if place else relation(key[1]) + (" of" if key[0] else ""), _nearest(group, at), len(group))
        for key, room in zip(order, share, strict=True)
        for place, group in enumerate(_kept(split[key], at, room))
    )
    return Laid(lanes, sum(len(s) for s in split.values()))


def _split(facts: Sequence[Fact], about: str, at: Instants, one_valued: Collection[str]) -> list[tuple[Fact, ...]]:
    """The facts of one relation as lanes."""
    incoming = facts[0].source_uuid != about
    if not incoming and _share_a_lane(facts, at, one_valued):
        return [tuple(sorted(facts, key=_start))]
    values: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        values[fact.source_uuid if incoming else fact.target_uuid].append(fact)
    return sorted((tuple(sorted(v, key=_start)) for v in values.values()), key=lambda v: (_start(v[0]), v[0].uuid))


def _share_a_lane(facts: Sequence[Fact], at: Instants, one_valued: Collection[str]) -> bool:
    if any(f.valid_at is None for f in facts):
        return len(facts) == 1
    return facts[0].relation in one_valued or contradictions.one_valued(facts, at.known_at)


def _kept(lanes: list[tuple[Fact, ...]], at: Instants, room: int) -> list[tuple[Fact, ...]]:
    if len(lanes) <= room:
        return lanes
    first = sorted(range(len(lanes)), key=lambda i: (not any(time_rule.true_at(f, at) for f in lanes[i]), i))
    return [lanes[i] for i in sorted(first[:room])]


def _nearest(facts: tuple[Fact, ...], at: Instants) -> tuple[Fact, ...]:
    """As many as a lane has room for, half of them begun by `at`."""
    begun = sum(_start(fact) <= at.as_of for fact in facts)
    first = min(max(0, begun - MOST_IN_A_LANE // 2), max(0, len(facts) - MOST_IN_A_LANE))
    return facts[first : first + MOST_IN_A_LANE]


def _shares(wanted: Sequence[int], limit: int) -> list[int]:
    """Room for each relation: one lane first, then the rest in turn, until `limit` is used up."""
    turns = sorted((turn, place) for place, want in enumerate(wanted) for turn in range(want))
    given = Counter(place for _, place in turns[:limit])
    return [given[place] for place in range(len(wanted))]


def _start(fact: Fact) -> datetime:
    return fact.valid_at or clock.EARLIEST


def _first(facts: Iterable[Fact]) -> datetime:
    return min((f.valid_at for f in facts if f.valid_at is not None), default=clock.LATEST)
