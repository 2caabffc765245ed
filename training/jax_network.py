"""The network of `services.extraction.learned.network` for a batch of passages, so that it can be trained.

Weights have the names that they have there. Batches are padded: `mask` is 1 where a passage has a piece.
"""

from collections.abc import Iterator, Mapping
from itertools import repeat

import jax
import jax.numpy as jnp
import numpy as np
import onnx
from onnx import numpy_helper

from services.extraction.learned.dates import DISTANCES, KINDS
from services.extraction.learned.network import LONGEST_SPAN
from services.extraction.learned.passages import SHAPES
from services.retrieval import minilm

Weights = Mapping[str, jax.Array]
Keys = Iterator[jax.Array | None]
"""What chance is drawn by where numbers are dropped; None where they are kept."""

LAYERS = 3
_HEADS, _CONTEXTS = 12, 4
_SPAN, _PAIR, _CONTEXT, _DISTANCES, _DATE = 64, 192, 96, 20, 64
_DROPPED = 0.1
_FIRST_MATRIX = 264
"""The number that the installed model's file gives the first matrix of its fourth layer; the others follow in steps."""
_MATRICES = {"query": 0, "key": 8, "value": 16, "attend": 54, "wide": 58, "narrow": 67}
_STEP = 71
_VECTORS = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "attend": "attention.output.dense",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
    "attended": "attention.output.LayerNorm",
    "fed": "output.LayerNorm",
}


def first_weights(relations: int, seed: int) -> dict[str, "np.ndarray"]:
    """The installed model's upper layers, and heads at random."""
    chance = np.random.default_rng(seed)
    width = minilm.WIDTH

    def matrix(rows: int, columns: int, scale: float = 1.0) -> "np.ndarray":
        return chance.normal(0, scale / np.sqrt(rows), (rows, columns)).astype(np.float32)

    def filled(value: float, *shape: int) -> "np.ndarray":
        return np.full(shape, value, np.float32)

    return _installed_layers() | {
        "shape": filled(0, SHAPES, width),
        "shape_above": matrix(SHAPES, width, 0.02 * np.sqrt(SHAPES)),
        "span_first": matrix(width, _SPAN),
        "span_last": matrix(width, _SPAN),
        "span_opening": matrix(width, 1),
        "span_closing": matrix(width, 1),
        "span_length": filled(-3, LONGEST_SPAN),
        "source": matrix(2 * width, _PAIR),
        "source_bias": filled(0, _PAIR),
        "target": matrix(2 * width, _PAIR),
        "target_bias": filled(0, _PAIR),
        "context_source": matrix(width, _CONTEXT),
        "context_target": matrix(width, _CONTEXT),
        "context_key": matrix(width, _CONTEXT),
        "context_value": matrix(width, _PAIR),
        "distance": matrix(_DISTANCES, _PAIR, 0.02 * np.sqrt(_DISTANCES)),
        "product": filled(0.3, _PAIR),
        "pair_bias": filled(0, _PAIR),
        "hidden": matrix(_PAIR, _PAIR),
        "hidden_bias": filled(0, _PAIR),
        "relation": matrix(_PAIR, relations, 0.3),
        "relation_bias": filled(-4, relations),
        "date_hidden": matrix(_PAIR + 2 * width + relations + len(KINDS) + 2 * DISTANCES, _DATE),
        "date_hidden_bias": filled(0, _DATE),
        "date_edge": matrix(_DATE, 2),
        "date_edge_bias": filled(-1, 2),
    }


def _installed_layers() -> dict[str, "np.ndarray"]:
    kept = {one.name: one for one in onnx.load(str(minilm.model_path())).graph.initializer}

    def read(name: str) -> "np.ndarray":
        return numpy_helper.to_array(kept[name]).astype(np.float32)

    weights: dict[str, np.ndarray] = {}
    for layer in range(LAYERS):
        for name, step in _MATRICES.items():
            number = _FIRST_MATRIX + layer * _STEP + step
            weights[f"{layer}.{name}"] = read(f"val_{number}_q") * read(f"val_{number}_scale")
        for name, vector in _VECTORS.items():
            path = f"inner.encoder.layer.{layer + LAYERS}.{vector}"
            weights[f"{layer}.{name}_bias"] = read(f"{path}.bias")
            if name in ("attended", "fed"):
                weights[f"{layer}.{name}"] = read(f"{path}.weight")
    return weights


