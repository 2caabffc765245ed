"""Gives each row of a table what the graph says of its entity on the row's own date.

The join is SQL that analysts can read, change and run themselves (`join_sql`): the functions in it are those of the
graph's copy (`services/mirror/sql_functions.sql`). Each row of the table comes once, in its order. Several targets of
one relation share a cell, by name with "; " between: rows that multiply would be counted twice by whoever sums them up.
"""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from services.core import clock
from services.core.errors import BadInput
from services.sql.ask_sql import SqlAnswer, SqlQuestion, ask_sql, export_sql
from services.sql.catalog import DatabaseTable, SqlDatabase, table_name
from services.sql.query_limits import QueryLimits
from services.sql.query_results import ExportForm, QueryResult
from services.sql.quoting import identifier, literal
from services.sql.warehouse import warehouse

if TYPE_CHECKING:
    from services.context import OpenWorkspace

_SHOWN = 100
"""So many rows are previewed."""
_EXAMPLES = 20
"""So many values of rows without facts are named, those of most rows first."""
_LIMITS = QueryLimits(seconds=120.0)
_KEPT = "kept/"
"""Begins the source of a table that a join was kept as: no file that is added has a name with a slash."""
_ORDER = "given_row"
"""Names the column that keeps the rows in their order."""


@dataclass(frozen=True, slots=True)
class PointInTimeJoin:
    """A table of a database of files, its columns that name the entity and the date, and the relations wanted.

    Each row gets what held on its date, by what the graph knew at `known_at` (now where it is None); where
    `is_as_known_then`, by what the graph knew on the row's date, so that no row sees what was learned after it.
    """

    database: str
    table: str
    entity_column: str
    date_column: str
    relations: tuple[str, ...]
    is_as_known_then: bool = False
    known_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class UnjoinedRows:
    """How many rows get nothing for one reason, and the values that it is about, each with its rows, most first.

    A value that is None stands for empty cells.
    """

    rows: int = 0
    examples: tuple[tuple[str | None, int], ...] = ()


@dataclass(frozen=True, slots=True)
class JoinPreview:
    """The first rows of a join, what it does to the others, and the SQL that it is.

    Of all `rows` those in `unmatched` name no entity, those in `ambiguous` several of one name, and those in `undated`
    have no date that can be read; a row may be among the last as well as in one of the others. Those `joined` are in
    none of them. `filled` says for each relation how many rows get a target.
    """

    result: QueryResult
    rows: int
    joined: int
    unmatched: UnjoinedRows
    ambiguous: UnjoinedRows
    undated: UnjoinedRows
    filled: Mapping[str, int]
    sql: str
    known_at: datetime
    synced_at: datetime | None


@dataclass(frozen=True, slots=True)
class KeptTable:
    """Where a join was kept: a table of a database."""

    database: SqlDatabase
    table: str


def preview_join(
    workspace: "OpenWorkspace", join: PointInTimeJoin, cancel: threading.Event | None = None
) -> JoinPreview:
    """Return the first rows of a join and counts of all.

    Raises `BadInput` for a table, a column or a relation that is not there, `QueryRejected` and `Cancelled`.
    """
    join = replace(join, known_at=join.known_at or clock.now())
    table = _table(workspace, join)

    def asked(sql: str) -> SqlAnswer:
        return ask_sql(workspace, _question(join, sql), _LIMITS, cancel)

    first = asked(_joined(join, table, f" LIMIT {_SHOWN}"))
    unjoined = asked(_unjoined(join)).result.rows
    (counts,) = asked(_filled(join)).result.rows
    assert first.snapshot, "the functions of a join read the graph"
    return JoinPreview(
        result=first.result,
        rows=counts[0],
        joined=_rows_without(unjoined, "joined").rows,
        unmatched=_rows_without(unjoined, "unmatched"),
        ambiguous=_rows_without(unjoined, "ambiguous"),
        undated=_rows_without(unjoined, "undated"),
        filled=dict(zip(join.relations, counts[1:], strict=True)),
        sql=_joined(join, table),
        known_at=first.known_at,
        synced_at=first.snapshot.synced_at,
    )


def join_sql(workspace: "OpenWorkspace", join: PointInTimeJoin) -> str:
    """Return a join as SQL, whose `:known_at` is the graph's clock. Raises `BadInput` for what is not there."""
    return _joined(join, _table(workspace, join))


def export_join(
    workspace: "OpenWorkspace", join: PointInTimeJoin, form: ExportForm, cancel: threading.Event | None = None
) -> bytes:
    """Return all rows of a join as a file of CSV or Parquet. Raises as `preview_join` does."""
    return export_sql(workspace, _question(join, join_sql(workspace, join)), form, cancel)


def keep_join(
    workspace: "OpenWorkspace", join: PointInTimeJoin, database: str, table: str, cancel: threading.Event | None = None
) -> KeptTable:
    """Keep the rows of a join as a table of a database of this workspace, which is made where it is missing.

    A table that was kept under the name before is replaced. Raises as `preview_join` does, and `BadInput` for a name
    that is another table's.
    """
    file = f"{_KEPT}{table_name(table)}.parquet"
    _refuse_name_of_another(workspace, database, table_name(table), file)
    content = export_join(workspace, join, "parquet", cancel)
    kept = warehouse(workspace).add_files(database, workspace.name, [(file, content)])
    (name,) = (one.name for one in kept.tables if one.source == file)
    known = "on its date" if join.is_as_known_then else f"at {(join.known_at or clock.now()).astimezone(UTC):%Y-%m-%d}"
    description = f"{join.database}.{join.table} with {', '.join(join.relations)} on each row's date, as known {known}"
    return KeptTable(warehouse(workspace).describe(workspace.name, database, description, table=name), name)


