"""What a join by date gives: its first rows, the rows that get nothing with the reason, and ways to take it along."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from components import dates, markup, state
from components.confirm import answers, dialog
from components.markup import Cell, counted, plain, relation, text
from components.refreshing import draw_until_done
from components.shell import Opened
from components.sql import query
from components.sql.catalog import saving
from components.sql.sql_view import SqlView
from services import cached
from services.core.background import Handle, Task
from services.sql import JoinPreview, PointInTimeJoin, UnjoinedRows, export_join, join_sql, keep_join, preview_join

_TASK, _JOIN, _FORM = "sql_join_task", "sql_join_asked", "sql_keep"
_SHOWN, _BESIDE = 12, 4
_AT_ONCE, _BLINK = 1.5, 0.02
_LATER = " · “○ not known yet”: recorded after the row's date"


@dataclass(frozen=True, slots=True)
class JoinFound:
    """The preview of a join; `later` is the same with all that is known by now, where the join leaves that out."""

    now: JoinPreview
    later: JoinPreview | None


def join_preview(opened: Opened, join: PointInTimeJoin) -> None:
    """Draw the preview of a join, which is made anew with each choice."""
    task_id = _task(opened, join)
    draw_until_done(lambda: _draw(opened, join, task_id), lambda: _is_running(task_id), every="0.4s")


def _task(opened: Opened, join: PointInTimeJoin) -> str:
    """Return the id of the work on a join; it is begun where another one was asked for before."""
    asked = (opened.name, join, opened.workspace.mirror.version)
    if state.remembered(_JOIN) != asked or cached.background().get(state.remembered(_TASK, "")) is None:
        cached.background().stop(state.remembered(_TASK, ""))
        title = f"join {opened.name}"
        state.remember(_TASK, cached.background().start(title, title, lambda handle: _found(opened, join, handle)))
        state.remember(_JOIN, asked)
        _wait(state.remembered(_TASK))
    return str(state.remembered(_TASK))


def _is_running(task_id: str) -> bool:
    task = cached.background().get(task_id)
    return task is not None and task.state == "running"


def _wait(task_id: str) -> None:
    """Wait a moment for the work, which most joins are done in."""
    until = time.monotonic() + _AT_ONCE
    while _is_running(task_id) and time.monotonic() < until:
        time.sleep(_BLINK)


def _found(opened: Opened, join: PointInTimeJoin, handle: Handle) -> JoinFound:
    now = preview_join(opened.workspace, join, handle.cancelled)
    everything = replace(join, is_as_known_then=False)
    later = preview_join(opened.workspace, everything, handle.cancelled) if join.is_as_known_then else None
    return JoinFound(now, later)


def _draw(opened: Opened, join: PointInTimeJoin, task_id: str) -> None:
    task: Task | None = cached.background().get(task_id)
    if task is None or task.state == "running":
        markup.heading("Preview", "joining…")
        return
    if task.problem is not None:
        markup.note(f"<b>{text(task.problem.message)}</b> {text(task.problem.hint)}", "")
        return
    found: JoinFound = task.result
    _head(found)
    _rows(join, found)
    _not_joined(join, found.now)
    _ways_on(opened, join)


def _head(found: JoinFound) -> None:
    lost = found.now.unmatched.rows + found.now.ambiguous.rows
    unknown = sum(found.later.filled.values()) - sum(found.now.filled.values()) if found.later else 0
    chips = [markup.chip("a-good", f"✓ {found.now.joined:,} joined")]
    chips += [markup.chip("a-warn", f"? {lost:,} not joined")] if lost else []
    chips += [markup.chip("a-warn", f"? {found.now.undated.rows:,} without a date")] if found.now.undated.rows else []
    chips += [markup.chip("a-off", f"○ {counted(unknown, 'value')} not known yet")] if unknown > 0 else []
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="sql_join_head"):
        with st.container(width="stretch"):
            shown = min(_SHOWN, len(found.now.result.rows))
            markup.heading("Preview", f"{shown} of {counted(found.now.rows, 'row')}")
        st.html(f'<div class="a-chips">{" ".join(chips)}</div>', width="content")


def _rows(join: PointInTimeJoin, found: JoinFound) -> None:
    """Draw the first rows: what the table has, then what the graph adds."""
    result = found.now.result
    given = len(result.columns) - len(join.relations)
    beside = _columns_beside(join, result.columns[:given])
    head: list[Cell] = [(text(result.columns[place]), "") for place in beside]
    head += [(f"<b>{text(relation(name))}</b>", "") for name in join.relations]
    later = found.later.result.rows if found.later else ()
    rows = [
        [(text(_shown(row[place])), "a-muted") for place in beside]
        + [
            (_value(row[place], later[number][place] if number < len(later) else None), "")
            for place in range(given, len(row))
        ]
        for number, row in enumerate(result.rows[:_SHOWN])
    ]
    markup.table(rows, head, label="First rows of the join")
    known = (
        f"as known on {join.date_column}" if join.is_as_known_then else f"as known on {dates.day(found.now.known_at)}"
    )
    st.html(
        f'<div class="a-sm a-muted">● on {text(join.date_column)} · ○ {text(known)} · “none”: the graph has no value'
        f"{_LATER if join.is_as_known_then else ''}</div>"
    )


def _columns_beside(join: PointInTimeJoin, columns: Sequence[str]) -> list[int]:
    """Return the places of the columns to show: those that the join reads, and the first others."""
    read = [columns.index(join.entity_column), columns.index(join.date_column)]
    others = [place for place in range(len(columns)) if place not in read]
    return sorted({*read, *others[: _BESIDE - len(set(read))]})


def _value(now: Any, later: Any) -> str:
    if now is not None:
        return f"<b>{text(_shown(now))}</b>"
    return (
        '<span class="a-chip a-dashed">○ not known yet</span>'
        if later is not None
        else '<span class="a-muted">none</span>'
    )


def _shown(value: Any) -> str:
    return "" if value is None else markup.clipped(str(value).removesuffix("T00:00:00"), 60)


def _not_joined(join: PointInTimeJoin, preview: JoinPreview) -> None:
    """List the rows that get nothing, with the reason."""
    reasons = (
        (preview.unmatched, join.entity_column, "No entity has this name.", "This cell is empty."),
        (preview.ambiguous, join.entity_column, "Several entities have this name.", ""),
        (preview.undated, join.date_column, "This is not a valid date.", "The date cell is empty."),
    )
    lost = [row for found, column, why, empty in reasons for row in _reason(found, column, why, empty)]
    if not lost:
        return
    total = preview.rows - preview.joined
    markup.heading("Rows not joined", f"{counted(total, 'row')} · kept in the result with empty columns")
    head: list[Cell] = [("Column", ""), ("Value", ""), ("Rows", "a-n"), ("Why", "a-w")]
    markup.table(lost, head, label="Rows not joined")


def _reason(found: UnjoinedRows, column: str, why: str, empty: str) -> list[list[Cell]]:
    return [
        [
            (text(column), "a-muted"),
            (f"<b>{text(_shown(value))}</b>", ""),
            (f"{rows:,}", "a-n"),
            (why if value else empty, "a-w"),
        ]
        for value, rows in found.examples
    ]


def _ways_on(opened: Opened, join: PointInTimeJoin) -> None:
    with st.container(horizontal=True, gap="small", key="sql_join_ways"):
        if st.button("Save as table", type="primary", key="sql_join_keep"):
            _keep_dialog(opened, join)
        for label, form, mime in (("CSV", "csv", "text/csv"), ("Parquet", "parquet", "application/vnd.apache.parquet")):
            st.download_button(
                label,
                lambda form=form: export_join(opened.workspace, join, form),  # type: ignore[misc]
                f"{join.table}-joined.{form}",
                mime,
                key=f"sql_join_{form}",
                on_click="ignore",
                icon=":material/download:",
            )
        st.button("Open as query", type="tertiary", key="sql_join_open", on_click=_open, args=(opened, join))


def _open(opened: Opened, join: PointInTimeJoin) -> None:
    state.update(SqlView, tab="query")
    query.write(join_sql(opened.workspace, join), "")


@dialog("Save as table")
def _keep_dialog(opened: Opened, join: PointInTimeJoin) -> None:
    st.text_input("Table name", f"{join.table}_joined", key=f"{_FORM}_table")
    st.text_input("Database", join.database, key=f"{_FORM}_database", help="Created if no database has this name.")
    answers("Save", _keep, opened, join)


def _keep(opened: Opened, join: PointInTimeJoin) -> None:
    table, database = (state.remembered(f"{_FORM}_{part}") or "" for part in ("table", "database"))
    with saving():
        kept = keep_join(opened.workspace, join, database, table)
    st.toast(f"Saved as {plain(kept.database.name)}.{plain(kept.table)}.", icon=":material/check:")
