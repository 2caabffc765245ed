"""From a question in words to rows: SQL is written, checked, run, and written again with what the database said."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from services.core.errors import HostRefused, QueryRejected
from services.core.sql_draft import SqlDraft
from services.llm.faults import ModelFault
from services.sql.ask_sql import SqlAnswer, SqlQuestion, ask_sql
from services.sql.catalog import GRAPH
from services.sql.query_limits import QueryLimits
from services.sql.schema_search import SchemaQuery, SchemaResult, find_best_database, search_schema

if TYPE_CHECKING:
    from services.context import OpenWorkspace

_MOST_REPAIRS = 2
_MOST_ELEMENTS = 24
NO_SQL = "Asof wrote no SQL for this question."
"""What a try says for which nothing was written."""


@dataclass(frozen=True, slots=True)
class SqlTry:
    """SQL that was written for a question over a database, or over all files where that is None, and why it failed."""

    database: str | None
    sql: str
    error: str = ""
    unexplained: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """What it was written over, in words."""
        return "files" if self.database is None else f"database {self.database}"


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """What came of a question: all that was tried in order, and the rows of the last where they are there."""

    tries: tuple[SqlTry, ...]
    answer: SqlAnswer | None = None

    @property
    def unexplained(self) -> tuple[str, ...]:
        """The words of the question that nothing is called by, wherever SQL was tried."""
        first, *others = (one.unexplained for one in self.tries)
        return tuple(word for word in first if all(word in other for other in others))


Writer = Callable[[str | None, Sequence[SqlTry]], SqlDraft]
"""Writes SQL over a database, or over all files, after what was tried there; without SQL where it has nothing to try.

Raises `ModelFault` where it cannot write any more."""


def answer_question(
    workspace: "OpenWorkspace", question: SqlQuestion, write: Writer, limits: QueryLimits
) -> WrittenAnswer:
    """Return the rows of the SQL that `write` gives; a database that was chosen comes first, then the files.

    `question.sql` is left out of account. No rows are an answer. Raises `BadInput` for an unknown database.
    """
    tries: list[SqlTry] = []
    try:
        for database in dict.fromkeys((question.database, None)):
            answer = _answered_over(workspace, replace(question, database=database), write, limits, tries)
            if answer is not None:
                return WrittenAnswer(tuple(tries), answer)
    except ModelFault as error:
        tries.append(SqlTry(question.database, "", str(error)))
    return WrittenAnswer(tuple(tries))


def _answered_over(
    workspace: "OpenWorkspace", question: SqlQuestion, write: Writer, limits: QueryLimits, tries: list[SqlTry]
) -> SqlAnswer | None:
    """Return what a database answers, after at most two repairs; add what was tried to `tries`."""
    here: list[SqlTry] = []
    draft = SqlDraft()
    while len(here) <= _MOST_REPAIRS and (sql := (draft := write(question.database, here)).sql) is not None:
        error = ""
        try:
            return ask_sql(workspace, replace(question, sql=sql), limits)
        except (QueryRejected, HostRefused) as problem:
            error = str(problem)
        finally:
            here.append(SqlTry(question.database, sql, error))
            tries.append(here[-1])
    if not here:
        tries.append(SqlTry(question.database, "", NO_SQL, draft.unexplained))
    return None


def schema_slice(workspace: "OpenWorkspace", question: str, database: str | None = None) -> SchemaResult:
    """Return what a question may be about: of a database, else of the one that fits it best.

    Raises `BadInput` for a database that there is not.
    """
    chosen = find_best_database(workspace, question, named=database) or GRAPH
    return search_schema(workspace, chosen, SchemaQuery(question, top_k=_MOST_ELEMENTS, similarity_threshold=0.2))
