"""A query runs in a process of its own: whatever it needs or does, the app goes on, and the next query is answered."""

import threading
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from services.core.errors import AsofError, Cancelled, QueryRejected
from services.core.log import logger
from services.documents.exchange import Outcome, SandboxTask, TaskLimits, exchange
from services.sql.guard import CheckedStatement
from services.sql.results import QueryLimits, QueryResult

log = logger(__name__)
_THREADS = 2
_MEMORY_OF_MACHINE = ("/proc/self/cgroup", "/sys/fs/cgroup")
"""DuckDB looks there how much memory there is, and ends where it may not."""
_USUAL = QueryLimits()
_CHANGE = "Change the SQL, and run it again."


def run_query(
    statement: CheckedStatement,
    databases: Mapping[str, Path],
    searched: Sequence[str],
    parameters: Mapping[str, Any],
    known_at: datetime,
    limits: QueryLimits = _USUAL,
    cancel: threading.Event | None = None,
) -> QueryResult:
    """Return the rows of a statement over DuckDB files by name; a table's bare name is looked for in those `searched`.

    Raises `QueryRejected` with what the database says, or for a query that costs more than the limits, and `Cancelled`.
    """
    task = query_task(statement, databases, searched, parameters, known_at, limits)
    reading = tuple(map(str, databases.values()))
    answer = in_process("services.sql.query_process", task, limits, reading=reading, cancel=cancel)
    return result_of(answer, statement, limits)


def query_task(
    statement: CheckedStatement,
    databases: Mapping[str, Path],
    searched: Sequence[str],
    parameters: Mapping[str, Any],
    known_at: datetime,
    limits: QueryLimits = _USUAL,
) -> dict[str, Any]:
    """Return what `query_process.read` is asked."""
    return {
        "sql": statement.sql,
        "parameters": {name: parameters[name] for name in statement.parameters},
        "databases": {name: str(path) for name, path in databases.items()},
        "searched": list(searched),
        "known_at": known_at.isoformat(),
        "rows": limits.rows,
        "memory_mb": limits.memory_mb,
        "threads": _THREADS,
    }


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
    if error := answer.get("error"):
        raise (
            _too_large(limits)
            if error == "memory"
            else QueryRejected(_sentence(error), "Change the SQL, and run it again.")
        )
    rows = tuple(map(tuple, answer["rows"]))
    columns, types = tuple(answer["columns"]), tuple(answer["types"])
    return QueryResult(columns, types, rows[: limits.rows], len(rows) > limits.rows, statement.sql)


def _unanswered(outcome: Outcome, limits: QueryLimits) -> AsofError:
    if outcome.end == "cancelled":
        return Cancelled("The query was stopped.")
    if outcome.end == "late":
        return QueryRejected(
            f"The query takes longer than {limits.seconds:.0f} seconds.", "Ask for fewer rows, or count before joining."
        )
    if outcome.end == "too much":
        return QueryRejected("The result is too large to be shown.", "Choose fewer columns or rows.")
    if outcome.end == "out of memory":
        return _too_large(limits)
    log.info("query_process_died", status=outcome.status, output=outcome.output[-2000:].decode("utf-8", "replace"))
    return QueryRejected("The database stopped at this query.", _CHANGE)


def _too_large(limits: QueryLimits) -> QueryRejected:
    message = f"The query needs more than {limits.memory_mb:,} MB of memory."
    return QueryRejected(message, "Filter before joining or sorting, and choose fewer columns.")


def _sentence(error: str) -> str:
    """Return a database's error with a stop at its end."""
    return error if error.endswith((".", "!", "?")) else f"{error}."
