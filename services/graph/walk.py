"""Walking a graph hop by hop, with the time rule of `services/core/clock.py`.

Each hop asks the database once for every fact that touches the frontier and applies the rule here: a database that
keeps dates as text compares foreign spellings of them wrongly.
"""

from collections.abc import Awaitable, Callable, Sequence

from services.core import clock
from services.core.models import Entity, Fact, Instants, Path, Subgraph

Lookup = Callable[[Sequence[str]], Awaitable[tuple[Entity, ...]]]
Step = Callable[[Sequence[str]], Awaitable[tuple[Fact, ...]]]
"""From uuids to every fact with one of them on either side."""


async def neighbours(lookup: Lookup, step: Step, start: str, at: Instants | None, depth: int, limit: int) -> Subgraph:
    """What is within `depth` facts of `start`, nearest first and by name; see `GraphStore.neighbours`."""
    if not await lookup([start]):
        return Subgraph((), (), 0, 0)
    seen: dict[str, tuple[int, str]] = {start: (0, "")}
    facts: dict[tuple[object, ...], Fact] = {}
    frontier = [start]
    for hop in range(1, depth + 2):
        found = [fact for fact in await step(frontier) if _shown(fact, at)] if frontier else []
        frontier = [] if hop > depth else list(_reached(found, seen, hop))
        facts.update((_identity(fact), fact) for fact in found)
    inside = [f for f in facts.values() if f.source_uuid in seen and f.target_uuid in seen]
    kept = sorted(seen, key=lambda uuid: (*seen[uuid], uuid))[:limit]
    chosen = set(kept)
    shown = tuple(f for f in inside if f.source_uuid in chosen and f.target_uuid in chosen)
    return Subgraph(await lookup(kept), shown, len(seen), len(inside))


def _identity(fact: Fact) -> tuple[object, ...]:
    """Other programs may have given two facts one uuid."""
    return fact.uuid, fact.source_uuid, fact.relation, fact.target_uuid, fact.text, fact.valid_at, fact.created_at


def _shown(fact: Fact, at: Instants | None) -> bool:
    return at is None or clock.true_at(fact, at) or clock.undated(fact, at)


def _reached(facts: Sequence[Fact], seen: dict[str, tuple[int, str]], hop: int) -> Sequence[str]:
    """The entities that these facts are the first to reach; they are added to `seen` with their distance and name."""
    ends = {f.source_uuid: f.source for f in facts} | {f.target_uuid: f.target for f in facts}
    new = [uuid for uuid in ends if uuid not in seen]
    seen.update((uuid, (hop, ends[uuid])) for uuid in new)
    return new


async def shortest_path(
    lookup: Lookup, step: Step, source: str, target: str, at: Instants, max_hops: int
) -> Path | None:
    """A shortest chain of facts that hold at `at`, searched from both ends, always on from the smaller frontier."""
    if len(await lookup([source, target])) < len({source, target}):
        return None
    sides = (_Side(source), _Side(target))
    meeting = source if source == target else None
    for _ in range(max_hops):
        if meeting is not None or not all(side.frontier for side in sides):
            break
        near, far = sorted(sides, key=lambda side: len(side.frontier))
        near.grow([fact for fact in await step(near.frontier) if clock.true_at(fact, at)])
        meeting = min((u for u in near.frontier if u in far.came_by), default=None)
    if meeting is None:
        return None
    facts = [*reversed(sides[0].back(meeting)), *sides[1].back(meeting)]
    uuids = [source]
    for fact in facts:
        uuids.append(_other_end(fact, uuids[-1]))
    known = {entity.uuid: entity for entity in await lookup(uuids)}
    return Path(tuple(known[uuid] for uuid in uuids), tuple(facts))


class _Side:
    """One end of a search: what was reached from it, and the fact by which each was reached first."""

    def __init__(self, start: str) -> None:
        self.came_by: dict[str, Fact | None] = {start: None}
        self.frontier = [start]

    def grow(self, facts: Sequence[Fact]) -> None:
        reached: dict[str, Fact] = {}
        edge = set(self.frontier)
        for fact in facts:
            for near, far in ((fact.source_uuid, fact.target_uuid), (fact.target_uuid, fact.source_uuid)):
                if near in edge and far not in self.came_by:
                    reached.setdefault(far, fact)
        self.came_by.update(reached)
        self.frontier = list(reached)

    def back(self, uuid: str) -> list[Fact]:
        """The facts from `uuid` back to this end's start."""
        chain = []
        while (fact := self.came_by[uuid]) is not None:
            chain.append(fact)
            uuid = _other_end(fact, uuid)
        return chain


def _other_end(fact: Fact, uuid: str) -> str:
    return fact.target_uuid if fact.source_uuid == uuid else fact.source_uuid
