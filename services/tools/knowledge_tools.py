"""The toolset `knowledge`: entities with what surrounds them, as JSON, and passages by meaning."""

import json
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from services.core import clock
from services.core.json_documents import Json, spelled
from services.core.models import Chunk, Document, Entity, Fact
from services.documents.chunking import keywords
from services.mirror.provenance import Mentions
from services.queries.facts_at import Name
from services.retrieval.hits import Hit
from services.retrieval.query import MOST_HITS, Query
from services.tools import wording
from services.tools.entity_tools import find_entities, no_type, types_named
from services.tools.mirror_fallback import (
    as_known,
    entities_named,
    facts_about,
    from_mirror,
    marked,
    no_entity,
    nothing,
)
from services.tools.nearby_facts import by_weight, nearby_facts
from services.tools.tool import Context, ResultItem, ToolResult

_UNAVAILABLE = "Graph database is currently unavailable."
_LONGEST = 600


@from_mirror(f"{_UNAVAILABLE} Try memory_search instead.")
def graph_search(
    context: Context,
    query: Annotated[Name, Field(description="What to look for: names or plain words.")],
    entityType: Annotated[Name | None, Field(description="Only entities of this type.")] = None,
    maxHops: Annotated[int, Field(ge=1, le=3, description="How far around each entity to look.")] = 1,
    maxResults: Annotated[int, Field(ge=1, le=50, description="How many entities at most.")] = 10,
) -> ToolResult:
    """Search the knowledge graph for entities and their relationships.

    Use when you need to understand how concepts, people, tools, or goals relate to each other. Returns entities with
    their types, descriptions, and immediate relationships, as they hold at the date. NOT for all there is on one
    entity that is known by name: use graph_inspect. NOT for text: use memory_search.
    """
    types = types_named(context, entityType)
    counts = context.mirror.counts(context.at.known_at)
    stats = {"totalEntities": counts.entities, "totalRelationships": counts.facts}
    if entityType and not types:
        return nothing({"entities": [], "stats": stats}, no_type(context, entityType))
    entities = [entity for entity, _ in find_entities(context, query, types, maxResults)]
    mentions = context.mirror.mentions([entity.uuid for entity in entities], context.at.known_at)
    around = nearby_facts(context, [entity.uuid for entity in entities], maxHops)
    found, items = list[Json](), dict[str, ResultItem]()
    for entity in entities:
        facts, total = around[entity.uuid]
        head = {
            "name": entity.name,
            "type": entity.type,
            "description": entity.summary,
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
        message=f"No entities were found for “{query}”.",
        truncation="... truncated. {total} entities were found. Ask to narrow by type, or for fewer results.",
        summary=wording.count(len(found), "entity", "entities"),
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
    includeNeighborhood: Annotated[bool, Field(description="With its relationships.")] = True,
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
        holds = [f for f in history if clock.true_at(f, context.at) or clock.undated(f, context.at)]
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
            truncation="... truncated. {total} relationships in all.",
            summary=wording.count(len(facts), "relationship"),
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
        "description": entity.summary,
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


@from_mirror("Memory is currently unavailable: the graph could not be read yet.")
def memory_search(
    context: Context,
    query: Annotated[Name, Field(description="What to look for, in plain words.")],
    maxResults: Annotated[int, Field(ge=1, le=MOST_HITS, description="How many passages at most.")] = 8,
    minScore: Annotated[float, Field(ge=0, description="Only passages of at least this score.")] = 0,
    useGraph: Annotated[bool, Field(description="Also follow the graph; false gives similarity alone.")] = True,
) -> ToolResult:
    """Search memory: passages of notes and ingested documents by meaning, with file and lines.

    Use this for what was written or said about something. The graph widens the search unless useGraph is false. NOT
    for how entities relate: use graph_search. NOT for one entity's details: use graph_inspect.
    """
    wanted = MOST_HITS if minScore > 0 else maxResults
    asked = Query(query, ("chunk",), wanted, known_at=context.known_at, use_graph=useGraph)
    hits = [hit for hit in context.workspace.search(asked).hits if hit.score >= minScore][:maxResults]
    results = [_memory(hit, hit.chunk) for hit in hits if hit.chunk is not None]
    return ToolResult(
        {"results": results},
        tuple(_line(one, chunk=hit.chunk, document=hit.document) for hit, one in zip(hits, results, strict=True)),
        len(results),
        message=f"Nothing in memory matches “{query}”.",
        truncation="... truncated. {total} passages were found. Ask for fewer, or for something narrower.",
        summary=wording.count(len(results), "passage"),
        rows=tuple({key: one[key] for key in ("path", "startLine", "endLine", "score")} for one in results),
        is_whole=False,
    )


def _memory(hit: Hit, chunk: Chunk) -> Json:
    return {
        "text": hit.text,
        "path": (hit.document.path or hit.document.id) if hit.document else chunk.document_id,
        "startLine": chunk.start_line,
        "endLine": chunk.end_line,
        "score": round(hit.score, 6),
        "source": hit.source,
    }
