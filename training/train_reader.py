"""Trains the network and writes its weights: python -m training.train_reader [--start FILE] [--epochs 6] [--seeds 3]"""

import argparse
import random
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax

from services.extraction.learned.dates import KINDS
from services.extraction.learned.network import LONGEST_SPAN, WEIGHTS_FILE
from services.retrieval.minilm import WIDTH
from training.examples import FACT, NO_LESSON, RELATIONS, Example, Row, example, is_kept_out, rows
from training.jax_network import (
    Keys,
    Weights,
    begun,
    date_logits,
    dropping,
    encoded,
    ends,
    first_weights,
    pairs,
    relation_logits,
    span_scores,
)
from training.renaming import pools, renamed
from training.weights import averaged, read_weights, write_weights

COPIES = 2
"""Other namings of each text."""
OWN_NAMES = 0.4
"""How often a text is shown with its own names."""
CHANGES_TIMES = 2
"""How many times a text on changes is shown for once that another is."""
BATCH = 16
ENTITIES = 24
MENTIONS = {32: 12, 48: 16, 72: 20, 112: 24, 200: 32}
"""How many mentions are paired, by the pieces that passages of a batch are padded to."""
DATED, DATES = 24, 10
"""How many facts of a text are dated, by how many dates."""
LAYERS_RATE, HEADS_RATE = 2.5e-4, 1.5e-3
GOING_ON = 0.5
"""The share of the rates for weights that are trained already."""
_SPAN_LOSS = 0.5
_NAME_WEIGHT = 2.0
_OUT, _REFUSED = -1e4, -5e3


@dataclass(frozen=True, slots=True)
class Batch:
    """Examples padded to one length. `names` has the number of the entity of each span, `facts` the labels.

    `dates` are the first and the last piece of each date and its kind; `dated` the source, relation and target of each
    fact that has some, `edges` which of the dates start it and end it, -1 where there is no date.
    """

    states: jax.Array
    shapes: jax.Array
    mask: jax.Array
    names: jax.Array
    facts: jax.Array
    dates: jax.Array
    dated: jax.Array
    edges: jax.Array


jax.tree_util.register_dataclass(Batch, [one.name for one in fields(Batch)], [])


