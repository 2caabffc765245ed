"""What a database holds in words, and taking it away."""

from typing import Any

import pandas as pd
import streamlit as st

from components import problems
from components.confirm import dialog
from components.markup import counted, plain
from components.shell import Opened
from components.sql.catalog import warehouse_of
from services.sql import SqlDatabase

_WHAT, _TYPE, _SAMPLES, _ABOUT = "what", "type", "values", "description"


@dialog("Describe the data", width="large")
def edit(opened: Opened, database: SqlDatabase) -> None:
    """Ask for descriptions of a database, its tables and columns, which help whoever searches them, a model too."""
    may_change = database.workspace is not None or opened.user.is_admin
    what = f"{plain(database.name)}: {counted(len(database.tables), 'table')}."
    hint = "Descriptions help to find columns for a question."
    st.caption(f"{what} {hint if may_change else 'It is of all workspaces; an administrator can change it.'}")
    about = st.text_input("Description of the database", database.description, disabled=not may_change, key="sql_about")
    rows = _rows(database)
    edited = st.data_editor(
        rows,
        disabled=[_WHAT, _TYPE, _SAMPLES] if may_change else True,
        hide_index=True,
        height=360,
        key=f"sql_describe_{database.name}",
    )
    with st.container(horizontal=True):
        saved = st.button("Save descriptions", type="primary", disabled=not may_change)
        st.space("stretch")
        removed = _delete(opened, database, may_change=may_change)
    if saved:
        _save(opened, database, about, rows, edited)
    if saved or removed:
        st.rerun()


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
    st.toast("The descriptions are saved.", icon=":material/check:")


def _delete(opened: Opened, database: SqlDatabase, *, may_change: bool) -> bool:
    what = (
        "Deletes its tables from Asof."
        if database.kind == "files"
        else "Forgets its address. The database itself stays as it is."
    )
    with st.popover("Delete …", icon=":material/delete:", disabled=not may_change):
        st.write(what)
        if not st.button(f"Delete {plain(database.name)}", type="primary", key="sql_delete_database"):
            return False
    with problems.guarded():
        warehouse_of(opened).remove(opened.name, database.name)
        st.toast(f"{plain(database.name)} is deleted.", icon=":material/check:")
        return True
    return False
