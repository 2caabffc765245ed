"""Keeps the vectors of what databases hold on disk, so that a model reads each name once."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from services.core.data_folder import make_private
from services.retrieval.embedder import Embedder
from services.retrieval.items import text_key

_log = logging.getLogger(__name__)

Vectors = NDArray[np.float32]


def embed_and_keep(embedder: Embedder, texts: Sequence[str], path: Path | None) -> Vectors:
    """Return a row for each text, from the file where it holds them; it then holds these and no others."""
    known = _read(path, embedder) if path else {}
    keys = [text_key(text) for text in texts]
    missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
    made = dict(zip(missing, embedder.embed(list(missing.values())), strict=True))
    found = {key: known[key] if key in known else made[key] for key in keys}
    if path is not None and made:
        _write(path, embedder, found)
    return np.stack([found[key] for key in keys]) if keys else np.empty((0, embedder.dimension), np.float32)


def _read(path: Path, embedder: Embedder) -> dict[str, Vectors]:
    try:
        with np.load(path, allow_pickle=False) as file:
            if str(file["model"]) == embedder.name:
                return dict(zip(file["keys"].tolist(), file["vectors"], strict=True))
    except FileNotFoundError:
        pass
    except Exception as error:  # noqa: BLE001 - a broken file may fail in any way, and is only a cache
        _log.warning("Could not read the vectors in %s; rebuilding them: %s", path, error)
    return {}


def _write(path: Path, embedder: Embedder, found: Mapping[str, Vectors]) -> None:
    """Keep vectors. Failing is no error."""
    new = path.with_suffix(".new")
    try:
        make_private(path.parent)
        with new.open("wb") as file:
            np.savez(file, model=embedder.name, keys=np.array(list(found)), vectors=np.stack(list(found.values())))
        new.replace(path)
    except OSError as error:
        _log.warning("Could not save the vectors %s: %s", path, error)
