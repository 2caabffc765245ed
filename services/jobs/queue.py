"""The jobs that feed the graph: kept in the accounts database, done by one process at a time for each workspace."""

import logging
import threading
import time
from dataclasses import replace

from services.context import Services
from services.core import clock
from services.core.errors import AsofError, BadInput
from services.core.job_records import Job
from services.jobs.processor import Processors
from services.jobs.runner import UPLOADS_STAY, Runner

_LOOK_AGAIN = 1.0
"""Seconds until it is seen what another process queued, paused or cancelled."""
_PATIENCE = 10.0
"""Seconds that closing waits for what is under way to be put down."""
_BLINK = 0.2
_log = logging.getLogger(__name__)


class Jobs:
    """The jobs of one graph. Any thread may call any method; nothing is done before `start`.

    `store` is where they are kept, added and listed. Every method raises `AccountsUnavailable` when the accounts
    database cannot be reached.
    """

    def __init__(self, services: Services, processors: Processors) -> None:
        self._services = services
        self.store = services.accounts.jobs
        self._processors = processors
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._runners: dict[str, tuple[Runner, threading.Thread]] = {}
        self._looker: threading.Thread | None = None
        self._swept = 0.0

    # -- steering

    def pause(self, job_id: str) -> None:
        """Do no more of a job for now; what is under way is put down, and done from its beginning later."""
        if self.store.set_state(job_id, "paused", was=["running"]):
            self._stop_job(job_id)

    def resume(self, job_id: str) -> None:
        """Go on with a paused job."""
        self.store.set_state(job_id, "running", was=["paused"])
        self.store.wake.set()

    def cancel(self, job_id: str) -> None:
        """Do no more of a job; what is done stays."""
        if self.store.set_state(job_id, "cancelled", was=["running", "paused"]):
            self._stop_job(job_id)

    def retry(self, item_id: str) -> None:
        """Do an item again that failed or was cancelled. Raises `BadInput` for another one."""
        if not self.store.retry(item_id):
            raise BadInput("You can retry only failed or cancelled items.", "Check the job list.")
        self.store.wake.set()

    def cancel_item(self, item_id: str) -> None:
        """Leave an item out that is queued or failed. Raises `BadInput` for another one."""
        if not self.store.cancel_item(item_id):
            raise BadInput("This item is already running or finished.", "Cancel the whole job, or undo its changes.")
        self.store.wake.set()

    def _stop_job(self, job_id: str) -> None:
        for runner, _ in self._running():
            runner.stop_job(job_id)
        self.store.wake.set()
        self._tell()

    # -- reading

    def get(self, job_id: str) -> Job | None:
        """A job by id; None where there is none."""
        job = self.store.get(job_id)
        return None if job is None else self._with_step(job)

    def of(self, workspace: str, limit: int = 20) -> tuple[Job, ...]:
        """The jobs of a workspace, newest first."""
        return tuple(map(self._with_step, self.store.of(workspace, limit)))

    def wait(self, job_id: str, seconds: float) -> Job:
        """The job once it is no longer running, or as it is after so many seconds. Raises `BadInput` for none."""
        end = time.monotonic() + seconds
        while True:
            job = self.get(job_id)
            if job is None:
                raise BadInput("This job does not exist.", "Someone may have deleted it. Check the job list.")
            left = end - time.monotonic()
            if job.state != "running" or left <= 0:
                return job
            with self._changed:  # another process may be the one that works: nobody tells of that
                self._changed.wait(min(left, _BLINK))

    def _with_step(self, job: Job) -> Job:
        with self._changed:
            runner = self._runners.get(job.workspace)
        if runner is None or job.state != "running":
            return job
        step, share = runner[0].step(job.id)
        return replace(job, step=step, step_share=share, begun=runner[0].begun(job.id))

    # -- running

    def start(self) -> None:
        """Work off what is queued, now and from here on."""
        with self._changed:
            if self._looker is None:
                self._looker = threading.Thread(target=self._look, name="asof-jobs", daemon=True)
                self._looker.start()

    def close(self) -> None:
        """Put down what is under way; it stays queued."""
        self._closing.set()
        self.store.wake.set()
        if self._looker is not None:
            self._looker.join(_PATIENCE)
        for runner, _ in self._running():
            runner.close()
        end = time.monotonic() + _PATIENCE
        for _, thread in self._running():
            thread.join(max(0.0, end - time.monotonic()))

    def _look(self) -> None:
        """Start a runner for each workspace with work, and hear what other processes decided."""
        logged = ""
        while not self._closing.is_set():
            self.store.wake.clear()
            try:
                for workspace in self.store.waiting():
                    self._see_to(workspace)
                for runner, _ in self._running():
                    runner.look()
                if time.monotonic() - self._swept > UPLOADS_STAY.total_seconds():
                    self._swept = time.monotonic()
                    self._services.accounts.uploads.forget(clock.now() - UPLOADS_STAY)
                logged = ""
            except AsofError as error:
                if error.message != logged:
                    _log.warning("Could not check for jobs: %s", error)
                logged = error.message
            self.store.wake.wait(_LOOK_AGAIN)

    def _see_to(self, workspace: str) -> None:
        with self._changed:
            if workspace in self._runners:
                return
            runner = Runner(self._services.workspace(workspace), self._processors, self._tell)
            thread = threading.Thread(target=self._run, args=(runner,), name=f"asof-queue-{workspace}", daemon=True)
            self._runners[workspace] = runner, thread
            thread.start()

    def _run(self, runner: Runner) -> None:
        try:
            runner.run()
        except Exception:  # noqa: BLE001 - the look-out starts another runner
            _log.exception("The queue of “%s” stopped and is being restarted.", runner.workspace.name)
        finally:
            with self._changed:
                self._runners.pop(runner.workspace.name, None)
                self._changed.notify_all()

    def _running(self) -> tuple[tuple[Runner, threading.Thread], ...]:
        with self._changed:
            return tuple(self._runners.values())

    def _tell(self) -> None:
        with self._changed:
            self._changed.notify_all()
