"""Reads a database of PostgreSQL. To be called in a sandboxed process only, which may connect."""

from functools import partial
from typing import Any

import psycopg
from psycopg import sql
from psycopg.raw_cursor import RawServerCursor

from services.sql.process_answers import answered, answered_rows
from services.sql.query_results import in_json

_PATIENCE = 10
"""Seconds to wait for the server."""
_COUNTED = 1_000_000
_ESTIMATE = "SELECT coalesce(max(reltuples), 0) FROM pg_class WHERE oid = to_regclass(%s)"
_COLUMNS = """
    SELECT table_schema, table_name, column_name, data_type FROM information_schema.columns
    WHERE table_schema NOT IN ('information_schema', 'pg_catalog') AND table_schema NOT LIKE 'pg\\_%'
    ORDER BY table_schema, table_name, ordinal_position"""

_FOREIGN_KEYS = """
    SELECT schema.nspname, named.relname, one.attname, other_schema.nspname, other_named.relname, other.attname
    FROM pg_constraint AS key, unnest(key.conkey, key.confkey) AS place(one, other), pg_class AS named,
        pg_namespace AS schema, pg_class AS other_named, pg_namespace AS other_schema, pg_attribute AS one,
        pg_attribute AS other
    WHERE key.contype = 'f' AND named.oid = key.conrelid AND schema.oid = named.relnamespace
        AND other_named.oid = key.confrelid AND other_schema.oid = other_named.relnamespace
        AND one.attrelid = key.conrelid AND one.attnum = place.one
        AND other.attrelid = key.confrelid AND other.attnum = place.other
    ORDER BY key.oid, place.one"""


def read(task: dict[str, Any], content: bytes) -> Any:  # noqa: ARG001
    """Return the rows of `task["sql"]`, or without it the tables that there are."""
    return answered(partial(_asked, task), psycopg.Error)


def _asked(task: dict[str, Any]) -> Any:
    options = f"-c statement_timeout={int(task['seconds'] * 1000)} -c default_transaction_read_only=on"
    with psycopg.connect(**task["server"], connect_timeout=_PATIENCE, options=options) as connection:
        connection.read_only = True
        return _rows(connection, task) if "sql" in task else _tables(connection, task["samples"])


def _rows(connection: "psycopg.Connection[Any]", task: dict[str, Any]) -> dict[str, Any]:
    """Read by a cursor of the server, which takes nothing but a query."""
    with RawServerCursor(connection, "rows") as cursor:
        cursor.execute(task["sql"].rstrip().rstrip(";"), task["values"] or None)
        rows = cursor.fetchmany(task["rows"] + 1)
        columns = cursor.description or []
        types = [connection.adapters.types.get(column.type_code) for column in columns]
        return answered_rows((c.name for c in columns), (known.name if known else "" for known in types), rows)


def _tables(connection: "psycopg.Connection[Any]", samples: int) -> list[dict[str, Any]]:
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for schema, table, column, kind in connection.execute(_COLUMNS).fetchall():
        found.setdefault((schema, table), []).append({"name": column, "type": kind, "samples": []})
    keys: dict[str, list[tuple[str, str, str]]] = {}
    for schema, table, column, other_schema, other, other_column in connection.execute(_FOREIGN_KEYS).fetchall():
        keys.setdefault(_name(schema, table), []).append((column, _name(other_schema, other), other_column))
    return [
        {
            "name": _name(schema, table),
            "rows": _count(connection, schema, table),
            "columns": _sampled(connection, sql.Identifier(schema, table), columns, samples),
            "foreign_keys": keys.get(_name(schema, table), []),
        }
        for (schema, table), columns in found.items()
    ]


def _name(schema: str, table: str) -> str:
    return table if schema == "public" else f"{schema}.{table}"


def _count(connection: "psycopg.Connection[Any]", schema: str, table: str) -> int:
    """Return how many rows a table has; of a large one how many the server last counted, for counting takes long."""
    named = sql.Identifier(schema, table)
    ((estimate,),) = connection.execute(_ESTIMATE, (named.as_string(),)).fetchall()
    if estimate > _COUNTED:
        return int(estimate)
    ((count,),) = connection.execute(sql.SQL("SELECT count(*) FROM {}").format(named)).fetchall()
    return int(count)


def _sampled(
    connection: "psycopg.Connection[Any]", table: sql.Identifier, columns: list[dict[str, Any]], most: int
) -> list[dict[str, Any]]:
    """Return the columns with values of the table's first rows."""
    rows = connection.execute(sql.SQL("SELECT * FROM {} LIMIT {}").format(table, sql.Literal(20 * most))).fetchall()
    for place, column in enumerate(columns):
        values = dict.fromkeys(str(in_json(row[place])) for row in rows if row[place] is not None)
        column["samples"] = list(values)[:most]
    return columns
