"""Trains the second look on the trained network: python -m training.train_entity_pass [--start FILE] [--seeds 3]

It begins with the network's own weights, which stay as they are, and learns to tell what is true of one entity of a
text where that entity is marked.
"""

import argparse
import random
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax

from services.extraction.learned.network import AGAIN_FILE, WEIGHTS_FILE
from services.retrieval.minilm import WIDTH
from training.examples import FACT, NO_LESSON, RELATIONS, Example
from training.jax_network import (
    Keys,
    Weights,
    begun,
    dropping,
    encoded,
    ends,
    keeping,
    pair_logits,
    span_scores,
)
from training.train_reader import (
    ENTITIES,
    OWN_NAMES,
    Batch,
    batches,
    mentions,
    namings,
    optimizer_of,
    padded,
    per_epoch,
)
from training.weights import averaged, read_weights, write_weights

SUBJECTS = 2
"""Entities of a text that are marked in turn each time."""
SHARE = 0.8
"""Of the network's own rates."""
_LEAST_SEEN = 0.02
_REFUSED, _OUT = -5e3, -1e4
_FIRST_LAYER = "0."


def main() -> None:
    """Trains and writes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--seeds", type=int, default=1, help="train so many times, and write the mean of the weights")
    parser.add_argument("--start", type=Path, help="a second look to go on from, instead of the network itself")
    parser.add_argument("--out", type=Path, default=AGAIN_FILE)
    chosen = parser.parse_args()
    jax.config.update("jax_default_prng_impl", "unsafe_rbg")
    texts = namings(random.Random(0))
    print(f"{len(texts)} texts, {sum(map(len, texts))} with other names", flush=True)
    network, _ = read_weights(WEIGHTS_FILE)
    first = read_weights(chosen.start)[0] if chosen.start else first_look(network)
    learned = [trained(texts, network, first, chosen.epochs, seed) for seed in range(chosen.seeds)]
    write_weights(chosen.out, averaged(learned), RELATIONS)


def first_look(network: Mapping[str, "np.ndarray"]) -> dict[str, "np.ndarray"]:
    """The network's weights above its first layer, and a mark that says nothing yet."""
    left_out = (_FIRST_LAYER, "span_", "date_")
    kept = {name: value for name, value in network.items() if not name.startswith(left_out) and name != "shape"}
    return kept | {"about": np.zeros(WIDTH, np.float32)}


def trained(
    texts: Sequence[Sequence[Example]],
    network: Mapping[str, "np.ndarray"],
    first: Mapping[str, "np.ndarray"],
    epochs: int,
    seed: int,
) -> Weights:
    """The second look's weights after so many times through the texts."""
    chance = random.Random(seed)
    fixed = {name: jnp.asarray(value) for name, value in network.items()}
    weights = {name: jnp.asarray(value) for name, value in first.items()}
    optimizer = optimizer_of(weights, epochs * per_epoch(texts), SHARE)
    state = optimizer.init(weights)
    key = jax.random.key(seed)

    @jax.jit
    def step(
        weights: Weights, state: optax.OptState, batch: Batch, key: jax.Array
    ) -> tuple[Weights, optax.OptState, jax.Array]:
        (_, parts), gradient = jax.value_and_grad(loss, has_aux=True)(weights, fixed, batch, key)
        updates, state = optimizer.update(gradient, state, weights)
        return optax.apply_updates(weights, updates), state, jnp.stack(parts)

    for epoch in range(epochs):
        started, parts = time.perf_counter(), []
        shown = [some[0] if chance.random() < OWN_NAMES else chance.choice(some) for some in texts]
        for some in batches(shown, chance):
            key, own = jax.random.split(key)
            weights, state, losses = step(weights, state, padded(some), own)
            parts.append(losses)
        none, facts = np.mean(parts, axis=0)
        print(
            f"epoch {epoch}: no facts {none:.3f}, facts {facts:.3f}; {time.perf_counter() - started:.0f} s", flush=True
        )
    return weights


def loss(weights: Weights, network: Weights, batch: Batch, key: jax.Array) -> tuple[jax.Array, tuple[jax.Array, ...]]:
    """Of what is said of a few entities of each text: per entity, and its two parts."""
    drawn, key = jax.random.split(key)
    below, (first, last, entity, is_span), logits = _first_look(network, batch)
    chosen, is_subject = subjects(drawn, batch.facts, logits, entity, is_span)
    group = (chosen[..., None] == jnp.arange(first.shape[1])) | (
        (jnp.take_along_axis(entity, chosen, 1)[..., None] == entity[:, None]) & (entity[:, None] > 0)
    )
    pieces = jnp.arange(below.shape[1])
    stands = (first[..., None] <= pieces) & (pieces <= last[..., None]) & is_span[..., None]
    about = (group[..., None] & stands[:, None]).any(2)
    again = flat(jnp.repeat(below[:, None], SUBJECTS, 1)) + flat(about)[..., None] * weights["about"]
    mask, shapes, first, last, stands = (
        flat(jnp.repeat(one[:, None], SUBJECTS, 1)) for one in (batch.mask, batch.shapes, first, last, stands)
    )
    keys = dropping(key)
    x = encoded(weights, again, shapes, mask, keys)
    logits = relations_of(weights, x, mask, first, last, flat(group), keys)[:, 0]
    is_apart = ~(stands & flat(about)[:, None]).any(-1)
    of_none, of_facts = _losses(batch, logits, chosen, is_subject, entity, is_span, is_apart)
    return of_none + of_facts, (of_none, of_facts)


