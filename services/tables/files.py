"""Opens CSV, TSV, JSON, JSONL, Parquet and Excel files as records: a dict of cells by column name each."""

import base64
import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import PurePath
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from services.core.errors import BadInput
from services.core.formulas import MARK, as_meant
from services.core.json_documents import read_json
from services.documents.read_text import USUAL
from services.documents.run_sandboxed import run_sandboxed
from services.tables.changelogs import changelog_records
from services.tables.gdelt import gdelt_header, is_gdelt_row
from services.tables.stix import is_bundle, stix_records
from services.tables.table_formats import FACT_FORMATS

Record = Mapping[str, Any]

_MOST_ROWS, _MOST_CELLS = 2_000_000, 10_000_000
_MOST_COLUMNS = 1_000
_MOST_UNPACKED = 512 << 20
"""A small file may unpack to any size, or cost a hundred times its own; no table of facts holds more than this."""
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How a compound file begins, in which Office kept its documents before 2007 ([MS-CFB], 2.2)."""
_AT_ONCE = 256
_NEEDED = "A facts file is CSV, TSV, JSON, JSONL, Parquet or Excel with the columns source, relation and target."
MORE_CELLS = "\0more"
"""The column under which a record keeps cells that no column of the header names."""


@dataclass(frozen=True, slots=True)
class TableFile:
    """A file of records. Of an Excel file, `sheets` holds those with rows, each as a Parquet file, by name."""

    name: str
    content: bytes
    form: str
    sheets: Mapping[str, bytes] = field(default_factory=dict)

    def sheet(self, chosen: str) -> str:
        """The sheet whose records are read: the chosen one, else the first; "" in a file that has none."""
        if chosen and not self.sheets:
            raise BadInput(f"{self.name} has no sheets.", "Leave out the sheet: only Excel files have sheets.")
        if chosen and chosen not in self.sheets:
            raise BadInput(
                f"{self.name} has no sheet “{chosen}” with rows.",
                f"Choose one of these sheets: {', '.join(self.sheets)}.",
            )
        return chosen or next(iter(self.sheets), "")


def open_table(name: str, content: bytes) -> TableFile:
    """Open a file. `name` tells the format by its ending; failing that, the content does.

    Excel files are unpacked here, which takes seconds. Raises `BadInput` when the file cannot be opened.
    """
    if not content.strip():
        raise BadInput(f"{name} is empty.", _NEEDED)
    if len(content) > _MOST_UNPACKED:
        raise BadInput(f"{name} is larger than {_MOST_UNPACKED >> 20} MB.", "Split the file.")
    form = FACT_FORMATS.get(PurePath(name).suffix.lower()) or _sniffed(content)
    return TableFile(name, content, form, _unpacked(name, content) if form == "excel" else {})


def records(file: TableFile, sheet: str = "") -> list[Record]:
    """The records of a file, in order; of an Excel file those of a `sheet`, else of the first that has rows.

    Raises `BadInput` when the file as a whole cannot be read.
    """
    name, form, read = file.name, file.form, file.sheet(sheet)
    if form == "excel":
        return _parquet(name, file.sheets[read])
    if form == "parquet":
        return _parquet(name, file.content)
    text = _text(name, file.content)
    if form == "changelog":
        return _changelog(name, text)
    if form in ("json", "jsonl"):
        # before it is parsed: each row opens with the one, each cell stands behind one of the others
        _check(name, text.count("{"), text.count(",") + text.count("["))
        found = _objects(name, read_json(name, text, _NEEDED)) if form == "json" else _lines(name, text)
        columns = set(chain.from_iterable(dict.fromkeys(map(tuple, found))))
        _check_columns(name, len(columns))
        _check(name, len(found), len(found) * len(columns))
        return found
    return _delimited(name, text, "\t" if form == "tsv" else max(",;\t", key=text.lstrip().partition("\n")[0].count))


def _changelog(name: str, text: str) -> list[Record]:
    found: list[Record] = [*changelog_records(text)]
    if not found:
        raise BadInput(
            f"{name} is not a changelog with versions and dates.",
            'Start each version with a heading such as "## [1.2.0] - 2024-05-01".',
        )
    _check(name, len(found), 0)
    return found


def _check(name: str, rows: int, cells: int) -> None:
    """Raise `BadInput` for more rows or cells than a table of facts holds."""
    if rows > _MOST_ROWS or cells > _MOST_CELLS:
        raise BadInput(f"{name} has more than {_MOST_ROWS:,} rows or {_MOST_CELLS:,} cells.", "Split the file.")


def _check_columns(name: str, columns: int) -> None:
    """Raise `BadInput` for more columns than a table of facts has."""
    if columns > _MOST_COLUMNS:
        raise BadInput(
            f"{name} has {columns:,} columns; the limit is {_MOST_COLUMNS:,}.", "Leave out some of the columns."
        )


def _sniffed(content: bytes) -> str:
    start = content.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"PAR1"):
        return "parquet"
    if start.startswith((b"PK\x03\x04", b"PK\x05\x06")):  # a ZIP, or an empty one
        return "excel"
    if start.startswith(b"["):
        return "json"
    if start.startswith(b"{"):
        first, _, rest = start.partition(b"\n")
        try:
            json.loads(first)
        except (ValueError, RecursionError):
            return "json"
        return "jsonl" if rest.strip() else "json"
    return "csv"


def _text(name: str, content: bytes) -> str:
    if content.startswith(_OLD_OFFICE):
        raise BadInput(f"{name} is in the old format of Excel (.xls).", "Save the workbook as .xlsx and try again.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = content.count(b"\n", 0, error.start) + 1
        raise BadInput(f"{name} is not UTF-8 text (line {place}).", "Save the file as UTF-8 and try again.") from error


def _lines(name: str, text: str) -> list[Record]:
    lines = ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())
    return [_object(name, number, read_json(f"{name}, line {number},", line, _NEEDED)) for number, line in lines]


def _objects(name: str, document: Any) -> list[Record]:
    if is_bundle(document):
        return [*stix_records(document)]
    if isinstance(document, dict) and isinstance(document.get("facts"), list):
        document = document["facts"]
    if not isinstance(document, list):
        raise BadInput(f"{name} is not a list of facts.", 'Write [{"source": …}, …] or {"facts": [{"source": …}, …]}.')
    return [_object(name, number, value) for number, value in enumerate(document, 1)]


def _object(name: str, number: int, value: Any) -> Record:
    if not isinstance(value, dict):
        raise BadInput(f"{name}: record {number} is not an object with named values.", _NEEDED)
    return value


def _delimited(name: str, text: str, delimiter: str) -> list[Record]:
    csv.field_size_limit(2**31 - 1)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        given: Iterator[list[str]] = (cells for cells in _counted(name, reader) if any(cells))
        header = next(given, [])
        if is_gdelt_row(header):
            header, given = gdelt_header(len(header)), chain([header], given)
        _check_columns(name, len(header))
        if twice := [column for column, count in Counter(header).items() if column and count > 1]:
            raise BadInput(f"{name} has the column {twice[0]} twice.", "Rename or remove one of them.")
        if MARK in text:
            header, given = [*map(as_meant, header)], ([*map(as_meant, cells)] for cells in given)
        return [_named(header, cells) for cells in given]
    except csv.Error as error:
        place = f"{name}, line {reader.line_num},"
        raise BadInput(
            f"{place} has an unclosed quotation mark, or text after a closing one.",
            "Close the quotation mark, and double those inside a value.",
        ) from error


def _counted(name: str, rows: Iterable[list[str]]) -> Iterator[list[str]]:
    """The header and the rows, as long as a table of facts holds them."""
    cells = 0
    for number, row in enumerate(rows):
        cells += len(row)
        _check(name, number, cells)
        yield row


def _named(header: list[str], cells: list[str]) -> Record:
    record: dict[str, Any] = dict(zip(header, cells, strict=False))
    if len(cells) > len(header) and any(cells[len(header) :]):
        record[MORE_CELLS] = cells[len(header) :]
    return record


def _unpacked(name: str, content: bytes) -> Mapping[str, bytes]:
    """The sheets of an Excel file that have rows. The file is unpacked in a process of its own."""
    try:
        found = dict(run_sandboxed("services.tables.sheets", {}, content, USUAL))
    except BadInput as error:
        raise BadInput(f"Asof cannot read {name}. {error.message}", error.hint) from error
    if not found:
        raise BadInput(f"{name} is empty.", _NEEDED)
    return {sheet: base64.b64decode(packed) for sheet, packed in found.items()}


def _parquet(name: str, content: bytes) -> list[Record]:
    try:
        file = pq.ParquetFile(pa.BufferReader(content))
        metadata = file.metadata
        _check_columns(name, metadata.num_columns)
        _check(name, metadata.num_rows, metadata.num_rows * metadata.num_columns)
        if sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups)) > _MOST_UNPACKED:
            raise BadInput(f"{name} unpacks to more than {_MOST_UNPACKED >> 20} MB.", "Split the file.")
        return [record for batch in _batches(name, file) for record in batch.to_pylist()]
    except (pa.ArrowException, ValueError, OSError) as error:
        raise BadInput(f"Asof cannot read {name} as a Parquet file.", _NEEDED) from error


def _batches(name: str, file: pq.ParquetFile) -> Iterator[pa.Table]:
    """The file in parts, as long as what they unpack to is sound, whatever it says of itself."""
    size = rows = cells = 0
    for batch in file.iter_batches(_AT_ONCE, use_threads=False):
        part = pa.table([_spelled(column) for column in batch.columns], batch.schema.names)
        size += part.nbytes
        rows, cells = rows + part.num_rows, cells + part.num_rows * part.num_columns
        _check(name, rows, cells)
        if size > _MOST_UNPACKED:
            raise BadInput(f"{name} unpacks to more than {_MOST_UNPACKED >> 20} MB.", "Split the file.")
        yield part


def _spelled(column: pa.Array) -> pa.Array:
    """The column with each of its words in place, not by number, and of nanoseconds, for which Python has no type of
    its own (without pandas), microseconds."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_timestamp(column.type) and column.type.unit == "ns":
        return column.cast(pa.timestamp("us", column.type.tz), safe=False)
    return column
