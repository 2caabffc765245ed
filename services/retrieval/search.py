"""Search over facts, chunks and entities: the right passage, section and fact, at the right time."""

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from services import clock
from services.errors import BadInput
from services.mirror.mirror import Mirror
from services.mirror.vectors import Vectors
from services.models import Chunk, Document, Entity, Fact, Instants, Section
from services.retrieval import scoped
from services.retrieval.additive import KeywordMatch, Keywords, rank
from services.retrieval.highlight import spans
from services.retrieval.index import Allowed, Scored
from services.retrieval.indexes import Indexes
from services.retrieval.items import KINDS, Kind
from services.retrieval.ready import Ready
from services.retrieval.recipes import GRAPHRAG, MEANING, RECIPES, SIMILARITY, TUNED, WORDS, Recipe
from services.retrieval.routing import Route, route

Mode = Literal["hybrid", "vector", "keyword"]
MODES: tuple[Mode, ...] = ("hybrid", "vector", "keyword")
Label = Literal["holds", "ended", "not yet", "undated", "corrected"]

MOST_HITS = 200

_SPARE = 4
"""So many hits more than are wanted are read: one may be gone from the mirror by then."""

FALL_OFF = 3
"""The hit of a kind after so many others counts half as much as the first."""


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for. With `as_of` facts that do not hold then are left out; without it all recorded ones count.

    `use_graph` False gives plain similarity. `keywords`, how they match and `hops` are for the recipe `graphrag`;
    without keywords of its own the names in the question are taken. `documents`, `types`, `relations` and `section`
    narrow what may be found; empty ones do not. So do `since` and `until`, for the reference time of documents,
    half-open.
    """

    text: str
    kinds: tuple[Kind, ...] = KINDS
    k: int = 8
    as_of: datetime | None = None
    known_at: datetime | None = None
    mode: Mode = "hybrid"
    recipe: str = TUNED.name
    use_graph: bool = True
    keywords: tuple[str, ...] = ()
    keyword_match: KeywordMatch = "any"
    hops: int = 1
    documents: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    section: str = ""
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """Something that was found, with the record that it is and what it scored.

    `hybrid_score` is what words, vectors and the graph gave together; `score` ranks it among the others. `spans` are
    where the question's words stand in `text`.
    """

    kind: Kind
    id: str
    text: str
    score: float
    hybrid_score: float
    keyword_score: float
    vector_score: float
    graph_score: float
    spans: tuple[tuple[int, int], ...] = ()
    label: Label | None = None
    document: Document | None = None
    section: Section | None = None
    chunk: Chunk | None = None
    fact: Fact | None = None
    entity: Entity | None = None
    routing: Literal["hard", "soft"] = "soft"
    section_similarity: float | None = None
    section_query: str | None = None
    source: str = "hybrid"


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a query: hits, best first, and how the question was read.

    `waiting` items have no vector yet; `note` says what the reader should know of the index.
    """

    hits: tuple[Hit, ...]
    route: Route
    milliseconds: float
    waiting: int = 0
    note: str = ""


