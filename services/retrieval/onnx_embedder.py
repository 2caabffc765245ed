"""A model of your own that makes vectors: a setting names its folder, and docs/guide/search.md says what it holds."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from services.core.errors import BadInput, EmbedderUnavailable
from services.core.json_documents import read_json
from services.core.weight_digests import sha256_of
from services.retrieval.embedder import LocalEmbedder
from services.retrieval.onnx_model import OnnxModel

_MODEL, _TOKENIZER, _POOLING = "model.onnx", "tokenizer.json", "1_Pooling/config.json"
_HINT = "See docs/guide/search.md for the files of a model folder."
_WHOLE = "sentence_embedding"
"""The output of models that pool the states themselves."""
_LONGEST = 512
"""Pieces of a text that are read where the tokenizer does not say how many."""


class OnnxEmbedder(LocalEmbedder):
    """A sentence encoder in ONNX's format. Its name has a digest of its files, so that another model under the same
    name is another model."""

    def __init__(self, folder: Path) -> None:
        """Load the model. Raises `BadInput` for a folder that holds none that can be used."""
        super().__init__()
        needed = [folder / _MODEL, folder / _TOKENIZER]
        if missing := [path for path in needed if not path.is_file()]:
            raise BadInput(f"ASOF_EMBEDDER: there is no file {missing[0]}.", _HINT)
        pooling = folder / _POOLING
        digests = sha256_of([*needed, *([pooling] if pooling.is_file() else [])])
        self.name = f"onnx:{folder.name}@{'.'.join(digest[:8] for digest in digests)}"
        self._pieces = _tokenizer(folder / _TOKENIZER)
        self._takes_first = pooling.is_file() and _takes_first(pooling)
        self._model = _model(folder / _MODEL)
        self._output = _WHOLE if _WHOLE in self._model.outputs else self._model.outputs[0]
        try:
            self.dimension = len(self._pooled("A short text to test the model."))
        except EmbedderUnavailable as error:
            raise BadInput(f"ASOF_EMBEDDER: {folder / _MODEL} does not turn text into embeddings.", _HINT) from error

    def _pooled(self, text: str) -> NDArray[np.float32]:
        encoded = self._pieces.encode(text)
        ids = np.array([encoded.ids], np.int64)
        known = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        try:
            states: NDArray[np.float32] = self._model.run(
                self._output, {name: known[name] for name in self._model.inputs}
            )[0]
        except Exception as error:  # onnxruntime has a class for each of its errors, and no name for them all
            raise EmbedderUnavailable(f"{self.name} returned no embedding.", _HINT) from error
        if states.ndim > 1:  # a state for each piece
            states = states[0] if self._takes_first else states.mean(axis=0)
        if states.ndim != 1 or not np.isfinite(states).all():
            raise EmbedderUnavailable(f"{self.name} returned a result that is not an embedding.", _HINT)
        return states


def _model(path: Path) -> OnnxModel:
    try:
        return OnnxModel(path.read_bytes())
    except Exception as error:
        raise BadInput(f"ASOF_EMBEDDER: Asof cannot load {path} as an ONNX model.", _HINT) from error


def _tokenizer(path: Path) -> Tokenizer:
    try:
        read = Tokenizer.from_file(str(path))
    except Exception as error:  # it has no class of its own
        raise BadInput(f"ASOF_EMBEDDER: Asof cannot read {path} as a tokenizer.", _HINT) from error
    read.no_padding()
    read.enable_truncation((read.truncation or {"max_length": _LONGEST})["max_length"])
    return read


def _takes_first(path: Path) -> bool:
    """True where the state of the first piece stands for the text; otherwise the mean of all does."""
    return read_json(f"ASOF_EMBEDDER: {path}", path.read_bytes(), _HINT).get("pooling_mode_cls_token") is True
