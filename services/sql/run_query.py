"""A query runs in a process of its own: whatever it needs or does, the app goes on, and the next query is answered."""

import base64
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from services.core.errors import AsofError, Cancelled, QueryRejected
from services.core.log import logger
from services.documents.exchange import Outcome, SandboxTask, TaskLimits, exchange
from services.sql.guard import CheckedStatement
from services.sql.query_limits import EXPORT_LIMITS, QueryLimits
from services.sql.query_results import ExportForm, QueryResult

log = logger(__name__)
_THREADS = 2
_MEMORY_OF_MACHINE = ("/proc/self/cgroup", "/sys/fs/cgroup")
"""DuckDB looks there how much memory there is, and ends where it may not."""
_USUAL = QueryLimits()
_CHANGE = "Change the SQL and run it again."


@dataclass(frozen=True, slots=True)
class FileQuery:
    """A statement over files of DuckDB by name, the values of its parameters, and the graph's clock.

    A table's bare name is looked for in the databases `searched`, in their order.
    """

    statement: CheckedStatement
    databases: Mapping[str, Path]
    searched: Sequence[str]
    parameters: Mapping[str, Any]
    known_at: datetime


def run_query(query: FileQuery, limits: QueryLimits = _USUAL, cancel: threading.Event | None = None) -> QueryResult:
    """Return the rows of a statement.

    Raises `QueryRejected` with what the database says, or for a query that costs more than the limits, and `Cancelled`.
    """
    return result_of(_answer(query_task(query, limits), query, limits, cancel), query.statement, limits)


def export_query(
    query: FileQuery, form: ExportForm, limits: QueryLimits = EXPORT_LIMITS, cancel: threading.Event | None = None
) -> bytes:
    """Return a file of all rows of a statement, however many these are. Raises as `run_query` does."""
    answer = _answer({**query_task(query, limits), "form": form}, query, limits, cancel)
    _raise_error(answer, limits)
    return base64.b64decode(answer["file"])


def query_task(query: FileQuery, limits: QueryLimits = _USUAL) -> dict[str, Any]:
    """Return what `query_process.read` is asked."""
    return {
        "sql": query.statement.sql,
        "parameters": {name: query.parameters[name] for name in query.statement.parameters},
        "databases": {name: str(path) for name, path in query.databases.items()},
        "searched": list(query.searched),
        "known_at": query.known_at.isoformat(),
        "rows": limits.rows,
        "memory_mb": limits.memory_mb,
        "threads": _THREADS,
    }


def _answer(task: Mapping[str, Any], query: FileQuery, limits: QueryLimits, cancel: threading.Event | None) -> Any:
    reading = tuple(map(str, query.databases.values()))
    return in_process("services.sql.query_process", task, limits, reading=reading, cancel=cancel)


def in_process(
    module: str,
    task: Mapping[str, Any],
    limits: QueryLimits,
    *,
    reading: tuple[str, ...] = (),
    reaches_hosts: bool = False,
    cancel: threading.Event | None = None,
) -> Any:
    """Return what `module.read(task, b"")` gives in a process that opens the files of `reading` and no others.

    It connects to no host unless it `reaches_hosts`. Raises `QueryRejected`, and `Cancelled`.
    """
    held_to = TaskLimits(limits.seconds, limits.memory_mb, limits.result_bytes, _THREADS)
    asked = SandboxTask(module, task, files=(*_MEMORY_OF_MACHINE, *reading), reaches_hosts=reaches_hosts)
    outcome = exchange(asked, held_to, cancel=cancel, is_one_of_many=True)
    if outcome.answer is None:
        raise _unanswered(outcome, limits)
    if "refused" in outcome.answer:
        raise QueryRejected(*outcome.answer["refused"])
    return outcome.answer["read"]


def result_of(answer: Mapping[str, Any], statement: CheckedStatement, limits: QueryLimits) -> QueryResult:
    """Return the result that a process gave, without the row that only says that there are more."""
    _raise_error(answer, limits)
    rows = tuple(map(tuple, answer["rows"]))
    columns, types = tuple(answer["columns"]), tuple(answer["types"])
    return QueryResult(columns, types, rows[: limits.rows], len(rows) > limits.rows, statement.sql)


def _raise_error(answer: Mapping[str, Any], limits: QueryLimits) -> None:
    if error := answer.get("error"):
        raise _too_large(limits) if error == "memory" else QueryRejected(_sentence(error), _CHANGE)


def _unanswered(outcome: Outcome, limits: QueryLimits) -> AsofError:
    if outcome.end == "cancelled":
        return Cancelled("The query stopped early.")
    if outcome.end == "late":
        return QueryRejected(
            f"The query took longer than {limits.seconds:.0f} seconds.", "Ask for fewer rows, or count before joining."
        )
    if outcome.end == "oversized":
        return QueryRejected("The result is too large to show.", "Choose fewer columns or rows.")
    if outcome.end == "starved":
        return _too_large(limits)
    log.info("query_process_died", status=outcome.status, output=outcome.output[-2000:].decode("utf-8", "replace"))
    return QueryRejected("The query crashed the database.", _CHANGE)


def _too_large(limits: QueryLimits) -> QueryRejected:
    message = f"The query needs more than {limits.memory_mb:,} MB of memory."
    return QueryRejected(message, "Filter before joining or sorting, and choose fewer columns.")


def _sentence(error: str) -> str:
    """Return a database's error with a stop at its end."""
    return error if error.endswith((".", "!", "?")) else f"{error}."
