"""Graphiti's own embedders, which ask a service on the network, behind the interface of ours."""

import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import batched
from typing import Literal

import numpy as np
from graphiti_core.embedder.client import EmbedderClient
from numpy.typing import NDArray

from services.core.bridge import AsyncBridge
from services.core.errors import AsofError, BadInput, EmbedderUnavailable

Provider = Literal["openai", "voyage"]

_BATCH = 128
_SECONDS = 60.0


class GraphitiEmbedder:
    """A model of OpenAI (or of whoever speaks its protocol) or Voyage. Keys and addresses come from the environment."""

    def __init__(self, bridge: AsyncBridge, provider: Provider, model: str, dimension: int) -> None:
        self.name = f"{provider}:{model}"
        self.dimension = dimension
        self._bridge = bridge
        self._open: Callable[[], EmbedderClient] = lambda: _opened(provider, model, dimension)
        self._client: EmbedderClient | None = None
        self._opening = threading.Lock()
        self._asked = lru_cache(maxsize=4096)(self._one)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A row for each text. Raises `EmbedderUnavailable`, and `BadInput` for vectors of another length."""
        rows = [row for batch in batched(texts, _BATCH) for row in self._made(list(batch))]
        if not rows:
            return np.empty((0, self.dimension), np.float32)
        if {len(row) for row in rows} != {self.dimension}:
            raise BadInput(
                f"{self.name} returns embeddings of dimension {len(rows[0])}, but ASOF_EMBEDDING_DIMENSION is "
                f"{self.dimension}.",
                f"Set ASOF_EMBEDDING_DIMENSION to {len(rows[0])} or less.",
            )
        vectors = np.array(rows, np.float32)
        lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        return (vectors / lengths).astype(np.float32)

    def embed_question(self, text: str) -> NDArray[np.float32]:
        """The vector of a question, kept for when it is asked again."""
        return self._asked(text)

    def _one(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self.embed([text or " "])[0]
        return vector

    def _made(self, texts: list[str]) -> list[list[float]]:
        with self._opening:
            if self._client is None:
                self._client = self._open()
        try:
            return self._bridge.run(self._client.create_batch([text or " " for text in texts]), timeout=_SECONDS)
        except AsofError as error:
            raise EmbedderUnavailable(f"{self.name} did not respond within {_SECONDS:g} seconds.") from error
        except Exception as error:  # each provider has errors of its own
            reason = str(error).partition("\n")[0][:200]
            raise EmbedderUnavailable(
                f"{self.name} returned no embeddings: {reason}", "Check the key and the address of the model."
            ) from error


def _opened(provider: Provider, model: str, dimension: int) -> EmbedderClient:
    """Graphiti's client. Raises `EmbedderUnavailable` where it lacks a key or its package."""
    try:
        if provider == "openai":
            from graphiti_core.embedder.openai import OpenAIEmbedder, OpenAIEmbedderConfig

            return OpenAIEmbedder(OpenAIEmbedderConfig(embedding_model=model, embedding_dim=dimension))
        from graphiti_core.embedder.voyage import VoyageAIEmbedder, VoyageAIEmbedderConfig

        return VoyageAIEmbedder(VoyageAIEmbedderConfig(embedding_model=model, embedding_dim=dimension))
    except Exception as error:
        reason = str(error).partition("\n")[0][:200]
        raise EmbedderUnavailable(
            f"Asof cannot use the embedding model {provider}:{model}: {reason}",
            "Check that its key is set and its package is installed.",
        ) from error
