"""The jobs that feed the graph: kept in the accounts database, done by one process at a time for each workspace."""

import logging
import threading
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from services import clock
from services.accounts.jobs import JobStore
from services.errors import AsofError, BadInput
from services.graph.store import check_workspace
from services.ingestion.jobs.processors import processor_of
from services.ingestion.jobs.records import Item, ItemState, Job, JobKind, NewItem
from services.ingestion.jobs.runner import UPLOADS_STAY, Processors, Runner

if TYPE_CHECKING:
    from services.bootstrap import Services

_LOOK_AGAIN = 1.0
"""Seconds until it is seen what another process queued, paused or cancelled."""
_PATIENCE = 10.0
"""Seconds that closing waits for what is under way to be put down."""
_BLINK = 0.2
_log = logging.getLogger(__name__)


class Jobs:
    """The jobs of one graph. Any thread may call any method; nothing is done before `start`.

    Every method raises `AccountsUnavailable` when the accounts database cannot be reached.
    """

    def __init__(self, services: "Services", processors: Processors = processor_of) -> None:
        self._services = services
        self._processors = processors
        self._changed = threading.Condition()
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._runners: dict[str, tuple[Runner, threading.Thread]] = {}
        self._looker: threading.Thread | None = None
        self._swept = 0.0

    @property
    def _store(self) -> JobStore:
        return self._services.accounts.jobs

    # -- adding

    def add(
        self,
        workspace: str,
        kind: JobKind,
        title: str,
        items: Sequence[NewItem],
        *,
        options: Mapping[str, Any] | None = None,
        user_id: str | None = None,
        job_id: str | None = None,
    ) -> str:
        """Queue a job; returns its id. With the id of a job that is there (a uuid), only what it lacks is added."""
        check_workspace(workspace)
        added = job_id or str(uuid.uuid4())
        self._store.add(added, workspace, kind, title, items, options=options or {}, user_id=user_id)
        self._wake.set()
        return added

    def extend(self, job_id: str, items: Sequence[NewItem]) -> None:
        """Add items behind those that a job has. Raises `BadInput` where there is no such job."""
        self._store.extend(job_id, items)
        self._wake.set()

    def put_upload(self, content: bytes) -> str:
        """Keep a file for the items that name its digest as `upload`; returns the digest."""
        return self._services.accounts.uploads.put(content)

    def upload(self, digest: str) -> bytes:
        """A file that was kept. Raises `BadInput` where it is no more."""
        return self._services.accounts.uploads.get(digest)

    # -- steering

    def pause(self, job_id: str) -> None:
        """Do no more of a job for now; what is under way is put down, and done from its beginning later."""
        if self._store.set_state(job_id, "paused", was=["running"]):
            self._stop_job(job_id)

    def resume(self, job_id: str) -> None:
        """Go on with a paused job."""
        self._store.set_state(job_id, "running", was=["paused"])
        self._wake.set()

    def cancel(self, job_id: str) -> None:
        """Do no more of a job; what is done stays."""
        if self._store.set_state(job_id, "cancelled", was=["running", "paused"]):
            self._stop_job(job_id)

    def retry(self, item_id: str) -> None:
        """Do an item again that failed or was cancelled. Raises `BadInput` for another one."""
        if not self._store.retry(item_id):
            raise BadInput("Only what failed or was cancelled can be tried again.", "Look at the list of jobs.")
        self._wake.set()

    def cancel_item(self, item_id: str) -> None:
        """Leave an item out that is queued or failed. Raises `BadInput` for another one."""
        if not self._store.cancel_item(item_id):
            raise BadInput("It is under way or has ended.", "Cancel the whole job, or undo what it did.")
        self._wake.set()

    def _stop_job(self, job_id: str) -> None:
        for runner, _ in self._running():
            runner.stop_job(job_id)
        self._wake.set()
        self._tell()

    # -- reading

    def get(self, job_id: str) -> Job | None:
        """A job by id; None where there is none."""
        job = self._store.get(job_id)
        return None if job is None else self._with_step(job)

    def of(self, workspace: str, limit: int = 20) -> tuple[Job, ...]:
        """The jobs of a workspace, newest first."""
        return tuple(map(self._with_step, self._store.of(workspace, limit)))

    def items(
        self, job_id: str, states: Sequence[ItemState] = (), after: Item | None = None, limit: int | None = 100
    ) -> tuple[Item, ...]:
        """Items of a job in order, those in one of the states where any is named, and behind one of them."""
        return self._store.items(job_id, states, after, limit)

    def item(self, item_id: str) -> Item | None:
        """An item by id; None where there is none."""
        return self._store.item(item_id)

    def changes(self, job_ids: Sequence[str]) -> Mapping[str, Mapping[str, int]]:
        """What jobs changed in the graph, by job, as the counts of their change-sets; undone ones are left out."""
        return self._store.changes(job_ids)

    def wait(self, job_id: str, seconds: float) -> Job:
        """The job once it is no longer running, or as it is after so many seconds. Raises `BadInput` for none."""
        end = time.monotonic() + seconds
        while True:
            job = self.get(job_id)
            if job is None:
                raise BadInput("There is no such job.", "It may have been deleted.")
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
        self._wake.set()
        if self._looker is not None:
            self._looker.join(_PATIENCE)
        for runner, _ in self._running():
            runner.close()
        end = time.monotonic() + _PATIENCE
        for _, thread in self._running():
            thread.join(max(0.0, end - time.monotonic()))

    def _look(self) -> None:
        """Start a runner for each workspace with work, and hear what other processes decided."""
        told = ""
        while not self._closing.is_set():
            self._wake.clear()
            try:
                for workspace in self._store.waiting():
                    self._see_to(workspace)
                for runner, _ in self._running():
                    runner.look()
                self._sweep()
                told = ""
            except AsofError as error:
                if error.message != told:
                    _log.warning("Nobody could look for jobs: %s", error)
                told = error.message
            self._wake.wait(_LOOK_AGAIN)

    def _see_to(self, workspace: str) -> None:
        with self._changed:
            if workspace in self._runners:
                return
            runner = Runner(self._services, workspace, self._processors, self._tell)
            thread = threading.Thread(target=self._run, args=(runner,), name=f"asof-queue-{workspace}", daemon=True)
            self._runners[workspace] = runner, thread
            thread.start()

    def _run(self, runner: Runner) -> None:
        try:
            runner.run()
        except Exception:  # noqa: BLE001 - the look-out starts another runner
            _log.exception("The queue of “%s” stopped; it is taken up again.", runner.workspace)
        finally:
            with self._changed:
                self._runners.pop(runner.workspace, None)
                self._changed.notify_all()

    def _sweep(self) -> None:
        if time.monotonic() - self._swept > UPLOADS_STAY.total_seconds():
            self._swept = time.monotonic()
            self._services.accounts.uploads.forget(clock.now() - UPLOADS_STAY)

    def _running(self) -> tuple[tuple[Runner, threading.Thread], ...]:
        with self._changed:
            return tuple(self._runners.values())

    def _tell(self) -> None:
        with self._changed:
            self._changed.notify_all()
