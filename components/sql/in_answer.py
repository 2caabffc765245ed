"""A query that an answer rests on: its SQL, the way to the SQL page, and its rows as a table and a chart."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from components import markup, problems
from components.sql import frames
from components.sql.chart import can_be_drawn, chart
from components.sql.sql_view import LONGEST_IN_ADDRESS, SqlView
from components.state import View
from services.core.answer_records import ToolCall
from services.core.clock import parse_instant
from services.core.errors import AsofError
from services.sql import QueryResult

TOOL = "query_database"


def query_of_answer(call: ToolCall, view: View) -> None:
    """Draw what a call of the tool for SQL ran and gave; nothing for one that ran no SQL."""
    output = call.output if isinstance(call.output, Mapping) else {}
    sql = output.get("sql") or call.input.get("sql")
    if not isinstance(sql, str):
        return
    st.code(sql, language="sql", wrap_lines=True)
    if len(sql) <= LONGEST_IN_ADDRESS:
        st.html(f'<div class="a-sm">{markup.link("SQL", "Open in SQL", _there(view, sql, output))}</div>')
    columns, rows = output.get("columns") or (), output.get("rows") or ()
    if rows and columns:
        _drawn(QueryResult(tuple(columns), _types(columns, rows), tuple(map(tuple, rows)), False, sql))


def _there(view: View, sql: str, output: Mapping[str, Any]) -> View:
    """Return the view of the SQL page on the dates on which the query ran."""
    there = view.changed(SqlView, sql=sql, database=output.get("database") or "", values=(), files=(), tab="query")
    return there.changed(as_of=_instant(output, "as_of", view), known_at=_instant(output, "known_at", view))


def _instant(output: Mapping[str, Any], name: str, view: View) -> Any:
    found: list[Any] = []
    problem: AsofError | None = problems.problem_of(lambda: found.append(parse_instant(str(output.get(name)))))
    return getattr(view, name) if problem else found[0]


def _drawn(result: QueryResult) -> None:
    frame = frames.frame_of(result)
    st.dataframe(frame, hide_index=True, height=min(300, 31 * (len(frame) + 1) + 3), alt="The rows of the query")
    if can_be_drawn(result, frame):
        chart(result, frame)


def _types(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> tuple[str, ...]:
    """Return types that columns can be drawn by, from their values: a document has none."""
    return tuple(_type([row[place] for row in rows if row[place] is not None]) for place in range(len(columns)))


def _type(values: Sequence[Any]) -> str:
    if values and all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        return "DOUBLE"
    dated = values and all(isinstance(value, str) and frames.is_instant(value) for value in values)
    return "TIMESTAMP" if dated else "VARCHAR"
