"""Finds chunks, entities and facts: words and vectors for what matches, a walk over mentions for what follows."""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from services.language.sentences import sentences
from services.mirror.vectors import Vectors
from services.retrieval.arrays import Arrays, inside, joined, separated, under
from services.retrieval.items import FIELDS, KINDS, Kind, SearchItem, item_names
from services.retrieval.lexical import Field, LexicalIndex, Scores
from services.retrieval.name_index import NameIndex
from services.retrieval.passage_graph import Edge, PassageGraph
from services.retrieval.recipes import TUNED, Recipe
from services.retrieval.surroundings import Surroundings
from services.retrieval.tokens import capitalised_names

Allowed = Mapping[Kind, NDArray[np.bool_]]
"""For a kind, which of its items may be found, by position; all of a kind that is not there."""

Embed = Callable[[str], Vectors]
"""Gives a text its vector."""

MATCH_OF_RECORDS: dict[Kind, float] = {"fact": 0.5, "entity": 1.0}
"""How much the match of a fact or an entity counts beside the walk, which every fact leads to the same few entities."""

_MOST_OF_SECTION = 8
"""So many chunks of one section are reckoned with among the best."""

_ROWS_AT_ONCE = 1_000

FACT_JOINS = 1.0
"""How strong the edge is between a fact and an entity of it, each way."""


@dataclass(frozen=True, slots=True)
class Scored:
    """An item by kind, id and position among its kind, and what it scored: each part from 0 to 1 within a question.

    `coverage` is how much of the question's words it holds, by how telling they are; `vector_score` is a cosine.
    """

    kind: Kind
    id: str
    position: int
    score: float
    hybrid_score: float
    keyword_score: float
    vector_score: float
    graph_score: float
    coverage: float


@dataclass(frozen=True)
class Segment:
    """Items of one kind that can be scored together. A row of zeros stands for a vector that is not there yet."""

    kind: Kind
    ids: Sequence[str]
    lexical: LexicalIndex
    vectors: Vectors
    surroundings: Surroundings

    @classmethod
    def of(
        cls, kind: Kind, items: Sequence[SearchItem], vectors: Vectors, beside: "Segment | None" = None
    ) -> "Segment":
        """The items of one kind; `beside` a larger segment whose statistics they take over."""
        fields = [
            Field([item.fields[place] for item in items], weight, b) for place, (weight, b) in enumerate(FIELDS[kind])
        ]
        lexical = LexicalIndex.of(fields, beside=beside.lexical if beside and beside.ids else None)
        return cls(kind, [item.id for item in items], lexical, vectors, Surroundings.of(items))

    def cosines(self, question: str, embed: Callable[[str], Vectors]) -> Scores:
        """How alike each item and a question are; messages are compared without the names of those who speak."""
        found = _cosines(self.vectors, embed(question))
        if (unnamed := self.surroundings.unnamed(question)) is not None:
            found = np.where(self.surroundings.threaded, _cosines(self.vectors, embed(unnamed)), found)
        return found

    def scores(self, question: str, match: Scores) -> Scores:
        """What words and vectors gave the items, with what their surroundings tell beside it."""
        return self.surroundings.scores(question, match, self.lexical.statistics.idf)

    def to_arrays(self) -> Arrays:
        """What `from_arrays` makes the segment of again."""
        return {
            "ids": joined(self.ids),
            "vectors": self.vectors,
            **under("lexical", self.lexical.to_arrays()),
            **under("surroundings", self.surroundings.to_arrays()),
        }

    @classmethod
    def from_arrays(cls, kind: Kind, arrays: Arrays) -> "Segment":
        """The segment that `to_arrays` was called on."""
        lexical = LexicalIndex.from_arrays(inside("lexical", arrays))
        surroundings = Surroundings.from_arrays(inside("surroundings", arrays))
        return cls(kind, separated(arrays["ids"]), lexical, np.asarray(arrays["vectors"], np.float32), surroundings)


