"""The tool that finds entities, and how it describes them."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from services.core import clock
from services.core.json_documents import Json, instants_document
from services.core.models import Entity
from services.language.names import of_name
from services.mirror.provenance import Mentions
from services.queries.facts_at import Name
from services.retrieval.query import Query
from services.tools import wording
from services.tools.mirror_fallback import from_mirror, nothing
from services.tools.tool import Context, ResultItem, ToolResult

_LONGEST_SUMMARY = 300
"""So many characters of a summary stand in a line for a model; the document has it whole."""


@from_mirror("Graph database is currently unavailable. Try search_knowledge instead.")
def search_entities(
    context: Context,
    query: Annotated[Name, Field(description="A name, or words that describe the entity.")],
    entity_type: Annotated[Name | None, Field(description="Only entities of this type, e.g. 'Person'.")] = None,
    limit: Annotated[int, Field(ge=1, le=50, description="Maximum number of entities.")] = 10,
) -> ToolResult:
    """Find ENTITIES by name or description: list those of a kind, or see how the graph spells their names.

    Use this to look a name up before asking for its facts, and for "which people/companies/… are there". Returns
    each one's type, summary and number of mentions. NOT for how entities relate: use search_knowledge_graph. NOT for
    one entity's facts: use facts_at or get_entity_history.
    """
    types = types_named(context, entity_type)
    asked = {"query": query, "entity_type": entity_type, **instants_document(context.at)}
    if entity_type and not types:
        return nothing({**asked, "total": 0, "entities": []}, no_type(context, entity_type))
    found, nearest = find_entities(context, query, types, limit)
    mentions = context.mirror.mentions([entity.uuid for entity, _ in found], context.at.known_at)
    summaries = known_summaries(context, [entity for entity, _ in found])
    entities = [
        {
            "uuid": entity.uuid,
            "name": entity.name,
            "type": entity.type,
            "types": list(entity.types),
            "summary": summaries[entity.uuid],
            "mentionCount": mentions.get(entity.uuid, Mentions()).count,
            "score": round(score, 6),
        }
        for entity, score in found
    ]
    of_types = sum(one.count for one in context.mirror.types(context.known_at) if one.name in types)
    total = max(of_types, len(entities))
    return ToolResult(
        {**asked, "total": total, "entities": entities},
        tuple(map(_item, entities)),
        total,
        heading="\n".join(filter(None, (_heading(types, total, len(entities), query), nearest))),
        message=f"No entities match “{query}”.",
        truncation=f"{{total}} entities {'are of this type' if types else 'match'}. "
        "Narrow the call by type, or ask for fewer.",
        summary=wording.counted(len(entities), "entity", "entities"),
        rows=tuple({key: row[key] for key in ("name", "type", "mentionCount")} for row in entities),
        is_whole=bool(types),
    )


def _heading(types: Sequence[str], total: int, shown: int, query: str) -> str:
    """That those of a type were counted before the best of them were chosen."""
    if shown == total or not shown:
        return ""
    return f"{wording.counted(total, 'entity', 'entities')} of type {types[0]}; the top {shown} matches for “{query}”:"


def find_entities(context: Context, query: str, types: list[str], limit: int) -> tuple[list[tuple[Entity, float]], str]:
    """Entities by hybrid search, of these types if any are given, best first, each with its score; and what stands
    above them where none fits."""
    asked = Query(query, ("entity",), limit, known_at=context.known_at, types=tuple(types))
    found = context.workspace.search(asked)
    return [(hit.entity, hit.score) for hit in found.hits if hit.entity is not None], found.heading


def known_summaries(context: Context, entities: Sequence[Entity]) -> dict[str, str]:
    """The summary of each entity by uuid; empty where it may say what was recorded after `known_at`.

    Graphiti writes a summary anew, in its place, whenever an episode mentions the entity.
    """
    if context.known_at is None:
        return {entity.uuid: entity.summary for entity in entities}
    uuids = [entity.uuid for entity in entities]
    then, now = (context.mirror.mentions(uuids, known_at) for known_at in (context.known_at, clock.now()))
    mentioned_since = {uuid for uuid in uuids if then.get(uuid, Mentions()).count != now.get(uuid, Mentions()).count}
    return {entity.uuid: "" if entity.uuid in mentioned_since else entity.summary for entity in entities}


def types_named(context: Context, name: str | None) -> list[str]:
    """The entity types of that name, as the graph writes them."""
    known = (one.name for one in context.mirror.types(context.known_at) if one.name)
    return [] if name is None else of_name(known, name, str)


def no_type(context: Context, name: str) -> str:
    """What to say of a type that no entity has."""
    known = [one.name for one in context.mirror.types(context.known_at) if one.name]
    return f"No entity has the type “{name}”." + (f" Available: {wording.names(known)}." if known else "")


def _item(entity: Json) -> ResultItem:
    name, summary = entity["name"], wording.shortened(entity["summary"], _LONGEST_SUMMARY)
    kind = f" ({', '.join(entity['types'])})" if entity["types"] else ""
    mentioned = f"mentioned {wording.counted(entity['mentionCount'], 'time')}, score {entity['score']:.2f}"
    return ResultItem(f"- {name}{kind}, {mentioned}" + (f": {summary}" if summary else ""), nodes=(name,))
