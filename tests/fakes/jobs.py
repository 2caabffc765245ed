"""Jobs whose items are done as a test says."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from services.agent.app import App
from services.core.errors import Cancelled
from services.core.job_records import ItemEnd, JobItem, NewItem
from services.jobs.processor import JobContext
from services.jobs.queue import Jobs

Action = Callable[[JobItem, JobContext], None]


class ScriptedProcessor:
    """Does an item by its key as the test says, else ends it as done. `batches` are the keys that it was given."""

    def __init__(self, at_once: int = 1) -> None:
        self.at_once = at_once
        self.batches: list[str] = []
        self.actions: dict[str, Action] = {}
        self.at_work = 0
        self.most_at_work = 0
        self._lock = threading.Lock()

    def process(self, items: Sequence[JobItem], context: JobContext) -> None:
        """Items in order; ends those that no action is for."""
        with self._lock:
            self.at_work += 1
            self.most_at_work = max(self.most_at_work, self.at_work)
            self.batches.append("".join(item.key for item in items))
        try:
            for item in items:
                if context.cancel.is_set():
                    raise Cancelled("Stopped.")
                context.report(f"reading {item.title}")
                if action := self.actions.get(item.key):
                    action(item, context)
                else:
                    context.end(ItemEnd(item.id, "done", {"key": item.key}))
        finally:
            with self._lock:
                self.at_work -= 1


class Gate:
    """An action that waits until it is let go, or stopped as a processor is."""

    def __init__(self) -> None:
        self.reached, self.open = threading.Event(), threading.Event()

    def __call__(self, item: JobItem, context: JobContext) -> None:
        self.reached.set()
        while not self.open.wait(0.01):
            if context.cancel.is_set():
                raise Cancelled("Stopped.")
        context.end(ItemEnd(item.id, "done"))


@contextmanager
def working(services: App, processor: ScriptedProcessor) -> Iterator[Jobs]:
    """Jobs of a process of its own, which are started at the end of a test's preparation by `start`."""
    jobs = Jobs(services, lambda _: processor)
    try:
        yield jobs
    finally:
        jobs.close()


def texts(keys: str) -> list[NewItem]:
    """An item for each letter."""
    return [NewItem(key, f"text {key}", {"text": key}) for key in keys]
