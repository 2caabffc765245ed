"""The bad rows of a file as a file of their own, each with what is wrong with it."""

import csv
import io
import json
from collections import defaultdict
from pathlib import PurePath
from typing import Any

from services.ingestion.files import MORE_CELLS
from services.ingestion.tables import FactTable


def rejects_file(table: FactTable) -> tuple[str, bytes]:
    """Name and content of the file of bad rows: JSON lines where the facts came as JSON, else CSV."""
    path = PurePath(table.name)
    if path.suffix.lower() in {".json", ".jsonl", ".ndjson"}:
        return f"{path.stem}.rejects.jsonl", _json_lines(table).encode()
    return f"{path.stem}.rejects.csv", _csv(table).encode()


def _reasons(table: FactTable) -> dict[int, str]:
    reasons: dict[int, list[str]] = defaultdict(list)
    for problem in table.problems:
        reasons[problem.number].append(f"{problem.column}: {problem.reason}" if problem.column else problem.reason)
    return {number: "; ".join(found) for number, found in reasons.items()}


def _json_lines(table: FactTable) -> str:
    reasons = _reasons(table)
    lines = ({"row": n, "problem": reasons[n], **record} for n, record in table.rejected.items())
    return "".join(json.dumps(line, ensure_ascii=False, default=str) + "\n" for line in lines)


def _csv(table: FactTable) -> str:
    reasons = _reasons(table)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["row", "problem", *table.columns])
    for number, record in table.rejected.items():
        cells: list[Any] = [record.get(column) for column in table.columns]
        writer.writerow([number, reasons[number], *cells, *record.get(MORE_CELLS, ())])
    return text.getvalue()
