"""The bundled demo: the Python Enhancement Proposals, with what their headers said and when."""

import gzip
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from services import clock
from services.bootstrap import Services
from services.ingestion.importer import Imported, Progress, clear, import_rows
from services.ingestion.locks import only_writer
from services.ingestion.rows import DATES, Row

WORKSPACE, LABEL = "peps", "PEP demo"
_FOLDER = Path(__file__).resolve().parents[2] / "demo"


def load_demo(
    services: Services, progress: Progress | None = None, reset: bool = False, *, cancel: threading.Event | None = None
) -> Imported:
    """Load the demo into its workspace, by way of the import; with `reset` the workspace is emptied first.

    Raises what the import raises. Loading it again changes nothing; a label that somebody gave the workspace stays.
    """
    if reset:
        with only_writer(services.accounts, WORKSPACE, cancel or threading.Event()):
            clear(services, WORKSPACE)
            services.mirrors.drop(WORKSPACE)
    label_workspace(services)
    rows = [_row(number, record) for number, record in enumerate(_records("peps.jsonl.gz"), 1)]
    summaries = {(r["name"], r["type"]): r["summary"] for r in _records("peps-entities.jsonl.gz")}
    return import_rows(services, WORKSPACE, rows, title=LABEL, summaries=summaries, progress=progress, cancel=cancel)


def label_workspace(services: Services) -> None:
    """Give the demo's workspace its label, unless somebody gave it one."""
    if WORKSPACE not in {known.name for known in services.accounts.workspaces()}:
        services.accounts.add(WORKSPACE, LABEL)


def _row(number: int, record: dict[str, Any]) -> Row:
    dates = {name: clock.parse_instant(record[name]) for name in DATES if name in record}
    return Row(number=number, **{**record, **dates})


def _records(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(_FOLDER / name, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)
