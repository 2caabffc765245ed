"""How two groups of entities hang together: every shortest chain of facts, counted, and the first of them."""

from collections.abc import Collection

import duckdb

from services.core import clock
from services.core.models import Fact, Instants, Path
from services.mirror.reads import Reads, by_id, by_uuid, rows
from services.mirror.record_tables import ENTITIES

_EDGES = """
    CREATE TEMP TABLE edges AS
    SELECT source_key AS near, target_key AS far, id FROM facts_true($t, $k) WHERE source_key <> target_key
    UNION ALL
    SELECT target_key, source_key, id FROM facts_true($t, $k) WHERE source_key <> target_key"""

_REACH = "CREATE TEMP TABLE reach AS SELECT hash(unnest($starts::VARCHAR[])) AS key, 0 AS hop, 1::DOUBLE AS ways"

_REACH_FURTHER = """
    INSERT INTO reach SELECT far, $hop, sum(ways) FROM edges JOIN reach ON near = key AND hop = $hop - 1
    WHERE far NOT IN (SELECT key FROM reach) GROUP BY far"""

_ARRIVED = """
    SELECT key, ways FROM reach WHERE hop = $hop AND key IN (SELECT hash(unnest($ends::VARCHAR[]))) ORDER BY key"""

# No more of them for one entity than can be told at all: a busy one has been reached in many ways.
_BEFORE = """
    SELECT far, near, id FROM edges JOIN reach ON near = key AND hop = $hop - 1
    WHERE far IN (SELECT unnest($keys::UBIGINT[]))
    QUALIFY row_number() OVER (PARTITION BY far ORDER BY id) <= $limit ORDER BY far, id"""

_Walk = tuple[int, tuple[int, ...]]
"""A path from its middle to its end: the key of its first entity, and its facts in walking order."""


class PathReads(Reads):
    """Paths of facts that are true at an instant, walked in either direction."""

    def shortest_path(self, source_uuid: str, target_uuid: str, at: Instants, max_hops: int = 5) -> Path | None:
        """A shortest chain of facts between two entities; None where there is none, or they are the same."""
        found, _ = self.shortest_paths([source_uuid], [target_uuid], at, max_hops=max_hops, limit=1)
        return found[0] if found else None

    def shortest_paths(
        self, starts: Collection[str], ends: Collection[str], at: Instants, *, max_hops: int, limit: int
    ) -> tuple[list[Path], int]:
        """The `limit` first of the shortest paths from any of the entities `starts` to any of `ends`, and how many
        there are. An entity in both is no end."""
        asked = {"starts": list(starts), "ends": [uuid for uuid in ends if uuid not in starts]}
        with self._database.read() as cursor:
            cursor.execute(_EDGES, {"t": at.as_of, "k": at.known_at})
            cursor.execute(_REACH, {"starts": asked["starts"]})
            for hop in range(1, max_hops + 1):
                cursor.execute(_REACH_FURTHER, {"hop": hop})
                arrived = rows(cursor, _ARRIVED, {"hop": hop, "ends": asked["ends"]})
                if arrived:
                    walks = _walk_back(cursor, [key for key, _ in arrived], hop, limit)
                    return _paths_of(cursor, walks, asked["starts"], at), int(sum(ways for _, ways in arrived))
        return [], 0


def _walk_back(cursor: duckdb.DuckDBPyConnection, ends: list[int], hops: int, limit: int) -> list[tuple[int, ...]]:
    """The facts of the first `limit` paths that end there. Each of them leads back to a start, so none is in vain."""
    walks: list[_Walk] = [(key, ()) for key in ends[:limit]]
    for hop in range(hops, 0, -1):
        before: dict[int, list[tuple[int, int]]] = {}
        asked = {"hop": hop, "keys": list({key for key, _ in walks}), "limit": limit}
        for far, near, fact in rows(cursor, _BEFORE, asked):
            before.setdefault(far, []).append((near, fact))
        walks = [(near, (fact, *after)) for key, after in walks for near, fact in before[key]][:limit]
    return [facts for _, facts in walks]


def _paths_of(
    cursor: duckdb.DuckDBPyConnection, walks: list[tuple[int, ...]], starts: Collection[str], at: Instants
) -> list[Path]:
    """The paths with their facts as known then, and their entities, by the names of these."""
    recorded = by_id(cursor, {id for walk in walks for id in walk})
    known = {id: clock.as_known(fact, at.known_at) for id, fact in recorded.items()}
    chains = [(_chain([known[id] for id in walk], starts), tuple(known[id] for id in walk)) for walk in walks]
    uuids = dict.fromkeys(uuid for chain, _ in chains for uuid in chain)
    entities = {entity.uuid: entity for entity in by_uuid(cursor, ENTITIES, uuids)}
    paths = [Path(tuple(entities[uuid] for uuid in chain if uuid in entities), facts) for chain, facts in chains]
    return sorted(paths, key=lambda path: [entity.name for entity in path.entities])


def _chain(facts: list[Fact], starts: Collection[str]) -> list[str]:
    """The uuids of the entities that the facts lead through."""
    chain = [next(uuid for uuid in (facts[0].source_uuid, facts[0].target_uuid) if uuid in starts)]
    for fact in facts:
        chain.append(fact.target_uuid if fact.source_uuid == chain[-1] else fact.source_uuid)
    return chain