def begun(of: Weights, states: jax.Array, shapes: jax.Array, mask: jax.Array, keys: Keys) -> jax.Array:
    """Batch x pieces x 384: after the first layer, which does not know yet what is asked about."""
    return _layer(of, "0.", states + jax.nn.one_hot(shapes, SHAPES) @ of["shape"], mask, keys)


def encoded(of: Weights, x: jax.Array, shapes: jax.Array, mask: jax.Array, keys: Keys) -> jax.Array:
    """Batch x pieces x 384: after the other layers."""
    for layer in range(1, LAYERS):
        x = _layer(of, f"{layer}.", x, mask, keys)
    return _dropped(next(keys), x + jax.nn.one_hot(shapes, SHAPES) @ of["shape_above"])


def dropping(key: jax.Array) -> Keys:
    """A key for each place where numbers are dropped."""
    while True:
        key, own = jax.random.split(key)
        yield own


def keeping() -> Keys:
    """Where nothing is dropped."""
    return repeat(None)


def span_scores(of: Weights, x: jax.Array, mask: jax.Array) -> jax.Array:
    """Batch x first pieces x pieces after it."""
    pieces = x.shape[1]

    def slid(a: jax.Array) -> jax.Array:
        wide = jnp.pad(a, ((0, 0), (0, LONGEST_SPAN)))
        return jnp.stack([wide[:, more : more + pieces] for more in range(LONGEST_SPAN)], 2)

    first, last = x @ of["span_first"], jnp.pad(x @ of["span_last"], ((0, 0), (0, LONGEST_SPAN), (0, 0)))
    both = jnp.stack([(first * last[:, more : more + pieces]).sum(-1) for more in range(LONGEST_SPAN)], 2) / 8
    scores = both + x @ of["span_opening"] + slid((x @ of["span_closing"])[..., 0]) + of["span_length"]
    return jnp.where(slid(mask) > 0, scores, -1e4)


def ends(x: jax.Array, first: jax.Array, last: jax.Array) -> jax.Array:
    """Batch x mentions x 768: what stands at the first and at the last piece of each."""
    pieces = x.shape[1]
    return jnp.concatenate([jax.nn.one_hot(first, pieces) @ x, jax.nn.one_hot(last, pieces) @ x], -1)


def pair_logits(
    of: Weights, x: jax.Array, mask: jax.Array, sources: jax.Array, targets: jax.Array, between: jax.Array, keys: Keys
) -> jax.Array:
    """Batch x sources x targets x relations, before the sigmoid, by their ends and the pieces from one to the other."""
    return relation_logits(of, pairs(of, x, mask, sources, targets, between, keys))


def relation_logits(of: Weights, paired: jax.Array) -> jax.Array:
    """The relations of pairs, before the sigmoid, in the place of what their ends are to each other."""
    return paired @ of["relation"] + of["relation_bias"]


def pairs(
    of: Weights, x: jax.Array, mask: jax.Array, sources: jax.Array, targets: jax.Array, between: jax.Array, keys: Keys
) -> jax.Array:
    """Batch x sources x targets x 192: what they are to each other."""
    source, target = sources @ of["source"] + of["source_bias"], targets @ of["target"] + of["target_bias"]
    z = source[:, :, None] + target[:, None] + _context(of, x, mask, _middle(sources), _middle(targets))
    z = z + _distances(between, _DISTANCES) @ of["distance"]
    z = z + source[:, :, None] * target[:, None] * of["product"] + of["pair_bias"]
    z = _dropped(next(keys), jax.nn.gelu(z, approximate=False))
    return jax.nn.gelu(z @ of["hidden"] + of["hidden_bias"], approximate=False) + z


