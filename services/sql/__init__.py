"""SQL over a workspace's graph, tables from files, and databases: checked, and run where it can only read."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.sql import ask_sql
    from services.sql.ask_sql import SqlAnswer, SqlQuestion, export_sql
    from services.sql.catalog import GRAPH, DatabaseColumn, DatabaseTable, Metric, SqlDatabase
    from services.sql.graph_tables import graph_database
    from services.sql.parameters import parameter_names
    from services.sql.point_in_time_join import (
        JoinPreview,
        KeptTable,
        PointInTimeJoin,
        UnjoinedRows,
        export_join,
        join_sql,
        keep_join,
        preview_join,
    )
    from services.sql.results import ExportForm, QueryLimits, QueryResult
    from services.sql.schema_search import SchemaQuery, SchemaResult, find_best_database, search_schema
else:
    __getattr__ = offers(__name__, __file__)

__all__ = [
    "GRAPH",
    "DatabaseColumn",
    "DatabaseTable",
    "ExportForm",
    "JoinPreview",
    "KeptTable",
    "Metric",
    "PointInTimeJoin",
    "QueryLimits",
    "QueryResult",
    "SchemaQuery",
    "SchemaResult",
    "SqlAnswer",
    "SqlDatabase",
    "SqlQuestion",
    "UnjoinedRows",
    "ask_sql",
    "export_join",
    "export_sql",
    "find_best_database",
    "graph_database",
    "join_sql",
    "keep_join",
    "parameter_names",
    "preview_join",
    "search_schema",
]
