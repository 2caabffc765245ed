"""Guesses which columns of tables from files lead to another table: files declare no foreign keys."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice, permutations

import duckdb

from services.sql.catalog import DatabaseTable, ForeignKey
from services.sql.quoting import identifier
from services.sql.schema_texts import suggested_keys

_IDS = ("id", "code", "no", "ref", "key", "number")
_MOST = 1_000
"""So many pairs of columns are looked at."""


def guessed_keys(connection: duckdb.DuckDBPyConnection, tables: Sequence[DatabaseTable]) -> Iterator[ForeignKey]:
    """Yield the pairs of columns that names suggest and values bear out.

    Each value of the one stands in the other, which has it once; both have the same type. A single value is no reason.
    """
    types = {(table.name, column.name): column.type for table in tables for column in table.columns}
    found: set[frozenset[str]] = set()
    pairs = chain(((key, True) for key in suggested_keys(tables)), ((key, False) for key in _shared_names(tables)))
    for key, is_suggested in islice(pairs, _MOST):
        joined = frozenset((key.table, key.other_table))
        has_one_type = types[key.table, key.column] == types[key.other_table, key.other_column]
        if not has_one_type or (joined in found and not is_suggested):
            continue
        turned = ForeignKey(
            table=key.other_table,
            column=key.other_column,
            other_table=key.table,
            other_column=key.column,
            is_declared=False,
        )
        for one in [one for one in (key, turned) if _holds(connection, one)][:1]:
            found.add(joined)
            yield one


def _shared_names(tables: Sequence[DatabaseTable]) -> Iterator[ForeignKey]:
    """Yield text columns that two tables share, and those named as ids beside the first column of another table."""
    for one, other in permutations(tables, 2):
        first = other.columns[0]
        for column in one.columns:
            is_same, is_id = column.name == first.name, column.name.lower().endswith(_IDS)
            if column.type == first.type == "VARCHAR" and (is_same or is_id):
                yield ForeignKey(
                    table=one.name,
                    column=column.name,
                    other_table=other.name,
                    other_column=first.name,
                    is_declared=False,
                )


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
