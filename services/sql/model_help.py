"""What a model says of SQL that an analyst wrote: what it does, and how to mend it. Nothing of it runs by itself."""

import threading
import time
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from services.llm.endpoint import Endpoint
from services.llm.patience import Patience
from services.llm.structured import StructuredClient
from services.sql.query_tables import query_tables

if TYPE_CHECKING:
    from services.context import OpenWorkspace

_SECONDS, _SILENCE, _TOKENS = 90.0, 60.0, 2_000
_TABLES, _COLUMNS = 60, 40
_SYSTEM = """You help an analyst with SQL that only reads. It runs on {dialect}. `:as_of` and `:known_at` are the two
clocks of a temporal graph: what was true then, and what the graph had recorded by then.
`facts_as_of(:as_of, :known_at)`
holds the facts that held. Use no tables and columns but these:

{tables}"""
_EXPLAIN = "Say in two to four short sentences, without jargon, which rows this query returns and how:\n\n{sql}"
_FIX = "This query fails. Fix only the error, and name it in one sentence.\n\n{sql}\n\n{error}"


class SqlExplanation(BaseModel):
    """What a query does, in words."""

    explanation: str = Field(min_length=1)


class MendedSql(BaseModel):
    """A query without its error, and what the error was."""

    sql: str = Field(min_length=1)
    what_was_wrong: str = ""


def explain_sql(workspace: "OpenWorkspace", model: str, sql: str, database: str | None = None) -> SqlExplanation:
    """Return what some SQL does. Raises `ModelFault` where the model gives no answer."""
    return _asked(workspace, model, database, _EXPLAIN.format(sql=sql), SqlExplanation)


def mend_sql(workspace: "OpenWorkspace", model: str, sql: str, error: str, database: str | None = None) -> MendedSql:
    """Return SQL without its error. It is not checked: whoever runs it passes the guard. Raises `ModelFault`."""
    return _asked(workspace, model, database, _FIX.format(sql=sql, error=error), MendedSql)


def _asked[T: BaseModel](
    workspace: "OpenWorkspace", model: str, database: str | None, prompt: str, shape: type[T]
) -> T:
    patience = Patience(threading.Event(), _SECONDS, time.monotonic())
    with Endpoint(workspace.settings, _SILENCE) as endpoint:
        asking = StructuredClient(endpoint, workspace.settings, model, patience)
        return shape.model_validate(asking.ask(_system(workspace, database), prompt, shape, _TOKENS))


def _system(workspace: "OpenWorkspace", database: str | None) -> str:
    tables = query_tables(workspace, database)[:_TABLES]
    listed = (
        f"{one.sql_name}: {', '.join(f'{column.name} {column.type}' for column in one.table.columns[:_COLUMNS])}"
        for one in tables
    )
    return _SYSTEM.format(dialect=tables[0].dialect if tables else "duckdb", tables="\n".join(listed))
