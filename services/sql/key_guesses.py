"""Guesses which columns of tables from files lead to another table: files declare no foreign keys."""

from collections.abc import Iterator, Sequence, Set
from itertools import chain, islice, permutations

import duckdb

from services.sql.catalog import DatabaseColumn, DatabaseTable, ForeignKey
from services.sql.quoting import identifier
from services.sql.schema_texts import suggested_keys

_IDS = ("id", "code", "no", "ref", "key", "number")
_MOST = 1_000
"""So many pairs of columns are looked at."""
_LEAST_SAMPLES = 3
"""How many different values a column has at least for them to be a reason."""


def guessed_keys(connection: duckdb.DuckDBPyConnection, tables: Sequence[DatabaseTable]) -> Iterator[ForeignKey]:
    """Yield the pairs of columns that names suggest and values bear out.

    Each value of the one stands in the other, which has it once; both have the same type. A single value is no reason.
    """
    types = {(table.name, column.name): column.type for table in tables for column in table.columns}
    found: set[frozenset[str]] = set()
    leading: set[tuple[str, str]] = set()
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
            leading.add((one.table, one.column))
            yield one
    yield from _by_values(connection, tables, found, leading)


def _by_values(
    connection: duckdb.DuckDBPyConnection,
    tables: Sequence[DatabaseTable],
    joined: Set[frozenset[str]],
    leading: Set[tuple[str, str]],
) -> Iterator[ForeignKey]:
    """Yield text columns whose values alone say that they lead to the first column of another table.

    Such are the origin and the destination of a flight, beside airports by their codes.
    """
    for one, other in islice(permutations(tables, 2), _MOST):
        first = other.columns[0]
        if frozenset((one.name, other.name)) in joined or first.type != "VARCHAR" or one.rows < other.rows:
            continue
        for column in one.columns[1:]:
            key = _key(one, column, other)
            is_likely = column.type == "VARCHAR" and (one.name, column.name) not in leading
            if is_likely and _has_samples(connection, column, key) and _holds(connection, key):
                yield key


def _has_samples(connection: duckdb.DuckDBPyConnection, column: DatabaseColumn, key: ForeignKey) -> bool:
    """True where another table has the values that a column has most often."""
    if len(set(column.samples)) < _LEAST_SAMPLES:
        return False
    values = ", ".join("?" * len(column.samples))
    sql = f"SELECT count(DISTINCT {identifier(key.other_column)}) FROM {identifier(key.other_table)}"
    found = connection.execute(f"{sql} WHERE {identifier(key.other_column)} IN ({values})", column.samples).fetchall()
    return int(found[0][0]) == len(set(column.samples))


def _key(table: DatabaseTable, column: DatabaseColumn, other: DatabaseTable) -> ForeignKey:
    """Return the key by which a column leads to the first column of another table."""
    return ForeignKey(
        table=table.name,
        column=column.name,
        other_table=other.name,
        other_column=other.columns[0].name,
        is_declared=False,
    )


def _shared_names(tables: Sequence[DatabaseTable]) -> Iterator[ForeignKey]:
    """Yield text columns that two tables share, and those named as ids beside the first column of another table."""
    for one, other in permutations(tables, 2):
        first = other.columns[0]
        for column in one.columns:
            is_same, is_id = column.name == first.name, column.name.lower().endswith(_IDS)
            if column.type == first.type == "VARCHAR" and (is_same or is_id):
                yield _key(one, column, other)


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
