"""The shortest chains of facts between entities."""

from collections.abc import Collection
from dataclasses import dataclass, replace

import duckdb

from services.core import time_rule
from services.core.models import Fact, Instants, Path
from services.mirror.hubs import HubReads
from services.mirror.reads import by_id, by_uuid, rows
from services.mirror.record_tables import ENTITIES

_LONGER = 2
"""A path that passes through no hub may be so many facts longer than one that does."""

_WALKED = "facts_known($k) WHERE (valid_at <= $t OR valid_at IS NULL) AND ends > $t AND source_key <> target_key"

_EDGES = f"""
    CREATE TEMP TABLE edges AS
    SELECT source_key AS near, target_key AS far, id, (valid_at IS NULL)::INTEGER AS undated FROM {_WALKED} UNION ALL
    SELECT target_key, source_key, id, (valid_at IS NULL)::INTEGER FROM {_WALKED}"""

_HUBS = "CREATE TEMP TABLE hubs AS SELECT unnest($hubs::UBIGINT[]) AS key"

# Of two walks one passes through hubs, the other does not. The way with the fewest undated facts has `undated` of them.
_WALK = """
    CREATE TEMP TABLE reach AS
    SELECT hash(unnest($starts::VARCHAR[])) AS key, 0 AS hop, 1::DOUBLE AS ways, 0 AS undated, through
    FROM (VALUES (false), (true)) walks(through)"""

_OPEN = "hop = $hop - 1 AND (through OR hop = 0 OR near NOT IN (SELECT key FROM hubs))"

_WALK_FURTHER = f"""
    INSERT INTO reach SELECT far, $hop, sum(walked.ways), min(walked.undated + edges.undated), walked.through
    FROM edges JOIN reach walked ON near = walked.key AND walked.through = $through AND {_OPEN}
    ANTI JOIN reach seen ON seen.key = far AND seen.through = walked.through GROUP BY far, walked.through"""

_ARRIVED = """
    SELECT key, ways FROM reach
    WHERE hop = $hop AND through = $through AND key IN (SELECT hash(unnest($ends::VARCHAR[])))
    ORDER BY undated, key"""

# No more of them for one entity than can be told at all: a busy one has been reached in many ways.
_BEFORE = f"""
    SELECT far, near, id, edges.undated, reach.undated AS before
    FROM edges JOIN reach ON near = key AND through = $through AND {_OPEN}
    WHERE far IN (SELECT unnest($keys::UBIGINT[]))
    QUALIFY row_number() OVER (PARTITION BY far ORDER BY edges.undated + before, id) <= $limit
    ORDER BY far, edges.undated + before, id"""

_COMPARED = 50
"""So many paths are compared when one is asked for."""


@dataclass(frozen=True, slots=True)
class _Walk:
    """A path from its middle to its end: the key of its first entity, its facts in walking order, how many of these
    have no date, and how many the whole path will have at least.
    """

    key: int
    facts: tuple[int, ...] = ()
    undated: int = 0
    at_least: int = 0


@dataclass(frozen=True, slots=True)
class _Arrival:
    """After how many facts ends were reached, whether through hubs, and their keys with the number of ways to each."""

    hops: int
    through: bool
    ends: list[tuple[int, float]]


class PathReads(HubReads):
    """Paths of facts that hold at an instant or have no date, walked in either direction."""

    def shortest_path(self, source_uuid: str, target_uuid: str, at: Instants, max_hops: int = 5) -> Path | None:
        """Return the surest of the shortest paths between two entities, with how many others are as short, or None; one
        entity alone is no path."""
        found, total = self.shortest_paths([source_uuid], [target_uuid], at, max_hops=max_hops, limit=_COMPARED)
        return replace(found[0], as_short=total - 1) if found else None

    def shortest_paths(
        self, starts: Collection[str], ends: Collection[str], at: Instants, *, max_hops: int, limit: int
    ) -> tuple[list[Path], int]:
        """Return the `limit` surest of the shortest paths from any of the entities `starts` to any of `ends`, and how
        many there are.

        An entity in both is no end. A path through a hub is one only where every other is longer by more than two
        facts. Those with the fewest undated facts come first.
        """
        ends = [uuid for uuid in ends if uuid not in starts]
        hubs = list(self.hub_keys())
        with self._database.read() as cursor:
            cursor.execute(_EDGES, {"t": at.as_of, "k": at.known_at})
            cursor.execute(_HUBS, {"hubs": hubs})
            cursor.execute(_WALK, {"starts": list(starts)})
            arrival = _arrival(cursor, ends, max_hops)
            if arrival is None:
                return [], 0
            paths = _paths_of(cursor, _walk_back(cursor, arrival, limit), starts, at)
            return paths, int(sum(ways for _, ways in arrival.ends))


