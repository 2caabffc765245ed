"""Works off the queue of one workspace: in order, batch by batch, and each item's fault is its own."""

import logging
import threading
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from services.context import OpenWorkspace
from services.core import clock
from services.core.errors import (
    AccountsUnavailable,
    AsofError,
    Cancelled,
    EmbedderUnavailable,
    ExtractorUnavailable,
    GraphUnavailable,
)
from services.core.job_records import ItemEnd, Job, JobItem
from services.jobs.processor import JobContext, Processor, Processors

UPLOADS_STAY = timedelta(minutes=10)
"""So long a file is kept that no item names: the job that does may be on its way."""
_OUTAGES = (GraphUnavailable, AccountsUnavailable, EmbedderUnavailable)
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 30.0
"""Seconds before the queue is tried again while something cannot be reached, doubled each time."""
_log = logging.getLogger(__name__)


class Runner:
    """One workspace's runner. `changed` is called whenever something can be seen to have changed."""

    def __init__(self, workspace: OpenWorkspace, processors: Processors, changed: Callable[[], None]) -> None:
        self.workspace = workspace
        self._store = workspace.accounts.jobs
        self._processors = processors
        self._changed = changed
        self._closing = threading.Event()
        self._wait = _FIRST_WAIT
        self._at_work: JobContext | None = None
        self._waits_for = ""
        self._begun: tuple[str, datetime, int] | None = None

    def step(self, job_id: str) -> tuple[str, float]:
        """What is being done for a job at the moment and how much of it, or why it waits."""
        context = self._at_work
        if self._waits_for or context is None or context.job.id != job_id:
            return self._waits_for, 0.0
        return context.step

    def begun(self, job_id: str) -> tuple[datetime, int] | None:
        """Since when a job is done without a break, and how many of its items had been done by then; None where it is
        not under way."""
        return self._begun[1:] if self._begun and self._begun[0] == job_id else None

    def stop_job(self, job_id: str) -> None:
        """Have the job's items put down, if it is the one under way."""
        context = self._at_work
        if context is not None and context.job.id == job_id:
            self._put_down(context)

    def look(self) -> None:
        """See whether the job under way was paused or cancelled by somebody else."""
        context = self._at_work
        if context is not None and self._store.state(context.job.id) != "running":
            self._put_down(context)

    def _put_down(self, context: JobContext) -> None:
        self._begun = None
        context.cancel.set()

    def close(self) -> None:
        """Stop: what is under way is put down and stays queued."""
        self._closing.set()
        if (context := self._at_work) is not None:
            context.cancel.set()

    def run(self) -> None:
        """Work until nothing is queued, or another process does; while something cannot be reached, wait for it."""
        while not self._closing.is_set():
            try:
                with self._store.queue(self.workspace.name) as lock:
                    if lock.take():
                        self._store.queue_again(self.workspace.name)
                        self._work_off()
                return
            except _OUTAGES as outage:
                self._begun, self._waits_for = None, f"{outage.message} Asof will retry."
                _log.warning("The queue of “%s” waits: %s", self.workspace.name, outage)
                self._changed()
                self._closing.wait(self._wait)
                self._wait = min(2 * self._wait, _LONGEST_WAIT)

    def _work_off(self) -> None:
        before = ""
        while not self._closing.is_set():
            job = self._store.next_job(self.workspace.name)
            if job is None or job.id != before:
                self._store.finish(self.workspace.name)
                self._store.forget_old(self.workspace.name)
                self.workspace.accounts.uploads.forget(clock.now() - UPLOADS_STAY)
                self._changed()
            if job is None:
                return
            if self._begun is None or self._begun[0] != job.id:
                self._begun = job.id, clock.now(), job.settled
            before = job.id
            self._do(job)
            self._wait, self._waits_for = _FIRST_WAIT, ""
            self._changed()

    def _do(self, job: Job) -> None:
        """The next batch of a job; what of it has not ended afterwards is queued again."""
        processor = self._processor(job)
        at_once = 1 if isinstance(processor, AsofError) else max(1, processor.at_once)
        batch = self._store.take(job.id, at_once)
        context = self._at_work = JobContext(self.workspace, job, self._changed)
        try:
            if self._closing.is_set() or self._store.state(job.id) != "running":
                return
            self._changed()
            if isinstance(processor, AsofError):
                self._give_up(batch, job, processor)
            else:
                self._process(processor, batch, context)
        finally:
            self._at_work = None
            self._store.queue_again(self.workspace.name, [item.id for item in batch])

    def _processor(self, job: Job) -> Processor | AsofError:
        """Who does the items of a job, or why nobody can."""
        try:
            return self._processors(job)
        except AsofError as problem:
            return problem
        except Exception as fault:  # noqa: BLE001 - a job that nobody can do keeps no other one waiting
            return _in_words(fault, job)

    def _process(self, processor: Processor, batch: Sequence[JobItem], context: JobContext) -> None:
        """Do items together; where that fails, one at a time. Raises what is an outage."""
        problem = self._tried(processor, batch, context)
        running = {item.id for item in self._store.items(batch[0].job_id, ["running"])} if batch else set()
        left = [item for item in batch if item.id in running]
        if context.cancel.is_set() or not left or (problem is None and len(left) < len(batch)):
            return
        problem = problem or AsofError("The job produced no result.", "Try again.")
        if isinstance(problem, ExtractorUnavailable):
            self._give_up(left, context.job, problem)
        elif len(batch) == 1:
            self._fail(left[0], problem)
        else:
            for item in left:
                if not context.cancel.is_set():
                    self._process(processor, [item], context)

    def _tried(self, processor: Processor, batch: Sequence[JobItem], context: JobContext) -> AsofError | None:
        """What kept a batch from being done. Raises what is an outage."""
        try:
            processor.process(batch, context)
        except Cancelled as stopped:
            return None if context.cancel.is_set() else stopped
        except AsofError as problem:
            if (outage := _outage_behind(problem)) is not None:
                raise outage from problem
            return problem
        except Exception as fault:  # noqa: BLE001 - whatever it is, the item says so and the others go on
            return _in_words(fault, context.job)
        return None

    def _give_up(self, left: Sequence[JobItem], job: Job, problem: AsofError) -> None:
        """Pause a job whose further items would all fail alike; the first one says why."""
        for item in left[:1]:
            self._fail(item, problem)
        self._store.queue_again(self.workspace.name, [item.id for item in left[1:]])
        if self._store.items(job.id, ["queued"], limit=1):
            self._store.set_state(job.id, "paused", was=["running"])

    def _fail(self, item: JobItem, problem: AsofError) -> None:
        self._store.end([ItemEnd(item.id, "failed", problem=problem.message, hint=problem.hint)])


def _outage_behind(problem: AsofError) -> AsofError | None:
    """What could not be reached, where that is why it failed: then it is no fault of the item's."""
    cause: BaseException | None = problem
    while cause is not None:
        if isinstance(cause, _OUTAGES):
            return cause
        cause = cause.__cause__
    return None


def _in_words(fault: Exception, job: Job) -> AsofError:
    """A fault that nobody foresaw, for the list of jobs."""
    _log.error("“%s” failed.", job.title, exc_info=fault)
    return AsofError("The job failed unexpectedly.", "See Asof's log for details.")
