"""A question in words, answered by SQL that a model writes, or that is read from it without one."""

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from services.core.cost import Usage
from services.core.sql_draft import SqlDraft
from services.llm.endpoint import Endpoint
from services.llm.faults import ModelFault
from services.llm.patience import Patience
from services.llm.structured import StructuredClient
from services.sql.ask_sql import SqlQuestion
from services.sql.catalog import DatabaseTable
from services.sql.query_limits import QueryLimits
from services.sql.query_tables import query_tables
from services.sql.schema_search import SchemaResult
from services.sql.sql_attempts import SqlTry, Writer, WrittenAnswer, answer_question, schema_slice
from services.sql.sql_by_model import ModelSqlWriter

if TYPE_CHECKING:
    from services.context import OpenWorkspace

_SILENCE = 90.0
"""Seconds without a byte after which an endpoint is taken for dead."""


@dataclass(frozen=True, slots=True)
class QueryStart:
    """The tables that a question may be about, each with the name that SQL calls it by."""

    schema: SchemaResult
    tables: tuple[tuple[str, DatabaseTable], ...]

    @property
    def sql(self) -> str | None:
        """A query to begin with; None where no table fits."""
        return f"SELECT * FROM {self.tables[0][0]} LIMIT 20" if self.tables else None


def query_start(workspace: "OpenWorkspace", question: str, database: str | None) -> QueryStart:
    """Return where to begin with a question for which no SQL was written. Raises `BadInput` for an unknown database."""
    found = schema_slice(workspace, question, database)
    names = {one.table.name: one.sql_name for one in query_tables(workspace, database)}
    return QueryStart(found, tuple((names.get(table.name, table.name), table) for table in found.tables))


def answer_words(
    workspace: "OpenWorkspace", question: str, asked: SqlQuestion, model: str | None, limits: QueryLimits
) -> tuple[WrittenAnswer, Usage]:
    """Return what came of writing SQL for a question, and the tokens that it took of a model.

    `asked` says where and at which instants; its SQL is left out of account. Raises `BadInput` as `answer_question`.
    """
    if not model:
        return answer_question(workspace, asked, _by_rules(workspace, question), limits), Usage()
    settings = workspace.settings
    patience = Patience(threading.Event(), settings.max_seconds, time.monotonic())
    usage = Usage()
    try:
        with Endpoint(settings, _SILENCE) as endpoint:
            client = StructuredClient(endpoint, settings, model, patience)
            try:
                found = answer_question(workspace, asked, ModelSqlWriter(workspace, question, client), limits)
            finally:
                usage = client.usage
    except ModelFault as error:
        found = WrittenAnswer((SqlTry(asked.database, "", str(error)),))
    return found, usage


def _by_rules(workspace: "OpenWorkspace", question: str) -> Writer:
    write = workspace.services.write_sql

    def written(database: str | None, tries: Sequence[SqlTry]) -> SqlDraft:
        return SqlDraft() if tries or write is None else write(workspace, question, database)

    return written
