"""The network: three layers of a transformer over the states of MiniLM's lower three, spans, and relations of pairs.

The layers are BERT's (Devlin et al., NAACL 2019). Spans are scored by their two ends, as in GlobalPointer (Su et al.,
arXiv 2208.03054); a pair of mentions by what stands at both and by the words that both attend to, after ATLOP (Zhou et
al., AAAI 2021). A second look at one entity at a time, its pieces marked, tells what is said of it and not of its
neighbours: that marks do this, Zhong and Chen have shown (NAACL 2021). Trained by training/.
"""

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from services.retrieval.onnx_model import OnnxModel

Array = NDArray[np.floating]

LONGEST_SPAN = 24
"""Word pieces of a name."""
WEIGHTS_FILE = Path(__file__).parent / "reader.npz"
AGAIN_FILE = Path(__file__).parent / "again.npz"

HEADS = 12
_CONTEXTS = 4


class Network:
    """The trained weights at `path`, and what they make of one passage at a time."""

    def __init__(self, path: Path) -> None:
        self._weights, self.relations = read_heads(path)
        first, upper = first_layer_file(path), upper_layers_file(path)
        self._first = OnnxModel(first.read_bytes()) if first.exists() else None
        self._upper = OnnxModel(upper.read_bytes())

    def begun(self, states: Array, shapes: NDArray[np.int64]) -> Array:
        """The pieces of a passage after the first of the upper layers, from their lower states and their shapes."""
        assert self._first is not None, "the second look goes on from the first layer of the network itself"
        return self._first.run("encoded", {"states": states + self._weights["shape"][shapes]})

    def encoded(self, begun: Array, shapes: NDArray[np.int64]) -> Array:
        """The pieces of a passage after the other layers, a row each."""
        return self._upper.run("encoded", {"states": begun}) + self._weights["shape_above"][shapes]

    def spans(self, x: Array) -> Array:
        """The score of each span as a name: a row for each first piece, a column for the number of pieces after it."""
        of = self._weights
        pieces = len(x)
        pairs = (x @ of["span_first"]) @ (x @ of["span_last"]).T / 8
        pairs = pairs + x @ of["span_opening"] + (x @ of["span_closing"]).T
        scores = np.full((pieces, LONGEST_SPAN), -np.inf, np.float32)
        for more in range(min(LONGEST_SPAN, pieces)):
            scores[: pieces - more, more] = np.diagonal(pairs, more) + of["span_length"][more]
        return scores

    def pairs(self, x: Array, first: NDArray[np.int64], last: NDArray[np.int64]) -> Array:
        """What each mention is to each other: mentions x mentions x 192."""
        ends = _ends(x, first, last)
        return self._paired(x, ends, ends, first[None, :] - first[:, None])

    def relations_of(
        self,
        begun: Array,
        shapes: NDArray[np.int64],
        first: NDArray[np.int64],
        last: NDArray[np.int64],
        subject: NDArray[np.int64],
    ) -> Array:
        """How probable each relation is from one entity to each mention: mentions x relations.

        `subject` has the numbers of its mentions; their pieces are marked before the layers above the first.
        """
        about = np.zeros(len(begun), np.float32)
        for mention in subject:
            about[first[mention] : last[mention] + 1] = 1
        x = self.encoded(begun + about[:, None] * self._weights["about"], shapes)
        ends = _ends(x, first, last)
        far = first[None, :] - first[subject][:, None]
        nearest = np.take_along_axis(far, np.abs(far).argmin(axis=0)[None], 0)
        return self.probable(self._paired(x, ends[subject].mean(axis=0)[None], ends, nearest)[0])

    def _paired(self, x: Array, sources: Array, targets: Array, between: NDArray[np.int64]) -> Array:
        """What sources are to targets by what stands at their ends, and the pieces from one to the other."""
        of = self._weights
        source, target = sources @ of["source"] + of["source_bias"], targets @ of["target"] + of["target_bias"]
        z: Array = source[:, None] + target[None] + self._context(x, _middle(sources), _middle(targets))
        z = z + of["distance"][distances(between)]
        z = _gelu(z + source[:, None] * target[None] * of["product"] + of["pair_bias"])
        paired: Array = _gelu(z @ of["hidden"] + of["hidden_bias"]) + z
        return paired

    def probable(self, paired: Array) -> Array:
        """How probable each relation is between mentions: in the place of the 192 numbers of each pair."""
        return _sigmoid(paired @ self._weights["relation"] + self._weights["relation_bias"])

    def edges(self, features: Array) -> Array:
        """How probable it is that a date starts a fact, and that it ends it: facts and dates x 2 (`dates.features`)."""
        of = self._weights
        seen = np.maximum(features @ of["date_hidden"] + of["date_hidden_bias"], 0)
        return _sigmoid(seen @ of["date_edge"] + of["date_edge_bias"])

    def _context(self, x: Array, sources: Array, targets: Array) -> Array:
        """What stands where both mentions of a pair look."""
        of = self._weights
        keys, values = _split(x @ of["context_key"]), _split(x @ of["context_value"])
        width = np.sqrt(keys.shape[-1])
        source, target = (
            _split(mentions @ of[f"context_{end}"]) @ keys.transpose(0, 2, 1) / width
            for end, mentions in (("source", sources), ("target", targets))
        )
        both = _softmax(source[:, :, None] + target[:, None])
        seen = both.reshape(_CONTEXTS, len(sources) * len(targets), -1) @ values
        return seen.transpose(1, 0, 2).reshape(len(sources), len(targets), -1)


