"""Vectors for texts, by a model that is installed with Asof: nothing is downloaded, no network is asked."""

import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import batched, chain
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from services.core.errors import Cancelled
from services.core.gc_pause import gc_pause
from services.core.progress import Progress, nobody
from services.mirror.mirror import Mirror
from services.mirror.vectors import VectorModel
from services.retrieval import minilm
from services.retrieval.catalog import read_items
from services.retrieval.items import KINDS, text_key

_BATCH = 32
"""So many texts are embedded before it looks whether it is to stop: a second or two of work, however long they are."""
_AT_ONCE = 2


class Embedder(Protocol):
    """Makes vectors of length 1, which are alike when texts mean the same."""

    @property
    def name(self) -> str:
        """The model; vectors of two models are never compared."""

    @property
    def dimension(self) -> int:
        """The length of each vector in numbers."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A row for each text."""

    def embed_question(self, text: str) -> NDArray[np.float32]:
        """The vector of a question; the same question again costs nothing."""


def model_of(embedder: Embedder) -> VectorModel:
    """What is kept with the vectors that an embedder makes."""
    return VectorModel(embedder.name, embedder.dimension)


class LocalEmbedder:
    """all-MiniLM-L6-v2, one text at a time, from any thread.

    Sentence-BERT: Reimers and Gurevych (EMNLP 2019); the vector is the mean over the tokens.
    """

    name = minilm.NAME
    dimension = minilm.WIDTH

    def __init__(self) -> None:
        self._asked = lru_cache(maxsize=4096)(self._one)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A row for each text."""
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        return np.stack([self._one(text) for text in texts])

    def embed_question(self, text: str) -> NDArray[np.float32]:
        """The vector of a question, kept for when it is asked again."""
        return self._asked(text)

    def _pooled(self, text: str) -> NDArray[np.float32]:
        mean: NDArray[np.float32] = minilm.last_states(text).mean(axis=0)
        return mean

    def _one(self, text: str) -> NDArray[np.float32]:
        pooled = self._pooled(text)
        vector: NDArray[np.float32] = (pooled / max(float(np.linalg.norm(pooled)), 1e-9)).astype(np.float32)
        vector.flags.writeable = False
        return vector


@gc_pause()
def embed_missing(
    mirror: Mirror, embedder: Embedder, progress: Progress = nobody, cancel: threading.Event | None = None
) -> None:
    """Give each text of the workspace a vector that has none."""
    texts = (text for kind in KINDS for item in read_items(mirror, kind) for text in item.embedded)
    headings = (section.name for section in mirror.section_rows())
    embed_texts(mirror, embedder, chain(texts, headings), progress, cancel)


def embed_texts(
    mirror: Mirror,
    embedder: Embedder,
    texts: Iterable[str],
    progress: Progress = nobody,
    cancel: threading.Event | None = None,
) -> None:
    """Give each of these texts a vector that has none.

    Raises `Cancelled` between batches once `cancel` is set; the vectors made by then are kept.
    """
    by_key = {text_key(text): text for text in texts}
    missing = mirror.vectors.missing(by_key)
    model = model_of(embedder)
    with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="asof-embed") as pool:
        done = 0
        for keys in batched(missing, _BATCH):
            if cancel is not None and cancel.is_set():
                raise Cancelled("Embedding stopped early.", "Asof keeps the finished embeddings.")
            parts = np.array_split(np.arange(len(keys)), _AT_ONCE)
            rows = pool.map(lambda part, keys=keys: embedder.embed([by_key[keys[i]] for i in part]), parts)
            mirror.vectors.add(model, keys, np.concatenate(list(rows)))
            done += len(keys)
            progress(done, len(missing))
