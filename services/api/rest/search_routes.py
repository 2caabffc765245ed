"""`/api/graphrag` and `/api/databases`: passages for a question, the part of a schema, and SQL that only reads."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from services.api.rest.chat_models import MessageSource
from services.api.rest.message_sources import source_document
from services.api.rest.operations import Call, Operation, in_json
from services.context import OpenWorkspace
from services.core.json_documents import Json
from services.mcp.pin import workspace_named
from services.retrieval.query import LONGEST_TEXT, MOST_HITS, Query


class _Asked(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    workspace: str | None = Field(
        None, description="Default: your only workspace, or the default workspace if you have several."
    )


class GraphragBody(_Asked):
    """The query. Without `keywords` the names in it are used; passages that score below the threshold are left out."""

    query: str = Field(min_length=1, max_length=LONGEST_TEXT)
    top_k_vector: int = Field(12, ge=1, le=MOST_HITS)
    max_hops: int = Field(1, ge=0, le=2)
    similarity_threshold: float = Field(0.3, ge=0, le=1)
    use_keyword_search: bool = True
    keywords: list[str] | None = Field(None, max_length=100)
    keyword_match_type: Literal["any", "all"] = "any"
    keyword_boost: float = Field(0.3, ge=0, le=1)


class GraphragAnswer(BaseModel):
    """Passages, best first."""

    results: list[MessageSource]


class SchemaSearchBody(_Asked):
    """A question to a database. Elements below `similarity_threshold` are left out; the best one scores 1."""

    query: str = Field(min_length=1, max_length=LONGEST_TEXT)
    top_k: int = Field(10, ge=1, le=MOST_HITS)
    similarity_threshold: float = Field(0.3, ge=0, le=1)
    element_types: list[Literal["table", "column", "metric"]] | None = None
    use_keyword_search: bool = True
    use_graph_expansion: bool = True
    max_hops: int = Field(1, ge=0, le=2)


class SchemaSearchAnswer(BaseModel):
    """What the question needs, best first, and the part of the schema that it makes up."""

    database: str
    results: list[dict[str, Any]]
    schema_slice: dict[str, Any]
    result_count: int


class ExecuteBody(_Asked):
    """One read-only statement."""

    query: str = Field(min_length=1)


class ExecuteAnswer(BaseModel):
    """The rows of a statement."""

    success: Literal[True]
    columns: list[str]
    rows: list[list[Any]]
    row_count: int
    truncated: bool


async def graphrag_query(call: Call) -> Response:
    """Find passages by the recipe `graphrag`."""
    return await in_json(_passages, call)


async def schema_search(call: Call) -> Response:
    """Find the part of a database's schema that a question needs."""
    return await in_json(_elements, call)


async def execute(call: Call) -> Response:
    """Run a statement on a database."""
    return await in_json(_rows, call, is_long=True)


def _open(call: Call) -> OpenWorkspace:
    call.caller.need_all_times()
    return call.services.workspace(workspace_named(call.services, call.caller.access, call.body.workspace))


def _passages(call: Call) -> Json:
    body: GraphragBody = call.body
    asked = Query(
        body.query,
        ("chunk",),
        body.top_k_vector,
        recipe="graphrag",
        use_graph=body.max_hops > 0,
        hops=max(1, body.max_hops),
        keywords=tuple(body.keywords or ()),
        keyword_match=body.keyword_match_type,
        keyword_boost=body.keyword_boost if body.use_keyword_search else 0.0,
    )
    found = _open(call).search(asked).hits
    near = [
        source_document(hit, None)
        for hit in found
        if hit.routing == "hard" or max(hit.vector_score, hit.hybrid_score) >= body.similarity_threshold
    ]
    return {"results": near}


def _elements(call: Call) -> Json:
    from services.sql.schema_search import SchemaQuery, search_schema

    body: SchemaSearchBody = call.body
    query = SchemaQuery(
        body.query,
        body.top_k,
        body.similarity_threshold,
        tuple(body.element_types) if body.element_types else None,
        body.use_keyword_search,
        body.use_graph_expansion,
        body.max_hops,
    )
    return search_schema(_open(call), call.part("database_id"), query).document()


def _rows(call: Call) -> Json:
    from services.sql.ask_sql import SqlQuestion, ask_sql
    from services.sql.catalog import GRAPH

    body: ExecuteBody = call.body
    database = call.part("database_id")
    result = ask_sql(_open(call), SqlQuestion(body.query, None if database == GRAPH else database)).result
    return {
        "success": True,
        "columns": list(result.columns),
        "rows": [list(row) for row in result.rows],
        "row_count": len(result.rows),
        "truncated": result.truncated,
    }


_DATABASE = "/api/databases/{database_id}"
SEARCH = (
    Operation(
        "POST",
        "/api/graphrag/query",
        "Find passages for a question, best first",
        graphrag_query,
        lambda: GraphragBody,
        GraphragAnswer,
    ),
    Operation(
        "POST",
        f"{_DATABASE}/schema/search",
        "Find the tables and columns that a question needs",
        schema_search,
        lambda: SchemaSearchBody,
        SchemaSearchAnswer,
    ),
    Operation(
        "POST",
        f"{_DATABASE}/execute",
        "Run one read-only SQL statement",
        execute,
        lambda: ExecuteBody,
        ExecuteAnswer,
    ),
)
