"""The toolset `knowledge`: entities with what surrounds them, as JSON, and passages by meaning."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from services.core import clock, time_rule
from services.core.json_documents import Json, spelled
from services.core.models import Document, Entity, Fact
from services.documents.chunking import keywords
from services.mirror.provenance import Mentions
from services.queries.facts_at import Name
from services.retrieval.query import MOST_HITS, Query
from services.tools import wording
from services.tools.entity_tools import find_entities, known_summaries, no_type, types_named
from services.tools.mirror_fallback import (
    MOST_LISTED,
    as_known,
    entities_named,
    facts_about,
    from_mirror,
    marked,
    no_entity,
    nothing,
)
from services.tools.tool import Context, ResultItem, ToolResult

_UNAVAILABLE = "Graph database is currently unavailable."
_LONGEST = 600
MOST_AROUND = 1_000
"""So many facts around one entity are listed: a few hops from a busy one are the whole graph."""
NearbyFacts = tuple[tuple[Fact, ...], int | None]
"""The facts around an entity, the nearest first, then those of most sources; and how many there are, listed or not,
None where there was more than could be looked at."""


@from_mirror(f"{_UNAVAILABLE} Try memory_search instead.")
def graph_search(
    context: Context,
    query: Annotated[Name, Field(description="What to look for: names or plain words.")],
    entityType: Annotated[Name | None, Field(description="Only entities of this type.")] = None,
    maxHops: Annotated[int, Field(ge=1, le=3, description="How far around each entity to look.")] = 1,
    maxResults: Annotated[int, Field(ge=1, le=50, description="Maximum number of entities.")] = 10,
) -> ToolResult:
    """Search the knowledge graph for entities and their relationships.

    Use when you need to understand how concepts, people, tools, or goals relate to each other. Returns entities with
    their types, descriptions, and immediate relationships, as they hold at the date. NOT for everything about one
    named entity: use graph_inspect. NOT for text: use memory_search.
    """
    types = types_named(context, entityType)
    counts = context.mirror.counts(context.at.known_at)
    stats = {"totalEntities": counts.entities, "totalRelationships": counts.facts}
    if entityType and not types:
        return nothing({"entities": [], "stats": stats}, no_type(context, entityType))
    scored, nearest = find_entities(context, query, types, maxResults)
    entities = [entity for entity, _ in scored]
    mentions = context.mirror.mentions([entity.uuid for entity in entities], context.at.known_at)
    around = nearby_facts(context, [entity.uuid for entity in entities], maxHops)
    summaries = known_summaries(context, entities)
    found, items = list[Json](), dict[str, ResultItem]()
    for entity in entities:
        facts, total = around[entity.uuid]
        head = {
            "name": entity.name,
            "type": entity.type,
            "description": summaries[entity.uuid],
            "mentionCount": mentions.get(entity.uuid, Mentions()).count,
        }
        more = {"relationshipsInAll": total} if total != len(facts) else {}
        found.append({**head, "relationships": [_relationship(fact, entity) for fact in facts], **more})
        items[entity.uuid] = _head_line(head)
        items |= {fact.uuid: _fact_line(fact) for fact in facts if fact.uuid not in items}
    return ToolResult(
        {"entities": found, "stats": stats},
        tuple(items.values()),
        len(found),
        heading=f"The graph has {wording.counted(counts.entities, 'entity', 'entities')} and "
        f"{wording.counted(counts.facts, 'relationship')} in all.{nearest and f'\n{nearest}'}",
        message=f"No entities match “{query}”.",
        truncation="{total} entities match. Narrow the call by type, or ask for fewer.",
        summary=wording.counted(len(found), "entity", "entities"),
        rows=tuple({key: one[key] for key in ("name", "type", "mentionCount")} for one in found),
        is_whole=False,
    )


def _relationship(fact: Fact, of: Entity) -> Json:
    """A fact as seen from an entity. One that another entity states names that as its source."""
    seen = {"target": fact.target, "type": fact.relation, "weight": len(fact.episodes)}
    return seen if fact.source_uuid == of.uuid else {"source": fact.source, **seen}


def _line(content: Json, **more: Any) -> ResultItem:
    return ResultItem(json.dumps(content, ensure_ascii=False), **more)


def _head_line(head: Json) -> ResultItem:
    """An entity without its relationships, which have lines of their own; a long description is cut."""
    return _line({**head, "description": wording.shortened(head["description"], _LONGEST)}, nodes=(head["name"],))


def _fact_line(fact: Fact) -> ResultItem:
    document = {
        "source": fact.source,
        "target": fact.target,
        "type": fact.relation,
        "weight": len(fact.episodes),
        "description": wording.statement(fact),
    }
    return _line(document, fact=fact, nodes=(fact.source, fact.target))


@from_mirror(_UNAVAILABLE)
def graph_inspect(
    context: Context,
    entityName: Annotated[Name, Field(description="Name of the entity.")],
    includeNeighborhood: Annotated[bool, Field(description="Include its relationships.")] = True,
) -> ToolResult:
    """Get detailed information about a specific entity including all its relationships, source files, and description.

    Use after graph_search to drill down into ONE entity: when it was first and last seen, and in which files. NOT to
    find entities: use graph_search.
    """
    named = entities_named(context, entityName)
    if not named:
        missing: Json = {"entity": None, "relationships": [], "sourceChunks": []}
        return nothing(missing, no_entity(context, entityName))
    entity, facts, mirror_of = named[0], list[Fact](), None
    if includeNeighborhood:
        history, mirror_of = facts_about(context, entityName)
        holds = [f for f in history if time_rule.true_at(f, context.at) or time_rule.undated(f, context.at)]
        facts = sorted(as_known(context, holds), key=by_weight)
    head, documents = _inspected(context, named)
    chunks = _source_chunks(context, entity, documents)
    relationships = [
        {**_relationship(f, entity), "description": wording.statement(f), "keywords": list(keywords(f.text))}
        for f in facts
    ]
    return marked(
        ToolResult(
            {"entity": head, "relationships": relationships, "sourceChunks": chunks},
            (_head_line(head), *(_fact_line(fact) for fact in facts), *(_line(chunk) for chunk in chunks)),
            len(facts),
            truncation="{total} relationships in all.",
            summary=wording.counted(len(facts), "relationship"),
            rows=wording.rows(facts),
        ),
        mirror_of,
    )


def _inspected(context: Context, named: Sequence[Entity]) -> tuple[Json, list[Document]]:
    """Describe the entities of a name, and return the documents that mention them."""
    entity = named[0]
    found = context.mirror.mentions([one.uuid for one in named], context.at.known_at).values()
    episodes = {uuid for one in found for uuid in one.episodes}
    documents = [d for d in context.mirror.documents() if d.episode_uuid in episodes]
    head = {
        "name": entity.name,
        "type": entity.type,
        "description": known_summaries(context, [entity])[entity.uuid],
        "mentionCount": len(episodes),
        "firstSeen": spelled(min((one.first for one in found if one.first), default=None)),
        "lastSeen": spelled(max((one.last for one in found if one.last), default=None)),
        "sourceFiles": [document.path or document.id for document in documents],
    }
    return head, documents


def _source_chunks(context: Context, entity: Entity, documents: Sequence[Document]) -> list[Json]:
    """Where those documents name the entity; the whole of one that mentions it in other words."""
    found = []
    for document in documents:
        whole = context.mirror.document(document.id)
        chunks = whole.chunks if whole else ()
        naming = [chunk for chunk in chunks if entity.name.casefold() in chunk.text.casefold()] or chunks
        found += [
            {"path": document.path or document.id, "startLine": chunk.start_line, "endLine": chunk.end_line}
            for chunk in naming
        ]
    return found


@from_mirror("Memory is currently unavailable: Asof has not read the graph yet.")
def memory_search(
    context: Context,
    query: Annotated[Name, Field(description="What to look for, in plain words.")],
    maxResults: Annotated[int, Field(ge=1, le=MOST_HITS, description="Maximum number of passages.")] = 8,
    minScore: Annotated[float, Field(ge=0, description="Only passages of at least this score.")] = 0,
    useGraph: Annotated[bool, Field(description="Also follow the graph; false: similarity only.")] = True,
) -> ToolResult:
    """Search memory: passages of notes and ingested documents by meaning, with file and lines.

    Use this for what was written or said about something. Unless useGraph is false, the graph widens the search. NOT
    for how entities relate: use graph_search. NOT for one entity's details: use graph_inspect.
    """
    wanted = MOST_HITS if minScore > 0 else maxResults
    asked = Query(query, ("chunk",), wanted, known_at=context.known_at, use_graph=useGraph)
    sought = context.workspace.search(asked)
    hits = [hit for hit in sought.hits if hit.score >= minScore][:maxResults]
    results = [
        {
            "text": hit.text,
            "path": (hit.document.path or hit.document.id) if hit.document else hit.chunk.document_id,
            "startLine": hit.chunk.start_line,
            "endLine": hit.chunk.end_line,
            "score": round(hit.score, 6),
            "source": hit.source,
        }
        for hit in hits
        if hit.chunk is not None
    ]
    return ToolResult(
        {"results": results},
        tuple(_line(one, chunk=hit.chunk, document=hit.document) for hit, one in zip(hits, results, strict=True)),
        len(results),
        heading=sought.heading if results else "",
        message=f"Nothing in memory matches “{query}”.",
        truncation="{total} passages match. Ask for fewer, or narrow the query.",
        summary=wording.counted(len(results), "passage"),
        rows=tuple({key: one[key] for key in ("path", "startLine", "endLine", "score")} for one in results),
        is_whole=False,
    )


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the graph: facts by weight, and of each entity its facts, by their places, and its neighbours."""

    facts: Sequence[Fact]
    touching: Mapping[str, set[int]]
    neighbours: Mapping[str, set[str]]
    is_whole: bool