class Search:
    """Searches workspaces by their indexes. Any thread may call it."""

    def __init__(self, indexes: Indexes) -> None:
        self._indexes = indexes

    def find(self, workspace: str, mirror: Mirror, query: Query) -> Found:
        """The best hits for a query. Raises `BadInput` for what cannot be asked so."""
        started = time.perf_counter()
        _check(query)
        ready = self._indexes.of(workspace)
        asked = route(query.text, lambda text: _known_names(ready, text))
        hits = self._hits(workspace, mirror, ready, query, asked) if query.text.strip() else ()
        milliseconds = (time.perf_counter() - started) * 1000
        return Found(hits, asked, milliseconds, ready.waiting, _note(ready))

    def _hits(self, workspace: str, mirror: Mirror, ready: Ready, query: Query, asked: Route) -> tuple[Hit, ...]:
        recipe = _recipe(query, ready)
        vector = self._indexes.embedder.embed_question(query.text)
        allowed = allowances(mirror, ready, query)
        scored: dict[Kind, list[Scored]] = ready.index.search(
            query.text,
            self._indexes.embedder.embed_question,
            recipe,
            kinds=query.kinds,
            k=query.k + _SPARE,
            allowed=allowed,
        )
        if recipe is GRAPHRAG and "chunk" in query.kinds:
            scored["chunk"] = self._added_up(workspace, mirror, ready, asked, vector, allowed, query)
        hits = _read(mirror, _merged(scored)[: query.k + _SPARE], query)
        if "chunk" in query.kinds and query.mode == "hybrid" and _is_for_a_part(asked, query.text):
            hits = _topped_up(self._scoped(workspace, mirror, ready, asked, vector, allowed, query), hits)
        return tuple(replace(hit, spans=spans(query.text, hit.text)) for hit in hits[: query.k])

    def _scoped(
        self, workspace: str, mirror: Mirror, ready: Ready, asked: Route, vector: Vectors,
        allowed: Allowed, query: Query,
    ) -> tuple[Hit, ...]:  # fmt: skip
        """The chunks of the sections that the question asks for, if there are such."""
        assert asked.section_query is not None, "a hard route asks for a section"
        sections = self._indexes.sections(workspace)
        wanted = self._indexes.embedder.embed_question(asked.section_query)
        cosines = ready.index.cosines("chunk", vector, allowed["chunk"])
        found = sections.find(asked, wanted, cosines)[: query.k * _SPARE]
        told = {one.chunk_id: one for one in found}
        hits = _read(mirror, [_scored(one) for one in found], query)
        return tuple(
            replace(hit, routing="hard", section_query=asked.section_query, source="section_routing",
                    section_similarity=told[hit.id].section_similarity)
            for hit in hits
        )  # fmt: skip

    def _added_up(
        self, workspace: str, mirror: Mirror, ready: Ready, asked: Route, vector: Vectors,
        allowed: Allowed, query: Query,
    ) -> list[Scored]:  # fmt: skip
        """Chunks by the recipe `graphrag`; on a soft route those count for more whose section the question is on."""
        cosines = ready.index.cosines("chunk", vector, allowed["chunk"])
        on_topic = {one.chunk_id for one in self._indexes.sections(workspace).find(asked, vector, cosines)}
        keywords = Keywords.of(asked, query.keywords, query.keyword_match)
        hops = query.hops if query.use_graph else 0
        return rank(mirror, cosines, keywords, hops, () if _is_for_a_part(asked, query.text) else on_topic)


def _is_for_a_part(asked: Route, question: str) -> bool:
    return asked.routing == "hard" and asked.asks_for_little_else(question)


def _scored(one: scoped.ScopedChunk) -> Scored:
    score = one.combined_score
    return Scored("chunk", one.chunk_id, -1, score, score, 0.0, one.chunk_similarity, 0.0, 0.0)


def _topped_up(hard: Sequence[Hit], others: Sequence[Hit]) -> tuple[Hit, ...]:
    """What the sections gave, then what the rest of the search found."""
    told = {(hit.kind, hit.id) for hit in hard}
    return (*hard, *(hit for hit in others if (hit.kind, hit.id) not in told))


def _check(query: Query) -> None:
    if not 1 <= query.k <= MOST_HITS:
        raise BadInput(f"{query.k} hits cannot be asked for.", f"Ask for 1 to {MOST_HITS}.")
    if query.hops not in (1, 2):
        raise BadInput(f"{query.hops} hops cannot be asked for.", "Ask for 1 or 2.")
    if query.recipe not in RECIPES:
        raise BadInput(f"There is no recipe “{query.recipe}”.", f"There are: {', '.join(RECIPES)}.")


def _recipe(query: Query, ready: Ready) -> Recipe:
    """How to score; by words alone where vectors are of another model, for those are never compared."""
    if query.mode == "keyword" or ready.stale_model:
        return WORDS
    if query.mode == "vector":
        return MEANING
    chosen = RECIPES[query.recipe]
    return SIMILARITY if chosen is TUNED and not query.use_graph else chosen


def _known_names(ready: Ready, text: str) -> tuple[str, ...]:
    """The names in a question that the graph's entities or the documents have, as they are written there."""
    return tuple(sorted(" ".join(name) for name in ready.index.names.asked_for(text)))


def _note(ready: Ready) -> str:
    if ready.stale_model:
        return f"Found by words alone: the vectors here are of {ready.stale_model.name}. Embed them anew in Settings."
    if ready.waiting:
        return f"{ready.waiting:,} items are found by words alone until they are embedded."
    return ""


# -- what may be found


