"""The parameters of SQL that is still being written."""

from typing import TYPE_CHECKING

from services.core.errors import BadInput, QueryRejected
from services.sql.dialects import DUCKDB
from services.sql.external_databases import DIALECTS
from services.sql.guard import named_parameters
from services.sql.warehouse import warehouse

if TYPE_CHECKING:
    from services.context import OpenWorkspace


def parameter_names(workspace: "OpenWorkspace", sql: str, database: str | None = None) -> tuple[str, ...]:
    """Return the names that stand as `:name` in some SQL, in order; none of SQL that is not finished."""
    try:
        kind = warehouse(workspace).database(workspace.name, database).kind if database else "files"
        return named_parameters(sql, DIALECTS.get(kind, DUCKDB))
    except (BadInput, QueryRejected):
        return ()