def date_logits(
    of: Weights,
    x: jax.Array,
    paired: jax.Array,
    relation: jax.Array,
    ends: tuple[jax.Array, jax.Array],
    dates: tuple[jax.Array, jax.Array, jax.Array],
    keys: Keys,
) -> jax.Array:
    """Batch x facts x dates x 2: that a date starts a fact, and that it ends it, before the sigmoid.

    Of facts there are what their ends are to each other, the number of their relation, and their ends' first pieces; of
    dates the first and the last pieces and the number of the kind. The rows are those of
    `services.extraction.learned.dates.features`.
    """
    first, last, kind = dates
    pieces = x.shape[1]
    of_dates = [jax.nn.one_hot(at, pieces) @ x for at in (first, last)]
    of_facts = [paired, jax.nn.one_hot(relation, len(of["relation_bias"]))]
    shape = (*relation.shape, first.shape[1])
    of_facts = [jnp.broadcast_to(one[:, :, None], (*shape, one.shape[-1])) for one in of_facts]
    of_dates = [
        jnp.broadcast_to(one[:, None], (*shape, one.shape[-1])) for one in (*of_dates, jax.nn.one_hot(kind, len(KINDS)))
    ]
    far = [_distances(first[:, None] - end[:, :, None], DISTANCES) for end in ends]
    features = jnp.concatenate([of_facts[0], *of_dates[:2], of_facts[1], of_dates[2], *far], -1)
    hidden = jax.nn.relu(_dropped(next(keys), features) @ of["date_hidden"] + of["date_hidden_bias"])
    return _dropped(next(keys), hidden) @ of["date_edge"] + of["date_edge_bias"]


def _distances(between: jax.Array, classes: int) -> jax.Array:
    """How many pieces are between, as the classes of `services.extraction.learned.network.distances`."""
    far = jnp.clip(jnp.floor(jnp.log2(jnp.abs(between) + 1.0)), 0, 7).astype(int) + jnp.where(between > 0, 8, 0)
    return jax.nn.one_hot(far, classes)


def _middle(both: jax.Array) -> jax.Array:
    width = both.shape[-1] // 2
    return (both[..., :width] + both[..., width:]) / 2


def _context(of: Weights, x: jax.Array, mask: jax.Array, sources: jax.Array, targets: jax.Array) -> jax.Array:
    def split(a: jax.Array) -> jax.Array:
        return a.reshape(*a.shape[:2], _CONTEXTS, -1)

    keys, values = split(x @ of["context_key"]), split(x @ of["context_value"])
    source, target = (
        jnp.einsum("bmhd,bthd->bmht", split(mentions @ of[f"context_{end}"]), keys) / np.sqrt(keys.shape[-1])
        + (mask[:, None, None] - 1) * 1e9
        for end, mentions in (("source", sources), ("target", targets))
    )
    both = jax.nn.softmax(source[:, :, None] + target[:, None], -1)
    seen = jnp.einsum("bmnht,bthd->bmnhd", both, values)
    return seen.reshape(*seen.shape[:3], -1)


def _layer(of: Weights, at: str, x: jax.Array, mask: jax.Array, keys: Keys) -> jax.Array:
    batch, pieces, width = x.shape

    def linear(name: str, a: jax.Array) -> jax.Array:
        return a @ of[f"{at}{name}"] + of[f"{at}{name}_bias"]

    def split(name: str) -> jax.Array:
        return linear(name, x).reshape(batch, pieces, _HEADS, width // _HEADS).transpose(0, 2, 1, 3)

    query, key, value = (split(name) for name in ("query", "key", "value"))
    scores = query @ key.transpose(0, 1, 3, 2) / np.sqrt(width // _HEADS) + (mask[:, None, None, :] - 1) * 1e9
    looked = (jax.nn.softmax(scores, -1) @ value).transpose(0, 2, 1, 3).reshape(x.shape)
    x = _normed(of, f"{at}attended", x + _dropped(next(keys), linear("attend", looked)))
    wide = jax.nn.gelu(linear("wide", x), approximate=False)
    return _normed(of, f"{at}fed", x + _dropped(next(keys), linear("narrow", wide)))


def _normed(of: Weights, name: str, x: jax.Array) -> jax.Array:
    centred = x - x.mean(-1, keepdims=True)
    return centred / jnp.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12) * of[name] + of[f"{name}_bias"]


def _dropped(key: jax.Array | None, x: jax.Array) -> jax.Array:
    if key is None:
        return x
    return jnp.where(jax.random.bernoulli(key, 1 - _DROPPED, x.shape), x / (1 - _DROPPED), 0)