def allowances(mirror: Mirror, ready: Ready, query: Query) -> dict[Kind, NDArray[np.bool_]]:
    """For each kind which items a query may find, by their positions in the index."""
    allowed = dict(ready.alive)
    facts = _facts_at(mirror, ready, query)
    if facts is not None:
        allowed["fact"] = allowed["fact"] & facts
    if query.relations:
        held = mirror.ids_of_facts(relations=query.relations)
        allowed["fact"] = allowed["fact"] & _among(ready.index.ids("fact"), held)
    if query.types or query.known_at is not None:
        held = mirror.ids_of_entities(types=query.types, known_at=query.known_at)
        allowed["entity"] = allowed["entity"] & _among(ready.index.ids("entity"), held)
    if query.documents or query.section or query.since or query.until or query.known_at is not None:
        held = mirror.ids_of_chunks(query.documents, query.section, query.since, query.until, query.known_at)
        allowed["chunk"] = allowed["chunk"] & _among(ready.index.ids("chunk"), held)
    return allowed


def _facts_at(mirror: Mirror, ready: Ready, query: Query) -> NDArray[np.bool_] | None:
    """The facts that hold at the query's instants; those that were recorded, where it has no `as_of`."""
    if query.as_of is not None:
        keys = mirror.keys_true(Instants(query.as_of, query.known_at or clock.now()))
    elif query.known_at is not None:
        keys = mirror.keys_told(query.known_at)
    else:
        return None
    return ready.facts_of(keys)


def _among(ids: Sequence[str], held: Collection[str]) -> NDArray[np.bool_]:
    return np.fromiter((id in held for id in ids), bool, len(ids))


# -- hits of what was scored


def _merged(scored: Mapping[Kind, Sequence[Scored]]) -> list[Scored]:
    """Items of all kinds in one order, which keeps that of each kind.

    How a kind's scores fall off depends on its graph, so their order is what is mixed: the first of a kind counts as
    much as its best item matches, words and vector together, and what follows less and less.
    """
    strengths = {kind: _strength(found) for kind, found in scored.items() if found}
    if len(strengths) < 2:
        return [one for found in scored.values() for one in found]
    most = max(strengths.values()) or 1.0
    told = [replace(one, score=strengths[kind] / most * FALL_OFF / (FALL_OFF + rank))
            for kind, found in scored.items() for rank, one in enumerate(found)]  # fmt: skip
    return sorted(told, key=lambda one: -one.score)


def _strength(found: Sequence[Scored]) -> float:
    """How well the best of a kind matches the question itself: its cosine, and how strong its words are."""
    return max((one.vector_score + one.coverage for one in found), default=0.0)


def _read(mirror: Mirror, scored: Sequence[Scored], query: Query) -> tuple[Hit, ...]:
    """Hits with their records. What is not in the mirror any more is left out, and so is what does not hold."""
    by_kind = {kind: [one.id for one in scored if one.kind == kind] for kind in KINDS}
    facts = {fact.uuid: fact for fact in mirror.facts(by_kind["fact"])} if by_kind["fact"] else {}
    entities = {entity.uuid: entity for entity in mirror.entities(by_kind["entity"])} if by_kind["entity"] else {}
    chunks = mirror.with_surroundings(by_kind["chunk"])
    now, hits = clock.now(), list[Hit]()
    for one in scored:
        hit = Hit(one.kind, one.id, "", one.score, one.hybrid_score, one.keyword_score, one.vector_score,
                  one.graph_score)  # fmt: skip
        if one.kind == "fact" and one.id in facts and (told := _fact_hit(hit, facts[one.id], query, now)):
            hits.append(told)
        elif one.kind == "entity" and one.id in entities:
            entity = entities[one.id]
            hits.append(replace(hit, text=entity.summary or entity.name, entity=entity))
        elif one.kind == "chunk" and one.id in chunks:
            chunk, document, section = chunks[one.id]
            hits.append(replace(hit, text=chunk.text, chunk=chunk, document=document, section=section))
    return tuple(hits)


def _fact_hit(hit: Hit, fact: Fact, query: Query, now: datetime) -> Hit | None:
    """The fact as it was known; None when it does not hold at the instants that were asked for."""
    at = Instants(query.as_of or now, query.known_at or now)
    if query.as_of is not None and not clock.true_at(fact, at):
        return None
    text = fact.text or f"{fact.source} {fact.relation} {fact.target}"
    return replace(hit, text=text, fact=clock.as_known(fact, at.known_at), label=label(fact, at))


def label(fact: Fact, at: Instants) -> Label:
    """How a fact stands at two instants."""
    if fact.withdrawn_at is not None and fact.withdrawn_at <= at.known_at:
        return "corrected"
    if fact.valid_at is None:
        return "undated" if clock.undated(fact, at) else "ended"
    if fact.valid_at > at.as_of or not clock.recorded(fact, at.known_at):
        return "not yet"
    return "holds" if clock.true_at(fact, at) else "ended"
