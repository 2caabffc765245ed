"""SQL over a workspace's graph, tables from files, and databases: checked, and run where it can only read."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.sql import ask_sql
    from services.sql.ask_sql import SqlAnswer, SqlQuestion
    from services.sql.catalog import GRAPH, DatabaseColumn, DatabaseTable, SqlDatabase
    from services.sql.parameters import parameter_names
    from services.sql.results import QueryLimits, QueryResult
else:
    __getattr__ = offers(__name__, __file__)

__all__ = [
    "GRAPH",
    "DatabaseColumn",
    "DatabaseTable",
    "QueryLimits",
    "QueryResult",
    "SqlAnswer",
    "SqlDatabase",
    "SqlQuestion",
    "ask_sql",
    "parameter_names",
]
