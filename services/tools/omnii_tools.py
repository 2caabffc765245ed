"""The toolset `omnii`: entities by meaning, with what they are related to, and listed by type; answers are JSON.

Its names, inputs and bounds are those that its clients know; inputs that it does not know are ignored, as there.
"""

import json
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Annotated, Any

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from services.core.errors import AsofError, BadInput
from services.core.json_documents import Json, json_text, spelled
from services.core.models import Entity, Fact
from services.language.names import fold, of_name
from services.retrieval.query import MOST_HITS, Query
from services.tools import wording
from services.tools.entity_tools import known_summaries
from services.tools.knowledge_tools import nearby_facts
from services.tools.mirror_fallback import from_mirror
from services.tools.tool import Context, ResultItem, Tool, ToolResult

EVERY = "Entity"
"""The node type that stands for entities of every type."""
_FAMILIAR = (EVERY, "Concept", "Event", "Contact")
_MOST_RELATED = 20
_UNAVAILABLE = "The knowledge graph is currently unavailable."
_SAME_NAME, _WORDS_ALONE = 0.95, 0.7
_CURVE = ((-1.0, 0.0), (0.1, 0.0), (0.35, 0.7), (0.7, 0.95), (1.0, 1.0))
"""Which score a cosine gets: those of what is relevant begin at about 0.35, which is therefore 0.7."""


def _is_number(value: Any) -> Any:
    """Refuse what is no number of JSON, which would be read as one."""
    if isinstance(value, str | bool):
        raise PydanticCustomError("number", "must be a number")
    return value


def _is_truth(value: Any) -> Any:
    if not isinstance(value, bool):
        raise PydanticCustomError("truth", "must be true or false")
    return value


_Number = BeforeValidator(_is_number)


@from_mirror(_UNAVAILABLE)
def omnii_graph_search_nodes(
    context: Context,
    query: Annotated[
        str,
        Field(min_length=1, max_length=500, description="Natural language search query describing what to find"),
    ],
    limit: Annotated[
        int, Field(ge=1, le=50, description="Maximum number of results to return (1-50, default 10)"), _Number
    ] = 10,
    nodeTypes: Annotated[
        list[str] | None, Field(description="Only these types: Entity for all, a type of the graph, or Concept")
    ] = None,
    minScore: Annotated[
        float,
        Field(ge=0, le=1, description="Minimum score (0-1, default 0.7, which keeps what is relevant)"),
        _Number,
    ] = 0.7,
) -> ToolResult:
    """Search the knowledge graph for entities by semantic similarity to a natural language query.

    Returns ranked results with scores from 0 to 1: how close an entity is in meaning to the query. From 0.7 on it is
    relevant; an entity that the query names scores at least 0.95. NOT for what a node is related to: use
    omnii_graph_get_context. NOT to browse a type: use omnii_graph_list_entities.
    """
    types = None if nodeTypes is None else [name for one in nodeTypes for name in _types(context, "nodeTypes", one)]
    found = [] if types == [] else _searched(context, query, types or [])
    kept = [one for one in found if one[1] >= minScore][:limit]
    properties = _properties(context, [entity for entity, _ in kept])
    results = [
        {
            "id": e.uuid,
            "name": e.name,
            "type": e.type or EVERY,
            "score": round(score, 3),
            "properties": properties[e.uuid],
        }
        for e, score in kept
    ]
    return _result({"query": query, "resultCount": len(results), "results": results}, results, is_whole=False)


def _searched(context: Context, query: str, types: list[str]) -> list[tuple[Entity, float]]:
    """Entities with their scores, best first."""
    asked = Query(
        query, ("entity",), MOST_HITS, known_at=context.known_at, types=() if EVERY in types else tuple(types)
    )
    hits = context.workspace.search(asked).hits
    has_vectors = any(hit.vector_score for hit in hits)
    scored = [
        (hit.entity, _score(hit.vector_score if has_vectors else None, hit.entity.name, query, hit.score))
        for hit in hits
        if hit.entity is not None
    ]
    return sorted(scored, key=lambda one: -one[1])


