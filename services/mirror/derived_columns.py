"""What follows from a mirror's records: the names that facts have of their ends, and how many facts an entity has."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

import duckdb
import pyarrow as pa

from services.mirror.reads import in_list, rows
from services.mirror.record_tables import Columns

_FEW = 400
"""With more changed records than this everything is worked out again, which then costs less."""

_NAMES = """
    UPDATE facts SET {side} = entities.name FROM entities
    WHERE entities.uuid = {side}_uuid AND {side} IS DISTINCT FROM entities.name"""

_DEGREES = """
    INSERT INTO degrees SELECT key, count(*) FROM (
        SELECT source_key AS key FROM facts{sources} UNION ALL
        SELECT target_key FROM facts WHERE target_key <> source_key{targets}) GROUP BY 1"""

_ENDS = "SELECT source_key, target_key, source_uuid, source, target_uuid, target FROM facts WHERE uuid IN"

_AT_ENTITIES = """
    SELECT source_key, target_key, source_uuid, source, target_uuid, target FROM facts WHERE source_key IN ({keys})
    UNION ALL
    SELECT source_key, target_key, source_uuid, source, target_uuid, target FROM facts WHERE target_key IN ({keys})"""


def work_out_everything(cursor: duckdb.DuckDBPyConnection) -> None:
    """See to the names of all facts and to the degrees of all entities."""
    _name_facts(cursor)
    cursor.execute("DELETE FROM degrees")
    cursor.execute(_DEGREES.format(sources="", targets=""))


def _name_facts(cursor: duckdb.DuckDBPyConnection) -> None:
    for side in ("source", "target"):
        cursor.execute(_NAMES.format(side=side))


class DerivedColumns:
    """What follows from one batch, made before it is written; `work_out` comes after that, in the same transaction."""

    def __init__(
        self, cursor: duckdb.DuckDBPyConnection, batch: Columns, gone_entities: Sequence[str], gone_facts: Sequence[str]
    ) -> None:
        self._cursor = cursor
        self._entities, self._facts = _uuids(batch.entities), _uuids(batch.facts)
        self._few = len(self._entities) + len(self._facts) + len(gone_entities) + len(gone_facts) <= _FEW
        self._keys = set[int]()
        if self._few:
            self._take(self._at([*self._facts, *gone_facts]))
            self._take(self._at_entities(gone_entities))

    def work_out(self) -> None:
        """See to the names of the batch's facts and of those at its entities, and to the degrees of all their ends."""
        if not self._few:
            work_out_everything(self._cursor)
            return
        written = self._at(self._facts)
        self._take(written)
        ends = {end for row in (*written, *self._at_entities(self._entities)) for end in (row[2:4], row[4:6])}
        if self._differ(ends):
            _name_facts(self._cursor)
        if self._keys:
            keys = _listed(self._keys)
            self._cursor.execute(f"DELETE FROM degrees WHERE key IN ({keys})")
            where = {"sources": f" WHERE source_key IN ({keys})", "targets": f" AND target_key IN ({keys})"}
            self._cursor.execute(_DEGREES.format(**where))

    def _differ(self, ends: Collection[tuple[object, ...]]) -> bool:
        """True where entities have other names than facts tell of them, by uuid."""
        if not ends:
            return False
        sql, named = "SELECT uuid, name FROM entities WHERE uuid IN", defaultdict[object, set[object]](set)
        for uuid, name in in_list(self._cursor, sql, sorted({str(uuid) for uuid, _ in ends})):
            named[uuid].add(name)
        return any(named.get(uuid, {name}) != {name} for uuid, name in ends)

    def _take(self, found: Iterable[tuple[object, ...]]) -> None:
        self._keys |= {key for row in found for key in row[:2]}  # type: ignore[misc]

    def _at(self, facts: Sequence[str]) -> list[tuple[object, ...]]:
        return in_list(self._cursor, _ENDS, facts) if facts else []

    def _at_entities(self, entities: Sequence[str]) -> list[tuple[object, ...]]:
        """The ends of the facts at these entities."""
        if not entities:
            return []
        keys = rows(self._cursor, "SELECT hash(unnest($uuids::VARCHAR[]))", {"uuids": list(entities)})
        return rows(self._cursor, _AT_ENTITIES.format(keys=_listed(key for (key,) in keys)))


def _uuids(records: pa.Table) -> list[str]:
    uuids: list[str] = records.column("uuid").to_pylist()
    return uuids


def _listed(keys: Iterable[int]) -> str:
    """Keys as constants, for which DuckDB takes the index."""
    return ", ".join(f"{key}::UBIGINT" for key in keys)
