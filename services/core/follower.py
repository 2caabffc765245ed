"""What is kept open for each workspace, looked after by one background thread."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from services.core.errors import AsofError

_LATELY = 600.0
"""A workspace is looked after for so many seconds after it was last used."""

_AFTER_A_FAULT = 60.0
"""A workspace whose turn failed is left alone for so many seconds."""

_log = logging.getLogger(__name__)


@dataclass
class _Kept[T]:
    value: T
    used: float = field(default_factory=time.monotonic)
    resting_until: float = 0.0


class Follower[T]:
    """Keeps one value for each workspace, and follows the workspaces in use from a thread. Any thread may call it.

    `look` is the turn of one workspace; it returns the seconds to leave that workspace alone, and may raise anything.
    `each_round` runs before every round of turns.
    """

    def __init__(
        self, name: str, look: Callable[[str, T], float], each_round: Callable[[], object] = lambda: None
    ) -> None:
        self._name, self._look, self._each_round = name, look, each_round
        self._lock = threading.Lock()
        self._kept: dict[str, _Kept[T]] = {}
        self._stop, self._wake = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None

    def use(self, workspace: str, make: Callable[[str], T]) -> T:
        """Return what is kept for a workspace, made where there is nothing yet, and follow it for a while."""
        with self._lock:
            if workspace not in self._kept:
                self._kept[workspace] = _Kept(make(workspace))
            kept = self._kept[workspace]
            kept.used = time.monotonic()
            return kept.value

    def peek(self, workspace: str) -> T | None:
        """Return what is kept for a workspace, or None; this does not count as use."""
        with self._lock:
            kept = self._kept.get(workspace)
        return kept.value if kept else None

    @contextmanager
    def taken_out(self, workspace: str) -> Iterator[T | None]:
        """Keep nothing for a workspace any more; until the block ends nobody can have it made again."""
        with self._lock:
            kept = self._kept.pop(workspace, None)
            yield kept.value if kept else None

    @property
    def is_running(self) -> bool:
        """True once the thread was started."""
        return self._thread is not None

    def start(self, seconds: float) -> None:
        """Start the thread, which makes a round every `seconds` and whenever it is woken; once is enough."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, args=(seconds,), name=self._name, daemon=True)
                self._thread.start()

    def wake(self) -> None:
        """Make the next round now."""
        self._wake.set()

    @property
    def stopping(self) -> threading.Event:
        """Set once the thread is to stop, for turns that take long."""
        return self._stop

    def close(self) -> list[T]:
        """Stop the thread, and return everything that was kept."""
        self._stop.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join()
        with self._lock:
            values = [kept.value for kept in self._kept.values()]
            self._kept.clear()
        return values

    def _run(self, seconds: float) -> None:
        while True:
            self._wake.wait(seconds)
            self._wake.clear()
            if self._stop.is_set():
                return
            self._each_round()
            now = time.monotonic()
            with self._lock:
                due = [(n, k) for n, k in self._kept.items() if now - k.used < _LATELY and now >= k.resting_until]
            for workspace, kept in due:
                kept.resting_until = time.monotonic() + self._turn(workspace, kept.value)

    def _turn(self, workspace: str, value: T) -> float:
        try:
            return self._look(workspace, value)
        except AsofError as error:
            _log.info("%s: “%s” waits: %s", self._name, workspace, error)
        except Exception:  # noqa: BLE001 - whatever it is, the other workspaces want their turn
            _log.exception("%s: could not sync “%s”.", self._name, workspace)
        return _AFTER_A_FAULT
