"""What SQL gave an answer: the statement, its rows, and the way to the page that runs it again."""

from collections.abc import Iterator, Sequence
from typing import Any

import streamlit as st

from components.markup import counted, dotted, link, text
from components.sql.sql_view import LONGEST_IN_ADDRESS, SqlView
from components.state import View
from services.core import clock
from services.core.answer_records import ToolCall

_MOST_ROWS, _ROW, _HIGHEST = 1_000, 35, 320


def query_rows(calls: Sequence[ToolCall], view: View) -> None:
    """Draw each query that gave rows, below the answer that stands on it."""
    for number, call in enumerate(_queries(calls)):
        _draw(call, view, f"{call.id}_{number}")


def _queries(calls: Sequence[ToolCall]) -> Iterator[ToolCall]:
    for call in calls:
        if call.tool == "query_database" and isinstance(call.output, dict) and call.output.get("success"):
            yield call


def _draw(call: ToolCall, view: View, key: str) -> None:
    output: dict[str, Any] = call.output
    rows, columns = output["rows"], _unlike(output["columns"])
    cut = f"the first {min(len(rows), _MOST_ROWS):,} are shown" if len(rows) > _MOST_ROWS else ""
    more = "more were left out" if output["truncated"] else ""
    st.html(f"<div><b>{text(counted(len(rows), 'row'))}</b> <small>{text(dotted(cut, more))}</small></div>")
    if rows:
        st.dataframe(
            [dict(zip(columns, row, strict=True)) for row in rows[:_MOST_ROWS]],
            hide_index=True,
            height=min(_HIGHEST, _ROW * (min(len(rows), _MOST_ROWS) + 1) + 3),
            key=f"rows_{key}",
        )
    with st.expander("SQL", key=f"sql_{key}"):
        st.code(output["sql"], language="sql")
        if len(output["sql"]) <= LONGEST_IN_ADDRESS:
            st.html(link("SQL", "Open in SQL", _there(output, view)))


def _there(output: dict[str, Any], view: View) -> View:
    """Return the view of the page that runs the same SQL at the same instants."""
    as_of, known_at = (clock.parse_instant(output[name]) for name in ("as_of", "known_at"))
    there = View(view.workspace, as_of=as_of, known_at=known_at)
    return there.changed(SqlView, sql=output["sql"], database=output.get("database") or "")


def _unlike(columns: Sequence[str]) -> list[str]:
    return [f"{name} ({place + 1})" if name in columns[:place] else name for place, name in enumerate(columns)]
