"""The tools as a client lists them: inputs with the two clocks, results with their types, and hints."""

from collections.abc import Mapping
from functools import cache

from services.core.json_documents import Json
from services.mcp.access import Access
from services.mcp.calls import granted_tools
from services.mcp.tool_results import BESIDE
from services.tools.memory_tools import MEMORY_TOOLS
from services.tools.tool import Tool

_COMMON: Mapping[str, Json] = {
    "workspace": {"type": "string", "description": "The workspace to query. Default: this connection's own."},
    "as_of": {
        "type": "string",
        "description": "ISO date or time: use only facts valid then. Default: now, or this connection's pinned date.",
    },
    "known_at": {
        "type": "string",
        "description": "ISO date or time: use only what the graph had recorded by then. "
        "Default: now, or this connection's pinned date.",
    },
    "detail": {
        "type": "string",
        "enum": ["brief", "full"],
        "default": "brief",
        "description": "full: return each fact with its record, ids, dates and sources.",
    },
    "cursor": {
        "type": "string",
        "description": "The cursor from the previous call, to get the rest of the result.",
    },
}

_TEXT_OR_NULL: Json = {"anyOf": [{"type": "string"}, {"type": "null"}]}
"""Two branches: clients of one type for each field read no list of types."""

_BESIDE: Json = {
    "type": "object",
    "description": "The dates of the result, when the mirror was last synced, and the number of records left out.",
    "properties": {
        "workspace": {"type": "string"},
        "as_of": {"type": "string"},
        "as_of_is_now": {"type": "boolean"},
        "known_at": {"type": "string"},
        "known_at_is_now": {"type": "boolean"},
        "synced_at": _TEXT_OR_NULL,
        "total": {"type": "integer"},
        "total_is_whole": {"type": "boolean"},
        "shown": {"type": "integer"},
        "left_out": {"type": "integer"},
        "narrow": _TEXT_OR_NULL,
        "cursor": _TEXT_OR_NULL,
    },
    "required": ["workspace", "as_of", "known_at", "synced_at", "total", "shown", "left_out", "narrow", "cursor"],
}

_TYPES: Mapping[str, Json] = {
    "n": {"type": "integer"},
    "[": {"type": "array"},
    "{": {"type": "object"},
    "s": {"type": "string"},
    "s?": _TEXT_OR_NULL,
    "b": {"type": "boolean"},
    "x": {"type": "number"},
}

_RESULTS: Mapping[str, str] = {
    "search_knowledge": "total:n results:[ query:s document:s?",
    "get_document_context": "text:s sections:[ versions:[",
    "get_change_history": "total:n changes:[ document:s? since:s?",
    "query_database": "success:b columns:[ rows:[ row_count:n truncated:b",
    "search_entities": "total:n entities:[ query:s entity_type:s?",
    "search_knowledge_graph": "total:n facts:[ relationship_type:s?",
    "get_entity_history": "total:n facts:[ entity:s since:s? reference_time:s?",
    "facts_at": "total:n facts:[ undated:[ relation:s?",
    "compare_times": "first:s second:s totals:{ added:[ ended:[ corrected:[ re_dated:[ kept:[ entity:s?",
    "find_path": "total:n paths:[ source:s target:s max_hops:n",
    "get_changes": "total:n changes:[ since:s? until:s cursor:s?",
    "graph_search": "entities:[ stats:{",
    "graph_inspect": "relationships:[ sourceChunks:[",
    "memory_search": "results:[",
    "knowledge_ingest": "state:s proposalId:s jobId:s? documentId:s? tool:s input:{ link:s expiresAt:s",
    "knowledge_crawl": "state:s proposalId:s jobId:s? crawlId:s? tool:s input:{ link:s expiresAt:s",
    "knowledge_crawl_status": "state:s pagesDone:n pagesFailed:n pagesTotal:n errors:[",
    "get_job": "id:s state:s errors:[ jobId:s?",
    **dict.fromkeys((tool.name for tool in MEMORY_TOOLS), "found:b confidence:x query_time_ms:n message:s?"),
    "run_workflow": "report:s? title:s? state:s run:s trace:[",
    "omnii_graph_search_nodes": "query:s resultCount:n results:[",
    "omnii_graph_get_context": "node:{ relatedCount:n relatedTotal:n related:[",
    "omnii_graph_list_entities": "nodeType:s total:n returned:n offset:n nodes:[",
}
"""What the data of each tool's results holds, by its type."""


def tool_list(access: Access) -> Json:
    """Return the tools that a connection may call."""
    return {"tools": [_listed(tool) for tool in granted_tools(access)]}


@cache
def _listed(tool: Tool) -> Json:
    schema = tool.schema()
    own = schema.get("properties", {})
    added = {name: part for name, part in _COMMON.items() if name not in own}
    return {
        "name": tool.name,
        "title": tool.name.replace("_", " ").capitalize(),
        "description": tool.description,
        "inputSchema": {**schema, "type": "object", "properties": {**own, **added}},
        "outputSchema": _output(tool.name),
        "annotations": {
            "readOnlyHint": not tool.writes,
            "destructiveHint": False,
            "idempotentHint": not tool.writes,
            "openWorldHint": tool.name == "knowledge_crawl",
        },
    }


def _output(name: str) -> Json:
    fields = dict(part.split(":") for part in _RESULTS.get(name, "").split())
    properties = {field: _TYPES[kind] for field, kind in fields.items()}
    return {"type": "object", "properties": {**properties, BESIDE: _BESIDE}, "required": [BESIDE]}
