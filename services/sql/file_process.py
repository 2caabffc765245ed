"""Reads a file of rows as tables. To be called in a sandboxed process only."""

from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from services.core.errors import BadInput
from services.sql.process_answers import error_text
from services.sql.quoting import identifier, literal
from services.tables.sheets import packed, sheets

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


def read(task: dict[str, Any], content: bytes) -> Any:  # noqa: ARG001
    """Return the tables of a file, by the name of the sheet where it has any, each as Parquet in base64.

    Raises `BadInput` where it cannot be read.
    """
    try:
        is_workbook = task["format"] == "excel"
        return list(packed(sheets(Path(task["path"]).read_bytes()) if is_workbook else [("", _rows(task))]))
    except (duckdb.Error, pa.ArrowException) as error:
        first = error_text(error).partition("\n")[0][:300]
        raise BadInput(
            f"Asof cannot read this file as {task['format'].upper()}: {first}", "Correct the file and try again."
        ) from error


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