def main() -> None:
    """Trains and writes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=13)
    parser.add_argument("--seeds", type=int, default=1, help="train so many times, and write the mean of the weights")
    parser.add_argument("--start", type=Path, help="weights to go on from, by half the rates, instead of MiniLM's own")
    parser.add_argument("--out", type=Path, default=WEIGHTS_FILE)
    chosen = parser.parse_args()
    jax.config.update("jax_default_prng_impl", "unsafe_rbg")  # the default one takes a third of the time
    texts = namings(random.Random(0))
    print(f"{len(texts)} texts, {sum(map(len, texts))} with other names", flush=True)
    weights = first_weights(len(RELATIONS), seed=0)
    if chosen.start:
        known, _ = read_weights(chosen.start)
        weights = {name: known[name] for name in weights}
    share = GOING_ON if chosen.start else 1.0
    learned = [trained(texts, weights, chosen.epochs, share, seed) for seed in range(chosen.seeds)]
    write_weights(chosen.out, averaged(learned), RELATIONS)


def namings(chance: random.Random) -> list[list[Example]]:
    """Each text to learn from, with its own names first."""
    learned = [row for row in rows() if not is_kept_out(row) for _ in range(_times(row))]
    names = pools(learned)
    copies = [[row, *(renamed(row, names, chance) for _ in range(COPIES))] for row in learned]
    shown = [[example(row) for row in some if row is not None] for some in copies]
    return [kept for some in shown if (kept := [one for one in some if one is not None])]


def _times(row: Row) -> int:
    return CHANGES_TIMES if row["set"].startswith("changes") else 1


def trained(
    texts: Sequence[Sequence[Example]],
    first: Mapping[str, "np.ndarray"],
    epochs: int,
    share: float,
    seed: int,
) -> Weights:
    """The weights after so many times through the texts, by a share of the usual rates."""
    chance = random.Random(seed)
    weights = {name: jnp.asarray(value) for name, value in first.items()}
    optimizer = optimizer_of(weights, epochs * per_epoch(texts), share)
    state = optimizer.init(weights)
    key = jax.random.key(seed)

    @jax.jit
    def step(
        weights: Weights, state: optax.OptState, batch: Batch, key: jax.Array
    ) -> tuple[Weights, optax.OptState, jax.Array]:
        (_, parts), gradient = jax.value_and_grad(loss, has_aux=True)(weights, batch, key)
        updates, state = optimizer.update(gradient, state, weights)
        return optax.apply_updates(weights, updates), state, jnp.stack(parts)

    for epoch in range(epochs):
        started, parts = time.perf_counter(), []
        shown = [some[0] if chance.random() < OWN_NAMES else chance.choice(some) for some in texts]
        for some in batches(shown, chance):
            key, own = jax.random.split(key)
            weights, state, losses = step(weights, state, padded(some), own)
            parts.append(losses)
        means = zip(("names", "no facts", "facts", "dates"), np.mean(parts, axis=0), strict=True)
        line = ", ".join(f"{name} {mean:.3f}" for name, mean in means)
        print(f"epoch {epoch}: {line}; {time.perf_counter() - started:.0f} s", flush=True)
    return weights


def per_epoch(texts: Sequence[Sequence[Example]]) -> int:
    """Steps once through the texts, at most."""
    return len(texts) // BATCH + len(MENTIONS)


def optimizer_of(weights: Weights, steps: int, share: float) -> optax.GradientTransformation:
    """AdamW by a share of the usual rates, which fall to nearly nothing over the steps."""

    def rate(most: float) -> optax.GradientTransformation:
        return optax.adamw(
            optax.warmup_cosine_decay_schedule(0, most, steps // 12, steps, most * 0.03), weight_decay=0.01
        )

    kinds = {name: "layers" if name[0].isdigit() else "heads" for name in weights}
    rates = optax.multi_transform({"layers": rate(share * LAYERS_RATE), "heads": rate(share * HEADS_RATE)}, kinds)
    return optax.chain(optax.clip_by_global_norm(5.0), rates)


def _length(one: Example) -> int:
    return next(length for length in MENTIONS if length >= len(one.passage.places))


def batches(shown: Sequence[Example], chance: random.Random) -> list[Sequence[Example]]:
    """Full batches of passages of like lengths; the last few of a length go with longer ones, or wait an epoch."""
    mixed = list(shown)
    chance.shuffle(mixed)
    waiting: dict[int, list[Example]] = defaultdict(list)
    full: list[Sequence[Example]] = []
    for one in mixed:
        waiting[_length(one)].append(one)
        if len(waiting[_length(one)]) == BATCH:
            full.append(waiting.pop(_length(one)))
    left = [one for length in sorted(waiting) for one in waiting[length]]
    full += [left[at : at + BATCH] for at in range(0, len(left) - BATCH + 1, BATCH)]
    chance.shuffle(full)
    return full


def padded(some: Sequence[Example]) -> Batch:
    """A batch of examples."""
    size, length = len(some), max(map(_length, some))
    states = np.zeros((size, length, WIDTH), np.float32)
    shapes, mask = np.zeros((size, length), np.int32), np.zeros((size, length), np.float32)
    names = np.zeros((size, length, LONGEST_SPAN), np.int32)
    facts = np.zeros((size, ENTITIES, ENTITIES, len(RELATIONS)), np.int8)
    dates, dated = np.zeros((size, 3, DATES), np.int32), np.zeros((size, 3, DATED), np.int32)
    edges = np.full((size, DATED, DATES, 2), NO_LESSON, np.int8)
    for at, one in enumerate(some):
        pieces = len(one.passage.places)
        states[at, :pieces], shapes[at, :pieces], mask[at, :pieces] = one.passage.states, one.passage.shapes, 1
        for (first, last), number in one.spans.items():
            names[at, first, last - first] = number if number < ENTITIES else NO_LESSON
        known = min(ENTITIES, len(one.facts))
        facts[at, :known, :known] = one.facts[:known, :known]
        for n, date in enumerate(one.dates[:DATES]):
            dates[at, :, n] = date.first, date.last, KINDS.index(date.when.kind)
        taught = [fact for fact in one.dated if max(fact.source, fact.target) < ENTITIES]
        for n, fact in enumerate(taught[:DATED]):
            dated[at, :, n] = fact.source, fact.relation, fact.target
            edges[at, n, : len(one.dates)] = fact.edges[:DATES]
    return Batch(*map(jnp.asarray, (states, shapes, mask, names, facts, dates, dated, edges)))


def loss(weights: Weights, batch: Batch, key: jax.Array) -> tuple[jax.Array, tuple[jax.Array, ...]]:
    """Of spans, of the pairs of the spans that look most like names, and of dates; per text, and its four parts.

    Of the mentions of two entities one pair is enough to tell a fact; where there is none, no pair may.
    """
    keys = dropping(key)
    x = encoded(weights, begun(weights, batch.states, batch.shapes, batch.mask, keys), batch.shapes, batch.mask, keys)
    scores = span_scores(weights, x, batch.mask)
    lesson = (batch.names != NO_LESSON) & (scores > _REFUSED)
    missed = jnp.where(batch.names > 0, _NAME_WEIGHT * jax.nn.softplus(-scores), jax.nn.softplus(scores))
    of_names = jnp.where(lesson, missed, 0).sum() / len(scores)
    first, last, entity, is_span = mentions(jax.lax.stop_gradient(scores), batch.names)
    named = ends(x, first, last)
    paired = pairs(weights, x, batch.mask, named, named, first[:, None] - first[:, :, None], keys)
    logits = relation_logits(weights, paired)
    of_none, of_facts = _pair_losses(logits, batch.facts, first, last, entity, is_span)
    of_dates = _date_loss(weights, batch, x, paired, logits, first, jnp.where(is_span, entity, 0), keys)
    return _SPAN_LOSS * of_names + of_none + of_facts + of_dates, (of_names, of_none, of_facts, of_dates)


def _date_loss(
    weights: Weights,
    batch: Batch,
    x: jax.Array,
    paired: jax.Array,
    logits: jax.Array,
    first: jax.Array,
    entity: jax.Array,
    keys: Keys,
) -> jax.Array:
    """Of the dates of each fact, by the two mentions between which it is seen most clearly."""
    count, mentions = first.shape
    source, relation, target = (batch.dated[:, end] for end in range(3))
    is_source, is_target = (entity[:, None] == end[..., None] for end in (source, target))
    seen = jnp.take_along_axis(logits.reshape(count, mentions**2, -1), relation[:, None], 2).transpose(0, 2, 1)
    between = (is_source[..., None] & is_target[:, :, None]).reshape(seen.shape) & (source > 0)[..., None]
    seen = jnp.where(between, jax.lax.stop_gradient(seen), _OUT)
    best = seen.argmax(-1)
    clearest = jnp.take_along_axis(paired.reshape(count, mentions**2, -1), best[..., None], 1)
    ends = jnp.take_along_axis(first, best // mentions, 1), jnp.take_along_axis(first, best % mentions, 1)
    dates = (batch.dates[:, 0], batch.dates[:, 1], batch.dates[:, 2])
    edges = date_logits(weights, x, clearest, relation, ends, dates, keys)
    lesson = (batch.edges != NO_LESSON) & (seen.max(-1) > _REFUSED)[..., None, None]
    missed = jnp.where(batch.edges > 0, jax.nn.softplus(-edges), jax.nn.softplus(edges))
    return jnp.where(lesson, missed, 0).sum() / count


def mentions(scores: jax.Array, names: jax.Array) -> tuple[jax.Array, ...]:
    """The names of each text, and the spans that look most like names."""
    count, pieces, _ = scores.shape
    flat = scores.reshape(count, -1) + jnp.where(names.reshape(count, -1) != 0, 1e5, 0)
    best, at = jax.lax.top_k(flat, MENTIONS[pieces])
    first = at // LONGEST_SPAN
    entity = jnp.take_along_axis(names.reshape(count, -1), at, 1)
    return first, jnp.minimum(first + at % LONGEST_SPAN, pieces - 1), entity, best > _REFUSED


def _pair_losses(
    logits: jax.Array, facts: jax.Array, first: jax.Array, last: jax.Array, entity: jax.Array, is_span: jax.Array
) -> tuple[jax.Array, jax.Array]:
    count, mentions = first.shape
    number = jnp.clip(entity, 0)
    taught = is_span & (entity != NO_LESSON)
    overlap = (first[:, :, None] <= last[:, None]) & (first[:, None] <= last[:, :, None])
    pair = taught[:, :, None] & taught[:, None] & ~overlap
    known = (number[:, :, None] > 0) & (number[:, None] > 0)
    labels = jnp.where(known[..., None], jax.vmap(lambda of, at: of[at][:, at])(facts, number), 0)
    of_none = jnp.where((labels == 0) & pair[..., None], jax.nn.softplus(logits), 0).sum() / count
    entities = (number[:, :, None] * ENTITIES + number[:, None]).reshape(count, -1)
    known_logits = jnp.where((pair & known)[..., None], logits, _OUT).reshape(count, mentions**2, -1)
    best = jax.vmap(partial(jax.ops.segment_max, num_segments=ENTITIES**2))(known_logits, entities).reshape(facts.shape)
    of_facts = jnp.where((facts == FACT) & (best > _REFUSED), jax.nn.softplus(-best), 0).sum() / count
    return of_none, of_facts


if __name__ == "__main__":
    main()
