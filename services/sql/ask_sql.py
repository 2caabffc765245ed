"""Answers SQL over a workspace's graph, the tables beside it, and databases elsewhere."""

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from services.core import clock
from services.core.errors import BadInput, QueryRejected
from services.mirror.sql_snapshot import SNAPSHOT_FUNCTIONS, SNAPSHOT_MACROS, SNAPSHOT_TABLES
from services.sql.catalog import GRAPH, SqlDatabase
from services.sql.dialects import DUCKDB, SqlDialect
from services.sql.external_databases import DIALECTS, readable, run_on_source
from services.sql.guard import CheckedStatement, Readable, check
from services.sql.query_limits import QueryLimits
from services.sql.query_results import ExportForm, QueryResult
from services.sql.run_query import FileQuery, export_query, run_query
from services.sql.snapshots import Snapshot, latest_snapshot
from services.sql.warehouse import warehouse

if TYPE_CHECKING:
    from services.context import OpenWorkspace

_TABLES = tuple(table.name for table in SNAPSHOT_TABLES)
_USUAL = QueryLimits()
_MOST_DATABASES = 30
"""A query's process may have 64 files open."""


@dataclass(frozen=True, slots=True)
class SqlQuestion:
    """Some SQL, where it is asked, and the two clocks; an instant that is not given is now.

    `parameters` are the values of its `:names`, beside `:as_of` and `:known_at`.
    """

    sql: str
    database: str | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SqlAnswer:
    """What a query gave; `snapshot` is the copy of the graph that it read, if it read any.

    `unbounded` are the graph's tables that it named and that hold what was recorded after `known_at`, too.
    """

    result: QueryResult
    as_of: datetime
    known_at: datetime
    snapshot: Snapshot | None
    unbounded: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        """What the reader should know of the rows that `known_at` does not bound; "" where it bounds them all."""
        if not self.unbounded:
            return ""
        tables = ", ".join(self.unbounded)
        return f"known_at does not limit {tables}: these tables also contain later records (created_at)."


def ask_sql(
    workspace: "OpenWorkspace",
    question: SqlQuestion,
    limits: QueryLimits = _USUAL,
    cancel: threading.Event | None = None,
) -> SqlAnswer:
    """Return the rows of one statement that reads.

    Raises `QueryRejected` that says why it does not run, `BadInput` for an unknown database, and `Cancelled`.
    """
    as_of, known_at, values = _clocks(question)
    chosen = _chosen(workspace, question)
    if chosen is not None and chosen.kind in DIALECTS:
        statement = _checked(question.sql, DIALECTS[chosen.kind], readable(chosen), values)
        result = run_on_source(workspace.settings, chosen, statement, values, limits, cancel)
        return SqlAnswer(result, as_of, known_at, None)
    query, snapshot = _on_files(workspace, question.sql, chosen, values, known_at)
    is_bounded = snapshot is None or _holds_nothing_after(workspace, known_at)
    unbounded = () if is_bounded else _unbounded(query.statement, chosen)
    return SqlAnswer(run_query(query, limits, cancel), as_of, known_at, snapshot, unbounded)


def refuse_unreadable(workspace: "OpenWorkspace", database: str, sql: str) -> None:
    """Raise `QueryRejected` for SQL that a database would not be asked, and `BadInput` for an unknown database."""
    chosen = warehouse(workspace).database(workspace.name, database)
    if chosen.kind in DIALECTS:
        check(sql, DIALECTS[chosen.kind], readable(chosen))
    else:
        check(sql, DUCKDB, _readable_files(workspace, chosen))


def export_sql(
    workspace: "OpenWorkspace", question: SqlQuestion, form: ExportForm, cancel: threading.Event | None = None
) -> bytes:
    """Return all rows of a statement over the graph and tables from files, as a file. Raises as `ask_sql` does."""
    _, known_at, values = _clocks(question)
    chosen = _chosen(workspace, question)
    if chosen is not None and chosen.kind in DIALECTS:
        raise BadInput(f"“{chosen.name}” is a connected database.", "You can export only tables loaded from files.")
    query, _ = _on_files(workspace, question.sql, chosen, values, known_at)
    return export_query(query, form, cancel=cancel)


def _clocks(question: SqlQuestion) -> tuple[datetime, datetime, Mapping[str, Any]]:
    """Return a question's two clocks and the values of its parameters, those among them."""
    now = clock.now()
    as_of, known_at = question.as_of or now, question.known_at or now
    return as_of, known_at, {"as_of": as_of.isoformat(), "known_at": known_at.isoformat(), **question.parameters}


