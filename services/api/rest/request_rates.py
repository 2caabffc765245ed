"""How often each client may ask: its requests of the last minute are counted in this process."""

import threading
import time
from collections import OrderedDict

_MOST_CLIENTS = 10_000


class RequestRates:
    """What is left to each client: `per_minute` requests at once, which come back evenly. Any thread may call it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str, per_minute: int) -> float:
        """Count one request; returns the seconds to wait where none is left, and then counts nothing."""
        now, per_second = time.monotonic(), per_minute / 60
        with self._lock:
            left, then = self._left.get(client, (float(per_minute), now))
            left = min(float(per_minute), left + (now - then) * per_second)
            waits = max(0.0, (1 - left) / per_second)
            self._left[client] = (left if waits else left - 1, now)
            self._left.move_to_end(client)
            while len(self._left) > _MOST_CLIENTS:
                self._left.popitem(last=False)
        return waits
