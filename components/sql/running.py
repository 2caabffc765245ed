"""The query of this session: it runs on a thread of its own, so that the page answers meanwhile."""

import logging
import threading
from dataclasses import dataclass, field
from datetime import datetime
from time import monotonic

from components import state
from services.context import OpenWorkspace
from services.core import clock
from services.core.errors import AsofError, Cancelled
from services.sql import SqlAnswer, SqlQuestion, ask_sql

_RUNNING, _FINISHED = "sql_running", "sql_finished"
_AT_ONCE = 0.4
"""Seconds to wait for a query before the page says that it runs."""
_STOPS_WITHIN = 2.0
_log = logging.getLogger(__name__)


@dataclass
class QueryRun:
    """One query on its thread. `answer` or `problem` is there once it is `finished`."""

    workspace: str
    question: SqlQuestion
    begun_at: datetime
    begun: float = field(default_factory=monotonic)
    seconds: float = 0.0
    answer: SqlAnswer | None = None
    problem: AsofError | None = None
    cancel: threading.Event = field(default_factory=threading.Event)
    finished: threading.Event = field(default_factory=threading.Event)

    @property
    def elapsed(self) -> float:
        """Seconds since it began, until it finished."""
        return self.seconds if self.finished.is_set() else monotonic() - self.begun

    @property
    def is_stopped(self) -> bool:
        """True where somebody stopped it."""
        return isinstance(self.problem, Cancelled)

    def ask(self, workspace: OpenWorkspace) -> None:
        """Ask, and keep what comes of it."""
        try:
            self.answer = ask_sql.ask_sql(workspace, self.question, cancel=self.cancel)
        except AsofError as problem:
            self.problem = problem
        except Exception:  # noqa: BLE001 - whatever it is, it must not look as if it still ran
            self.problem = AsofError("The query failed unexpectedly.", "See Asof's log for details.")
            _log.exception("A query failed.")
        finally:
            self.seconds = monotonic() - self.begun
            self.finished.set()


def start(workspace: OpenWorkspace, question: SqlQuestion) -> None:
    """Run a query in place of the one that runs; one that takes a moment only is finished on return.

    The problem of the query before says nothing of this one, and goes.
    """
    stop()
    before: QueryRun | None = state.remembered(_FINISHED)
    if before is not None and before.problem is not None:
        state.forget(_FINISHED)
    run = QueryRun(workspace.name, question, clock.now())
    threading.Thread(target=run.ask, args=(workspace,), name="asof-sql", daemon=True).start()
    state.remember(_RUNNING, run)
    run.finished.wait(_AT_ONCE)


def stop() -> None:
    """Stop the query that runs, if one does."""
    run: QueryRun | None = state.remembered(_RUNNING)
    if run is not None:
        run.cancel.set()
        run.finished.wait(_STOPS_WITHIN)


def running(workspace: str) -> QueryRun | None:
    """Return the query of a workspace that runs."""
    run: QueryRun | None = state.remembered(_RUNNING)
    return run if run is not None and run.workspace == workspace and not run.finished.is_set() else None


def finished(workspace: str) -> QueryRun | None:
    """Return the query of a workspace that ran last; one that was stopped leaves the one before it."""
    run: QueryRun | None = state.remembered(_FINISHED)
    return run if run is not None and run.workspace == workspace else None


def has_finished_since_settle() -> bool:
    """True where a query finished since the last call of `settle`."""
    run: QueryRun | None = state.remembered(_RUNNING)
    return run is not None and run.finished.is_set()


def settle() -> QueryRun | None:
    """Return the query that finished since the last call, and put it in the place of the one before."""
    if not has_finished_since_settle():
        return None
    run: QueryRun = state.pop(_RUNNING)
    if not run.is_stopped:
        state.remember(_FINISHED, run)
    return run
