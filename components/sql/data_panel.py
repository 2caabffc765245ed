"""What can be queried: the graph's own tables and macros, tables from files, and databases that stay elsewhere."""

from collections.abc import Sequence

import streamlit as st

from components import markup
from components.address import View
from components.markup import dotted, text
from components.shell import Opened
from components.sql import add_data, edit_database
from components.sql.catalog import MACROS, graph_tables
from components.sql.sql_view import SqlView
from services.sql import DatabaseColumn, DatabaseTable, Metric, SqlDatabase

KINDS = {"files": "from files", "sqlite": "SQLite, read-only", "postgres": "PostgreSQL, read-only"}
_CLOCKS = {
    "valid_at": ("●", "when the fact became valid"),
    "invalid_at": ("●", "when the fact stopped being valid"),
    "created_at": ("○", "when the graph recorded the fact"),
    "expired_at": ("○", "when the graph recorded the fact's end"),
}
_OPEN_UP_TO = 6
"""A database of more tables is folded at first."""


def data_panel(opened: Opened, databases: Sequence[SqlDatabase], *, place: str) -> None:
    """Draw the tree; `place` tells the panel beside the query from the one in the menu of narrow windows."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"sql_data_head_{place}"):
        with st.container(width="stretch"):
            markup.heading("Data")
        if st.button("Add data", icon=":material/add:", type="tertiary", key=f"sql_add_{place}"):
            add_data.add_data(opened)
    st.html(f'<div class="a-tree">{_graph(opened)}</div>')
    for database in databases:
        with st.container(horizontal=True, gap=None, key=f"sql_db_{place}_{database.name}"):
            st.html(f'<div class="a-tree">{_database(opened.view, database)}</div>', width="stretch")
            if st.button(
                f"Edit {markup.plain(database.name)}",
                icon=":material/edit_note:",
                type="tertiary",
                key=f"icon_edit_db_{place}_{database.name}",
                help=f"Describe or delete {markup.plain(database.name)}",
            ):
                edit_database.edit(opened, database)


def _graph(opened: Opened) -> str:
    tables = "".join(_table(opened.view, table, "", is_graph=True) for table in graph_tables(opened))
    macros = "".join(
        f'<li class="a-macro"><span class="a-fx" aria-hidden="true">ƒ</span>'
        f'<code title="{text(about)}">{text(name)}</code></li>'
        for _, _, about, name in MACROS
    )
    return f"<details open><summary><b>This graph</b></summary><ul>{tables}{macros}</ul></details>"


def _database(view: View, database: SqlDatabase) -> str:
    note = dotted(KINDS[database.kind], "all workspaces" if database.workspace is None else "")
    tables = "".join(_table(view, table, database.name, source=database) for table in database.tables)
    tables += "".join(_metric(view, metric, database) for metric in database.metrics)
    is_open = " open" if len(database.tables) <= _OPEN_UP_TO else ""
    about = f' title="{text(database.description)}"' if database.description else ""
    return (
        f"<details{is_open}><summary{about}><b>{text(database.name)}</b><small>{text(note)}</small></summary>"
        f"<ul>{tables or '<li><small>no tables yet</small></li>'}</ul></details>"
    )


def _metric(view: View, metric: Metric, database: SqlDatabase) -> str:
    """Return a saved measure as a link that runs its SQL."""
    chosen = database.name if database.kind != "files" else ""
    there = view.changed(SqlView, sql=metric.sql, database=chosen, values=(), files=())
    label = f'<span title="{text(metric.description)}">{text(metric.name)}</span>'
    return f'<li class="a-macro"><span class="a-fx" aria-hidden="true">∑</span>{markup.link("SQL", label, there)}</li>'


def _table(
    view: View, table: DatabaseTable, database: str, *, is_graph: bool = False, source: SqlDatabase | None = None
) -> str:
    columns = "".join(_column(column, is_graph=is_graph) for column in table.columns)
    about = dotted(table.description, f"from {table.source}" if table.source else "")
    there = f'<li class="a-rows">{_first_rows(view, table, database, source)}</li>'
    return (
        f'<li><details><summary title="{text(about)}"><code>{text(table.name)}</code><small>{table.rows:,}</small>'
        f"</summary><ul>{f'<li class=a-about>{text(about)}</li>' if about else ''}{columns}{there}</ul></details></li>"
    )


def _first_rows(view: View, table: DatabaseTable, database: str, source: SqlDatabase | None) -> str:
    """Return a link to the first rows of a table."""
    elsewhere = source is not None and source.kind != "files"
    path = ".".join(
        _quoted(part) for part in (*([database] if database and not elsewhere else []), *table.name.split("."))
    )
    there = view.changed(
        SqlView, sql=f"SELECT *\nFROM {path}\nLIMIT 100", database=database if elsewhere else "", values=(), files=""
    )
    return markup.link("SQL", "Show the first 100 rows", there)


def _quoted(name: str) -> str:
    return name if name.isidentifier() and name == name.lower() else '"' + name.replace('"', '""') + '"'


def _column(column: DatabaseColumn, *, is_graph: bool) -> str:
    sign, meaning = _CLOCKS.get(column.name, ("", "")) if is_graph else ("", "")
    mark = f'<i class="a-clock{" a-world" if sign == "●" else ""}">{sign}</i> ' if sign else ""
    about = dotted(column.description or meaning, f"such as {', '.join(column.samples)}" if column.samples else "")
    return (
        f'<li class="a-column" title="{text(about)}">{mark}<code>{text(column.name)}</code>'
        f"<small>{text(column.type.lower())}</small></li>"
    )
