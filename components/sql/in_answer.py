"""The queries that an answer rests on: their rows as a table and a chart, their SQL, and the way to the SQL page."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import streamlit as st

from components.address import View
from components.markup import counted, dotted, link, text
from components.sql import frames
from components.sql.chart import can_be_drawn, chart
from components.sql.sql_view import LONGEST_IN_ADDRESS, SqlView
from services.core.answer_records import ToolCall
from services.core.clock import parse_instant
from services.sql import QueryResult

_MOST_ROWS, _ROW, _HIGHEST = 1_000, 35, 320


def queries_of_answer(calls: Sequence[ToolCall], view: View) -> None:
    """Draw each query that ran, below the answer that rests on it."""
    for number, call in enumerate(_queries(calls)):
        _draw(call.output, view, f"{call.id}_{number}")


def _queries(calls: Sequence[ToolCall]) -> Iterator[ToolCall]:
    for call in calls:
        if call.tool == "query_database" and isinstance(call.output, dict) and call.output.get("success"):
            yield call


def _draw(output: Mapping[str, Any], view: View, key: str) -> None:
    rows, columns = output["rows"], output["columns"]
    cut = f"showing the first {_MOST_ROWS:,}" if len(rows) > _MOST_ROWS else ""
    more = "more rows omitted" if output["truncated"] else ""
    st.html(f"<div><b>{text(counted(len(rows), 'row'))}</b> <small>{text(dotted(cut, more))}</small></div>")
    if rows:
        shown = tuple(map(tuple, rows[:_MOST_ROWS]))
        _drawn(QueryResult(tuple(columns), _types(columns, rows), shown, False, output["sql"]), key)
    with st.expander("SQL", key=f"sql_{key}"):
        st.code(output["sql"], language="sql", wrap_lines=True)
        if len(output["sql"]) <= LONGEST_IN_ADDRESS:
            st.html(link("SQL", "Open in SQL", _there(output, view)))


def _there(output: Mapping[str, Any], view: View) -> View:
    """Return the view of the page that runs the same SQL at the same instants."""
    as_of, known_at = (parse_instant(output[name]) for name in ("as_of", "known_at"))
    there = View(view.workspace, as_of=as_of, known_at=known_at)
    return there.changed(SqlView, sql=output["sql"], database=output.get("database") or "")


def _drawn(result: QueryResult, key: str) -> None:
    frame = frames.frame_of(result)
    height = min(_HIGHEST, _ROW * (len(frame) + 1) + 3)
    st.dataframe(frame, hide_index=True, height=height, alt="Query rows", key=f"rows_{key}")
    if can_be_drawn(result, frame):
        chart(result, frame, key)


def _types(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> tuple[str, ...]:
    """Return types that columns can be drawn by, from their values: a document has none."""
    return tuple(_type([row[place] for row in rows if row[place] is not None]) for place in range(len(columns)))


def _type(values: Sequence[Any]) -> str:
    if values and all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        return "DOUBLE"
    dated = values and all(isinstance(value, str) and frames.is_instant(value) for value in values)
    return "TIMESTAMP" if dated else "VARCHAR"