def _first_look(network: Weights, batch: Batch) -> tuple[jax.Array, tuple[jax.Array, ...], jax.Array]:
    """What the network itself makes of a batch: its first layer, its mentions, and what it says of their pairs."""
    below = begun(network, batch.states, batch.shapes, batch.mask, keeping())
    x = encoded(network, below, batch.shapes, batch.mask, keeping())
    found = mentions(span_scores(network, x, batch.mask), batch.names)
    first, last = found[:2]
    named = ends(x, first, last)
    between = first[:, None] - first[:, :, None]
    return below, found, pair_logits(network, x, batch.mask, named, named, between, keeping())


def subjects(
    key: jax.Array, facts: jax.Array, logits: jax.Array, entity: jax.Array, is_span: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """A mention of each entity to mark, and whether there is one.

    Drawn from those of whom facts are told, and from those of whom the network seems to see one.
    """
    number = jnp.clip(entity, 0)
    has_fact = jnp.take_along_axis((facts == FACT).any((2, 3)), number, 1) & (entity > 0)
    same = (entity[:, :, None] == entity[:, None]) & (entity[:, None] > 0)
    count = entity.shape[1]
    is_again = (same & jnp.tril(jnp.ones((count, count), bool), -1)).any(2)
    other = is_span[:, None] & ~same & ~jnp.eye(count, dtype=bool)
    seen = jax.nn.sigmoid(jnp.where(other[..., None], logits, _OUT).max((2, 3)))
    seen = jnp.maximum(seen, jnp.where(same, seen[:, None], 0).max(2))
    weight = jnp.where(is_span & (entity != NO_LESSON) & ~is_again, jnp.maximum(seen, _LEAST_SEEN) + has_fact, 0)
    drawn = jnp.log(weight + 1e-9) + jax.random.gumbel(key, weight.shape)
    _, chosen = jax.lax.top_k(drawn, SUBJECTS)
    return chosen, jnp.take_along_axis(weight, chosen, 1) > 0


def relations_of(
    of: Weights, x: jax.Array, mask: jax.Array, first: jax.Array, last: jax.Array, group: jax.Array, keys: Keys
) -> jax.Array:
    """Batch x 1 x mentions x relations: what is said of the entity whose mentions `group` marks."""
    named = ends(x, first, last)
    share = group / jnp.maximum(group.sum(-1, keepdims=True), 1)
    source = jnp.einsum("bm,bmw->bw", share, named)[:, None]
    far = first[:, None, :] - first[:, :, None]  # from each of the group to each mention
    nearest = jnp.where(group[..., None], jnp.abs(far), 10_000).argmin(1)
    between = jnp.take_along_axis(far, nearest[:, None], 1)
    return pair_logits(of, x, mask, source, named, between, keys)


def _losses(
    batch: Batch,
    logits: jax.Array,
    chosen: jax.Array,
    is_subject: jax.Array,
    entity: jax.Array,
    is_span: jax.Array,
    is_apart: jax.Array,
) -> tuple[jax.Array, jax.Array]:
    subject = jnp.clip(jnp.take_along_axis(entity, chosen, 1), 0)
    facts = flat(jnp.take_along_axis(batch.facts, subject[:, :, None, None], 1))
    facts = jnp.where((flat(subject) > 0)[:, None, None], facts, 0)
    number = flat(jnp.repeat(jnp.clip(entity, 0)[:, None], SUBJECTS, 1))
    taught = flat(jnp.repeat((is_span & (entity != NO_LESSON))[:, None], SUBJECTS, 1)) & is_apart
    taught &= flat(is_subject)[:, None]
    labels = jnp.where((number > 0)[..., None], jax.vmap(lambda of, at: of[at])(facts, number), 0)
    of_none = jnp.where((labels == 0) & taught[..., None], jax.nn.softplus(logits), 0).sum() / len(logits)
    taught_logits = jnp.where((taught & (number > 0))[..., None], logits, _OUT)
    best = jax.vmap(partial(jax.ops.segment_max, num_segments=ENTITIES))(taught_logits, number)
    of_facts = jnp.where((facts == FACT) & (best > _REFUSED), jax.nn.softplus(-best), 0).sum() / len(logits)
    return of_none, of_facts


def flat(a: jax.Array) -> jax.Array:
    """Texts and their subjects in one row."""
    return a.reshape(-1, *a.shape[2:])


if __name__ == "__main__":
    main()
