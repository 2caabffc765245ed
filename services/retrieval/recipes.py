"""Named ways to make one score of several (docs/benchmarks.md says how the constants were chosen)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the scores of an item become one: words and vectors first, then a walk from what matches best."""

    name: str
    lexical: float = 0.5
    graph: bool = True
    surroundings: bool = True
    seeds: int = 20
    seed_power: int = 8
    name_seed: float = 2.0
    mention_seed: float = 0.6
    rarest_mentions: int = 5
    match_after_walk: float = 0.1


TUNED = Recipe("tuned")
"""Words, vectors and the walk."""
SIMILARITY = Recipe("similarity", graph=False)
"""Words and vectors alone."""
WORDS = Recipe("words", lexical=1.0, graph=False, surroundings=False)
"""Words alone."""
MEANING = Recipe("meaning", lexical=0.0, graph=False, surroundings=False)
"""Vectors alone."""
GRAPHRAG = Recipe("graphrag", lexical=0.0, graph=False, surroundings=False)
"""Similarity, a boost for keywords, and links to similar chunks: `services/retrieval/graphrag_recipe.py`."""

RECIPES: dict[str, Recipe] = {recipe.name: recipe for recipe in (TUNED, SIMILARITY, WORDS, MEANING, GRAPHRAG)}
