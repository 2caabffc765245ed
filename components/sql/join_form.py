"""The point-in-time join without SQL: each row of a table gets what the graph says of its entity on the row's date."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from components import dates
from components.markup import counted, plain, relation
from components.shell import Opened
from components.sql.catalog import databases_of
from services import cached
from services.mirror import Mirror
from services.sql import DatabaseColumn, DatabaseTable, PointInTimeJoin, SqlDatabase

_FEW = 3
"""Relations that are chosen at first."""
_DATES = ("date", "timestamp", "time")


@dataclass(frozen=True, slots=True)
class JoinTable:
    """A table that can be joined, with its database."""

    database: SqlDatabase
    table: DatabaseTable

    @property
    def label(self) -> str:
        """What it is called in the form."""
        return f"{self.table.source or self.table.name} · {self.database.name} · {counted(self.table.rows, 'row')}"


def join_form(opened: Opened) -> PointInTimeJoin | None:
    """Draw the form, and return the join that it says; None while a part of it is missing."""
    with st.container(border=True, key="sql_join_form"):
        st.html(
            '<div class="a-muted a-sm">Adds to each row the values that its entity had '
            "<b class='a-plain-word'>on that row's date</b>.</div>"
        )
        tables = [JoinTable(one, table) for one in databases_of(opened) if one.kind == "files" for table in one.tables]
        if not tables:
            st.caption("No tables yet. Add a file on the Query tab, under Data.")
            return None
        chosen = st.selectbox("Table", tables, format_func=lambda one: one.label, key="sql_join_table")
        return _columns(opened, chosen or tables[0])


def _columns(opened: Opened, chosen: JoinTable) -> PointInTimeJoin | None:
    columns, key = chosen.table.columns, f"{chosen.database.name}_{chosen.table.name}"
    names = [column.name for column in columns]
    entity = st.selectbox(
        "Entity column",
        names,
        names.index(_entity_column(opened.name, columns)),
        format_func=_sampled(columns),
        key=f"sql_join_entity_{key}",
    )
    st.caption("Matches current and former names and ignores case.")
    date = st.selectbox(
        "Date column",
        names,
        names.index(_date_column(columns)),
        format_func=_typed(columns),
        key=f"sql_join_date_{key}",
    )
    relations = _relations(opened)
    then = _as_known_then(opened)
    if not relations:
        st.caption("Choose at least one relation.")
        return None
    return PointInTimeJoin(
        chosen.database.name, chosen.table.name, entity, date, tuple(relations), then, opened.view.known_at
    )


def _relations(opened: Opened) -> list[str]:
    names = [one.name for one in cached.ask(Mirror.relations, opened.name)]
    return st.pills(
        "Relations to add",
        names,
        default=names[:_FEW],
        format_func=lambda name: plain(relation(name)),
        selection_mode="multi",
        key="sql_join_relations",
    )


def _as_known_then(opened: Opened) -> bool:
    with st.container(border=True, key="sql_join_known"):
        then = st.toggle("As known on each row's date", value=True, key="sql_join_then")
        st.caption(
            "When on, the join uses only what the graph had recorded by each row's date. When off, it uses what "
            f"the graph knew on ○ {dates.named(opened.view.known_at, opened.view.at.known_at)}."
        )
    return then


def _entity_column(workspace: str, columns: tuple[DatabaseColumn, ...]) -> str:
    """Return the first column of texts with the name of an entity among its values, else the first column of texts."""
    texts = [column for column in columns if "char" in column.type.lower() or column.type.lower() == "text"]
    naming = (
        column for column in texts if any(cached.ask(Mirror.entities_named, workspace, one) for one in column.samples)
    )
    return next(iter((*naming, *texts)), columns[0]).name


def _date_column(columns: tuple[DatabaseColumn, ...]) -> str:
    typed = [column.name for column in columns if column.type.lower().startswith(_DATES)]
    named = [
        column.name
        for column in columns
        if "date" in column.name.lower() or column.name.lower().endswith(("_on", "_at", "day"))
    ]
    return next(iter((*typed, *named)), columns[-1].name)


def _sampled(columns: tuple[DatabaseColumn, ...]) -> Callable[[str], str]:
    by_name = {column.name: column for column in columns}
    return lambda name: f"{name} · {', '.join(f'“{value}”' for value in by_name[name].samples[:2])}"


def _typed(columns: tuple[DatabaseColumn, ...]) -> Callable[[str], str]:
    by_name = {column.name: column for column in columns}
    return lambda name: f"{name} · {by_name[name].type.lower()}"
