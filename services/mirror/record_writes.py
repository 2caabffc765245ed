"""Writes records to the tables of a mirror: only what differs, so that its version grows with its content alone."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import duckdb
import pyarrow as pa

from services.mirror.reads import in_list, one, registered, rows
from services.mirror.record_tables import ENTITIES, EPISODES, FACTS, RecordTable

_TABLES = (ENTITIES.name, FACTS.name, EPISODES.name)

_BESIDE = """, unnest(stored_beside(
    source_uuid, target_uuid, created_at, withdrawn_at, invalid_at, expired_at, believed_invalid_at))"""

_FACTS_OF_GONE = """
    DELETE FROM facts WHERE source_uuid IN (SELECT unnest($gone::VARCHAR[]))
    OR target_uuid IN (SELECT unnest($gone::VARCHAR[])) RETURNING uuid"""

_MENTIONS_OF_GONE = """
    UPDATE episodes SET entity_uuids = list_filter(entity_uuids, lambda uuid: NOT list_contains($gone, uuid))
    WHERE list_has_any(entity_uuids, $gone::VARCHAR[])"""


def clear(cursor: duckdb.DuckDBPyConnection) -> None:
    """Delete every record."""
    for name in _TABLES:
        cursor.execute(f"DELETE FROM {name}")


def append[R](cursor: duckdb.DuckDBPyConnection, table: RecordTable[R], batches: Iterable[Iterable[R]]) -> None:
    """Add records of which none is there."""
    for batch in batches:
        with registered(cursor, table.arrow(batch)):
            _insert(cursor, table, "incoming")


def upsert[R](cursor: duckdb.DuckDBPyConnection, table: RecordTable[R], records: pa.Table) -> int:
    """Add records, or put them in the place of those of their uuids that differ; return how many did."""
    if not records.num_rows:
        return 0
    uuids = records.column("uuid").to_pylist()
    if not in_list(cursor, f"SELECT uuid FROM {table.name} WHERE uuid IN", uuids, "LIMIT 1"):
        with registered(cursor, records):
            _insert(cursor, table, "incoming")
        return int(records.num_rows)
    return _replace(cursor, table, [records], "WHERE uuid IN (SELECT uuid FROM seen)")


def replace[R](cursor: duckdb.DuckDBPyConnection, table: RecordTable[R], batches: Iterable[Iterable[R]]) -> int:
    """Have a table hold these records and no others; return how many uuids differed."""
    return _replace(cursor, table, map(table.arrow, batches), "")


def delete(cursor: duckdb.DuckDBPyConnection, entities: list[str], facts: list[str], episodes: list[str]) -> int:
    """Delete records by uuid, and with entities their facts and mentions; return how many records went."""
    deleted = 0
    for table, gone in zip(_TABLES, (entities, facts, episodes), strict=True):
        if gone:
            sql = f"DELETE FROM {table} WHERE uuid IN (SELECT unnest($gone::VARCHAR[])) RETURNING uuid"
            deleted += len(cursor.execute(sql, {"gone": gone}).fetchall())
    if entities:
        deleted += len(cursor.execute(_FACTS_OF_GONE, {"gone": entities}).fetchall())
        cursor.execute(_MENTIONS_OF_GONE, {"gone": entities})
    return deleted


def ahead_of[R](
    cursor: duckdb.DuckDBPyConnection, table: RecordTable[R], batches: Iterable[Iterable[R]]
) -> tuple[set[str], set[str]]:
    """Return the uuids of a table that these records lack, and those that it has in a version no older than theirs."""
    with _compared(cursor, table, map(table.arrow, batches), ""):
        missing = f"SELECT uuid FROM {table.name} EXCEPT SELECT uuid FROM seen"
        other = f"FROM {table.name} held JOIN seen USING (uuid) WHERE uuid IN (FROM differing)"
        newer = f"SELECT uuid {other} AND {_latest('held', table)} >= {_latest('seen', table)}"
        lacking, no_older = ({uuid for (uuid,) in rows(cursor, sql)} for sql in (missing, newer))
    return lacking, no_older


def _latest[R](alias: str, table: RecordTable[R]) -> str:
    """The latest record time of a row, as SQL."""
    named = [name for name in ("created_at", "expired_at", "withdrawn_at") if name in table.schema.names]
    times = ", ".join(f"coalesce({alias}.{name}, TIMESTAMPTZ '-infinity')" for name in named)
    return f"greatest({times})"


def _replace[R](
    cursor: duckdb.DuckDBPyConnection, table: RecordTable[R], batches: Iterable[pa.Table], compared: str
) -> int:
    """Put the records of the batches in the place of those `compared` that differ; return how many uuids did."""
    with _compared(cursor, table, batches, compared) as count:
        cursor.execute(f"DELETE FROM {table.name} WHERE uuid IN (FROM differing)")
        _insert(cursor, table, "(FROM seen WHERE uuid IN (FROM differing))")
    return count


@contextmanager
def _compared[R](
    cursor: duckdb.DuckDBPyConnection, table: RecordTable[R], batches: Iterable[pa.Table], compared: str
) -> Iterator[int]:
    """Give a block the tables `seen` of the batches' records and `differing` of uuids, and how many of those there are.

    What is `compared` and the batches are bags, since other programs may have given two records one uuid.
    """
    columns = ", ".join(table.schema.names)
    cursor.execute(f"CREATE OR REPLACE TEMP TABLE seen AS SELECT {columns} FROM {table.name} LIMIT 0")
    for batch in batches:
        with registered(cursor, batch):
            cursor.execute("INSERT INTO seen FROM incoming")
    held = f"SELECT {columns} FROM {table.name} {compared}"
    cursor.execute(
        f"""CREATE OR REPLACE TEMP TABLE differing AS
        SELECT uuid FROM (FROM seen EXCEPT ALL {held}) UNION SELECT uuid FROM ({held} EXCEPT ALL FROM seen)"""
    )
    (count,) = one(cursor, "SELECT count(*) FROM differing")
    yield int(count)
    cursor.execute("DROP TABLE seen")
    cursor.execute("DROP TABLE differing")


def _insert[R](cursor: duckdb.DuckDBPyConnection, table: RecordTable[R], origin: str) -> None:
    beside = _BESIDE if table.name == FACTS.name else ""
    cursor.execute(f"INSERT INTO {table.name} SELECT *{beside} FROM {origin}")
