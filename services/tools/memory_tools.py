"""The toolset `memory`: the eight queries over an agent's own records, whose answers are records as they are stored."""

from typing import Annotated

from pydantic import Field

from services.core.memory_records import RecordType
from services.memory.findings import finding_of, synthesis
from services.memory.memory_queries import MemoryQueries
from services.memory.query_result import MemoryResult
from services.tools.tool import Context, ResultItem, Tool, ToolResult

_Citizen = Annotated[
    str | None, Field(description="Whose memory to query. Required if the workspace has several citizens.")
]
_Limit = Annotated[int, Field(description="Maximum number of records.")]


def _queries(asked_in: Context) -> MemoryQueries:
    return MemoryQueries(asked_in.workspace, asked_in.known_at)


def query_partnerships(
    asked_in: Context,
    partner_id: Annotated[str, Field(description="The partner's name, e.g. 'nicolas'.")],
    citizen: _Citizen = None,
) -> ToolResult:
    """Find the remembered partnership with a partner: role, trust, style, shared history.

    Returns the stored record or nothing: never fill in what is missing. NOT for what was discussed: use
    query_conversations.
    """
    result = _queries(asked_in).query_partnerships(partner_id, citizen)
    return _tool_result("Partnership", partner_id, result)


def query_conversations(
    asked_in: Context,
    partner_id: Annotated[str, Field(description="The partner's name.")],
    keywords: Annotated[list[str] | None, Field(description="Only topics with at least one of these.")] = None,
    citizen: _Citizen = None,
    limit: _Limit = 5,
) -> ToolResult:
    """Find remembered conversations with a partner, newest first: all of them, or those about some keywords.

    Returns stored records or nothing: never fill in what is missing. NOT for who the partner is: use
    query_partnerships.
    """
    result = _queries(asked_in).query_conversations(partner_id, keywords, citizen, limit)
    return _tool_result("Conversation_Memory", partner_id, result)


def query_technical_context(
    asked_in: Context,
    term: Annotated[str, Field(description="Part of a component's name or description.")],
    issue_type: Annotated[str | None, Field(description="Only issues of this type, e.g. 'bug'.")] = None,
    citizen: _Citizen = None,
    limit: _Limit = 3,
) -> ToolResult:
    """Find what is remembered about a component, a system or a bug, newest first.

    Returns stored records or nothing: never fill in what is missing. NOT for which files depend on which:
    use query_related_code.
    """
    result = _queries(asked_in).query_technical_context(term, issue_type, citizen, limit)
    return _tool_result("Technical_Context", term, result)


def query_emotional_state(
    asked_in: Context,
    context_similar_to: Annotated[str, Field(description="Part of the situation's description.")],
    emotion_type: Annotated[str | None, Field(description="Only this emotion, e.g. 'frustration'.")] = None,
    citizen: _Citizen = None,
    limit: _Limit = 3,
) -> ToolResult:
    """Find remembered emotions in a situation, most intense first.

    Returns stored records or nothing: never fill in what is missing. NOT for what was done about it: use
    query_strategy_patterns.
    """
    result = _queries(asked_in).query_emotional_state(context_similar_to, emotion_type, citizen, limit)
    return _tool_result("Emotional_State", context_similar_to, result)


def query_strategy_patterns(
    asked_in: Context,
    situation_type: Annotated[str, Field(description="Part of what a strategy applies to, e.g. 'concurrency'.")],
    min_success_rate: Annotated[float, Field(description="Minimum success rate, from 0.0 to 1.0.")] = 0.7,
    citizen: _Citizen = None,
    limit: _Limit = 3,
) -> ToolResult:
    """Find approaches that worked for a kind of situation, most successful first.

    Returns stored records or nothing: never fill in what is missing. NOT for what went wrong: use
    query_failed_attempts.
    """
    result = _queries(asked_in).query_strategy_patterns(situation_type, min_success_rate, citizen, limit)
    return _tool_result("Strategy_Pattern", situation_type, result)


def query_related_code(
    asked_in: Context,
    filename: Annotated[str, Field(description="A file's name, or part of its path.")],
    include_dependencies: Annotated[bool, Field(description="Include files it needs and that need it.")] = True,
    citizen: _Citizen = None,
    limit: _Limit = 5,
) -> ToolResult:
    """Find remembered code files by name, with the files that each depends on and those that depend on it.

    Each match is `primary` with its `related` files, whose `related_as` is dependency, dependent or both.
    NOT for bugs in a file: use query_technical_context.
    """
    queries = _queries(asked_in)
    result = queries.query_related_code(filename, include_dependencies, citizen, limit)
    return _tool_result("Code_Reference", filename, result)


def query_failed_attempts(
    asked_in: Context,
    context: Annotated[str, Field(description="Part of the problem's description.")],
    citizen: _Citizen = None,
    limit: _Limit = 5,
) -> ToolResult:
    """Find what was tried for a problem and failed, why, and what was learned, newest first.

    Returns stored records or nothing: never fill in what is missing. NOT for what works: use
    query_strategy_patterns.
    """
    result = _queries(asked_in).query_failed_attempts(context, citizen, limit)
    return _tool_result("Failed_Attempt", context, result)


def query_active_constraints(
    asked_in: Context,
    constraint_type: Annotated[str | None, Field(description="Only this type, e.g. 'deadline'.")] = None,
    min_severity: Annotated[str, Field(description="Minimum severity: low, medium, high or critical.")] = "low",
    citizen: _Citizen = None,
) -> ToolResult:
    """Find all active constraints, the most severe first, then those due first.

    Returns stored records or nothing: never fill in what is missing. NOT for bugs and components: use
    query_technical_context.
    """
    result = _queries(asked_in).query_active_constraints(constraint_type, min_severity, citizen)
    return _tool_result("Constraint", constraint_type or "any type", result)


def _tool_result(type: RecordType, about: str, result: MemoryResult) -> ToolResult:
    message = result.message or ""
    heading = f"{message} (confidence {result.confidence:.2f})" if result else ""
    items = tuple(ResultItem(synthesis(type, row)) for row in result.rows)
    finding = finding_of(type, about, result)
    return ToolResult(
        result.document(),
        items,
        len(items),
        heading=heading,
        message=message if not result.was_asked else finding.synthesis,
        truncation="{total} records in all. Narrow the query.",
        summary=message,
        rows=result.records,
    )


MEMORY_TOOLS = tuple(
    Tool("memory", run)
    for run in (
        query_partnerships,
        query_conversations,
        query_technical_context,
        query_emotional_state,
        query_strategy_patterns,
        query_related_code,
        query_failed_attempts,
        query_active_constraints,
    )
)