def _arrival(cursor: duckdb.DuckDBPyConnection, ends: list[str], max_hops: int) -> _Arrival | None:
    """Walk around all hubs; through them where that is shorter by more than two facts, or the only way."""
    around = _walk(cursor, ends, max_hops, through=False)
    shorter = around.hops - 1 - _LONGER if around else max_hops
    return _walk(cursor, ends, shorter, through=True) or around


def _walk(cursor: duckdb.DuckDBPyConnection, ends: list[str], max_hops: int, *, through: bool) -> _Arrival | None:
    """Walk on until an end is reached."""
    for hop in range(1, max_hops + 1):
        cursor.execute(_WALK_FURTHER, {"hop": hop, "through": through})
        if found := rows(cursor, _ARRIVED, {"hop": hop, "through": through, "ends": ends}):
            return _Arrival(hop, through, found)
    return None


def _walk_back(cursor: duckdb.DuckDBPyConnection, arrival: _Arrival, limit: int) -> list[tuple[int, ...]]:
    """Return the facts of the `limit` paths that end there with the fewest undated facts.

    Each walk leads back to a start, and the surest way there is known: so what is cut on the way is no surer than what
    stays.
    """
    walks = [_Walk(key) for key, _ in arrival.ends[:limit]]
    for hop in range(arrival.hops, 0, -1):
        before: dict[int, list[tuple[int, int, int, int]]] = {}
        asked = {"hop": hop, "through": arrival.through, "keys": list({walk.key for walk in walks}), "limit": limit}
        for far, *step in rows(cursor, _BEFORE, asked):
            before.setdefault(far, []).append(tuple(step))
        further = (_further(walk, *step) for walk in walks for step in before[walk.key])
        walks = sorted(further, key=lambda walk: walk.at_least)[:limit]
    return [walk.facts for walk in walks]


def _further(walk: _Walk, near: int, fact: int, undated: int, before: int) -> _Walk:
    """Return the walk with one more fact in front of it; `before` is how many undated ones lead there at least."""
    undated += walk.undated
    return _Walk(near, (fact, *walk.facts), undated, undated + before)


def _paths_of(
    cursor: duckdb.DuckDBPyConnection, walks: list[tuple[int, ...]], starts: Collection[str], at: Instants
) -> list[Path]:
    """Return the paths with their entities and with their facts as known then, the surest first, then by names."""
    recorded = by_id(cursor, {id for walk in walks for id in walk})
    known = {id: time_rule.as_known(fact, at.known_at) for id, fact in recorded.items()}
    chains = [(_chain([known[id] for id in walk], starts), tuple(known[id] for id in walk)) for walk in walks]
    uuids = dict.fromkeys(uuid for chain, _ in chains for uuid in chain)
    entities = {entity.uuid: entity for entity in by_uuid(cursor, ENTITIES, uuids)}
    paths = [Path(tuple(entities[uuid] for uuid in chain if uuid in entities), facts) for chain, facts in chains]
    return sorted(paths, key=lambda path: (path.undated, [entity.name for entity in path.entities]))


def _chain(facts: list[Fact], starts: Collection[str]) -> list[str]:
    """Return the uuids of the entities that the facts lead through."""
    chain = [next(uuid for uuid in (facts[0].source_uuid, facts[0].target_uuid) if uuid in starts)]
    for fact in facts:
        chain.append(fact.target_uuid if fact.source_uuid == chain[-1] else fact.source_uuid)
    return chain