def _refuse_name_of_another(workspace: "OpenWorkspace", database: str, table: str, file: str) -> None:
    """Raise `BadInput` where a table of the name was read from a file."""
    known = (one for one in warehouse(workspace).databases(workspace.name) if one.name == database.strip().lower())
    if any(one.name == table and one.source != file for other in known for one in other.tables):
        raise BadInput(f"The database “{database}” already has a table “{table}”.", "Choose another name.")


def _question(join: PointInTimeJoin, sql: str) -> SqlQuestion:
    return SqlQuestion(sql, join.database, known_at=join.known_at)


def _table(workspace: "OpenWorkspace", join: PointInTimeJoin) -> DatabaseTable:
    """Return the table of a join, all of whose parts are there. Raises `BadInput`."""
    database = warehouse(workspace).database(workspace.name, join.database)
    if database.kind != "files":
        raise BadInput(f"“{database.name}” is a connected database.", "Choose a table loaded from a file.")
    table = next((one for one in database.tables if one.name == join.table), None)
    if table is None:
        tables = ", ".join(one.name for one in database.tables)
        raise BadInput(f"The database “{database.name}” has no table “{join.table}”.", f"Available: {tables}.")
    columns = [column.name for column in table.columns]
    if missing := [name for name in (join.entity_column, join.date_column) if name not in columns]:
        raise BadInput(f"The table “{table.name}” has no column “{missing[0]}”.", f"Available: {', '.join(columns)}.")
    if not join.relations:
        raise BadInput("No relation selected.", "Choose a relation to look up for each row.")
    known = {relation.name for relation in workspace.mirror.relations()}
    if unknown := [relation for relation in join.relations if relation not in known]:
        raise BadInput(f"The graph has no relation “{unknown[0]}”.", f"Available: {', '.join(sorted(known)[:12])}.")
    return table


def _columns(join: PointInTimeJoin, table: DatabaseTable) -> list[str]:
    """Return the columns that a join adds, each unlike a column of the table: the rows' order, and one named by each
    relation wanted.
    """
    taken, named = {column.name.lower() for column in table.columns}, list[str]()
    for wanted in (_ORDER, *join.relations):
        name, number = wanted, 2
        while name.lower() in taken:
            name, number = f"{wanted}_{number}", number + 1
        taken.add(name.lower())
        named.append(name)
    return named


def _joined(join: PointInTimeJoin, table: DatabaseTable, first: str = "") -> str:
    """Return a join as SQL, of the `first` rows alone where a LIMIT says so."""
    order, *columns = _columns(join, table)
    targets = [
        f"    {_targets(join, relation)} AS {identifier(column)}"
        for relation, column in zip(join.relations, columns, strict=True)
    ]
    given = f"SELECT *, row_number() OVER () AS {order} FROM {_source(join)}{first}"
    return f"""WITH given AS ({given})
SELECT given.* EXCLUDE ({order}),
{",\n".join(targets)}
FROM given ORDER BY {order}"""


def _targets(join: PointInTimeJoin, relation: str) -> str:
    at = f"instant_of(given.{identifier(join.date_column)})"
    known_at = f"least({at}, :known_at)" if join.is_as_known_then else ":known_at"
    return f"targets_as_of(given.{identifier(join.entity_column)}, {literal(relation)}, {at}, {known_at})"


def _source(join: PointInTimeJoin) -> str:
    return f"{identifier(join.database)}.{identifier(join.table)}"


def _filled(join: PointInTimeJoin) -> str:
    """Return SQL that counts the rows of a join, and those that get a target of each relation."""
    counted = ", ".join(f"count({_targets(join, relation)})" for relation in join.relations)
    return f"SELECT count(*), {counted} FROM {_source(join)} AS given"


def _unjoined(join: PointInTimeJoin) -> str:
    """Return SQL that names the values of rows that get nothing, with the reason and how many rows there are of it.

    Rows that are joined are counted beside them.
    """
    entity, date = identifier(join.entity_column), identifier(join.date_column)
    return f"""
        WITH named AS (
            SELECT {entity}::VARCHAR AS entity, {date}::VARCHAR AS date, instant_of({date}) IS NULL AS is_undated,
                coalesce(len(entities_named({entity})), 0) AS entities
            FROM {_source(join)}),
        valued AS (
            SELECT 'unmatched' AS reason, entity AS value FROM named WHERE entities = 0
            UNION ALL SELECT 'ambiguous', entity FROM named WHERE entities > 1
            UNION ALL SELECT 'undated', date FROM named WHERE is_undated
            UNION ALL SELECT 'joined', NULL FROM named WHERE entities = 1 AND NOT is_undated)
        SELECT reason, value, count(*) AS rows, sum(count(*)) OVER (PARTITION BY reason)::BIGINT AS all_rows
        FROM valued GROUP BY reason, value
        QUALIFY row_number() OVER (PARTITION BY reason ORDER BY rows DESC, value) <= {_EXAMPLES}
        ORDER BY reason, rows DESC, value"""


def _rows_without(found: Sequence[Sequence[Any]], reason: str) -> UnjoinedRows:
    """Return what the rows of `_unjoined` say of one reason."""
    of_reason = [(value, rows, all_rows) for named, value, rows, all_rows in found if named == reason]
    if not of_reason:
        return UnjoinedRows()
    return UnjoinedRows(of_reason[0][2], tuple((value, rows) for value, rows, _ in of_reason))
