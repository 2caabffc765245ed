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
from services.sql.results import identifier, literal

_READERS = {
    "csv": "read_csv(?, sample_size = -1)",
    "tsv": "read_csv(?, sample_size = -1, delim = '\t')",
    "json": "read_json(?, maximum_object_size = 268435456)",
    "jsonl": "read_json(?, format = 'newline_delimited')",
    "parquet": "read_parquet(?)",
}


_SEPARATED = ("csv", "tsv")
_VERSIONS = """
    count({column}) FILTER (regexp_full_match(trim({column}), '[0-9]+\\.[0-9]+0')) > 0
    AND count(DISTINCT CASE WHEN regexp_full_match(trim({column}), '[0-9]+\\.[0-9]+')
        THEN len(split_part(trim({column}), '.', 2)) END) > 1"""
"""Of a column of numbers as text: true where one ends in a zero that a number would lose, as 3.10 does, and not all
have as many decimals, as prices have.
"""
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
    reader = _READERS[task["format"]]
    table = connection.execute(f"FROM {reader}", [task["path"]]).to_arrow_table()
    return _with_versions(connection, reader, task["path"], table) if task["format"] in _SEPARATED else table


def _with_versions(connection: duckdb.DuckDBPyConnection, reader: str, path: str, table: pa.Table) -> pa.Table:
    """Return a table whose columns of versions are text: as numbers, 3.1 and 3.10 would be one."""
    numbers = [field.name for field in table.schema if pa.types.is_floating(field.type)]
    if not numbers:
        return table
    (has_header,) = connection.execute(f"SELECT HasHeader FROM {_sniffer(reader)}", [path]).fetchall()[0]
    types = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in numbers)
    as_text = f"{reader[:-1]}, header = {has_header}, types = {{{types}}})"
    judged = ", ".join(_VERSIONS.format(column=identifier(name)) for name in numbers)
    found = connection.execute(f"SELECT {judged} FROM {as_text}", [path]).fetchall()[0]
    for name in (name for name, is_version in zip(numbers, found, strict=True) if is_version):
        text: pa.Table = connection.execute(f"SELECT {identifier(name)} FROM {as_text}", [path]).to_arrow_table()
        table = table.set_column(table.schema.get_field_index(name), name, text.column(0))
    return table


def _sniffer(reader: str) -> str:
    return reader.replace("read_csv", "sniff_csv")


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
        raise BadInput(
            "This Excel file cannot be read.", "Open it in the application that created it, then save it again."
        ) from error
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
