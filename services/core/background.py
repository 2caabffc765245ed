"""Long work of this process that need not survive it: it goes on when a page is closed, and can be stopped.

What feeds the graph is a job of `services/jobs/` instead.
"""

import logging
import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from services.core import clock
from services.core.errors import AsofError, Cancelled

WorkState = Literal["running", "done", "failed", "stopped"]
_KEPT = 50
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Task:
    """A snapshot of one piece of work. `result` is what its work returned, `problem` why it did not."""

    id: str
    workspace: str
    title: str
    started_at: datetime
    state: WorkState = "running"
    done: int = 0
    total: int = 0
    step: str = ""
    finished_at: datetime | None = None
    result: Any = None
    problem: AsofError | None = None

    @property
    def share(self) -> float:
        """How far it is, from 0 to 1."""
        return min(1.0, self.done / self.total) if self.total else 0.0

    def seconds_left(self, now: datetime) -> float | None:
        """A guess from the pace so far; None while it is too early for one."""
        gone = (now - self.started_at).total_seconds()
        return gone / self.share - gone if self.share > 0.02 and gone > 1 else None


class Handle:
    """What running work holds: it reports through it, and hears whether it is to stop."""

    def __init__(self, update: Callable[..., None]) -> None:
        self._update = update
        self.cancelled = threading.Event()

    def report(self, done: int, total: int, step: str = "") -> None:
        """Say how far the work is. Raises `Cancelled` once somebody asked it to stop."""
        self._update(done=done, total=total, step=step)
        if self.cancelled.is_set():
            raise Cancelled("Stopped.", "Nothing was saved to the graph.")


Work = Callable[[Handle], Any]


class Background:
    """The work of this process, newest first. Any thread may call any method."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tasks: dict[str, Task] = {}
        self._handles: dict[str, Handle] = {}

    def start(self, workspace: str, title: str, work: Work) -> str:
        """Begin `work` on a thread of its own; returns its id."""
        task = Task(str(uuid.uuid4()), workspace, title, clock.now())
        handle = Handle(lambda **changes: self._change(task.id, **changes))
        with self._lock:
            self._tasks[task.id] = task
            self._handles[task.id] = handle
            self._forget_old()
        threading.Thread(target=self._run, args=(task.id, handle, work), name=f"asof-work-{title}", daemon=True).start()
        return task.id

    def stop(self, task_id: str) -> None:
        """Ask for a stop, which comes at the next report."""
        with self._lock:
            if task_id in self._handles:
                self._handles[task_id].cancelled.set()

    def get(self, task_id: str) -> Task | None:
        """A piece of work by id; None when it is unknown."""
        with self._lock:
            return self._tasks.get(task_id)

    def of(self, workspace: str) -> tuple[Task, ...]:
        """The work on a workspace, newest first."""
        with self._lock:
            return tuple(t for t in reversed(self._tasks.values()) if t.workspace == workspace)

    def _run(self, task_id: str, handle: Handle, work: Work) -> None:
        try:
            self._change(task_id, state="done", result=work(handle), finished_at=clock.now())
        except Cancelled as stopped:
            self._change(task_id, state="stopped", problem=stopped, finished_at=clock.now())
        except AsofError as problem:
            self._change(task_id, state="failed", problem=problem, finished_at=clock.now())
        except Exception:  # noqa: BLE001 - whatever it is, it must not look as if it still ran
            reported = AsofError("The task failed unexpectedly.", "See Asof's log for details.")
            self._change(task_id, state="failed", problem=reported, finished_at=clock.now())
            _log.exception("“%s” failed.", self._tasks[task_id].title)
        finally:
            with self._lock:
                self._handles.pop(task_id, None)

    def _change(self, task_id: str, **changes: Any) -> None:
        with self._lock:
            self._tasks[task_id] = replace(self._tasks[task_id], **changes)

    def _forget_old(self) -> None:
        over = [t.id for t in self._tasks.values() if t.state != "running"][: max(0, len(self._tasks) - _KEPT)]
        for task_id in over:
            del self._tasks[task_id]
