"""The graph as such: its best-connected part, neighbourhoods and paths."""

from collections.abc import Iterable, Mapping
from datetime import datetime

import duckdb

from services.core import clock
from services.core.models import Fact, Instants, Path, Subgraph
from services.mirror.reads import Reads, by_id, by_uuid, facts, one, rows
from services.mirror.records import ENTITIES, read_instant

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

_NEXT_HOP = """
    SELECT far, arg_min(near, id), min(id) FROM (
        SELECT source_key AS near, target_key AS far, id FROM facts_true($t, $k)
        WHERE source_key IN (SELECT unnest($frontier::UBIGINT[]))
        UNION ALL
        SELECT target_key, source_key, id FROM facts_true($t, $k)
        WHERE target_key IN (SELECT unnest($frontier::UBIGINT[])))
    GROUP BY far ORDER BY far"""

_Step = tuple[int, int]
"""Where a path came from: the key of the entity before, and the fact in between."""


class GraphReads(Reads):
    """Parts of the graph, at any as_of: what was recorded at `known_at`, as it was known then."""

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
        """A shortest chain of facts that are true at `at`, walked in either direction; None when there is none."""
        with self._database.read() as cursor:
            if len(by_uuid(cursor, ENTITIES, {source_uuid, target_uuid})) < len({source_uuid, target_uuid}):
                return None
            walked = _search(cursor, source_uuid, target_uuid, at, max_hops)
            if walked is None:
                return None
            chain = [source_uuid]
            for fact in walked:
                chain.append(fact.target_uuid if fact.source_uuid == chain[-1] else fact.source_uuid)
            return Path(by_uuid(cursor, ENTITIES, chain), walked)


def _among(cursor: duckdb.DuckDBPyConnection, uuids: list[str], known_at: datetime) -> tuple[Fact, ...]:
    return facts(cursor, _FACTS_AMONG, {"k": known_at, "uuids": uuids})


def _search(
    cursor: duckdb.DuckDBPyConnection, source_uuid: str, target_uuid: str, at: Instants, max_hops: int
) -> tuple[Fact, ...] | None:
    """Breadth first, one question a hop; the facts from source to target."""
    source, target = one(cursor, "SELECT hash($source), hash($target)", {"source": source_uuid, "target": target_uuid})
    came_from: dict[int, _Step | None] = {source: None}
    frontier = [source]
    for _ in range(max_hops):
        if target in came_from or not frontier:
            break
        found = rows(cursor, _NEXT_HOP, {"t": at.as_of, "k": at.known_at, "frontier": frontier})
        new = {far: (near, fact) for far, near, fact in found if far not in came_from}
        came_from |= new
        frontier = list(new)
    if target not in came_from:
        return None
    walked = _walk_back(target, came_from)
    recorded = by_id(cursor, walked)
    return tuple(clock.as_known(recorded[fact], at.known_at) for fact in walked)


def _walk_back(target: int, came_from: dict[int, _Step | None]) -> list[int]:
    """The ids of the facts that lead to `target`, first one first."""
    walked: list[int] = []
    step = came_from[target]
    while step is not None:
        near, fact = step
        walked.append(fact)
        step = came_from[near]
    return walked[::-1]
