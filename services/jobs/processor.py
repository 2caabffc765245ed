"""What does the items of a job, and what it works with."""

import threading
from collections.abc import Callable, Sequence
from typing import Protocol

from services.context import OpenWorkspace
from services.core.job_records import ItemEnd, Job, JobItem, NewItem


class JobContext:
    """What a processor works with while it does items of `job`. `changed` is called whenever something can be seen.

    `cancel` is set once the job is cancelled or paused, or the app closes: stop then, and leave the items as they are.
    `step` is what was last reported.
    """

    def __init__(self, workspace: OpenWorkspace, job: Job, changed: Callable[[], None]) -> None:
        self.workspace, self.job = workspace, job
        self.cancel = threading.Event()
        self.step = "", 0.0
        self._store, self._changed = workspace.accounts.jobs, changed

    def report(self, step: str, share: float = 0.0) -> None:
        """Say what is being done now ("reading report.pdf"), and how much of it is done, from 0 to 1."""
        self.step = step, share
        self._changed()

    def end(self, end: ItemEnd) -> None:
        """Record how an item ended, where no change-set does; or how far it is."""
        self._store.end([end])
        self._changed()

    def add(self, items: Sequence[NewItem]) -> None:
        """Add items to the job, behind those that it has; one whose key it has already is left out."""
        self._store.extend(self.job.id, items)
        self._changed()


class Processor(Protocol):
    """Does the items of one kind of job."""

    @property
    def at_once(self) -> int:
        """How many queued items it is given at a time, at most."""

    def process(self, items: Sequence[JobItem], context: JobContext) -> None:
        """Do these items. Each must end, in a change-set's transaction or by `context.end`; an item that has not ended
        when this returns is queued again, or failed when this raises an error that is not `Cancelled`."""


Processors = Callable[[Job], Processor]
"""The processor of a job, by its kind and options."""