def _score(cosine: float | None, name: str, query: str, of_words: float) -> float:
    """How relevant an entity is; by words alone where there are no vectors."""
    scored = _WORDS_ALONE + (1 - _WORDS_ALONE) * of_words if cosine is None else _scaled(cosine)
    is_named = f" {fold(name)} " in f" {fold(query)} "
    return max(scored, _SAME_NAME) if is_named else scored


def _scaled(cosine: float) -> float:
    for (low, at_low), (high, at_high) in pairwise(_CURVE):
        if cosine <= high:
            return at_low + (at_high - at_low) * max(cosine - low, 0) / (high - low)
    return 1.0


@from_mirror(_UNAVAILABLE)
def omnii_graph_get_context(
    context: Context,
    nodeId: Annotated[str, Field(min_length=1, max_length=500, description="The unique ID of the node")],
    includeRelated: Annotated[
        bool, Field(description="Whether to include related nodes (default true)"), BeforeValidator(_is_truth)
    ] = True,
    maxDepth: Annotated[
        int, Field(ge=1, le=3, description="Maximum relationship depth to traverse (1-3, default 1)"), _Number
    ] = 1,
) -> ToolResult:
    """Get detailed context about a specific node in the knowledge graph: its properties and related nodes.

    Use this after omnii_graph_search_nodes to get full details about a result. NOT to find nodes: use
    omnii_graph_search_nodes, or omnii_graph_list_entities for those of a type.
    """
    known_at = context.at.known_at
    found = [e for e in context.mirror.entities([nodeId]) if e.created_at is None or e.created_at <= known_at]
    if not found:
        raise BadInput(f"Node not found: {nodeId}")
    node = found[0]
    related = _related(context, node, maxDepth) if includeRelated else []
    shown = related[:_MOST_RELATED]
    document = {
        "node": {
            "id": node.uuid,
            "name": node.name,
            "type": node.type or EVERY,
            **_properties(context, found)[node.uuid],
        },
        "relatedCount": len(shown),
        "relatedTotal": len(related),
        "related": shown,
    }
    return _result(document, shown, total=len(related))


def _related(context: Context, node: Entity, depth: int) -> list[Json]:
    """The nodes within reach, the nearest first, each with the relation that leads to it and its direction."""
    facts, _ = nearby_facts(context, [node.uuid], depth)[node.uuid]
    reached: dict[str, tuple[Fact, bool]] = {}
    seen, left = {node.uuid}, list(facts)
    while left:
        next_to = [fact for fact in left if {fact.source_uuid, fact.target_uuid} & seen]
        if not next_to:
            break
        taken = {fact.uuid for fact in next_to}
        left = [fact for fact in left if fact.uuid not in taken]
        for fact in next_to:
            for end, is_outgoing in ((fact.target_uuid, True), (fact.source_uuid, False)):
                if end not in seen and end not in reached:
                    reached[end] = (fact, is_outgoing)
        seen |= reached.keys()
    entities = {entity.uuid: entity for entity in context.mirror.entities(reached)}
    return [
        {
            "id": uuid,
            "name": fact.target if is_outgoing else fact.source,
            "type": (entities[uuid].type or EVERY) if uuid in entities else EVERY,
            "relation": fact.relation,
            "direction": "outgoing" if is_outgoing else "incoming",
            "of": fact.source if is_outgoing else fact.target,
            "fact": wording.statement(fact),
        }
        for uuid, (fact, is_outgoing) in reached.items()
    ]


