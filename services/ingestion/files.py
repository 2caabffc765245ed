"""Opens CSV, TSV, JSON, JSONL and Parquet files as records: a dict of cells by column name each."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from services.errors import BadInput
from services.formulas import MARK, as_meant

Record = Mapping[str, Any]

_FORMATS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_MOST_CELLS = 10_000_000
_MOST_UNPACKED = 512 << 20
"""A Parquet file may say the same a million times in a few bytes; no table of facts holds more than this."""
_AT_ONCE = 256
_NEEDED = "A facts file is CSV, TSV, JSON, JSONL or Parquet with the columns source, relation and target."
MORE_CELLS = "\0more"
"""The column under which a record keeps cells that no column of the header names."""


def records(name: str, content: bytes) -> list[Record]:
    """The records of a file, in order. `name` tells the format by its ending; failing that, the content does.

    Raises `BadInput` when the file as a whole cannot be read.
    """
    if not content.strip():
        raise BadInput(f"{name} is empty.", _NEEDED)
    form = _FORMATS.get(PurePath(name).suffix.lower()) or _sniffed(content)
    if form == "parquet":
        return _parquet(name, content)
    text = _text(name, content)
    if form == "json":
        return _objects(name, _json(name, text))
    if form == "jsonl":
        return [_object(name, number, value) for number, value in _json_lines(name, text)]
    return _delimited(name, text, "\t" if form == "tsv" else _delimiter(text))


def _sniffed(content: bytes) -> str:
    start = content.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"PAR1"):
        return "parquet"
    if start.startswith(b"["):
        return "json"
    if start.startswith(b"{"):
        first, _, rest = start.partition(b"\n")
        try:
            json.loads(first)
        except ValueError:
            return "json"
        return "jsonl" if rest.strip() else "json"
    return "csv"


def _text(name: str, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = content.count(b"\n", 0, error.start) + 1
        raise BadInput(f"{name} is not UTF-8 text (line {place}).", "Save it as UTF-8 and try again.") from error


def _json(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{name} is not JSON: {error}.", _NEEDED) from error


def _json_lines(name: str, text: str) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError) as error:
                raise BadInput(f"{name}, line {number}, is not JSON: {error}.", _NEEDED) from error


def _objects(name: str, document: Any) -> list[Record]:
    if isinstance(document, dict) and isinstance(document.get("facts"), list):
        document = document["facts"]
    if not isinstance(document, list):
        raise BadInput(f"{name} is no list of facts.", 'Write [{"source": …}, …] or {"facts": [{"source": …}, …]}.')
    return [_object(name, number, value) for number, value in enumerate(document, 1)]


def _object(name: str, number: int, value: Any) -> Record:
    if not isinstance(value, dict):
        raise BadInput(f"{name}: record {number} is no object with named values.", _NEEDED)
    return value


def _delimiter(text: str) -> str:
    header = text.lstrip().partition("\n")[0]
    return max(",;\t", key=header.count)


def _delimited(name: str, text: str, delimiter: str) -> list[Record]:
    csv.field_size_limit(2**31 - 1)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        header = next((cells for cells in reader if any(cells)), [])
        if twice := [column for column, count in Counter(header).items() if column and count > 1]:
            raise BadInput(f"{name} has the column {twice[0]} twice.", "Rename or remove one of them.")
        rows = (cells for cells in reader if any(cells))
        if MARK in text:
            header, rows = [*map(as_meant, header)], ([*map(as_meant, cells)] for cells in rows)
        return [_named(header, cells) for cells in rows]
    except csv.Error as error:
        raise BadInput(f"{name}, line {reader.line_num}, cannot be read: {error}.", _NEEDED) from error


def _named(header: list[str], cells: list[str]) -> Record:
    record: dict[str, Any] = dict(zip(header, cells, strict=False))
    if len(cells) > len(header) and any(cells[len(header) :]):
        record[MORE_CELLS] = cells[len(header) :]
    return record


def _parquet(name: str, content: bytes) -> list[Record]:
    try:
        file = pq.ParquetFile(pa.BufferReader(content))
        _check_size(name, file.metadata)
        return [record for batch in _batches(name, file) for record in _python(batch)]
    except (pa.ArrowException, ValueError, OSError) as error:
        raise BadInput(f"{name} is not a Parquet file that can be read: {error}.", _NEEDED) from error


def _check_size(name: str, told: pq.FileMetaData) -> None:
    unpacked = sum(told.row_group(number).total_byte_size for number in range(told.num_row_groups))
    if told.num_rows * told.num_columns > _MOST_CELLS or unpacked > _MOST_UNPACKED:
        raise BadInput(f"{name} holds more than {_MOST_CELLS:,} cells, or unpacks to more than 512 MB.", "Split it.")


def _batches(name: str, file: pq.ParquetFile) -> Iterator[pa.Table]:
    """The file in parts, as long as what they unpack to is sound, whatever it says of itself."""
    size = cells = 0
    for batch in file.iter_batches(_AT_ONCE, use_threads=False):
        part = pa.table([_spelled(column) for column in batch.columns], batch.schema.names)
        size, cells = size + part.nbytes, cells + part.num_rows * part.num_columns
        if size > _MOST_UNPACKED or cells > _MOST_CELLS:
            raise BadInput(f"{name} unpacks to more than a table of facts holds.", "Split it.")
        yield part


def _spelled(column: pa.Array) -> pa.Array:
    """The column with each of its words in place, not by number."""
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def _python(table: pa.Table) -> Iterable[Record]:
    columns = [_microseconds(column).to_pylist() for column in table.columns]
    for cells in zip(*columns, strict=True):
        yield dict(zip(table.column_names, cells, strict=True))


def _microseconds(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Nanoseconds have no Python type of their own (without pandas): microseconds are kept."""
    if pa.types.is_timestamp(column.type) and column.type.unit == "ns":
        return column.cast(pa.timestamp("us", column.type.tz), safe=False)
    return column
