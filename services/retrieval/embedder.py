"""Vectors for texts, by a model that is installed with Asof: nothing is downloaded, no network is asked."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from services.mirror.vectors import VectorModel
from services.retrieval import minilm


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

    def _one(self, text: str) -> NDArray[np.float32]:
        mean = minilm.last_states(text).mean(axis=0)
        vector: NDArray[np.float32] = (mean / np.linalg.norm(mean)).astype(np.float32)
        vector.flags.writeable = False
        return vector
