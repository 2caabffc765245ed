"""What surrounds entities within a few facts: read once for all of them, then walked for each."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from services.core import clock
from services.core.models import Fact
from services.tools.mirror_fallback import MOST_LISTED, as_known
from services.tools.tool import Context

MOST_AROUND = 1_000
"""So many facts around one entity are listed: a few hops from a busy one are the whole graph."""


NearbyFacts = tuple[tuple[Fact, ...], int | None]
"""The facts around an entity, the nearest first, then those of most sources; and how many there are, listed or not,
None where there was more than could be looked at."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the graph: facts by weight, and of each entity its facts, by their places, and its neighbours."""

    facts: Sequence[Fact]
    touching: Mapping[str, set[int]]
    neighbours: Mapping[str, set[str]]
    is_whole: bool


def nearby_facts(context: Context, entity_uuids: Collection[str], hops: int) -> dict[str, NearbyFacts]:
    """Of each of these entities the facts within `hops` of it that hold, or have no date, as known at `known_at`."""
    part = _read(context, entity_uuids, hops)
    walked = {uuid: _walked(part, uuid, hops) for uuid in entity_uuids}
    places = sorted({place for found in walked.values() for place in found[:MOST_AROUND]})
    known = dict(zip(places, as_known(context, [part.facts[place] for place in places]), strict=True))
    return {
        uuid: (tuple(known[place] for place in found[:MOST_AROUND]), len(found) if part.is_whole else None)
        for uuid, found in walked.items()
    }


def _read(context: Context, entity_uuids: Collection[str], hops: int) -> _Part:
    """The part of the graph that is within reach; of one that is too large what has most sources."""
    found, seen, frontier, is_whole = dict[str, Fact](), set[str](), set(entity_uuids), True
    for _ in range(hops):
        near = context.mirror.facts_touching(sorted(frontier), context.at, MOST_LISTED) if frontier else ()
        is_whole &= len(near) < MOST_LISTED
        found |= {fact.uuid: fact for fact in near}
        seen |= frontier
        frontier = {end for fact in near for end in (fact.source_uuid, fact.target_uuid)} - seen
    facts = sorted(
        found.values(), key=lambda f: (by_weight(f), f.valid_at is not None, f.valid_at or clock.EARLIEST, f.uuid)
    )
    touching, neighbours = dict[str, set[int]](), dict[str, set[str]]()
    for place, fact in enumerate(facts):
        for one, other in ((fact.source_uuid, fact.target_uuid), (fact.target_uuid, fact.source_uuid)):
            touching.setdefault(one, set()).add(place)
            neighbours.setdefault(one, set()).add(other)
    return _Part(facts, touching, neighbours, is_whole)


def _walked(part: _Part, entity_uuid: str, hops: int) -> list[int]:
    """The places of the facts around one entity: nearer ones first, then by weight."""
    listed, found = list[int](), set[int]()
    seen, frontier = {entity_uuid}, {entity_uuid}
    for _ in range(hops):
        near = set[int]().union(*(part.touching.get(uuid, ()) for uuid in frontier)) - found
        listed += sorted(near)
        found |= near
        frontier = set[str]().union(*(part.neighbours.get(uuid, ()) for uuid in frontier)) - seen
        seen |= frontier
    return listed


def by_weight(fact: Fact) -> int:
    """What sorts facts by how many sources state them, most first."""
    return -len(fact.episodes)
