"""What a query gave: how many rows of what age, the table, and its files."""

from collections.abc import Callable
from datetime import timedelta

import streamlit as st

from components import dates, markup, state
from components.markup import counted, dotted
from components.shell import Opened
from components.sql import frames
from components.sql.chart import can_be_drawn, chart
from components.sql.running import QueryRun
from components.sql.sql_view import SqlView
from services.core import clock
from services.sql import QueryResult, SqlAnswer, parameter_names

_ROW, _HIGHEST = 31, 430


def result(opened: Opened, run: QueryRun, *, is_older: bool) -> None:
    """Draw what a run gave; `is_older` says that the SQL was changed since."""
    if run.answer is None:
        return
    answer = run.answer
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="sql_result_head"):
        with st.container(width="stretch"):
            _head(opened, run, answer, is_older=is_older)
        if answer.result.rows:
            _downloads(run, answer)
    _other_dates(opened, run)
    if answer.result.rows:
        _rows(opened, answer.result)


def _other_dates(opened: Opened, run: QueryRun) -> None:
    """Say which dates the rows are of where the time bar shows others by now."""
    asked, at = run.question, opened.view.at
    named = parameter_names(opened.workspace, asked.sql, asked.database)
    ran = [("as_of", "●", asked.as_of, at.as_of), ("known_at", "○", asked.known_at, at.known_at)]
    old = [f"{sign} {dates.moment(was)}" for name, sign, was, now in ran if name in named and was and was != now]
    if old:
        words = f"<b>These rows are for {markup.text(' and '.join(old))}.</b>"
        markup.note(f"{words} Run the query again for the dates in the time bar.", "a-warn")


def _rows(opened: Opened, found: QueryResult) -> None:
    """Draw the table, with the chart beside it where there is one."""
    frame = frames.frame_of(found)
    has_chart = can_be_drawn(found, frame)
    with st.container(key="sql_rows"):
        table, picture = st.columns([1, 1.15], gap="medium") if has_chart else (st.container(), None)
    with table:
        st.dataframe(
            frame,
            hide_index=True,
            height=min(_HIGHEST, _ROW * (len(frame) + 1) + 3),
            key="sql_table",
            alt=f"Query rows: {counted(len(frame), 'row')}, columns {', '.join(frame.columns[:20])}",
        )
    if picture is not None:
        with picture:
            chart(found, frame, "result", opened.view.of(SqlView).chart, lambda pairs: state.go(SqlView, chart=pairs))


def _head(opened: Opened, run: QueryRun, answer: SqlAnswer, *, is_older: bool) -> None:
    rows = len(answer.result.rows)
    title = counted(rows, "row") if rows else "No rows match"
    cut = f"{rows:,} rows, more omitted" if answer.result.truncated else ""
    words = dotted(
        f"in {took(run.seconds)}",
        f"run at {run.begun_at:%H:%M:%S}Z",
        "from before your last edit" if is_older else "",
        _age(opened, answer),
    )
    amber = f'<span class="a-chip a-warn">? {cut}</span>' if cut else markup.text(title)
    note = f'<p class="a-muted">{markup.text(answer.note)}</p>' if answer.note else ""
    st.html(
        f'<div role="status"><div class="a-h" role="heading" aria-level="2">{amber}'
        f"<small>{markup.text(words)}</small></div>{note}</div>"
    )


def took(seconds: float) -> str:
    """Return a time as one says it: `41 ms`, `3.1 s`."""
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _age(opened: Opened, answer: SqlAnswer) -> str:
    """Say how old the copy of the graph is that was read, and whether the graph has changed since."""
    if answer.snapshot is None or answer.snapshot.synced_at is None:
        return ""
    age = clock.now() - answer.snapshot.synced_at
    changed = opened.workspace.mirror.version != answer.snapshot.version
    return f"copy of the graph {_ago(age)} old, {'the graph has changed since' if changed else 'no changes since'}"


def _ago(age: timedelta) -> str:
    seconds = max(0, round(age.total_seconds()))
    if seconds < 60:
        return f"{seconds} s"
    return f"{seconds // 60} min" if seconds < 3600 else f"{seconds // 3600} h"


def _downloads(run: QueryRun, answer: SqlAnswer) -> None:
    file = f"query-{run.begun_at:%Y%m%d-%H%M%S}"
    files: dict[str, tuple[str, str, Callable[[], str | bytes]]] = {
        "CSV": ("csv", "text/csv", lambda: frames.as_csv(answer.result)),
        "Parquet": ("parquet", "application/vnd.apache.parquet", lambda: frames.as_parquet(answer.result)),
    }
    for label, (suffix, mime, make) in files.items():
        st.download_button(
            label, make, f"{file}.{suffix}", mime, key=f"sql_{suffix}", on_click="ignore", icon=":material/download:"
        )
