"""Reads a database of SQLite. To be called in a sandboxed process only."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from typing import Any
from urllib.parse import quote

from services.core.errors import BadInput
from services.sql.process_answers import answered, answered_rows
from services.sql.query_results import in_json
from services.sql.quoting import identifier

_READS = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE)
_TABLES = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
_TYPES = {int: "INTEGER", float: "REAL", str: "TEXT", bytes: "BLOB"}


def read(task: dict[str, Any], content: bytes) -> Any:  # noqa: ARG001
    """Return the rows of `task["sql"]`, or without it the tables that there are. Raises `BadInput`."""
    with closing(_opened(task["path"])) as connection:
        asked = partial(_rows, connection, task) if "sql" in task else partial(_tables, connection, task["samples"])
        return answered(asked, sqlite3.Error)


def _opened(path: str) -> sqlite3.Connection:
    """Open a database for reading. One whose log is not ours to write is read as it stands in its file."""
    for mode in ("mode=ro", "mode=ro&immutable=1"):
        connection = sqlite3.connect(f"file:{quote(path)}?{mode}", uri=True)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
            return connection
        except sqlite3.Error:
            connection.close()
    raise BadInput("Asof cannot read this file as a SQLite database.")


def _rows(connection: sqlite3.Connection, task: dict[str, Any]) -> dict[str, Any]:
    connection.set_authorizer(_authorizer(frozenset(task["functions"])))
    cursor = connection.execute(task["sql"], task["parameters"])
    rows = cursor.fetchmany(task["rows"] + 1)
    names = [column[0] for column in cursor.description or ()]
    return answered_rows(names, (_type(row[place] for row in rows) for place in range(len(names))), rows)


def _authorizer(functions: frozenset[str]) -> Callable[..., int]:
    """Return what SQLite asks of everything that a statement does: it reads, and calls functions that are listed."""

    def judge(action: int, first: str | None, second: str | None, *_: str | None) -> int:
        if action == sqlite3.SQLITE_FUNCTION:
            return sqlite3.SQLITE_OK if (second or "").lower() in functions else sqlite3.SQLITE_DENY
        is_schema = action == sqlite3.SQLITE_READ and (first or "").lower().startswith(("sqlite_", "pragma_"))
        return sqlite3.SQLITE_OK if action in _READS and not is_schema else sqlite3.SQLITE_DENY

    return judge


def _type(values: Any) -> str:
    """Return the type of a column's first value: SQLite's columns may hold any."""
    return next((_TYPES.get(type(value), "") for value in values if value is not None), "")


def _tables(connection: sqlite3.Connection, samples: int) -> list[dict[str, Any]]:
    found = []
    for (table,) in connection.execute(_TABLES).fetchall():
        quoted = identifier(table)
        ((rows,),) = connection.execute(f"SELECT count(*) FROM {quoted}").fetchall()
        columns = [
            {"name": name, "type": kind, "samples": _samples(connection, quoted, name, samples)}
            for _, name, kind, *_ in connection.execute(f"PRAGMA table_info({quoted})").fetchall()
        ]
        keys = _foreign_keys(connection, quoted)
        found.append({"name": table, "rows": rows, "columns": columns, "foreign_keys": keys})
    return found


def _foreign_keys(connection: sqlite3.Connection, table: str) -> list[tuple[str, str, str]]:
    """Return a table's columns that lead to another one, with its name and its column; its key where none is named."""
    found = []
    for _, place, other, column, other_column, *_ in connection.execute(f"PRAGMA foreign_key_list({table})").fetchall():
        described = connection.execute(f"PRAGMA table_info({identifier(other)})").fetchall()
        keys = {row[5] - 1: row[1] for row in described if row[5]}
        named = other_column or keys.get(place)
        if named is not None:
            found.append((column, other, named))
    return found


def _samples(connection: sqlite3.Connection, table: str, column: str, most: int) -> list[str]:
    name = identifier(column)
    sql = f"SELECT {name} FROM {table} WHERE {name} IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT {most}"
    return [str(in_json(value)) for (value,) in connection.execute(sql).fetchall()]
