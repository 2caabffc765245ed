"""What SQL may be written over: the tables of a database, or the graph's and those of all files, as SQL names them."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from services.mirror.sql_snapshot import SNAPSHOT_TABLES
from services.sql.catalog import GRAPH, DatabaseTable, ForeignKey, SqlDatabase
from services.sql.dialects import DialectName
from services.sql.graph_schema import graph_database
from services.sql.quoting import identifier
from services.sql.warehouse import warehouse

if TYPE_CHECKING:
    from services.context import OpenWorkspace

HOLDING = "facts_as_of(:as_of)"
"""What stands in SQL for the facts that hold at the date of a question."""
_PLAIN = re.compile(r"[a-z_][a-z0-9_]*", re.IGNORECASE)
_WORDS_OF_SQL = """
    all analyse analyze and any as asc both case cast check collate column constraint create cross current_date
    current_time current_timestamp default desc distinct do else end except exists false fetch for foreign from
    full glob grant group having in index inner intersect into is isnull join left like limit natural not
    notnull null offset on or order outer pivot primary qualify references right select show some summarize
    table then to trailing true union unique unpivot user using when where window with
"""
_KEYWORDS = frozenset(_WORDS_OF_SQL.split())


@dataclass(frozen=True, slots=True)
class QueryTable:
    """A table with the name that SQL calls it by, in the dialect of its database."""

    sql_name: str
    database: str
    dialect: DialectName
    table: DatabaseTable
    foreign_keys: tuple[ForeignKey, ...] = ()
    """The keys of its database that lead from it."""
    source: str = ""
    """The table that it is, where a statement reads that twice and `sql_name` is the name of one way to it."""

    @property
    def read_from(self) -> str:
        """Return what SQL reads."""
        return self.source or self.sql_name


def query_tables(workspace: "OpenWorkspace", database: str | None = None) -> tuple[QueryTable, ...]:
    """Return the tables of a database, or those of all files and then the graph's.

    Raises `BadInput` for a database that there is not.
    """
    kept = warehouse(workspace)
    if database is not None and (chosen := kept.database(workspace.name, database)).kind != "files":
        return tuple(_of_source(chosen, table) for table in chosen.tables)
    files = [one for one in kept.databases(workspace.name) if one.kind == "files"]
    asked = [one for one in files if database is None or one.name == chosen.name]
    named = Counter(table.name for one in files for table in one.tables)
    named.update(table.name for table in SNAPSHOT_TABLES)
    own = [
        QueryTable(
            _path(one.name, table.name, alone=named[table.name] == 1), one.name, "duckdb", table, _keys(one, table)
        )
        for one in asked
        for table in one.tables
    ]
    return (*own, *(graph_tables() if database is None else ()))


def graph_tables() -> tuple[QueryTable, ...]:
    """Return the graph's own tables; of the facts, those that hold at the date of a question."""
    database = graph_database()
    return tuple(
        QueryTable(HOLDING if one.name == "facts" else one.name, GRAPH, "duckdb", one) for one in database.tables
    )


def sql_name(name: str) -> str:
    """Return a name as SQL takes it: in quotation marks where it is no plain word, or a word of SQL."""
    return name if _PLAIN.fullmatch(name) and name.lower() not in _KEYWORDS else identifier(name)


def _path(database: str, table: str, *, alone: bool) -> str:
    return sql_name(table) if alone else f"{sql_name(database)}.{sql_name(table)}"


def _keys(database: SqlDatabase, table: DatabaseTable) -> tuple[ForeignKey, ...]:
    return tuple(key for key in database.foreign_keys if key.table == table.name)


def _of_source(database: SqlDatabase, table: DatabaseTable) -> QueryTable:
    """PostgreSQL folds what is not quoted, so a name with capitals is."""
    parts = table.name.split(".")
    if database.kind == "postgres":
        name = ".".join(sql_name(part) if part == part.lower() else identifier(part) for part in parts)
        return QueryTable(name, database.name, "postgres", table, _keys(database, table))
    return QueryTable(".".join(map(sql_name, parts)), database.name, "sqlite", table, _keys(database, table))
