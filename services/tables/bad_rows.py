"""The bad rows of a file as a file of their own, each with what is wrong with it."""

import csv
import io
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import PurePath
from typing import Any

from services.core.formulas import harmless
from services.tables.files import MORE_CELLS
from services.tables.tables import ROW_AND_PROBLEM, FactTable


def rejects_file(table: FactTable, name: str = "") -> tuple[str, bytes]:
    """Name and content of the file of bad rows, empty but for a head where there are none.

    Its format is that of `name`'s ending; failing that JSON lines where the facts came as JSON, else CSV. Its columns
    of reasons are passed over when the corrected file is imported.
    """
    path = PurePath(table.name)
    ending = PurePath(name).suffix.lower()
    if ending not in _WRITTEN:
        ending = ".jsonl" if path.suffix.lower() in {".json", ".jsonl", ".ndjson"} else ".csv"
    return name or f"{path.stem}.rejects{ending}", _WRITTEN[ending](table).encode(errors="backslashreplace")


def _reasons(table: FactTable) -> dict[int, str]:
    reasons: dict[int, list[str]] = defaultdict(list)
    for problem in table.problems:
        reasons[problem.number].append(f"{problem.column}: {problem.reason}" if problem.column else problem.reason)
    return {number: "; ".join(found) for number, found in reasons.items()}


def _objects(table: FactTable) -> Iterator[str]:
    reasons = _reasons(table)
    for number, record in table.rejected.items():
        reported = dict(zip(ROW_AND_PROBLEM, (number, reasons[number]), strict=True))
        cells = {name: value for name, value in record.items() if name not in reported}
        yield json.dumps({**reported, **cells}, ensure_ascii=False, default=str)


def _json_lines(table: FactTable) -> str:
    return "".join(f"{line}\n" for line in _objects(table))


def _delimited(table: FactTable, delimiter: str = ",") -> str:
    reasons = _reasons(table)
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow([*ROW_AND_PROBLEM, *map(_cell, table.columns)])
    for number, record in table.rejected.items():
        cells: list[Any] = [record.get(column) for column in table.columns]
        writer.writerow([number, *map(_cell, [reasons[number], *cells, *record.get(MORE_CELLS, ())])])
    return text.getvalue()


def _cell(value: Any) -> Any:
    return harmless(value) if isinstance(value, str) else value


_WRITTEN: Mapping[str, Callable[[FactTable], str]] = {
    ".csv": _delimited,
    ".tsv": partial(_delimited, delimiter="\t"),
    ".tab": partial(_delimited, delimiter="\t"),
    ".json": lambda table: f"[{',\n '.join(_objects(table))}]\n",
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
}
