"""What is said between the app and a process that works on one task for it, within limits and until it is stopped."""

import contextlib
import functools
import json
import signal
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from services.documents.sandbox import OUT_OF_MEMORY
from services.documents.worker_process import ForkedWorker, ForkServer, StartedWorker, fresh_worker

End = Literal["answered", "late", "cancelled", "oversized", "starved", "died"]
"""How a task ended."""

_parsing = threading.BoundedSemaphore(2)
"""So many answers at once become records: what they take meanwhile is a multiple of what they were."""
_LOOKS = 0.05
"""Seconds between two looks at whether somebody still waits."""
_OUT_OF_MEMORY_WORDS = (b"memory allocation of", b"MemoryError", b"bad_alloc", b"Cannot allocate memory")


@dataclass(frozen=True, slots=True)
class TaskLimits:
    """What one task may cost: seconds, memory in megabytes, and bytes of its answer; it runs on so many processors.

    Memory is held to on Linux alone; macOS has no limit that a process can set itself.
    """

    seconds: float
    memory_mb: int
    answer_bytes: int
    processors: int = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a task ended, and what the process said: with an answer if it has one."""

    end: End
    status: int = 0
    output: bytes = b""
    answer: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class SandboxTask:
    """What `module.read(given, content)` is to do.

    The process may open `files`, and connect to hosts where it `reaches_hosts`.
    """

    module: str
    given: Mapping[str, Any]
    content: bytes = b""
    files: tuple[str, ...] = ()
    reaches_hosts: bool = False


def exchange(
    task: SandboxTask, limits: TaskLimits, *, cancel: threading.Event | None = None, is_one_of_many: bool = False
) -> Outcome:
    """Have a task done by a process of its own, and return what came of it. The process has ended by then.

    It is ended when its time is over, and as soon as `cancel` is set. For tasks of which many come one after the other
    it is forked from one that has the module ready.
    """
    outcome = None
    if is_one_of_many:
        with _fork_server(task.module).child() as child:
            outcome = None if child is None else _exchanged(child, task, limits, cancel)
    if outcome is None:
        with fresh_worker(task.module) as child:
            outcome = _exchanged(child, task, limits, cancel)
    return outcome or Outcome("died")


_fork_server = functools.cache(ForkServer)


def _exchanged(
    child: StartedWorker | ForkedWorker, task: SandboxTask, limits: TaskLimits, cancel: threading.Event | None
) -> Outcome | None:
    """Give a process its task, and return what came of it; None where it never began."""
    header = {
        "task": task.given,
        "seconds": limits.seconds * limits.processors,
        "memory_mb": limits.memory_mb,
        "files": task.files,
        "reaches_hosts": task.reaches_hosts,
    }
    watch = _Watch(child, limits.seconds, cancel)
    line = json.dumps(header).encode() + b"\n"
    feeder = threading.Thread(target=_feed, args=(child, line, task.content), daemon=True)
    try:
        watch.start()
        feeder.start()
        output = child.says.read(limits.answer_bytes)
        status = child.status() if len(output) < limits.answer_bytes else 0
    finally:
        watch.stop()
        child.end()
        feeder.join()
    if len(output) >= limits.answer_bytes:
        return Outcome("oversized")
    if status != 0 and watch.why is not None:
        return Outcome(watch.why)
    return None if status is None else _outcome(status, output)


class _Watch(threading.Thread):
    """Ends a process when its time is over or nobody waits for it, and remembers `why`."""

    def __init__(self, child: StartedWorker | ForkedWorker, seconds: float, cancel: threading.Event | None) -> None:
        super().__init__(daemon=True)
        self.why: Literal["late", "cancelled"] | None = None
        self._child, self._seconds, self._cancel = child, seconds, cancel
        self._over = threading.Event()

    def run(self) -> None:
        until = time.monotonic() + self._seconds
        while not self._over.wait(self._seconds if self._cancel is None else _LOOKS):
            if self._cancel is not None and self._cancel.is_set():
                self.why = "cancelled"
            elif time.monotonic() >= until:
                self.why = "late"
            if self.why is not None:
                self._child.end()
                return

    def stop(self) -> None:
        """Watch no longer."""
        self._over.set()
        self.join()


def _feed(child: StartedWorker | ForkedWorker, header: bytes, content: bytes) -> None:
    """Give the process its task; one that is gone by then takes nothing more."""
    with contextlib.suppress(OSError), child.takes as pipe:
        pipe.write(header)
        pipe.write(content)


def _outcome(status: int, output: bytes) -> Outcome:
    """Return what the process answered, which is the last line that it said, or why it did not."""
    if status == 0:
        with _parsing:
            answer = _json(output.rstrip(b"\n").rpartition(b"\n")[2])
        if answer:
            return Outcome("answered", status, output, answer)
    if status == -signal.SIGXCPU:
        return Outcome("late", status, output)
    if status in (OUT_OF_MEMORY, -signal.SIGKILL) or any(word in output for word in _OUT_OF_MEMORY_WORDS):
        return Outcome("starved", status, output)
    return Outcome("died", status, output)


def _json(line: bytes) -> dict[str, Any]:
    try:
        return dict(json.loads(line))
    except (ValueError, TypeError, RecursionError):
        return {}
