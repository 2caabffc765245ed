"""What does the items of a job, and what it works with."""

import threading
from collections.abc import Callable, Sequence
from typing import Protocol

from services.context import Services
from services.core.job_records import Item, ItemEnd, Job, NewItem


class Hands(Protocol):
    """What a processor works with."""

    @property
    def cancel(self) -> threading.Event:
        """Set once the job is cancelled or paused, or the app closes: stop, and leave the items as they are."""

    def report(self, step: str, share: float = 0.0) -> None:
        """Say what is being done now ("reading report.pdf"), and how much of it is done, from 0 to 1."""

    def end(self, end: ItemEnd) -> None:
        """Record how an item ended, where no change-set does; or how far it is."""

    def add(self, items: Sequence[NewItem]) -> None:
        """Add items to the job, behind those that it has; one whose key it has already is left out."""


class Processor(Protocol):
    """Does the items of one kind of job."""

    @property
    def at_once(self) -> int:
        """How many queued items it is given at a time, at most."""

    def process(self, services: Services, job: Job, items: Sequence[Item], hands: Hands) -> None:
        """Do these items. Each must end, in a change-set's transaction or by `hands.end`; an item that has not ended
        when this returns is queued again, or failed when this raises an error that is not `Cancelled`."""


Processors = Callable[[Job], Processor]
"""The processor of a job, by its kind and options."""
