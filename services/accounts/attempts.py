"""How often somebody may try within a while."""

import threading
import time
from collections import deque
from collections.abc import Callable

_MOST_KEYS = 10_000


class Attempts:
    """Counts tries by a key (a name, an address), in this process. Any thread may call any method."""

    def __init__(self, most: int, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self._most, self._seconds, self._now = most, seconds, now
        self._lock = threading.Lock()
        self._tries: dict[str, deque[float]] = {}

    def take(self, key: str) -> bool:
        """Use one try up; False where none is left. It counts before it is known whether it was good, so that many
        at once are no way around."""
        with self._lock:
            now = self._now()
            if len(self._tries) >= _MOST_KEYS:
                self._forget_old(now)
            tries = self._tries.setdefault(key, deque())
            while tries and tries[0] <= now - self._seconds:
                tries.popleft()
            if len(tries) >= self._most:
                return False
            tries.append(now)
            return True

    def give_back(self, key: str) -> None:
        """The last try was good, and does not count."""
        with self._lock:
            if tries := self._tries.get(key):
                tries.pop()

    def _forget_old(self, now: float) -> None:
        self._tries = {key: tries for key, tries in self._tries.items() if tries and tries[-1] > now - self._seconds}
        if len(self._tries) >= _MOST_KEYS:  # somebody tries names without end; the oldest are forgotten first
            for key in sorted(self._tries, key=lambda key: self._tries[key][-1])[: _MOST_KEYS // 2]:
                del self._tries[key]
