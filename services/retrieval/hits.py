"""What was found, with its records as they were known at the instants of the query."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from services.core import clock, time_rule
from services.core.models import Chunk, Document, Entity, Fact, Instants, Section
from services.mirror.mirror import Mirror
from services.retrieval.index import Scored
from services.retrieval.items import Kind
from services.retrieval.query import Query

Label = Literal["holds", "ended", "not yet", "undated", "corrected"]


@dataclass(frozen=True, slots=True)
class Hit:
    """Something that was found, with the record that it is and what it scored.

    `score` is how likely it is what was asked for; `hybrid_score` what words, vectors and the graph gave together, of
    which the best of a kind has 1. `coverage` is its share of the question's words; `spans` are their places in `text`.
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
    coverage: float = 0.0


def read_hits(mirror: Mirror, scored: Sequence[Scored], query: Query) -> tuple[Hit, ...]:
    """Hits with their records, each once. What is not in the mirror any more is left out, and what does not hold."""
    now = clock.now()
    at = Instants(query.as_of or now, query.known_at or now)
    facts = _facts(mirror, [one.id for one in scored if one.kind == "fact"], query, at)
    entities = {entity.uuid: entity for entity in mirror.entities(one.id for one in scored if one.kind == "entity")}
    chunks = mirror.with_surroundings([one.id for one in scored if one.kind == "chunk"])
    hits: dict[tuple[Kind, str], Hit] = {}
    for one in scored:
        parts = (one.score, one.hybrid_score, one.keyword_score, one.vector_score, one.graph_score)
        hit = Hit(one.kind, one.id, "", *parts, coverage=one.coverage)
        if one.kind == "fact" and one.id in facts:
            fact = facts[one.id]
            text = fact.text or f"{fact.source} {fact.relation} {fact.target}"
            hit = replace(hit, text=text, fact=fact, label=label(fact, at))
        elif one.kind == "entity" and one.id in entities:
            entity = entities[one.id]
            hit = replace(hit, text=entity.summary or entity.name, entity=entity)
        elif one.kind == "chunk" and one.id in chunks:
            chunk, document, section = chunks[one.id]
            hit = replace(hit, text=chunk.text, chunk=chunk, document=document, section=section)
        else:
            continue
        hits.setdefault((one.kind, one.id), hit)
    return tuple(hits.values())


def _facts(mirror: Mirror, uuids: Sequence[str], query: Query, at: Instants) -> dict[str, Fact]:
    """Facts by uuid as they were known; of records that share one the one that holds, and none that does not."""
    records = mirror.records_of(uuids)
    held = [fact for fact in records if query.as_of is None or _is_found(fact, query, at)]
    holding = sorted(held, key=lambda fact: time_rule.true_at(fact, at))  # of one uuid the last counts
    known = {fact.uuid: time_rule.as_known(fact, at.known_at) for fact in holding}
    return _with_sources_at(mirror, known, query.known_at) if query.known_at else known


def _is_found(fact: Fact, query: Query, at: Instants) -> bool:
    return time_rule.true_at(fact, at) or (query.undated and time_rule.undated(fact, at))


def _with_sources_at(mirror: Mirror, facts: dict[str, Fact], known_at: datetime) -> dict[str, Fact]:
    """The facts with those of their further sources that the graph had at `known_at`."""
    several = {uuid for fact in facts.values() if len(fact.episodes) > 1 for uuid in fact.episodes}
    learned = {episode.uuid: episode.created_at for episode in mirror.episodes(several)}
    later = {uuid for uuid, at in learned.items() if at is not None and at > known_at}
    return {
        uuid: replace(fact, episodes=tuple(e for e in fact.episodes if e not in later)) for uuid, fact in facts.items()
    }


def label(fact: Fact, at: Instants) -> Label:
    """How a fact stands at two instants."""
    if fact.withdrawn_at is not None and fact.withdrawn_at <= at.known_at:
        return "corrected"
    if fact.valid_at is None:
        return "undated" if time_rule.undated(fact, at) else "ended"
    if fact.valid_at > at.as_of or not time_rule.recorded(fact, at.known_at):
        return "not yet"
    return "holds" if time_rule.true_at(fact, at) else "ended"
