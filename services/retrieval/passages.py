"""Finds passages for a question: words and vectors for what matches, a walk over mentions for what follows from it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from services.retrieval.lexical import Field, LexicalIndex, Scores
from services.retrieval.names import NameIndex, names_of
from services.retrieval.passage_graph import PassageGraph
from services.retrieval.words import capitalised_names

Vectors = NDArray[np.float32]
"""One row for each text, of length 1."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A text that can be found; `title` is empty where it has none."""

    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the scores of a passage become one (docs/benchmarks.md says how the constants were chosen)."""

    lexical: float = 0.5
    graph: bool = True
    seeds: int = 20
    seed_power: int = 8
    name_seed: float = 2.0
    mention_seed: float = 0.6
    rarest_mentions: int = 5
    match_after_walk: float = 0.1


TUNED = Recipe()
"""Words, vectors and the walk."""
SIMILARITY = Recipe(graph=False)
"""Words and vectors alone."""
WORDS = Recipe(lexical=1.0, graph=False)
"""Words alone."""


@dataclass(frozen=True, slots=True)
class PassageHit:
    """A passage by its position, and what it scored: each part from 0 to 1 within one question."""

    position: int
    score: float
    keyword_score: float
    vector_score: float
    graph_score: float


class PassageIndex:
    """An index over passages and their vectors, in the same order."""

    def __init__(self, passages: Sequence[Passage], vectors: Vectors) -> None:
        texts = [passage.text for passage in passages]
        titles = [passage.title for passage in passages]
        self._lexical = LexicalIndex([Field(texts), Field(titles, weight=2.0, b=0.3)])
        self._vectors = vectors
        self._names = NameIndex(names_of(passage.title, passage.text) for passage in passages)
        self._graph = PassageGraph(texts, self._names)

    def search(
        self, question: str, vector: NDArray[np.float32], recipe: Recipe = TUNED, k: int = 8
    ) -> list[PassageHit]:
        """The best `k` passages, best first; `vector` is the question's."""
        keyword = _scaled(self._lexical.scores(question), least=0.0)
        cosine = np.maximum(self._vectors @ vector, 0.0)
        match = recipe.lexical * keyword + (1 - recipe.lexical) * _scaled(cosine, least=float(cosine.min(initial=0.0)))
        graph = np.zeros(len(match))
        score = match.astype(np.float64)
        if recipe.graph and len(match):
            graph = self._graph.walk(self._seeds(question, match, recipe), match)
            score = (graph + recipe.match_after_walk * match) / (1 + recipe.match_after_walk)
        best = np.argsort(-score, kind="stable")[:k]
        return [PassageHit(int(i), float(score[i]), float(keyword[i]), float(cosine[i]), float(graph[i])) for i in best]

    def _seeds(self, question: str, match: Scores, recipe: Recipe) -> NDArray[np.float64]:
        """Where walks start: what matches best, and what is about, or mentions, a name of the question."""
        seeds = np.zeros(len(match))
        best = np.argsort(-match, kind="stable")[: recipe.seeds]
        seeds[best] = match[best].astype(np.float64) ** recipe.seed_power
        for name in sorted(self._names.asked_for(question)):
            about = self._names.about(name)
            seeds[list(about)] += recipe.name_seed / math.sqrt(len(about))
        for written in dict.fromkeys(capitalised_names(question)):
            mentioning = self._graph.mentioning(written)
            if 0 < len(mentioning) <= recipe.rarest_mentions:
                seeds[mentioning] += recipe.mention_seed / math.sqrt(len(mentioning))
        return seeds if seeds.any() else np.ones(len(match))


def _scaled(scores: Scores, least: float) -> Scores:
    """Scores from 0 to 1, `least` being 0 and the best 1."""
    span = float(scores.max(initial=0.0)) - least
    return (scores - least) / span if span > 0 else np.zeros_like(scores)
