"""Runs one query on files of DuckDB. To be called in a sandboxed process only."""

import base64
import csv
import io
import json
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import duckdb

from services.core.errors import BadInput
from services.core.formulas import harmless
from services.sql.process_answers import answered, answered_rows, error_text
from services.sql.query_results import ExportForm, in_json
from services.sql.quoting import identifier, literal

_SHARE = 0.75
"""So much of the process's memory may be DuckDB's; Python and the answer need the rest."""
_CLOCKS = ("as_of", "known_at")
_AT_ONCE = 10_000
_READS = (duckdb.StatementType.SELECT, duckdb.StatementType.MULTI)  # PIVOT makes its list of values first


_forked_with: list[duckdb.DuckDBPyConnection] = []
"""A connection without a thread of its own that the processes forked from this one find ready: starting DuckDB, and
ending it, takes as long as a query over a million facts.
"""


def warm_up() -> None:
    """Do once what each query would wait for: DuckDB's start, and what it imports for instants of a zone."""
    connection = _connected()
    connection.execute("SELECT TIMESTAMPTZ '2020-01-01'").fetchall()
    _forked_with.append(connection)


def read(task: dict[str, Any], content: bytes) -> Any:  # noqa: ARG001
    """Return the rows of `task["sql"]`, one more than `task["rows"]` at most, or the database's own error.

    With `task["form"]` it is a file of all of them.
    """
    if _forked_with:  # this process ends with its one query, so nothing need be closed
        return _answer(_forked_with[0], task)
    with _connected() as connection:
        return _answer(connection, task)


def _answer(connection: duckdb.DuckDBPyConnection, task: dict[str, Any]) -> Any:
    return answered(partial(_asked, connection, task), duckdb.Error)


def _asked(connection: duckdb.DuckDBPyConnection, task: dict[str, Any]) -> dict[str, Any]:
    try:
        _confine(connection, task)
        statements = connection.extract_statements(task["sql"])
        if len(statements) != 1 or statements[0].type not in _READS:
            raise BadInput("You can run only a single read-only statement.")
        connection.execute(statements[0], {name: _value(name, value) for name, value in task["parameters"].items()})
        return _file(connection, task["form"]) if "form" in task else _rows(connection, task["rows"])
    except duckdb.OutOfMemoryException as error:
        raise MemoryError from error
    except (OverflowError, ValueError) as error:  # Python holds fewer dates and intervals than DuckDB
        return {"error": f"Asof cannot return one of the values: {error_text(error)}. Cast its column to VARCHAR"}


def _rows(connection: duckdb.DuckDBPyConnection, most: int) -> dict[str, Any]:
    columns = connection.description or []
    rows = connection.fetchmany(most + 1)
    return answered_rows((column[0] for column in columns), (str(column[1]) for column in columns), rows)


def _file(connection: duckdb.DuckDBPyConnection, form: ExportForm) -> dict[str, Any]:
    written = io.BytesIO()
    if form == "parquet":
        import pyarrow.parquet as pq  # it starts threads, and nothing with threads can be forked

        pq.write_table(connection.to_arrow_table(), written, compression="zstd")
    else:
        _write_csv(connection, written)
    return {"file": base64.b64encode(written.getbuffer()).decode()}


def _write_csv(connection: duckdb.DuckDBPyConnection, file: io.BytesIO) -> None:
    """Write rows of which no cell is one that a spreadsheet would run; lists and structures are JSON in their cell."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow([harmless(column[0]) for column in connection.description or ()])
    while rows := connection.fetchmany(_AT_ONCE):
        lines.writerows([_cell(in_json(value)) for value in row] for row in rows)
    text.detach()


def _cell(value: Any) -> Any:
    if isinstance(value, str):
        return harmless(value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, bool | list | dict) else value


def _connected() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(
        config={
            "threads": 1,
            "async_threads": 0,
            "temp_directory": "",
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "allow_community_extensions": False,
            "python_enable_replacements": False,
        }
    )


def _confine(connection: duckdb.DuckDBPyConnection, task: dict[str, Any]) -> None:
    """Open the files to be read, and give up everything else that DuckDB could do."""
    connection.execute(f"SET memory_limit = '{int(task['memory_mb'] * _SHARE)}MB'")
    connection.execute(f"SET threads = {int(task['threads'])}")
    for name, path in task["databases"].items():
        connection.execute(f"ATTACH {literal(str(Path(path)))} AS {identifier(name)} (READ_ONLY)")
    searched = ",".join(identifier(name) for name in ("memory", *task["searched"]))
    connection.execute(f"SET search_path = {literal(searched)}")
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute("SET VARIABLE known_at = ?::TIMESTAMPTZ", [task["known_at"]])
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _value(name: str, value: Any) -> Any:
    """Return the value of a parameter; the two clocks come as text."""
    return datetime.fromisoformat(value) if name in _CLOCKS else value