def nearby_facts(context: Context, entity_uuids: Collection[str], hops: int) -> dict[str, NearbyFacts]:
    """Of each of these entities the facts within `hops` of it that hold, or have no date, as known at `known_at`."""
    part = _read(context, entity_uuids, hops)
    walked = {uuid: _walked(part, uuid, hops) for uuid in entity_uuids}
    places = sorted({place for found in walked.values() for place in found[:MOST_AROUND]})
    known = dict(zip(places, as_known(context, [part.facts[place] for place in places]), strict=True))
    return {
        uuid: (tuple(known[place] for place in found[:MOST_AROUND]), len(found) if part.is_whole else None)
        for uuid, found in walked.items()
    }


def _read(context: Context, entity_uuids: Collection[str], hops: int) -> _Part:
    """The part of the graph that is within reach; of one that is too large what has most sources."""
    found, seen, frontier, is_whole = dict[str, Fact](), set[str](), set(entity_uuids), True
    for _ in range(hops):
        near = context.mirror.facts_touching(sorted(frontier), context.at, MOST_LISTED) if frontier else ()
        is_whole &= len(near) < MOST_LISTED
        found |= {fact.uuid: fact for fact in near}
        seen |= frontier
        frontier = {end for fact in near for end in (fact.source_uuid, fact.target_uuid)} - seen
    facts = sorted(
        found.values(), key=lambda f: (by_weight(f), f.valid_at is not None, f.valid_at or clock.EARLIEST, f.uuid)
    )
    touching, neighbours = dict[str, set[int]](), dict[str, set[str]]()
    for place, fact in enumerate(facts):
        for one, other in ((fact.source_uuid, fact.target_uuid), (fact.target_uuid, fact.source_uuid)):
            touching.setdefault(one, set()).add(place)
            neighbours.setdefault(one, set()).add(other)
    return _Part(facts, touching, neighbours, is_whole)


def _walked(part: _Part, entity_uuid: str, hops: int) -> list[int]:
    """The places of the facts around one entity: nearer ones first, then by weight."""
    listed, found = list[int](), set[int]()
    seen, frontier = {entity_uuid}, {entity_uuid}
    for _ in range(hops):
        near = set[int]().union(*(part.touching.get(uuid, ()) for uuid in frontier)) - found
        listed += sorted(near)
        found |= near
        frontier = set[str]().union(*(part.neighbours.get(uuid, ()) for uuid in frontier)) - seen
        seen |= frontier
    return listed


def by_weight(fact: Fact) -> int:
    """What sorts facts by how many sources state them, most first."""
    return -len(fact.episodes)
