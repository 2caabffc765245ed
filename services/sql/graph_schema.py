"""The tables of a workspace's graph as a database that can be searched like others."""

from functools import cache

from services.mirror.sql_snapshot import SNAPSHOT_TABLES
from services.sql.catalog import GRAPH, DatabaseColumn, DatabaseTable, ForeignKey, SqlDatabase

_TABLES = {
    "entities": "people, organizations, places and other things in the graph",
    "facts": "facts in the graph: a source, a relation and a target, valid from valid_at until invalid_at",
    "episodes": "source texts of the facts",
    "documents": "ingested files and pages",
    "chunks": "passages of documents",
}
_TYPES = {"string": "VARCHAR", "timestamp[us, tz=UTC]": "TIMESTAMPTZ", "int64": "BIGINT", "bool": "BOOLEAN"}
_KEYS = (
    ("facts", "source_uuid", "entities", "uuid"),
    ("facts", "target_uuid", "entities", "uuid"),
    ("chunks", "document_id", "documents", "id"),
)


@cache
def graph_database() -> SqlDatabase:
    """Return what is known of a graph's tables, which are the same in every workspace."""
    tables = tuple(
        DatabaseTable(
            name=table.name,
            columns=tuple(
                DatabaseColumn(name=one.name, type=_TYPES.get(str(one.type), "VARCHAR[]")) for one in table.schema
            ),
            rows=0,
            description=_TABLES[table.name],
        )
        for table in SNAPSHOT_TABLES
    )
    keys = tuple(
        ForeignKey(table=table, column=column, other_table=other, other_column=key)
        for table, column, other, key in _KEYS
    )
    return SqlDatabase(
        name=GRAPH, workspace=None, kind="files", place="", tables=tables, foreign_keys=keys, description="the graph"
    )
