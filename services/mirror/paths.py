"""The shortest chains of facts between entities."""

from collections.abc import Collection
from dataclasses import dataclass

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
    SELECT source_key AS near, target_key AS far, id FROM {_WALKED} UNION ALL
    SELECT target_key, source_key, id FROM {_WALKED}"""

_HUBS = "CREATE TEMP TABLE hubs AS SELECT unnest($hubs::UBIGINT[]) AS key"

# Of two walks one passes through hubs, the other does not.
_WALK = """
    CREATE TEMP TABLE reach AS SELECT hash(unnest($starts::VARCHAR[])) AS key, 0 AS hop, 1::DOUBLE AS ways, through
    FROM (VALUES (false), (true)) walks(through)"""

_OPEN = "hop = $hop - 1 AND (through OR hop = 0 OR near NOT IN (SELECT key FROM hubs))"

_WALK_FURTHER = f"""
    INSERT INTO reach SELECT far, $hop, sum(walked.ways), walked.through
    FROM edges JOIN reach walked ON near = walked.key AND walked.through = $through AND {_OPEN}
    ANTI JOIN reach seen ON seen.key = far AND seen.through = walked.through GROUP BY far, walked.through"""

_ARRIVED = """
    SELECT key, ways FROM reach
    WHERE hop = $hop AND through = $through AND key IN (SELECT hash(unnest($ends::VARCHAR[]))) ORDER BY key"""

# No more of them for one entity than can be told at all: a busy one has been reached in many ways.
_BEFORE = f"""
    SELECT far, near, id FROM edges JOIN reach ON near = key AND through = $through AND {_OPEN}
    WHERE far IN (SELECT unnest($keys::UBIGINT[]))
    QUALIFY row_number() OVER (PARTITION BY far ORDER BY id) <= $limit ORDER BY far, id"""

_COMPARED = 50
"""So many paths are compared when one is asked for."""

_Walk = tuple[int, tuple[int, ...]]
"""A path from its middle to its end: the key of its first entity, and its facts in walking order."""


@dataclass(frozen=True, slots=True)
class _Arrival:
    """After how many facts ends were reached, whether through hubs, and their keys with the number of ways to each."""

    hops: int
    through: bool
    ends: list[tuple[int, float]]


class PathReads(HubReads):
    """Paths of facts that hold at an instant or have no date, walked in either direction."""

    def shortest_path(self, source_uuid: str, target_uuid: str, at: Instants, max_hops: int = 5) -> Path | None:
        """The first of the shortest paths between two entities; None where there is none, or they are the same."""
        found, _ = self.shortest_paths([source_uuid], [target_uuid], at, max_hops=max_hops, limit=_COMPARED)
        return found[0] if found else None

    def shortest_paths(
        self, starts: Collection[str], ends: Collection[str], at: Instants, *, max_hops: int, limit: int
    ) -> tuple[list[Path], int]:
        """The `limit` first of the shortest paths from any of the entities `starts` to any of `ends`, and how many
        there are. An entity in both is no end. A path through a hub is one only where every other is longer by more
        than two facts. Those with the fewest undated facts come first.
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
    """The facts of the first `limit` paths that end there. Each of them leads back to a start, so none is in vain."""
    walks: list[_Walk] = [(key, ()) for key, _ in arrival.ends[:limit]]
    for hop in range(arrival.hops, 0, -1):
        before: dict[int, list[tuple[int, int]]] = {}
        asked = {"hop": hop, "through": arrival.through, "keys": list({key for key, _ in walks}), "limit": limit}
        for far, near, fact in rows(cursor, _BEFORE, asked):
            before.setdefault(far, []).append((near, fact))
        walks = [(near, (fact, *after)) for key, after in walks for near, fact in before[key]][:limit]
    return [facts for _, facts in walks]


def _paths_of(
    cursor: duckdb.DuckDBPyConnection, walks: list[tuple[int, ...]], starts: Collection[str], at: Instants
) -> list[Path]:
    """The paths with their facts as known then, and their entities: the surest first, then by the names of these."""
    recorded = by_id(cursor, {id for walk in walks for id in walk})
    known = {id: time_rule.as_known(fact, at.known_at) for id, fact in recorded.items()}
    chains = [(_chain([known[id] for id in walk], starts), tuple(known[id] for id in walk)) for walk in walks]
    uuids = dict.fromkeys(uuid for chain, _ in chains for uuid in chain)
    entities = {entity.uuid: entity for entity in by_uuid(cursor, ENTITIES, uuids)}
    paths = [Path(tuple(entities[uuid] for uuid in chain if uuid in entities), facts) for chain, facts in chains]
    return sorted(paths, key=lambda path: (path.undated, [entity.name for entity in path.entities]))


def _chain(facts: list[Fact], starts: Collection[str]) -> list[str]:
    """The uuids of the entities that the facts lead through."""
    chain = [next(uuid for uuid in (facts[0].source_uuid, facts[0].target_uuid) if uuid in starts)]
    for fact in facts:
        chain.append(fact.target_uuid if fact.source_uuid == chain[-1] else fact.source_uuid)
    return chain
