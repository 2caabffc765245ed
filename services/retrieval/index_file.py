"""An index on disk, beside its mirror: arrays in one file, made anew when anything about it is not as expected."""

import json
import logging
import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from services.mirror.database import LAYOUT
from services.retrieval.arrays import Arrays, inside, joined, separated, under
from services.retrieval.embedder import Embedder
from services.retrieval.index import SearchIndex
from services.retrieval.items import KINDS, Kind

FORMAT = 4
"""Grows with each change of what an index holds or how it is made."""

_log = logging.getLogger(__name__)


def save(
    mirror: Path | None, embedder: Embedder, index: SearchIndex, signatures: Mapping[Kind, Mapping[str, int]]
) -> None:
    """Keep an index with the signatures of its items; nothing where the mirror is in memory. Failing is no error."""
    if mirror is None:
        return
    arrays: Arrays = {"header": joined([_header(embedder)]), **under("index", index.to_arrays())}
    for kind in KINDS:
        arrays[f"signatures/{kind}"] = np.array([signatures[kind][id] for id in index.main[kind].ids], np.uint64)
    path = file_of(mirror)
    new = path.with_suffix(".new")
    try:
        with new.open("wb") as file:
            np.savez(file, allow_pickle=False, **arrays)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError as error:
        _log.warning("Could not save the search index %s: %s", path, error)


def load(mirror: Path | None, embedder: Embedder) -> tuple[SearchIndex, dict[Kind, dict[str, int]]] | None:
    """The index that was kept, with its items' signatures; None where there is none of this form and model."""
    if mirror is None or not (path := file_of(mirror)).exists():
        return None
    try:
        with np.load(path, allow_pickle=False) as file:
            if separated(file["header"]) != [_header(embedder)]:
                return None
            arrays: Arrays = dict(file.items())
        index = SearchIndex.from_arrays(inside("index", arrays))
        signed = {kind: arrays[f"signatures/{kind}"].tolist() for kind in KINDS}
        return index, {kind: dict(zip(index.main[kind].ids, signed[kind], strict=True)) for kind in KINDS}
    except Exception as error:  # noqa: BLE001 - a broken file may fail in any way, and is only a cache
        _log.warning("Could not read the search index %s; rebuilding it: %s", path, error)
        return None


def delete(mirror: Path | None) -> None:
    """Delete a mirror's index, if there is one."""
    if mirror is not None:
        file_of(mirror).unlink(missing_ok=True)


def file_of(mirror: Path) -> Path:
    """Where a mirror's index is."""
    return mirror.with_suffix(".index.npz")


def _header(embedder: Embedder) -> str:
    return json.dumps({"format": FORMAT, "layout": LAYOUT, "model": embedder.name, "dimension": embedder.dimension})
