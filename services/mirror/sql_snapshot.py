"""A copy of a mirror in a file of its own, which another process can open: DuckDB lets one alone have a mirror's."""

import hashlib
from contextlib import suppress
from functools import cache
from pathlib import Path

import duckdb

from services.mirror.database import rule
from services.mirror.reads import one
from services.mirror.record_tables import CHUNKS, DOCUMENTS, ENTITIES, EPISODES, FACTS

SNAPSHOT_TABLES = (ENTITIES, FACTS, EPISODES, DOCUMENTS, CHUNKS)
"""The tables of a copy that are shown, by name; in it, `facts` shows them without what the rule keeps beside them."""
SNAPSHOT_MACROS = ("facts_as_of", "facts_between", "fact_changes")
"""The macros of a copy that are shown. They take the graph's clock from the variable `known_at` unless it is given."""
SNAPSHOT_FUNCTIONS = ("targets_as_of", "entities_named", "instant_of")
"""The functions of a copy that are shown: what held for one row of a table, what its name means, what its date says."""

_SNAPSHOT = Path(__file__).with_name("sql_functions.sql")


def snapshot_form() -> str:
    """Return a digest of all that makes a copy but its rows: one that another version of Asof wrote has another."""
    return hashlib.sha256(_sql().encode()).hexdigest()[:8]


@cache
def _sql() -> str:
    sql = _SNAPSHOT.read_text(encoding="utf-8").replace("{rule}", rule("graph.fact_records"))
    for table in SNAPSHOT_TABLES:
        columns = ", ".join(f'"{name}"' for name in table.schema.names)
        sql = sql.replace(f"{{{table.name}}}", columns)
    return sql


def write_snapshot(cursor: duckdb.DuckDBPyConnection, path: Path) -> int:
    """Write what a mirror holds at one moment to a new file, by a cursor without a transaction.

    Returns the version of what was written.
    """
    (mirror,) = one(cursor, "SELECT current_database()")
    cursor.execute(f"ATTACH '{str(path).replace("'", "''")}' AS graph")
    try:
        cursor.begin()
        (version,) = one(cursor, "SELECT version FROM meta")
        cursor.execute(_sql())
        cursor.commit()
        return int(version)
    finally:
        with suppress(duckdb.TransactionException):  # it was committed
            cursor.rollback()
        cursor.execute(f'USE "{mirror}"')
        cursor.execute("DETACH graph")
