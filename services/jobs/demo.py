"""The bundled demo: the Python Enhancement Proposals, what their headers said and when, and the texts of sixty."""

import gzip
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from services.context import Services
from services.core import clock
from services.core.change_records import Origin
from services.core.import_rows import DATES, Row
from services.core.progress import Progress, nobody
from services.documents.versions import NewDocument
from services.mirror.vectors import VectorModel
from services.retrieval.embedder import LocalEmbedder, model_of
from services.writing.change_sets import clear
from services.writing.documents import ingest_documents
from services.writing.importer import Imported, import_rows
from services.writing.locks import only_writer

WORKSPACE, LABEL = "peps", "PEP demo"
DEMO = Origin("demo")
LOCAL_MODEL = VectorModel(LocalEmbedder.name, LocalEmbedder.dimension)
"""Whose the bundled vectors are."""
_FOLDER = Path(__file__).resolve().parents[2] / "demo"


def load_demo(
    services: Services, progress: Progress = nobody, reset: bool = False, *, cancel: threading.Event | None = None
) -> Imported:
    """Load the demo into its workspace, by way of the import; with `reset` the workspace is emptied first.

    Raises what the import raises. Loading it again changes nothing; a label that somebody gave the workspace stays.
    """
    if reset:
        with only_writer(services.accounts, WORKSPACE, cancel or threading.Event()):
            clear(services.workspace(WORKSPACE))
            services.mirrors.drop(WORKSPACE)
    label_workspace(services)
    rows = [
        Row(number=number, **record | {name: clock.parse_instant(record[name]) for name in DATES if name in record})
        for number, record in enumerate(_records("peps.jsonl.gz"), 1)
    ]
    summaries = {(r["name"], r["type"]): r["summary"] for r in _records("peps-entities.jsonl.gz")}
    done = import_rows(
        services.workspace(WORKSPACE),
        rows,
        title=LABEL,
        summaries=summaries,
        origin=DEMO,
        progress=progress,
        cancel=cancel,
    )
    _add_vectors(services)
    documents = _records("peps-documents.jsonl.gz")
    ingest_documents(
        services.workspace(WORKSPACE),
        [NewDocument(**{**r, "reference_time": clock.parse_instant(r["reference_time"])}) for r in documents],
        title=f"{LABEL}: documents",
        origin=DEMO,
        progress=progress,
        cancel=cancel,
    )
    return done


def _add_vectors(services: Services) -> None:
    """Take over the bundled vectors, which spare the wait for the local model; others are made as they are needed."""
    mirror, embedder = services.mirrors.of(WORKSPACE), services.indexes.embedder
    model = model_of(embedder)
    path = _FOLDER / "peps-vectors.npz"
    if not path.exists() or model != LOCAL_MODEL or mirror.vectors.model() not in (None, model):
        return
    with np.load(path) as file:
        keys, vectors = file["keys"].tolist(), file["vectors"] * file["scales"][:, None]
    mirror.vectors.add(model, keys, vectors.astype(np.float32))


def label_workspace(services: Services) -> None:
    """Give the demo's workspace its label, unless somebody gave it one."""
    if WORKSPACE not in {known.name for known in services.accounts.workspaces()}:
        services.accounts.add(WORKSPACE, LABEL)


def _records(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(_FOLDER / name, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)
