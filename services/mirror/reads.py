"""What every part of the mirror's reading shares: a database, and records of its rows."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import duckdb
import pyarrow as pa

from services.core.models import Fact
from services.mirror.database import MirrorDatabase
from services.mirror.record_tables import FACTS, RecordTable

Parameters = Mapping[str, Any]
NOTHING: Parameters = {}

_FEW = 500

_BY_ID = f"SELECT rowid, {FACTS.columns()} FROM facts WHERE rowid IN (SELECT unnest($ids::BIGINT[]))"


class Reads:
    """Questions to one mirror; any thread may ask."""

    def __init__(self, database: MirrorDatabase) -> None:
        self._database = database

    def _rows(self, sql: str, parameters: Parameters = NOTHING) -> list[tuple[Any, ...]]:
        """All rows of one question."""
        with self._database.read() as cursor:
            return rows(cursor, sql, parameters)

    def _one(self, sql: str, parameters: Parameters = NOTHING) -> tuple[Any, ...]:
        """The row of a question that always has one."""
        with self._database.read() as cursor:
            return one(cursor, sql, parameters)

    def _records[R](self, table: RecordTable[R], sql: str, parameters: Parameters = NOTHING) -> tuple[R, ...]:
        """Records of a question that selects the columns of `table`."""
        with self._database.read() as cursor:
            return records(cursor, table, sql, parameters)

    def _by_uuid[R](self, table: RecordTable[R], uuids: Iterable[str]) -> tuple[R, ...]:
        """Records by uuid, in the order asked; unknown ones are left out."""
        with self._database.read() as cursor:
            return by_uuid(cursor, table, uuids)

    def _facts(self, sql: str, parameters: Parameters = NOTHING) -> tuple[Fact, ...]:
        """Facts of one question; `{fact}` in `sql` is where their columns go."""
        with self._database.read() as cursor:
            return facts(cursor, sql, parameters)


@contextmanager
def registered(cursor: duckdb.DuckDBPyConnection, records: pa.Table) -> Iterator[None]:
    """Have SQL find `records` under the name `incoming`."""
    cursor.register("incoming", records)
    yield
    cursor.unregister("incoming")


def rows(cursor: duckdb.DuckDBPyConnection, sql: str, parameters: Parameters = NOTHING) -> list[tuple[Any, ...]]:
    """All rows of one question."""
    return cursor.execute(sql, dict(parameters)).fetchall()


def one(cursor: duckdb.DuckDBPyConnection, sql: str, parameters: Parameters = NOTHING) -> tuple[Any, ...]:
    """The row of a question that always has one."""
    (row,) = rows(cursor, sql, parameters)
    return row


def facts(cursor: duckdb.DuckDBPyConnection, sql: str, parameters: Parameters = NOTHING) -> tuple[Fact, ...]:
    """Facts of one question; `{fact}` in `sql` is where their columns go."""
    return records(cursor, FACTS, sql.replace("{fact}", FACTS.columns()), parameters)


def records[R](
    cursor: duckdb.DuckDBPyConnection, table: RecordTable[R], sql: str, parameters: Parameters = NOTHING
) -> tuple[R, ...]:
    """Records of a question that selects the columns of `table`."""
    return tuple(map(table.read, rows(cursor, sql, parameters)))


def by_uuid[R](cursor: duckdb.DuckDBPyConnection, table: RecordTable[R], uuids: Iterable[str]) -> tuple[R, ...]:
    """Records by uuid, in the order asked; unknown ones are left out."""
    asked = list(dict.fromkeys(uuids))
    if not asked:
        return ()
    sql = f"SELECT {table.columns()} FROM {table.name} WHERE uuid IN"
    found = {row[0]: table.read(row) for row in in_list(cursor, sql, asked)}
    return tuple(found[uuid] for uuid in asked if uuid in found)


def in_list(
    cursor: duckdb.DuckDBPyConnection, sql: str, values: Sequence[str], order: str = ""
) -> list[tuple[Any, ...]]:
    """The rows of `sql`, which ends with "IN", for these values; few are found by an index, if the column has one.

    DuckDB takes the index for a list of values, not for a query of them.
    """
    if len(values) <= _FEW:
        return cursor.execute(f"{sql} ({', '.join('?' * len(values))}) {order}", list(values)).fetchall()
    return cursor.execute(f"{sql} (SELECT unnest(?::VARCHAR[])) {order}", [list(values)]).fetchall()


def by_id(cursor: duckdb.DuckDBPyConnection, ids: Collection[int]) -> dict[int, Fact]:
    """Facts, as they are recorded, by the row ids of an earlier question of the same cursor."""
    found = rows(cursor, _BY_ID, {"ids": list(ids)}) if ids else []
    return {row[0]: FACTS.read(row[1:]) for row in found}
