"""The graph as such: its best-connected part, and neighbourhoods."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

import duckdb

from services.core.models import Fact, Subgraph
from services.mirror.reads import Reads, by_uuid, facts, one, rows
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

# What the walk does not pass through leads nowhere from here on, unless it started there.
_CLOSE = "UPDATE reach SET hop = -hop WHERE hop = $hop AND key IN (SELECT hash(unnest($closed::VARCHAR[])))"

_REACHED = """
    SELECT uuid FROM entities JOIN reach ON reach.key = hash(entities.uuid) LEFT JOIN degrees ON degrees.key = reach.key
    ORDER BY abs(hop), coalesce(degree, 0) DESC, name, uuid"""

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


class GraphReads(Reads):
    """Parts of the graph, at any as_of: what was recorded at `known_at`, as it was known then."""

    def overview(self, known_at: datetime, limit: int = 300) -> Subgraph:
        """The best-connected entities and every fact among them; the totals are the whole workspace's."""
        with self._database.read() as cursor:
            kept = [uuid for (uuid,) in rows(cursor, _BEST_CONNECTED, {"limit": limit})]
            (all_facts,) = one(cursor, "SELECT count(*) FROM facts_known($k)", {"k": known_at})
            (all_entities,) = one(cursor, "SELECT count(*) FROM entities")
            return Subgraph(by_uuid(cursor, ENTITIES, kept), _among(cursor, kept, known_at), all_entities, all_facts)

    def neighbourhood(
        self, entity_uuid: str, known_at: datetime, *, hops: int, limit: int, closed: Collection[str] = ()
    ) -> Subgraph:
        """The entity and what is within `hops` facts of it, nearest first, then busiest, at most `limit` entities.

        The walk arrives at the entities `closed` but goes no further from them.
        """
        with self._database.read() as cursor:
            cursor.execute(_REACH, {"entity": entity_uuid})
            for hop in range(hops):
                cursor.execute(_REACH_FURTHER, {"k": known_at, "hop": hop})
                cursor.execute(_CLOSE, {"hop": hop + 1, "closed": list(closed)})
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


def _among(cursor: duckdb.DuckDBPyConnection, uuids: list[str], known_at: datetime) -> tuple[Fact, ...]:
    return facts(cursor, _FACTS_AMONG, {"k": known_at, "uuids": uuids})
