"""How the app is, from what was seen last: answering asks no database."""

import asyncio
import time
from typing import Any

from services.context import Services
from services.core.data_folder import write_problem
from services.core.errors import AsofError

_FRESH = 5.0
_PATIENCE = 5.0


class Health:
    """The last known state of graph and data folder; older than a few seconds, it is renewed in the background."""

    def __init__(self) -> None:
        self._graph: dict[str, Any] = {"state": "unknown"}
        self._folder: dict[str, Any] = {"state": "unknown"}
        self._looked = float("-inf")
        self._looking: asyncio.Task[None] | None = None

    def document(self, services: Services) -> dict[str, Any]:
        """What is known, at once. To be called on the server's event loop."""
        stale = time.monotonic() - self._looked > _FRESH
        if stale and (self._looking is None or self._looking.done()):
            self._looking = asyncio.get_running_loop().create_task(self._look(services))
        return {"status": "ok", "graph": self._graph, "data_folder": self._folder}

    async def _look(self, services: Services) -> None:
        problem = await asyncio.to_thread(write_problem, services.settings.folder)
        self._folder = {"state": "writable"} if not problem else {"state": "not writable", "problem": problem}
        try:
            await asyncio.wait_for(asyncio.wrap_future(services.bridge.submit(services.graph.ping())), _PATIENCE)
            self._graph = {"state": "up"}
        except AsofError as error:
            self._graph = {"state": "down", "problem": error.message, "hint": error.hint}
        except TimeoutError:
            self._graph = {"state": "down", "problem": "The graph database is not responding.", "hint": ""}
        self._looked = time.monotonic()
