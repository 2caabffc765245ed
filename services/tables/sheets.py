"""Reads the sheets of an Excel file as tables. To be called in a sandboxed process only."""

import base64
import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from services.core.errors import BadInput

_MOST_UNPACKED = 512 << 20
"""A small file may unpack to any size, in one sheet or in many."""
_NO_PART = re.compile(r'\[(?![hms]+\])[^\]]*\]|"[^"]*"|\\.', re.IGNORECASE)
"""What in an Excel format shows no part of a date: a colour, a language, a text."""


def read(task: dict[str, Any], content: bytes) -> list[tuple[str, str]]:  # noqa: ARG001
    """Return the sheets that have rows, packed, by name. Raises `BadInput` where the file cannot be read."""
    return list(packed(sheets(content, keep_days=True)))


def packed(tables: Iterable[tuple[str, pa.Table]]) -> Iterator[tuple[str, str]]:
    """Yield tables as Parquet in base64. Raises `BadInput` where the app could not unpack all of them without harm."""
    unpacked = 0
    for name, table in tables:
        unpacked += table.nbytes
        if unpacked > _MOST_UNPACKED:
            raise BadInput(f"This file unpacks to more than {_MOST_UNPACKED >> 20} MB.", "Split the file.")
        written = io.BytesIO()
        pq.write_table(table, written, compression="zstd")
        yield name, base64.b64encode(written.getbuffer()).decode()


def sheets(content: bytes, *, keep_days: bool = False) -> Iterator[tuple[str, pa.Table]]:
    """Yield the sheets that have a row, by name: the first row names the columns.

    To `keep_days` apart from times, a column of both becomes text.
    """
    from openpyxl import load_workbook

    _check_is_workbook(content)
    try:
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    except Exception as error:
        raise BadInput(
            "This file is not a readable Excel file.",
            "Open the file in the application that created it, then save the file again.",
        ) from error
    for sheet in book.worksheets:
        given = _rows_with_days(sheet) if keep_days else sheet.iter_rows(values_only=True)
        rows = (row for row in given if any(cell is not None for cell in row))
        header = next(rows, None)
        if header is not None:
            yield sheet.title, _table(header, list(rows))


def _check_is_workbook(content: bytes) -> None:
    """Raise `BadInput` for a ZIP archive of other files, such as a Word document."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError):
        return  # openpyxl refuses it
    if not any(name.startswith("xl/") for name in names):
        raise BadInput(
            "The file is a ZIP archive, but not an Excel workbook.",
            "Unpack the archive, then import its tables one by one.",
        )


def _rows_with_days(sheet: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a sheet; a midnight that is shown without a time is a day."""
    for row in sheet.iter_rows():
        yield tuple(cell.value.date() if _is_day(cell) else cell.value for cell in row)


def _is_day(cell: Any) -> bool:
    return _is_midnight(cell.value) and not re.search("[hs]", _NO_PART.sub("", cell.number_format), re.IGNORECASE)


def _is_midnight(value: Any) -> bool:
    return isinstance(value, datetime) and value.time() == time()


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
    if {date, datetime} <= {type(value) for value in values}:  # Arrow would cut the times off
        return _spelled(values)
    try:
        return _without_midnights(pa.array(values))
    except (pa.ArrowException, OverflowError):
        return _spelled(values)


def _without_midnights(column: pa.Array) -> pa.Array:
    """Return a column of days as such: Excel keeps a day as its midnight."""
    if not pa.types.is_timestamp(column.type):
        return column
    days = column.cast(pa.date32(), safe=False)
    return days if pc.all(pc.equal(days.cast(column.type), column)).as_py() else column


def _spelled(values: list[Any]) -> pa.Array:
    """Return a column as text; a midnight is a day unless another cell has a time of day."""
    with_times = any(isinstance(value, datetime) and not _is_midnight(value) for value in values)
    days = (value.date() if _is_midnight(value) and not with_times else value for value in values)
    return pa.array([None if value is None else str(value) for value in days], pa.string())


def _unlike(name: str, taken: list[str]) -> str:
    lower, number = {one.lower() for one in taken}, 2
    unlike = name
    while unlike.lower() in lower:
        unlike, number = f"{name}_{number}", number + 1
    return unlike
