"""Guesses which columns of tables from files lead to another table: files declare no foreign keys."""

from collections.abc import Iterator, Sequence

import duckdb

from services.sql.catalog import DatabaseTable, ForeignKey
from services.sql.results import identifier
from services.sql.schema_texts import suggested_keys

_MOST = 1_000
"""So many pairs of columns are looked at."""


def guessed_keys(connection: duckdb.DuckDBPyConnection, tables: Sequence[DatabaseTable]) -> Iterator[ForeignKey]:
    """Yield the pairs of columns that names suggest and values bear out.

    Each value of the one stands in the other, which has it once; both have the same type. A single value is no reason.
    """
    types = {(table.name, column.name): column.type for table in tables for column in table.columns}
    for number, key in enumerate(suggested_keys(tables)):
        if number == _MOST:
            return
        if types[key.table, key.column] == types[key.other_table, key.other_column]:
            turned = ForeignKey(
                table=key.other_table,
                column=key.other_column,
                other_table=key.table,
                other_column=key.column,
                is_declared=False,
            )
            yield from [one for one in (key, turned) if _holds(connection, one)][:1]


def _holds(connection: duckdb.DuckDBPyConnection, key: ForeignKey) -> bool:
    one, other = identifier(key.column), identifier(key.other_column)
    sql = f"""
        SELECT (SELECT count(*) = count(DISTINCT {other}) FROM {identifier(key.other_table)})
            AND (SELECT count(DISTINCT {one}) > 1 FROM {identifier(key.table)})
            AND NOT EXISTS (
                SELECT {one} FROM {identifier(key.table)} WHERE {one} IS NOT NULL
                EXCEPT SELECT {other} FROM {identifier(key.other_table)})"""
    ((holds,),) = connection.execute(sql).fetchall()
    return bool(holds)