@from_mirror(_UNAVAILABLE)
def omnii_graph_list_entities(
    context: Context,
    nodeType: Annotated[str, Field(description="The type of nodes to list; Entity for all")],
    limit: Annotated[
        int, Field(ge=1, le=100, description="Maximum number of results to return (1-100, default 20)"), _Number
    ] = 20,
    offset: Annotated[
        int, Field(ge=0, le=2**31, description="Number of results to skip for pagination (default 0)"), _Number
    ] = 0,
) -> ToolResult:
    """List nodes in the knowledge graph by type, newest first.

    Use this to browse a type. NOT to find nodes by description: use omnii_graph_search_nodes.
    """
    types = _types(context, "nodeType", nodeType)
    asked = None if EVERY in types else types
    listed, total = context.mirror.entities_of(asked, context.at.known_at, limit=limit, offset=offset)
    nodes = [{"id": e.uuid, "name": e.name, "createdAt": spelled(e.created_at)} for e in listed]
    document = {"nodeType": nodeType, "total": total, "returned": len(nodes), "offset": offset, "nodes": nodes}
    return _result(document, nodes, total=total)


def _types(context: Context, field: str, name: str) -> list[str]:
    """The entity types of that name; none for one that clients know and this graph has not."""
    known = [one.name for one in context.mirror.types(context.known_at) if one.name]
    if name == EVERY:
        return [EVERY]
    found = of_name(known, name, str)
    if not found and name not in _FAMILIAR:
        there = dict.fromkeys((*_FAMILIAR, *known))
        raise BadInput(f"{field}: there is no type “{name[:80]}”.", f"Available: {wording.names(list(there))}.")
    return found


def _properties(context: Context, entities: list[Entity]) -> dict[str, Json]:
    """What is kept of each entity, by uuid."""
    summaries = known_summaries(context, entities)
    return {
        one.uuid: {**one.attributes, "summary": summaries[one.uuid], "createdAt": spelled(one.created_at)}
        for one in entities
    }


def _result(document: Json, listed: list[Json], *, total: int | None = None, is_whole: bool = True) -> ToolResult:
    return ToolResult(
        document,
        tuple(ResultItem(json_text(one), nodes=(one["name"],)) for one in listed),
        len(listed) if total is None else total,
        message="No results.",
        truncation="{total} in all. Request fewer, or start at a later offset.",
        summary=wording.counted(len(listed), "node"),
        rows=tuple({key: one[key] for key in ("id", "name")} for one in listed),
        is_whole=is_whole,
    )


OMNII_TOOLS = tuple(
    Tool("omnii", run, ignores_strangers=True)
    for run in (omnii_graph_search_nodes, omnii_graph_get_context, omnii_graph_list_entities)
)

TOOL_DEFINITIONS = tuple(
    {"name": tool.name, "description": tool.description, "inputSchema": tool.schema()} for tool in OMNII_TOOLS
)
"""The tools as a client lists them."""

Handler = Callable[[Context, Any], Json]


def _handler(tool: Tool) -> Handler:
    def handle(context: Context, given: Any) -> Json:
        try:
            if not isinstance(given, Mapping):
                raise BadInput("arguments: must be an object.")
            text, failed = json.dumps(as_text(tool(context, given).document), indent=2, ensure_ascii=False), False
        except AsofError as error:
            text, failed = json_text({"error": str(error)}), True
        content = {"content": [{"type": "text", "text": text}]}
        return {**content, "isError": True} if failed else content

    return handle


TOOL_HANDLERS: Mapping[str, Handler] = {tool.name: _handler(tool) for tool in OMNII_TOOLS}
"""What answers a call of each tool, as the protocol has it; what fails is an answer too."""


def is_valid_tool(name: str) -> bool:
    """True for the name of one of these tools."""
    return name in TOOL_HANDLERS


def get_tool_handler(name: str) -> Handler | None:
    """Return what answers a call of a tool; None where there is none of that name."""
    return TOOL_HANDLERS[name] if is_valid_tool(name) else None


def as_text(document: Json) -> Json:
    """Return a document as its text says it: scores have three decimals there."""
    if "results" not in document:
        return document
    return {**document, "results": [{**one, "score": f"{one['score']:.3f}"} for one in document["results"]]}
