"""Search over facts, chunks and entities: the right passage, section and fact, at the right time."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from services.core import clock
from services.core.errors import EmbedderUnavailable
from services.core.models import Instants
from services.core.wording import NOTHING_FITS, counted
from services.mirror.mirror import Mirror
from services.mirror.search_rows import Keys
from services.retrieval.calibration import FLOOR, calibrated
from services.retrieval.exact import addresses_last, entities_called, facts_asked
from services.retrieval.graphrag_recipe import Keywords, rank
from services.retrieval.hits import Hit, read_hits
from services.retrieval.index import Scored
from services.retrieval.indexes import Indexes, LiveIndex
from services.retrieval.items import Kind
from services.retrieval.passage_quotes import FoundPassage, Likeness, Quote, quotes
from services.retrieval.query import Query
from services.retrieval.recipes import GRAPHRAG, MEANING, RECIPES, SIMILARITY, TUNED, WORDS, Recipe
from services.retrieval.routing import MOST_ELSE, Route, route
from services.retrieval.section_owners import people_in
from services.retrieval.section_variants import asks_for_part
from services.retrieval.tokens import spans, stems

_SPARE = 4
"""So many hits more than are wanted are read: one may be gone from the mirror by then."""

_MODES: dict[Recipe, str] = {WORDS: "keyword", MEANING: "vector"}
_MOST_FACTS = 5
"""So many facts at most go before everything else."""

FALL_OFF = 3
"""The hit of a kind after so many others counts half as much as the first."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The answer to a query: hits, best first, and how the question was read.

    `waiting` items have no vector yet; `note` says what the reader should know of the index. `looked_at` is how many
    items were compared with the question: all that its filters and its instants let through. Where nothing `fits`, the
    hits are only what is nearest.
    """

    hits: tuple[Hit, ...]
    route: Route
    milliseconds: float
    waiting: int = 0
    note: str = ""
    looked_at: int = 0
    fits: bool = True

    @property
    def heading(self) -> str:
        """What stands above the hits: that none of them fits, where that is so."""
        return "" if self.fits else NOTHING_FITS


class Search:
    """Searches workspaces by their indexes. Any thread may call it."""

    def __init__(self, indexes: Indexes) -> None:
        self._indexes = indexes

    def find(self, workspace: str, mirror: Mirror, query: Query) -> SearchResult:
        """The best hits for a query.

        While the embedder cannot be reached, words alone find what they can. Raises `BadInput` for what cannot be asked
        so, and `EmbedderUnavailable` for vectors alone.
        """
        started = time.perf_counter()
        query.check()
        query = replace(query, text=query.text.encode("utf-8", "replace").decode())
        ready = self._indexes.of(workspace)
        asked = self._route(workspace, ready, query)
        search = _Searching(self._indexes, workspace, mirror, ready, query, asked)
        hits, note = search.hits() if query.text.strip() else ((), "")
        milliseconds = (time.perf_counter() - started) * 1000
        fits = not hits or any(hit.score >= FLOOR for hit in hits)
        return SearchResult(hits, asked, milliseconds, ready.waiting, note or _note(ready), search.looked_at, fits)

    def quotes(self, workspace: str, question: str, passages: Sequence[FoundPassage], most: int) -> list[Quote]:
        """Return the parts of passages that answer a question best, the best first; none for what they do not name.

        While the embedder cannot be reached, words alone tell.
        """
        statistics = self._indexes.of(workspace).index.main["chunk"].lexical.statistics
        try:
            return quotes(question, passages, statistics, self._likeness(question), most)
        except EmbedderUnavailable:
            return quotes(question, passages, statistics, _all_alike, most)

    def _likeness(self, question: str) -> Likeness:
        """Return what compares texts with a question, whose vector its search has made."""
        embedder = self._indexes.embedder
        return lambda texts: embedder.embed(texts) @ embedder.embed_question(question)

    def _route(self, workspace: str, ready: LiveIndex, query: Query) -> Route:
        """How the question is read, by the names of the index and by whom sections are on."""

        def named(text: str) -> tuple[str, ...]:
            known = set(map(" ".join, ready.index.names.asked_for(text)))
            if text == text.lower() and asks_for_part(text):
                known.update(people_in(text, self._indexes.sections(workspace).owners))
            return tuple(sorted(known))

        def is_heading(names: tuple[str, ...], heading: str) -> bool:
            few = len(stems(heading)) <= MOST_ELSE
            return few and self._indexes.sections(workspace).has_heading(names, heading)

        return route(query.text, named, is_heading)


def _all_alike(texts: Sequence[str]) -> NDArray[np.float32]:
    """A likeness that tells nothing."""
    return np.ones(len(texts), np.float32)


class _Searching:
    """One query on its way."""

    def __init__(
        self, indexes: Indexes, workspace: str, mirror: Mirror, ready: LiveIndex, query: Query, asked: Route
    ) -> None:
        self._indexes, self._workspace, self._mirror, self._ready = indexes, workspace, mirror, ready
        self._query, self._asked = query, asked
        self._embed = lru_cache(maxsize=4)(indexes.embedder.embed_question)
        self._allowed = _allowances(mirror, ready, query)

    @property
    def looked_at(self) -> int:
        """How many items may be found."""
        return sum(int(self._allowed[kind].sum()) for kind in set(self._query.kinds))

    def hits(self) -> tuple[tuple[Hit, ...], str]:
        """The best hits, and what the reader should know of how they were found."""
        recipe, note = _recipe(self._query, self._ready), ""
        try:
            found = self._found(recipe)
        except EmbedderUnavailable as error:
            if self._query.mode != "hybrid":
                raise
            found, note = self._found(WORDS), f"Found by keyword only: {error}"
        wanted = found[: self._query.k]
        return tuple(replace(hit, spans=spans(self._query.text, hit.text)) for hit in wanted), note

    def _found(self, recipe: Recipe) -> tuple[Hit, ...]:
        query = self._query
        scored: dict[Kind, list[Scored]] = self._ready.index.search(
            query.text, self._embed, recipe, kinds=query.kinds, k=query.k + _SPARE, allowed=self._allowed
        )
        if recipe is GRAPHRAG and "chunk" in query.kinds:
            scored["chunk"] = self._added_up()
        if recipe is WORDS:
            scored = {kind: [one for one in found if one.keyword_score > 0] for kind, found in scored.items()}
        first = [] if recipe is GRAPHRAG else self._called_exactly(scored, recipe)
        hits = read_hits(self._mirror, [*first, *_merged(scored)][: query.k + _SPARE], query)
        if recipe is not GRAPHRAG:
            hits = calibrated(addresses_last(hits, query.text), self._asked.names, _MODES.get(recipe, "hybrid"))
        if recipe not in (WORDS, MEANING) and "chunk" in query.kinds and self._is_for_a_part:
            hard = self._scoped()
            taken = {(hit.kind, hit.id) for hit in hard}
            return (*hard, *(hit for hit in hits if (hit.kind, hit.id) not in taken))
        return hits

    def _called_exactly(self, scored: Mapping[Kind, Sequence[Scored]], recipe: Recipe) -> list[Scored]:
        """What goes before everything else: facts that say just what is asked, then entities of that name."""
        text, kinds = self._query.text, self._query.kinds
        plain = recipe if recipe is WORDS else SIMILARITY
        facts, entities = list[Scored](), list[Scored]()
        if "entity" in kinds:
            entities = entities_called(self._mirror, text, lambda keys: self._restricted("entity", keys, plain))
        if "fact" in kinds:
            about = [one.id for one in (*entities, *scored.get("entity", ()))]
            facts = facts_asked(self._mirror, text, about, lambda keys: self._restricted("fact", keys, plain))
        return [*facts[:_MOST_FACTS], *sorted(entities, key=self._ready.index.mentions, reverse=True)]

    def _restricted(self, kind: Kind, keys: Keys, recipe: Recipe) -> list[Scored]:
        """Score those items of a kind that have one of the keys and may be found."""
        allowed = {**self._allowed, kind: self._allowed[kind] & self._ready.having(kind, keys)}
        many = int(allowed[kind].sum())
        if not many:
            return []
        return self._ready.index.search(self._query.text, self._embed, recipe, kinds=[kind], k=many, allowed=allowed)[
            kind
        ]

    @property
    def _is_for_a_part(self) -> bool:
        return self._asked.routing == "hard" and self._asked.asks_for_little_else(self._query.text)

    def _scoped(self) -> tuple[Hit, ...]:
        """The chunks of the sections that the question asks for, if there are such."""
        wanted = self._asked.section_query
        assert wanted is not None, "a hard route asks for a section"
        sections = self._indexes.sections(self._workspace)
        found = sections.find(self._asked, self._embed(wanted), self._cosines())[: self._query.k + _SPARE]
        by_id = {one.chunk_id: one for one in found}
        scored = [
            Scored("chunk", c.chunk_id, -1, c.combined_score, c.combined_score, 0.0, c.chunk_similarity, 0.0, 0.0)
            for c in found
        ]
        hits = read_hits(self._mirror, scored, self._query)
        return tuple(
            replace(
                hit,
                routing="hard",
                section_query=wanted,
                source="section_routing",
                section_similarity=by_id[hit.id].section_similarity,
            )
            for hit in hits
        )

    def _added_up(self) -> list[Scored]:
        """Chunks by the recipe `graphrag`; on a soft route those count for more whose section the question is on."""
        cosines = self._cosines()
        on_topic = self._indexes.sections(self._workspace).find(self._asked, self._embed(self._query.text), cosines)
        query = self._query
        keywords = Keywords.of(self._asked, query.keywords, query.keyword_match, query.keyword_boost)
        hops = self._query.hops if self._query.use_graph else 0
        boosted = set() if self._is_for_a_part else {one.chunk_id for one in on_topic}
        return rank(self._mirror, cosines, keywords, hops, boosted)

    def _cosines(self) -> dict[str, float]:
        return self._ready.index.cosines("chunk", self._embed(self._query.text), self._allowed["chunk"])


def _allowances(mirror: Mirror, ready: LiveIndex, query: Query) -> dict[Kind, NDArray[np.bool_]]:
    """For each kind which items a query may find, by their positions in the index."""
    allowed = dict(ready.alive)

    def only(kind: Kind, keys: Keys) -> None:
        allowed[kind] = allowed[kind] & ready.having(kind, keys)

    if query.as_of is not None:
        at = Instants(query.as_of, query.known_at or clock.now())
        only("fact", mirror.keys_true_or_undated(at) if query.undated else mirror.keys_true(at))
    elif query.known_at is not None:
        only("fact", mirror.keys_recorded(query.known_at))
    if query.relations:
        only("fact", mirror.keys_of_facts(query.relations))
    if query.types or query.known_at is not None:
        only("entity", mirror.keys_of_entities(query.types, query.known_at))
    if query.documents or query.section or query.since or query.until or query.known_at is not None:
        only("chunk", mirror.keys_of_chunks(query.documents, query.section, query.since, query.until, query.known_at))
    return allowed


def _recipe(query: Query, ready: LiveIndex) -> Recipe:
    """How to score; by words alone where vectors are of another model, for those are never compared."""
    if query.mode == "keyword" or ready.stale_model:
        return WORDS
    if query.mode == "vector":
        return MEANING
    chosen = RECIPES[query.recipe]
    return SIMILARITY if chosen is TUNED and not query.use_graph else chosen


def _note(ready: LiveIndex) -> str:
    if ready.stale_model:
        model = ready.stale_model.name
        return f"Found by keyword only: the embeddings are from {model}. Re-embed the workspace on Settings."
    if ready.waiting:
        return f"Search finds {counted(ready.waiting, 'item')} only by keyword until embedding is complete."
    return ""


def _merged(scored: Mapping[Kind, Sequence[Scored]]) -> list[Scored]:
    """Items of all kinds in one order, which keeps that of each kind.

    How a kind's scores fall off depends on its graph, so their order is what is mixed: the first of a kind counts as
    much as its best item matches the question itself, by its cosine and its words, and what follows less and less.
    """
    strengths = {kind: max(one.vector_score + one.coverage for one in found) for kind, found in scored.items() if found}
    if len(strengths) < 2:
        return [one for found in scored.values() for one in found]
    most = max(strengths.values()) or 1.0
    related = [
        replace(one, score=strengths[kind] / most * FALL_OFF / (FALL_OFF + rank))
        for kind, found in scored.items()
        for rank, one in enumerate(found)
    ]
    return sorted(related, key=lambda one: -one.score)