def _chosen(workspace: "OpenWorkspace", question: SqlQuestion) -> SqlDatabase | None:
    return warehouse(workspace).database(workspace.name, question.database) if question.database else None


def _on_files(
    workspace: "OpenWorkspace", sql: str, chosen: SqlDatabase | None, values: Mapping[str, Any], known_at: datetime
) -> tuple[FileQuery, Snapshot | None]:
    """Return a checked query with the files that it may read, and the copy of the graph among them."""
    databases = _databases_of_files(workspace)
    statement = _checked(sql, DUCKDB, _readable_files(workspace, chosen), values)
    snapshot = latest_snapshot(workspace) if _reads_graph(statement) else None
    read = _read(statement, databases, chosen)
    if len(read) > _MOST_DATABASES:
        raise QueryRejected(
            f"A query can read at most {_MOST_DATABASES} databases.",
            "Read fewer databases, and write the name of the database before each table.",
        )
    files = ({GRAPH: snapshot.path} if snapshot else {}) | {one.name: warehouse(workspace).file(one) for one in read}
    searched = dict.fromkeys(name for name in (chosen and chosen.name, GRAPH, *files) if name in files)
    return FileQuery(statement, files, list(searched), values, known_at), snapshot


def _databases_of_files(workspace: "OpenWorkspace") -> list[SqlDatabase]:
    return [one for one in warehouse(workspace).databases(workspace.name) if one.kind == "files"]


def _read(
    statement: CheckedStatement, databases: Sequence[SqlDatabase], chosen: SqlDatabase | None
) -> list[SqlDatabase]:
    """Return the databases that a statement names, and those whose tables it names alone: the chosen one before all."""
    named = {path[0] for path in statement.tables if len(path) > 1}
    alone = {path[0] for path in statement.tables if len(path) == 1}
    others = alone - {table.name for table in (chosen.tables if chosen else ())}
    return [
        one
        for one in databases
        if one.name in named or any(table.name in (alone if one == chosen else others) for table in one.tables)
    ]


def _checked(sql: str, dialect: SqlDialect, readable: Readable, values: Mapping[str, Any]) -> CheckedStatement:
    """Return a statement whose parameters all have values. Raises `QueryRejected`."""
    statement = check(sql, dialect, readable)
    if missing := [name for name in statement.parameters if name not in values]:
        raise QueryRejected(f"The parameter :{missing[0]} has no value.", "Write the value in place of the parameter.")
    return statement


def _readable_files(workspace: "OpenWorkspace", chosen: SqlDatabase | None) -> Readable:
    """Return what may be read: every table under its database's name, and by its own where that names one table."""
    databases = _databases_of_files(workspace)
    named = Counter(table.name for one in databases for table in one.tables)
    own = {table.name for table in chosen.tables} if chosen else {name for name, n in named.items() if n == 1}
    qualified = [(one.name, table.name) for one in databases for table in one.tables]
    tables: list[str | tuple[str, ...]] = [*_TABLES, *((GRAPH, name) for name in _TABLES), *own, *qualified]
    others = frozenset(one.name for one in warehouse(workspace).databases(workspace.name)) - {d.name for d in databases}
    return replace(Readable.of(tables, SNAPSHOT_MACROS, SNAPSHOT_FUNCTIONS), elsewhere=others)


def _holds_nothing_after(workspace: "OpenWorkspace", known_at: datetime) -> bool:
    newest = workspace.mirror.watermark().newest
    return newest is None or newest <= known_at


def _unbounded(statement: CheckedStatement, chosen: SqlDatabase | None) -> tuple[str, ...]:
    """Return the names of the graph's own tables in a statement; macros bound what they read, tables do not."""
    own = {table.name for table in chosen.tables} if chosen else set()
    alone = {path[0] for path in statement.tables if len(path) == 1} - own
    qualified = {path[-1] for path in statement.tables if len(path) > 1 and path[0] == GRAPH}
    return tuple(name for name in _TABLES if name in alone | qualified)


def _reads_graph(statement: CheckedStatement) -> bool:
    """True where a statement reads a table of the graph, or may: a file's table can have the name of one."""
    sql = statement.sql.lower()
    named = (*SNAPSHOT_MACROS, *SNAPSHOT_FUNCTIONS)
    return any(path[-1] in _TABLES for path in statement.tables) or any(name in sql for name in named)
