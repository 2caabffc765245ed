"""What a database holds in words, and taking it away."""

from typing import Any

import pandas as pd
import streamlit as st

from components import problems
from components.confirm import dialog
from components.markup import counted, plain
from components.shell import Opened
from components.sql.catalog import saving, warehouse_of
from services.sql import Metric, SqlDatabase, refuse_unreadable

_WHAT, _TYPE, _SAMPLES, _ABOUT = "what", "type", "values", "description"
_NAME, _SQL = "metric", "sql"


@dialog("Describe the data", width="large")
def edit(opened: Opened, database: SqlDatabase) -> None:
    """Ask for descriptions of a database, its tables and columns, which help whoever searches them, a model too."""
    may_change = database.workspace is not None or opened.user.is_admin
    what = f"{plain(database.name)}: {counted(len(database.tables), 'table')}."
    hint = "Descriptions help Asof find the right columns for a question."
    st.caption(f"{what} {hint if may_change else 'All workspaces share it; only an administrator can change it.'}")
    about = st.text_input("Database description", database.description, disabled=not may_change, key="sql_about")
    rows = _rows(database)
    edited = st.data_editor(
        rows,
        disabled=[_WHAT, _TYPE, _SAMPLES] if may_change else True,
        hide_index=True,
        height=260,
        key=f"sql_describe_{database.name}",
    )
    measures = _metrics(database, may_change=may_change)
    with st.container(horizontal=True):
        saved = st.button("Save", type="primary", disabled=not may_change, key="sql_save_descriptions")
        st.space("stretch")
        removed = _delete(opened, database, may_change=may_change)
    if saved:
        with saving():
            _save_metrics(opened, database, measures)
            _save(opened, database, about, rows, edited)
        st.toast("Descriptions saved.", icon=":material/check:")
    if saved or removed:
        st.rerun()


def _metrics(database: SqlDatabase, *, may_change: bool) -> pd.DataFrame:
    """Draw the metrics of a database as a table that can be changed, and return it."""
    st.caption("A metric is a measure defined in SQL. You can use it in questions like a column.")
    rows = [{_NAME: one.name, _SQL: one.sql, _ABOUT: one.description} for one in database.metrics]
    return st.data_editor(
        pd.DataFrame(rows, columns=[_NAME, _SQL, _ABOUT], dtype=str),
        num_rows="dynamic" if may_change else "fixed",
        disabled=not may_change,
        hide_index=True,
        key=f"sql_metrics_{database.name}",
    )


def _save_metrics(opened: Opened, database: SqlDatabase, after: pd.DataFrame) -> None:
    ours, kept = warehouse_of(opened), set(database.metrics)
    asked = {
        Metric(name=row[_NAME] or "", sql=row[_SQL] or "", description=row[_ABOUT] or "")
        for row in after.fillna("").to_dict("records")
        if any(row.values())
    }
    for metric in asked - kept:
        refuse_unreadable(opened.workspace, database.name, metric.sql)
    for metric in asked - kept:
        ours.save_metric(opened.name, database.name, metric)
    for name in {one.name for one in kept} - {one.name for one in asked}:
        ours.delete_metric(opened.name, database.name, name)


def _rows(database: SqlDatabase) -> pd.DataFrame:
    rows = []
    for table in database.tables:
        rows.append(
            {_WHAT: table.name, _TYPE: f"{table.rows:,} rows", _SAMPLES: table.source, _ABOUT: table.description}
        )
        rows += [
            {
                _WHAT: f"{table.name}.{column.name}",
                _TYPE: column.type.lower(),
                _SAMPLES: ", ".join(column.samples),
                _ABOUT: column.description,
            }
            for column in table.columns
        ]
    return pd.DataFrame(rows, columns=[_WHAT, _TYPE, _SAMPLES, _ABOUT])


def _save(opened: Opened, database: SqlDatabase, about: str, before: pd.DataFrame, after: pd.DataFrame) -> None:
    ours = warehouse_of(opened)
    if about != database.description:
        ours.describe(opened.name, database.name, about)
    places = [
        place
        for table in database.tables
        for place in ((table.name, None), *((table.name, one.name) for one in table.columns))
    ]
    changed: list[tuple[tuple[str, str | None], Any]] = [
        (place, new)
        for place, old, new in zip(places, before[_ABOUT], after[_ABOUT], strict=True)
        if (new or "") != old
    ]
    for (table, column), new in changed:
        ours.describe(opened.name, database.name, new or "", table=table, column=column)


def _delete(opened: Opened, database: SqlDatabase, *, may_change: bool) -> bool:
    what = (
        "Deletes the database's tables from Asof."
        if database.kind == "files"
        else "Removes the connection. The database itself does not change."
    )
    with st.popover("Delete…", icon=":material/delete:", disabled=not may_change):
        st.write(what)
        if not st.button(f"Delete {plain(database.name)}", type="primary", key="sql_delete_database"):
            return False
    with problems.guarded():
        warehouse_of(opened).remove(opened.name, database.name)
        st.toast(f"Deleted {plain(database.name)}.", icon=":material/check:")
        return True
    return False
