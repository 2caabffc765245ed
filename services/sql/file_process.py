"""Reads a file of rows as tables. To be called in a sandboxed process only."""

import base64
import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from services.core.errors import BadInput
from services.sql.process_answers import error_text

_READERS = {
    "csv": "read_csv(?, sample_size = -1)",
    "tsv": "read_csv(?, sample_size = -1, delim = '\t')",
    "json": "read_json(?, maximum_object_size = 268435456)",
    "jsonl": "read_json(?, format = 'newline_delimited')",
    "parquet": "read_parquet(?)",
}


_MOST_UNPACKED = 512 << 20
"""A small file may unpack to any size, in one sheet or in many."""


def read(task: dict[str, Any], content: bytes) -> Any:  # noqa: ARG001
    """Return the tables of a file, by the name of the sheet where it has any, each as Parquet in base64.

    Raises `BadInput` where it cannot be read.
    """
    try:
        return list(_packed(_sheets(task["path"]) if task["format"] == "excel" else [("", _rows(task))]))
    except (duckdb.Error, pa.ArrowException) as error:
        first = error_text(error).partition("\n")[0][:300]
        raise BadInput(f"This file cannot be read as {task['format'].upper()}: {first}", "Save it again.") from error


def _rows(task: dict[str, Any]) -> pa.Table:
    connection = duckdb.connect(
        config={"threads": 1, "temp_directory": "", "autoinstall_known_extensions": False, "memory_limit": "700MB"}
    )
    connection.execute("SET TimeZone = 'UTC'")
    return connection.execute(f"FROM {_READERS[task['format']]}", [task["path"]]).to_arrow_table()


def _packed(tables: Iterable[tuple[str, pa.Table]]) -> Iterator[tuple[str, str]]:
    """Yield tables packed. Raises `BadInput` where the app could not unpack all of them without harm."""
    unpacked = 0
    for name, table in tables:
        unpacked += table.nbytes
        if unpacked > _MOST_UNPACKED:
            raise BadInput(f"This file unpacks to more than {_MOST_UNPACKED >> 20} MB.", "Split it.")
        written = io.BytesIO()
        pq.write_table(table, written, compression="zstd")
        yield name, base64.b64encode(written.getbuffer()).decode()


def _sheets(path: str) -> Iterator[tuple[str, pa.Table]]:
    from openpyxl import load_workbook

    try:
        book = load_workbook(io.BytesIO(Path(path).read_bytes()), read_only=True, data_only=True)
    except Exception as error:
        raise BadInput("This Excel file cannot be read.", "Save it again from its program.") from error
    for sheet in book.worksheets:
        rows = (row for row in sheet.iter_rows(values_only=True) if any(cell is not None for cell in row))
        header = next(rows, None)
        if header is not None:
            yield sheet.title, _table(header, list(rows))


def _table(header: tuple[Any, ...], rows: list[tuple[Any, ...]]) -> pa.Table:
    names: list[str] = []
    columns = []
    for number, name in enumerate(header):
        values = [row[number] if number < len(row) else None for row in rows]
        if name is not None or any(value is not None for value in values):
            names.append(_unlike(str(name if name is not None else f"column{number + 1}").strip(), names))
            columns.append(_column(values))
    return pa.Table.from_arrays(columns, names)


def _column(values: list[Any]) -> pa.Array:
    """Return a column of the type that all its cells have; of cells of several types it is text."""
    try:
        return pa.array(values)
    except (pa.ArrowException, OverflowError):
        return pa.array([None if value is None else str(value) for value in values], pa.string())


def _unlike(name: str, taken: list[str]) -> str:
    lower, number = {one.lower() for one in taken}, 2
    unlike = name
    while unlike.lower() in lower:
        unlike, number = f"{name}_{number}", number + 1
    return unlike