@dataclass(frozen=True)
class SearchIndex:
    """Items with their graph, and beside them a few that came later and are not in the graph yet. It never changes.

    Positions count the items of one kind, the later ones after the others.
    """

    main: Mapping[Kind, Segment]
    later: Mapping[Kind, Segment]
    names: NameIndex
    graph: PassageGraph

    @classmethod
    def of(cls, items: Mapping[Kind, Sequence[SearchItem]], vectors: Mapping[Kind, Vectors]) -> "SearchIndex":
        """An index over items and their vectors, in the same order."""
        main = {kind: Segment.of(kind, items[kind], vectors[kind]) for kind in KINDS}
        everything = [item for kind in KINDS for item in items[kind]]
        names = NameIndex.of(item_names(everything))
        # a passage stands for itself where nothing around it tells what it is on
        flat = np.array([item.kind == "chunk" and not (item.heading or item.thread) for item in everything], bool)
        graph = PassageGraph.of([item.mentions for item in everything], names, _joins(everything), flat)
        return cls(main, _none_later(main), names, graph)

    def with_later(self, items: Mapping[Kind, Sequence[SearchItem]], vectors: Mapping[Kind, Vectors]) -> "SearchIndex":
        """The same index with these items beside it, and no other later ones."""
        later = {kind: Segment.of(kind, items[kind], vectors[kind], beside=self.main[kind]) for kind in KINDS}
        return replace(self, later=later)

    @cached_property
    def ids(self) -> Mapping[Kind, Sequence[str]]:
        """The ids of each kind, by position."""
        return {kind: [*self.main[kind].ids, *self.later[kind].ids] for kind in KINDS}

    def cosines(self, kind: Kind, vector: Vectors, allowed: NDArray[np.bool_]) -> dict[str, float]:
        """How alike each item of a kind that may be found and a question are, by id."""
        found = np.concatenate([_cosines(part.vectors, vector) for part in (self.main[kind], self.later[kind])])
        ids = self.ids[kind]
        return {ids[place]: float(found[place]) for place in np.flatnonzero(allowed).tolist()}

    def nearest(self, kind: Kind, vector: Vectors, allowed: NDArray[np.bool_], k: int, least: float) -> list[str]:
        """The ids of the `k` items of a kind that mean most nearly the same, of those that may be found, best first.

        None whose cosine is under `least` is among them.
        """
        found = np.concatenate([_cosines(part.vectors, vector) for part in (self.main[kind], self.later[kind])])
        best = _best_of(np.where(allowed, found, np.float32(-1)).astype(np.float32), k)
        return [self.ids[kind][place] for place in best if found[place] >= least and allowed[place]]

    def search(
        self,
        question: str,
        embed: Embed,
        recipe: Recipe = TUNED,
        *,
        kinds: Collection[Kind] = KINDS,
        k: int = 8,
        allowed: Allowed | None = None,
    ) -> dict[Kind, list[Scored]]:
        """For each kind its best `k` items, best first; `embed` makes the question's vector."""
        matches = {kind: self._match(kind, question, embed, recipe, (allowed or {}).get(kind)) for kind in KINDS}
        walked = self._walk(question, matches, recipe) if recipe.graph else {}
        return {kind: self._best(kind, matches[kind], walked.get(kind), recipe, k) for kind in KINDS if kind in kinds}

    def _match(
        self, kind: Kind, question: str, embed: Embed, recipe: Recipe, allowed: NDArray[np.bool_] | None
    ) -> "_Match":
        """How well each item matches by words and vectors; what may not be found does not count in the scale either."""
        parts = (self.main[kind], self.later[kind])
        words = np.concatenate([part.lexical.scores(question) for part in parts])
        cosine: Scores = np.zeros_like(words)
        if recipe.lexical < 1:
            cosine = np.maximum(np.concatenate([part.cosines(question, embed) for part in parts]), 0)
        if allowed is not None:
            words, cosine = words * allowed, cosine * allowed
        keyword = _scaled(words)
        score = recipe.lexical * keyword + (1 - recipe.lexical) * _scaled(cosine)
        if recipe.surroundings:
            split = zip(parts, np.split(score, [len(self.main[kind].ids)]), strict=True)
            score = np.concatenate([part.scores(question, found) for part, found in split])
            score /= max(float(score.max(initial=0.0)), 1.0)
        if allowed is not None:
            score = score * allowed
        coverage = words / (self.main[kind].lexical.most(question) or 1)
        return _Match(keyword, cosine, score.astype(np.float32), coverage.astype(np.float32), allowed)

    def _walk(self, question: str, matches: Mapping[Kind, "_Match"], recipe: Recipe) -> dict[Kind, Scores]:
        """The walk over all kinds; what it scored for each, the best of a kind 1."""
        match = self._in_graph_order({kind: matches[kind].score for kind in KINDS})
        seeds = self._in_graph_order({kind: _strongest(matches[kind].score, recipe) for kind in KINDS})
        self._seed_names(question, seeds, recipe)
        open_to = None
        if any(found.allowed is not None for found in matches.values()):
            open_to = self._in_graph_order({kind: matches[kind].open_to for kind in KINDS})
            seeds *= open_to
        if not seeds.any():
            seeds = np.ones_like(seeds) if open_to is None else open_to.astype(np.float32)
        if not seeds.any():
            return {}
        return {kind: _scaled(found) for kind, found in self._by_kind(self.graph.walk(seeds, match, open_to))}

    def _seed_names(self, question: str, seeds: Scores, recipe: Recipe) -> None:
        """Walks also start from what is about, or mentions, a name of the question."""
        for name in sorted(self.names.asked_for(question)):
            about = self.names.about(name)
            seeds[list(about)] += recipe.name_seed / math.sqrt(len(about))
        for written in dict.fromkeys(capitalised_names(sentences(question))):
            mentioning = self.graph.mentioning(written)
            if 0 < len(mentioning) <= recipe.rarest_mentions:
                seeds[mentioning] += recipe.mention_seed / math.sqrt(len(mentioning))

    def _in_graph_order[T: np.generic](self, by_kind: Mapping[Kind, NDArray[T]]) -> NDArray[T]:
        """Values of each kind in the order of the graph's nodes, those that it does not have after them."""
        sizes = {kind: len(self.main[kind].ids) for kind in KINDS}
        return np.concatenate(
            [*(by_kind[kind][: sizes[kind]] for kind in KINDS), *(by_kind[kind][sizes[kind] :] for kind in KINDS)]
        )

    def _by_kind(self, values: Scores) -> Iterator[tuple[Kind, Scores]]:
        main, later = 0, self.graph.size
        for kind in KINDS:
            own, more = len(self.main[kind].ids), len(self.later[kind].ids)
            yield kind, np.concatenate([values[main : main + own], values[later : later + more]])
            main, later = main + own, later + more

    def _best(self, kind: Kind, match: "_Match", graph: Scores | None, recipe: Recipe, k: int) -> list[Scored]:
        score: Scores = match.score
        if graph is not None:
            share = recipe.match_after_walk if kind == "chunk" else MATCH_OF_RECORDS[kind]
            score = ((graph + share * score) / (1 + share)).astype(np.float32)
        else:
            graph = np.zeros_like(score)
        if match.allowed is not None:
            score = np.where(match.allowed, score, np.float32(-1)).astype(np.float32)
        ids = self.ids[kind]
        order = _best_of(score, k * _MOST_OF_SECTION)
        best = list(islice(self._each_section_once(kind, [int(i) for i in order if score[i] >= 0]), k))
        return [
            Scored(
                kind,
                ids[i],
                i,
                float(score[i]),
                float(score[i]),
                float(match.keyword[i]),
                float(match.cosine[i]),
                float(graph[i]),
                float(match.coverage[i]),
            )
            for i in best
        ]

    def _each_section_once(self, kind: Kind, positions: Iterable[int]) -> Iterator[int]:
        """The positions without further chunks of a section that has a better one among them."""
        sections = self._sections[kind]
        seen = set[int]()
        for position in positions:
            section = int(sections[position])
            if section < 0 or section not in seen:
                seen.add(section)
                yield position

    @cached_property
    def _sections(self) -> dict[Kind, NDArray[np.int32]]:
        """Numbers of sections by position; those of later items follow on the others'."""
        return {
            kind: _numbered_on(self.main[kind].surroundings.section, self.later[kind].surroundings.section)
            for kind in KINDS
        }

    def mentions(self, one: Scored) -> int:
        """How many items lead to one, so far as the graph knows it: those that mention it, and its facts."""
        before = sum(len(self.main[kind].ids) for kind in KINDS[: KINDS.index(one.kind)])
        return self.graph.leading_to(before + one.position) if one.position < len(self.main[one.kind].ids) else 0

    def to_arrays(self) -> Arrays:
        """What `from_arrays` makes the index of again, without its later items."""
        segments = {name: array for kind in KINDS for name, array in under(kind, self.main[kind].to_arrays()).items()}
        return {**segments, **under("names", self.names.to_arrays()), **under("graph", self.graph.to_arrays())}

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> "SearchIndex":
        """The index that `to_arrays` was called on."""
        main = {kind: Segment.from_arrays(kind, inside(kind, arrays)) for kind in KINDS}
        names = NameIndex.from_arrays(inside("names", arrays))
        return cls(main, _none_later(main), names, PassageGraph.from_arrays(inside("graph", arrays)))