@lru_cache(maxsize=1)
def network() -> Network:
    """The network with the weights that Asof has, loaded on first use.

    From then on numpy multiplies matrices on one processor in this process: these are small, and where something else
    is at work two wait for each other, ten times as long.
    """
    threadpool_limits(1, "blas")
    return Network(WEIGHTS_FILE)


@lru_cache(maxsize=1)
def second_look() -> Network:
    """The network that looks again, at what is said of one entity, loaded on first use."""
    return Network(AGAIN_FILE)


def read_heads(path: Path) -> tuple[dict[str, Array], tuple[str, ...]]:
    """The weights of the heads by name, and the relations; matrices are kept as bytes with a scale for each column."""
    with np.load(path) as kept:
        names = {name.removesuffix(":scale") for name in kept.files if name != "relations"}
        weights: dict[str, Array] = {
            name: kept[name].astype(np.float32) * (kept[f"{name}:scale"] if f"{name}:scale" in kept.files else 1)
            for name in names
        }
        return weights, tuple(str(name) for name in kept["relations"])


def first_layer_file(path: Path) -> Path:
    """The model of the first layer above MiniLM's, beside the weights of the heads."""
    return path.with_suffix(".first.onnx")


def upper_layers_file(path: Path) -> Path:
    """The model of the layers above the first."""
    return path.with_suffix(".upper.onnx")


def distances(between: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many pieces are between, as one of 16 classes: powers of two, forwards from 8 on."""
    return np.clip(np.floor(np.log2(np.abs(between) + 1.0)), 0, 7).astype(int) + np.where(between > 0, 8, 0)


def _ends(x: Array, first: NDArray[np.int64], last: NDArray[np.int64]) -> Array:
    return np.concatenate([x[first], x[last]], axis=1)


def _middle(ends: Array) -> Array:
    first, last = np.split(ends, 2, axis=1)
    middle: Array = (first + last) / 2
    return middle


def _sigmoid(x: Array) -> Array:
    probable: Array = 1 / (1 + np.exp(-x))
    return probable


def _split(x: Array) -> Array:
    return x.reshape(len(x), _CONTEXTS, -1).transpose(1, 0, 2)


def _softmax(x: Array) -> Array:
    raised = np.exp(x - x.max(-1, keepdims=True))
    return raised / raised.sum(-1, keepdims=True)


def _gelu(x: Array) -> Array:
    """The exact one, with an approximation of erf that is off by at most 1.5e-7 (Abramowitz and Stegun 7.1.26)."""
    scaled = np.abs(x) / np.sqrt(np.float32(2))
    t = 1 / (1 + 0.3275911 * scaled)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    result: Array = x / 2 * (1 + np.sign(x) * (1 - series * np.exp(-(scaled**2))))
    return result
