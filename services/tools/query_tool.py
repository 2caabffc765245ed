"""The tool that counts, joins and charts: SQL over the graph at both clocks, tables of files, and databases."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from services.core.errors import BadInput
from services.core.json_documents import Json, spelled
from services.queries.facts_at import Name
from services.sql.ask_sql import SqlAnswer, SqlQuestion, ask_sql
from services.sql.query_tables import QueryTable, query_tables
from services.sql.results import MEGABYTE, QueryLimits, QueryResult
from services.tools import wording
from services.tools.mirror_fallback import marked, or_fallback
from services.tools.tool import Context, ResultItem, ToolResult

_LIMITS = QueryLimits(result_bytes=8 * MEGABYTE)
"""What a call gives is kept with its conversation."""
_LONGEST_SQL, _LONGEST_VALUE = 1_000, 200
_MOST_TABLES = 20


@or_fallback("Graph database is currently unavailable. Try search_knowledge instead.")
def query_database(
    context: Context,
    sql: Annotated[str | None, Field(description="One SELECT in the dialect of DuckDB.")] = None,
    question: Annotated[str | None, Field(description="Instead of SQL: what to count or list, in words.")] = None,
    database: Annotated[Name | None, Field(description="Whose tables; default: the graph and all files.")] = None,
) -> ToolResult:
    """Count, sum, rank, group or join by read-only SQL over tables of files, databases, and the graph's own tables.

    Give `sql` where you know the tables, else `question`. The graph has entities, episodes, documents, chunks, and
    facts_as_of(:as_of) for the facts that hold at the date of this answer, with source, relation, target, valid_at,
    invalid_at. :as_of and :known_at are bound. NOT for what one entity has: use facts_at. NOT for texts: use
    search_knowledge.
    """
    if (sql is None) == (question is None):
        raise BadInput("sql: give either sql or question.", "Write the SQL, or what to find in words.")
    if question is not None:
        return _begun(context, question, database)
    return _ran(context, sql or "", database)


def _ran(context: Context, sql: str, database: str | None) -> ToolResult:
    answer = ask_sql(context.workspace, SqlQuestion(sql, database, context.as_of, context.known_at), _LIMITS)
    is_down = answer.snapshot is not None and context.workspace.status.down is not None
    mirror_of = answer.snapshot.synced_at if answer.snapshot and is_down else None
    return marked(_result(answer, sql, database), mirror_of)


def _result(answer: SqlAnswer, sql: str, database: str | None) -> ToolResult:
    result = answer.result
    columns, total = unlike(result.columns), len(result.rows)
    counted = wording.count(total, "row")
    return ToolResult(
        _document(answer, sql, database),
        tuple(ResultItem(_line(columns, row)) for row in result.rows),
        total,
        heading=f"SQL: {wording.shortened(sql, _LONGEST_SQL)}",
        message=f"The query gives no rows. SQL: {wording.shortened(sql, _LONGEST_SQL)}",
        truncation="... truncated. {total} rows"
        + (" and more" if result.truncated else " in all")
        + ". Ask for fewer, or let SQL count or sum them.",
        summary=f"the first {counted}" if result.truncated else counted,
        rows=tuple(dict(zip(columns, row, strict=True)) for row in result.rows),
        is_whole=not result.truncated,
    )


def _begun(context: Context, question: str, database: str | None) -> ToolResult:
    """Return the tables that a question may be about, and a query to begin with."""
    tables = query_tables(context.workspace, database)[:_MOST_TABLES]
    first = f"SELECT * FROM {tables[0].sql_name} LIMIT 20" if tables else None
    lines = [f"- {one.sql_name}: {', '.join(column.name for column in one.table.columns)}" for one in tables]
    return ToolResult(
        {
            "success": False,
            "question": question,
            "database": database,
            "schema_slice": {"tables": list(map(_table_document, tables))},
            "starting_query": first,
        },
        message="\n".join(("No SQL was written for this question. The tables that it may be about:", *lines)),
        summary="no SQL",
    )


def _table_document(table: QueryTable) -> Json:
    columns = [{"name": column.name, "type": column.type} for column in table.table.columns]
    return {"name": table.sql_name, "database": table.database, "columns": columns}


def _document(answer: SqlAnswer, sql: str, database: str | None) -> Json:
    return {
        "success": True,
        **_rows(answer.result),
        "sql": sql,
        "database": database,
        "as_of": spelled(answer.as_of),
        "known_at": spelled(answer.known_at),
        "snapshot_of": spelled(answer.snapshot.synced_at) if answer.snapshot else None,
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
