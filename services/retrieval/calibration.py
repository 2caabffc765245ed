"""How likely a hit is what a question asks for, whatever else was found beside it.

The curves were fitted on half of the generated questions of `benchmarks/scores.py` and tested on the other half:
of hits that score 0.5 every second one is right (docs/benchmarks.md has the figures).
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from services.retrieval.hits import Hit
from services.retrieval.items import Kind
from services.retrieval.tokens import folded_words

FLOOR = 0.2
"""What scores less fits no question; it is shown as what is nearest."""

CURVES: dict[str, dict[Kind, tuple[float, ...]]] = {
    "hybrid": {
        "chunk": (-3.86, 0.0, 3.25, -1.42, 2.2),
        "entity": (-4.96, 0.0, 5.85, -3.78, 1.89),
        "fact": (-7.96, 1.91, 5.96, -4.4, 5.13),
    },
    "vector": {
        "chunk": (-3.45, 0.49, 2.99, -2.2, 0.8),
        "entity": (-5.1, 0.23, 5.51, -3.18, 0.96),
        "fact": (-4.3, 1.67, 7.39, -4.16, 0.32),
    },
    "keyword": {
        "chunk": (-7.19, 0.0, 2.3, -1.37, 5.78),
        "entity": (-4.0, 0.0, 5.42, -4.25, 0.89),
        "fact": (-8.04, 0.0, 6.02, -3.94, 5.5),
    },
}
"""For each way to search and each kind the constant, and how much each of the `features` counts."""


def features(hit: Hit, names: Sequence[str]) -> tuple[float, float, float, float]:
    """Return what tells how likely a hit is: its cosine, its share of the question's words, that of the words of names
    which it lacks, and its place among its kind."""
    return hit.vector_score, hit.coverage, _missing(hit, names), hit.hybrid_score


def calibrated(hits: Sequence[Hit], names: Sequence[str], mode: str) -> tuple[Hit, ...]:
    """Return the hits, each with how likely it is right as its score: never less likely than one after it.

    Where a later one looks likelier, their order tells what neither tells alone, and they share their mean.
    """
    likely = [_likelihood(CURVES[mode][hit.kind], features(hit, names)) for hit in hits]
    return tuple(replace(hit, score=score) for hit, score in zip(hits, _descending(likely), strict=True))


def _likelihood(curve: Sequence[float], found: Sequence[float]) -> float:
    constant, *weights = curve
    return 1 / (1 + math.exp(-constant - sum(map(float.__mul__, weights, found))))


def _descending(values: Sequence[float]) -> list[float]:
    """The nearest values that never rise: those that do share their mean."""
    pools: list[tuple[float, int]] = []
    for value in values:
        pool = (value, 1)
        while pools and pools[-1][0] < pool[0]:
            mean, size = pools.pop()
            pool = ((mean * size + pool[0] * pool[1]) / (size + pool[1]), size + pool[1])
        pools.append(pool)
    return [mean for mean, size in pools for _ in range(size)]


def _missing(hit: Hit, names: Sequence[str]) -> float:
    """Which share of the words of names in the question a hit does not hold, in its text or its title.

    What is written without capitals may be no name.
    """
    asked = {word for name in names if name != name.lower() for word in folded_words(name)}
    if not asked:
        return 0.0
    title = hit.document.title if hit.document else hit.entity.name if hit.entity else ""
    return len(asked - set(folded_words(f"{title} {hit.text}"))) / len(asked)
