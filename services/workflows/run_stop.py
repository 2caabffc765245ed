"""How whoever watches a run stops it, and how long it may take."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from services.core.errors import AsofError, Cancelled

_GRACE = 2.0
"""Seconds in which a node may still end that was told to stop."""
_BLINK = 0.05


class RunPaused(AsofError):
    """Somebody paused the run; it goes on from its latest checkpoint."""


class TookTooLong(AsofError):
    """The run took longer than its limit."""


@dataclass
class RunControl:
    """What is wanted of a run under way. `stop` is what its nodes look at; each try of the run has one of its own.

    `closing` says that the process ends: the run goes on when the app does.
    """

    cancelled: threading.Event = field(default_factory=threading.Event)
    paused: threading.Event = field(default_factory=threading.Event)
    closing: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)
    stop: threading.Event = field(default_factory=threading.Event)

    def check(self) -> None:
        """Raise `Cancelled` or `RunPaused` where that is wanted."""
        if self.cancelled.is_set():
            raise Cancelled("The run is cancelled.", "Asof keeps the finished steps.")
        if self.paused.is_set():
            raise RunPaused("The run is paused.", "You can resume it at any time.")

    def cancel(self) -> None:
        """Have the run end as soon as its nodes look up."""
        self.cancelled.set()
        self.stop.set()

    def close(self) -> None:
        """Have the run end at once, to go on when the app does."""
        self.closing.set()
        self.paused.set()
        self.stop.set()

    def within[T](self, seconds: float, work: Callable[[threading.Event], T]) -> T:
        """Return what `work` gives, on a thread of its own.

        Raises what it raises, `TookTooLong` after so many seconds, and `Cancelled` even where a node does not look up.
        """
        self.stop = stop = threading.Event()
        if self.cancelled.is_set() or self.closing.is_set():
            stop.set()
        found: list[T] = []
        failed: list[BaseException] = []

        def worked() -> None:
            try:
                found.append(work(stop))
            except BaseException as error:  # noqa: BLE001 - it is raised where somebody waits for it
                failed.append(error)

        thread = threading.Thread(target=worked, name="asof-workflow", daemon=True)
        thread.start()
        self._wait(thread, time.monotonic() + seconds, stop)
        if thread.is_alive():
            self.check()
            raise TookTooLong(
                f"The run took longer than {seconds:g} seconds.", "To allow more time, raise limits.timeout_ms."
            )
        if failed:
            self._judge(failed[0], stop, seconds)
        return found[0]

    def _wait(self, thread: threading.Thread, deadline: float, stop: threading.Event) -> None:
        while thread.is_alive() and not stop.is_set() and time.monotonic() < deadline:
            thread.join(_BLINK)
        if thread.is_alive():
            stop.set()
            thread.join(_GRACE)

    def _judge(self, error: BaseException, stop: threading.Event, seconds: float) -> None:
        """Raise what ended the work: a node that stopped because the time was up says only that it was stopped."""
        if isinstance(error, Cancelled) and stop.is_set():
            self.check()
            raise TookTooLong(
                f"The run took longer than {seconds:g} seconds.", "To allow more time, raise limits.timeout_ms."
            )
        raise error
