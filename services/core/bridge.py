"""The one event loop that the asynchronous database drivers may touch.

Streamlit reruns a script in a new thread each time, and a driver that is built on one loop fails on another. So one
background thread owns one loop for the life of the process; everybody else hands it work and waits.
"""

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any

from services.core.errors import GraphUnavailable


class AsyncBridge:
    """Runs coroutines on its own loop, for callers on any thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="asof-bridge", daemon=True)
        self._thread.start()

    def submit[T](self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Start `work` and return at once; async callers await `asyncio.wrap_future` of the result.

        Raises `GraphUnavailable` once the bridge is closed.
        """
        try:
            return asyncio.run_coroutine_threadsafe(work, self._loop)
        except RuntimeError as error:
            work.close()
            raise GraphUnavailable("Asof is closing.", "Start Asof again.") from error

    def run[T](self, work: Coroutine[Any, Any, T], timeout: float | None = 60) -> T:
        """Wait for the result of `work`, for `timeout` seconds at most (None: for ever).

        Raises `GraphUnavailable` when the time is up; `work` is then cancelled.
        """
        if threading.current_thread() is self._thread:
            work.close()
            raise RuntimeError("bridge.run() was called on the bridge's own thread: await the coroutine instead")
        future = self.submit(work)
        try:
            return future.result(timeout)
        except TimeoutError as error:
            if future.done():
                raise
            raise GraphUnavailable(
                f"The graph database did not respond within {timeout:g} seconds.", "Try again."
            ) from error
        finally:
            future.cancel()

    def close(self) -> None:
        """Stop the loop; work that is still under way is cancelled first."""
        if self._loop.is_closed():
            return
        self.run(_cancel_others(), timeout=10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=10)
        self._loop.close()


async def _cancel_others() -> None:
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
