"""SQL over a workspace's graph, tables from files, and databases: checked, and run where it can only read."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.sql import ask_sql, warehouse
    from services.sql.ask_sql import SqlAnswer, SqlQuestion, export_sql, refuse_unreadable
    from services.sql.catalog import GRAPH, DatabaseColumn, DatabaseTable, Metric, SqlDatabase
    from services.sql.data_files import file_states, read_folder_file
    from services.sql.external_databases import add_source
    from services.sql.graph_schema import graph_database
    from services.sql.model_help import MendedSql, SqlExplanation, explain_sql, mend_sql
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
    from services.sql.query_history import PastQuery, QueryEnd, keep_past_query, past_queries
    from services.sql.query_limits import QueryLimits
    from services.sql.query_results import ExportForm, QueryResult
    from services.sql.question_to_sql import QueryStart, answer_words, query_start
    from services.sql.schema_search import SchemaQuery, SchemaResult, find_best_database, search_schema
    from services.sql.sql_attempts import NO_SQL
else:
    __getattr__ = offers(__name__, __file__)

__all__ = [
    "GRAPH",
    "NO_SQL",
    "DatabaseColumn",
    "DatabaseTable",
    "ExportForm",
    "JoinPreview",
    "KeptTable",
    "MendedSql",
    "Metric",
    "PastQuery",
    "PointInTimeJoin",
    "QueryEnd",
    "QueryLimits",
    "QueryResult",
    "QueryStart",
    "SchemaQuery",
    "SchemaResult",
    "SqlAnswer",
    "SqlDatabase",
    "SqlExplanation",
    "SqlQuestion",
    "UnjoinedRows",
    "add_source",
    "answer_words",
    "ask_sql",
    "explain_sql",
    "export_join",
    "export_sql",
    "file_states",
    "find_best_database",
    "graph_database",
    "join_sql",
    "keep_join",
    "keep_past_query",
    "mend_sql",
    "parameter_names",
    "past_queries",
    "preview_join",
    "query_start",
    "read_folder_file",
    "refuse_unreadable",
    "search_schema",
    "warehouse",
]
