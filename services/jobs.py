"""Long work in the background: it goes on when a page is closed, tells how far it is, and can be stopped."""

import logging
import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from services import clock
from services.errors import AsofError, Cancelled

JobState = Literal["running", "done", "failed", "stopped"]
_KEPT = 50
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Job:
    """A snapshot of one job. `result` is what its work returned, `problem` why it did not."""

    id: str
    workspace: str
    title: str
    started_at: datetime
    state: JobState = "running"
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
            raise Cancelled("Stopped.", "Nothing of it is in the graph.")


Work = Callable[[Handle], Any]


class Jobs:
    """The jobs of this process, newest first. Any thread may call any method."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._jobs: dict[str, Job] = {}
        self._handles: dict[str, Handle] = {}

    def start(self, workspace: str, title: str, work: Work) -> str:
        """Begin `work` on a thread of its own; returns the job's id."""
        job = Job(str(uuid.uuid4()), workspace, title, clock.now())
        handle = Handle(lambda **changes: self._change(job.id, **changes))
        with self._lock:
            self._jobs[job.id] = job
            self._handles[job.id] = handle
            self._forget_old()
        threading.Thread(target=self._run, args=(job.id, handle, work), name=f"asof-job-{title}", daemon=True).start()
        return job.id

    def stop(self, job_id: str) -> None:
        """Ask a job to stop; it does at its next report."""
        with self._lock:
            if job_id in self._handles:
                self._handles[job_id].cancelled.set()

    def get(self, job_id: str) -> Job | None:
        """A job by id; None when it is unknown."""
        with self._lock:
            return self._jobs.get(job_id)

    def of(self, workspace: str) -> tuple[Job, ...]:
        """The jobs of a workspace, newest first."""
        with self._lock:
            return tuple(j for j in reversed(self._jobs.values()) if j.workspace == workspace)

    def _run(self, job_id: str, handle: Handle, work: Work) -> None:
        try:
            self._change(job_id, state="done", result=work(handle), finished_at=clock.now())
        except Cancelled as stopped:
            self._change(job_id, state="stopped", problem=stopped, finished_at=clock.now())
        except AsofError as problem:
            self._change(job_id, state="failed", problem=problem, finished_at=clock.now())
        except Exception as fault:  # noqa: BLE001 - whatever it is, the job must not look as if it still ran
            told = AsofError(f"It failed with {type(fault).__name__}.", "The log has the details.")
            self._change(job_id, state="failed", problem=told, finished_at=clock.now())
            _log.exception("The job “%s” failed.", self._jobs[job_id].title)
        finally:
            with self._lock:
                self._handles.pop(job_id, None)

    def _change(self, job_id: str, **changes: Any) -> None:
        with self._lock:
            self._jobs[job_id] = replace(self._jobs[job_id], **changes)

    def _forget_old(self) -> None:
        over = [j.id for j in self._jobs.values() if j.state != "running"][: max(0, len(self._jobs) - _KEPT)]
        for job_id in over:
            del self._jobs[job_id]
