"""The tool that counts, joins and charts: SQL over the graph at both clocks, tables of files, and databases."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field

from services.core.cost import Prices
from services.core.errors import BadInput
from services.core.json_documents import Json, spelled
from services.queries.facts_at import Name
from services.sql.ask_sql import SqlAnswer, SqlQuestion, ask_sql
from services.sql.query_limits import MEGABYTE, QueryLimits
from services.sql.query_results import QueryResult
from services.sql.question_to_sql import answer_words, query_start
from services.sql.sql_attempts import SqlTry
from services.tools import wording
from services.tools.document_tools import search_knowledge
from services.tools.fact_tools import search_knowledge_graph
from services.tools.mirror_fallback import marked, or_fallback
from services.tools.tool import Context, ResultItem, ToolResult

_LIMITS = QueryLimits(result_bytes=8 * MEGABYTE)
"""What a call gives is kept with its conversation."""
_MOST_FACTS, _MOST_PASSAGES = 10, 5
_LONGEST_SQL, _LONGEST_VALUE = 1_000, 200


@or_fallback("Graph database is currently unavailable. Try search_knowledge instead.")
def query_database(
    context: Context,
    sql: Annotated[str | None, Field(description="One SELECT in DuckDB's dialect.")] = None,
    question: Annotated[str | None, Field(description="Instead of SQL: what to count or list, in words.")] = None,
    database: Annotated[Name | None, Field(description="What to query; default: the graph and all files.")] = None,
) -> ToolResult:
    """Count, sum, rank, group or join with read-only SQL over tables from files, databases, and the graph's own tables.

    Give `sql` if you know the tables, otherwise `question`. The graph has entities, episodes, documents, chunks, and
    facts_as_of(:as_of) for the facts that hold at the date of this answer, with source, relation, target, valid_at,
    invalid_at. :as_of and :known_at are bound. NOT for the facts of one entity: use facts_at. NOT for text: use
    search_knowledge.
    """
    if (sql is None) == (question is None):
        raise BadInput("sql: give either sql or question, not both.", "Enter SQL, or a question in words.")
    if question is not None:
        return _answered(context, question, database)
    return _ran(context, sql or "", database)


def _ran(context: Context, sql: str, database: str | None) -> ToolResult:
    answer = ask_sql(context.workspace, SqlQuestion(sql, database, context.as_of, context.known_at), _LIMITS)
    return _result(context, answer, sql, database)


def _answered(context: Context, question: str, database: str | None) -> ToolResult:
    """Write SQL for a question and run it; where none runs, return what may help."""
    asked = SqlQuestion("", database, context.as_of, context.known_at)
    found, usage = answer_words(context.workspace, question, asked, context.model, _LIMITS)
    of_model: Json = (
        {"model": context.model, "input_tokens": usage.read, "output_tokens": usage.output} if usage.total else {}
    )
    cost = Prices(context.workspace.settings.prices).cost(context.model, usage) if usage.total else None
    if found.answer is None:
        begun = replace(_begun(context, question, database, found.tries, of_model), usage=usage, cost=cost)
        return _elsewhere(context, question, begun, found.tries) if context.model else begun
    last = found.tries[-1]
    result = _result(context, found.answer, last.sql, last.database)
    failed = [one for one in found.tries[:-1] if one.database != last.database]
    mark = f"({failed[-1].place}: {failed[-1].error} These rows are from {last.place}.)" if failed else ""
    return replace(
        result,
        document={**result.document, "question": question, "tries": _tried(found.tries), **of_model},
        heading="\n".join(filter(None, (mark, result.heading))),
        summary=f"{result.summary} from {last.place}",
        usage=usage,
        cost=cost,
    )


def _elsewhere(context: Context, question: str, begun: ToolResult, tries: Sequence[SqlTry]) -> ToolResult:
    """Return what the graph and the documents say, where no SQL answers."""
    facts = search_knowledge_graph(context, query=question, entity_name=None, relationship_type=None)
    passages = search_knowledge(context, query=question, limit=_MOST_PASSAGES, document=None)
    items = (*facts.items[:_MOST_FACTS], *passages.items)
    failed = "; ".join(f"{one.place}: {one.error}" for one in tries[-1:])
    document = {
        **begun.document,
        "tries": [*_tried(tries), {"from": "graph and documents", "sql": None, "error": None}],
        "facts": facts.document,
        "passages": passages.document,
    }
    return replace(
        begun,
        document=document,
        items=items,
        total=len(items),
        heading=f"No SQL answers this question ({failed}). From the graph and the documents:",
        rows=facts.rows,
        summary=f"no SQL; {wording.counted(len(items), 'hit')} in graph and documents",
        is_whole=False,
    )


def _tried(tries: Sequence[SqlTry]) -> list[Json]:
    return [{"from": one.place, "sql": one.sql or None, "error": one.error or None} for one in tries]


def _result(context: Context, answer: SqlAnswer, sql: str, database: str | None) -> ToolResult:
    is_down = answer.snapshot is not None and context.workspace.status.down is not None
    mirror_of = answer.snapshot.synced_at if answer.snapshot and is_down else None
    return marked(_rows_of(answer, sql, database), mirror_of)


def _rows_of(answer: SqlAnswer, sql: str, database: str | None) -> ToolResult:
    result = answer.result
    columns, total = unlike(result.columns), len(result.rows)
    counted = wording.counted(total, "row")
    return ToolResult(
        _document(answer, sql, database),
        tuple(ResultItem(_line(columns, row)) for row in result.rows),
        total,
        heading="\n".join(filter(None, (f"SQL: {wording.shortened(sql, _LONGEST_SQL)}", answer.note))),
        message=f"The query returns no rows. SQL: {wording.shortened(sql, _LONGEST_SQL)}",
        truncation="{total} rows"
        + (" and more" if result.truncated else " in all")
        + ". Ask for fewer rows, or let SQL count or sum them.",
        summary=f"the first {counted}" if result.truncated else counted,
        rows=tuple(dict(zip(columns, row, strict=True)) for row in result.rows),
        is_whole=not result.truncated,
    )


def _begun(
    context: Context, question: str, database: str | None, tries: Sequence[SqlTry], of_model: Json
) -> ToolResult:
    """Return the part of the schema that a question may be about, and a query to begin with."""
    start = query_start(context.workspace, question, database)
    lines = [f"- {name}: {', '.join(column.name for column in table.columns)}" for name, table in start.tables]
    return ToolResult(
        {
            "success": False,
            "question": question,
            "tries": _tried(tries),
            "schema_slice": start.schema.document()["schema_slice"],
            "schema_of": start.schema.database,
            "starting_query": start.sql,
            **of_model,
        },
        message="\n".join(("Asof wrote no SQL for this question. Tables that may be relevant:", *lines)),
        summary="no SQL",
    )


def _document(answer: SqlAnswer, sql: str, database: str | None) -> Json:
    return {
        "success": True,
        **_rows(answer.result),
        "sql": sql,
        "database": database,
        "as_of": spelled(answer.as_of),
        "known_at": spelled(answer.known_at),
        "snapshot_of": spelled(answer.snapshot.synced_at) if answer.snapshot else None,
        **({"not_bounded_by_known_at": list(answer.unbounded)} if answer.unbounded else {}),
    }


def _rows(result: QueryResult) -> Json:
    return {
        "columns": list(result.columns),
        "rows": [list(row) for row in result.rows],
        "row_count": len(result.rows),
        "truncated": result.truncated,
    }


def _line(columns: Sequence[str], row: Sequence[Any]) -> str:
    cells = (
        f"{column}: {wording.shortened(str(value), _LONGEST_VALUE)}" for column, value in zip(columns, row, strict=True)
    )
    return f"- {', '.join(cells)}"


def unlike(columns: Sequence[str]) -> tuple[str, ...]:
    """Return names of columns, those that are there twice with a number, so that a row is told by them."""
    seen: dict[str, int] = {}
    names = []
    for column in columns:
        seen[column] = seen.get(column, 0) + 1
        names.append(column if seen[column] == 1 else f"{column} ({seen[column]})")
    return tuple(names)
