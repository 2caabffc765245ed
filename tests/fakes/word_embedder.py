"""An embedder for tests that knows no meanings: texts are alike when they share words. It takes no time to load."""

import hashlib
from collections.abc import Sequence

import numpy as np

from services.core.errors import EmbedderUnavailable
from services.mirror.vectors import Vectors
from services.retrieval.tokens import stems


class WordEmbedder:
    """Each stem has a direction of its own, more or less. `embedded` counts the texts, `fails` refuses them."""

    def __init__(self, name: str = "words", dimension: int = 64) -> None:
        self.name = name
        self.dimension = dimension
        self.embedded = 0
        self.fails = False

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.embedded += len(texts)
        return np.stack([self._one(text) for text in texts]) if texts else np.empty((0, self.dimension), np.float32)

    def embed_question(self, text: str) -> Vectors:
        return self._one(text)

    def _one(self, text: str) -> Vectors:
        if self.fails:
            raise EmbedderUnavailable("The service that makes vectors is down.")
        vector = np.full(self.dimension, 1e-3)
        for stem in stems(text):
            digest = hashlib.blake2b(f"{self.name} {stem}".encode(), digest_size=4).digest()
            vector += np.random.default_rng(int.from_bytes(digest)).normal(size=self.dimension)
        return (vector / np.linalg.norm(vector)).astype(np.float32)
