"""The graph as such: its best-connected part, neighbourhoods, and the shortest chains of facts between entities."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

import duckdb

from services.core import time_rule
from services.core.models import Fact, Instants, Path, Subgraph
from services.mirror.reads import Reads, by_id, by_uuid, facts, one, rows
from services.mirror.record_tables import ENTITIES, read_instant

_BEST_CONNECTED = """
    SELECT uuid FROM entities LEFT JOIN degrees ON degrees.key = hash(entities.uuid)
    ORDER BY coalesce(degree, 0) DESC, name, uuid LIMIT $limit"""

_REACH = "CREATE TEMP TABLE reach AS SELECT hash($entity::VARCHAR) AS key, 0 AS hop"

_REACH_FURTHER = """
    INSERT INTO reach SELECT DISTINCT far, $hop + 1 FROM (
        SELECT target_key AS far FROM facts_known($k) WHERE source_key IN (SELECT key FROM reach WHERE hop = $hop)
        UNION ALL
        SELECT source_key FROM facts_known($k) WHERE target_key IN (SELECT key FROM reach WHERE hop = $hop))
    WHERE far NOT IN (SELECT key FROM reach)"""

_REACHED = """
    SELECT uuid FROM entities JOIN reach ON reach.key = hash(entities.uuid) LEFT JOIN degrees ON degrees.key = reach.key
    ORDER BY hop, coalesce(degree, 0) DESC, name, uuid"""

_AMONG = """
    FROM facts_known($k) WHERE source_key IN (SELECT hash(unnest($uuids::VARCHAR[])))
    AND target_key IN (SELECT hash(unnest($uuids::VARCHAR[])))"""

_FACTS_AMONG = f"""
    SELECT {{fact}} FROM facts_as_known($k) WHERE id IN (SELECT id {_AMONG})
    ORDER BY valid_at NULLS FIRST, uuid"""

_FIRST_BEGUN = """
    SELECT uuid, epoch_us(min(valid_at)) FROM (
        SELECT source_uuid AS uuid, valid_at FROM facts_known($k) UNION ALL
        SELECT target_uuid, valid_at FROM facts_known($k))
    WHERE uuid IN (SELECT unnest($uuids::VARCHAR[])) GROUP BY uuid"""


_EDGES = """
    CREATE TEMP TABLE edges AS
    SELECT source_key AS near, target_key AS far, id FROM facts_true($t, $k) WHERE source_key <> target_key
    UNION ALL
    SELECT target_key, source_key, id FROM facts_true($t, $k) WHERE source_key <> target_key"""

_WALK = "CREATE TEMP TABLE reach AS SELECT hash(unnest($starts::VARCHAR[])) AS key, 0 AS hop, 1::DOUBLE AS ways"

_WALK_FURTHER = """
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


class GraphReads(Reads):
    """Parts of the graph, at any as_of: what was recorded at `known_at`, as it was known then.

    Paths are of facts that are true at an instant, walked in either direction.
    """

    def overview(self, known_at: datetime, limit: int = 300) -> Subgraph:
        """The best-connected entities and every fact among them; the totals are the whole workspace's."""
        with self._database.read() as cursor:
            kept = [uuid for (uuid,) in rows(cursor, _BEST_CONNECTED, {"limit": limit})]
            (all_facts,) = one(cursor, "SELECT count(*) FROM facts_known($k)", {"k": known_at})
            (all_entities,) = one(cursor, "SELECT count(*) FROM entities")
            return Subgraph(by_uuid(cursor, ENTITIES, kept), _among(cursor, kept, known_at), all_entities, all_facts)

    def neighbourhood(self, entity_uuid: str, known_at: datetime, *, hops: int, limit: int) -> Subgraph:
        """The entity and what is within `hops` facts of it, nearest first, then busiest, at most `limit` entities."""
        with self._database.read() as cursor:
            cursor.execute(_REACH, {"entity": entity_uuid})
            for hop in range(hops):
                cursor.execute(_REACH_FURTHER, {"k": known_at, "hop": hop})
            uuids = [uuid for (uuid,) in rows(cursor, _REACHED)]
            kept = uuids[:limit]
            shown = _among(cursor, kept, known_at)
            total = len(shown)
            if len(kept) < len(uuids):
                (total,) = one(cursor, "SELECT count(*)" + _AMONG, {"k": known_at, "uuids": uuids})
            return Subgraph(by_uuid(cursor, ENTITIES, kept), shown, len(uuids), total)

    def between(self, entity_uuids: Iterable[str], known_at: datetime) -> tuple[Fact, ...]:
        """Every fact that joins two of these entities."""
        with self._database.read() as cursor:
            return _among(cursor, list(entity_uuids), known_at)

    def first_begun(self, entity_uuids: Iterable[str], known_at: datetime) -> Mapping[str, datetime]:
        """When the first dated fact about each of these entities begins; one without any is left out."""
        found = self._rows(_FIRST_BEGUN, {"k": known_at, "uuids": list(entity_uuids)})
        return {uuid: instant for uuid, micros in found if (instant := read_instant(micros)) is not None}

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
            cursor.execute(_WALK, {"starts": asked["starts"]})
            for hop in range(1, max_hops + 1):
                cursor.execute(_WALK_FURTHER, {"hop": hop})
                arrived = rows(cursor, _ARRIVED, {"hop": hop, "ends": asked["ends"]})
                if arrived:
                    walks = _walk_back(cursor, [key for key, _ in arrived], hop, limit)
                    return _paths_of(cursor, walks, asked["starts"], at), int(sum(ways for _, ways in arrived))
        return [], 0


def _among(cursor: duckdb.DuckDBPyConnection, uuids: list[str], known_at: datetime) -> tuple[Fact, ...]:
    return facts(cursor, _FACTS_AMONG, {"k": known_at, "uuids": uuids})


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
    known = {id: time_rule.as_known(fact, at.known_at) for id, fact in recorded.items()}
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