@dataclass(frozen=True, slots=True)
class _Match:
    """What the items of a kind scored by words and vectors, and by both together."""

    keyword: Scores
    cosine: Scores
    score: Scores
    coverage: Scores
    allowed: NDArray[np.bool_] | None

    @property
    def open_to(self) -> NDArray[np.bool_]:
        """Which items a walk may enter: all where nothing narrows them."""
        return np.ones(len(self.score), bool) if self.allowed is None else self.allowed


def _cosines(vectors: Vectors, vector: Vectors) -> Scores:
    """How alike each row and a vector of length 1 are.

    A product of few rows is computed by one thread; of many, numpy's library waits for as many as there are cores,
    which takes ten times as long where one of them is busy.
    """
    parts = (vectors[first : first + _ROWS_AT_ONCE] @ vector for first in range(0, len(vectors), _ROWS_AT_ONCE))
    return np.concatenate([np.empty(0, np.float32), *parts])


def _numbered_on(first: NDArray[np.int32], then: NDArray[np.int32]) -> NDArray[np.int32]:
    after = int(first.max(initial=-1)) + 1
    return np.concatenate([first, np.where(then >= 0, then + after, then)]).astype(np.int32)


def _none_later(main: Mapping[Kind, Segment]) -> dict[Kind, Segment]:
    return {kind: Segment.of(kind, [], main[kind].vectors[:0], beside=main[kind]) for kind in KINDS}


def _joins(items: Sequence[SearchItem]) -> Iterator[Edge]:
    """The edges between each fact and its entities."""
    places = {item.id: place for place, item in enumerate(items) if item.kind == "entity"}
    for place, item in enumerate(items):
        for end in dict.fromkeys(item.joins):
            if end in places:
                yield place, places[end], FACT_JOINS
                yield places[end], place, FACT_JOINS


def _strongest(match: Scores, recipe: Recipe) -> Scores:
    seeds = np.zeros_like(match)
    best = _best_of(match, recipe.seeds)
    seeds[best] = match[best] ** recipe.seed_power
    return seeds


def _best_of(scores: Scores, k: int) -> NDArray[np.intp]:
    """The positions of the best `k`, best first and the first of those that are equal."""
    if k < len(scores):
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        among = np.flatnonzero(scores >= least)
    else:
        among = np.arange(len(scores))
    return among[np.argsort(-scores[among], kind="stable")][:k]


def _scaled(scores: Scores) -> Scores:
    """Scores from 0 to 1, the best 1."""
    most = float(scores.max(initial=0.0))
    return scores / most if most > 0 else np.zeros_like(scores)
