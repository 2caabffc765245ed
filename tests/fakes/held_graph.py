"""A graph in memory whose facts arrive when the test lets them."""

import asyncio
import threading
from collections.abc import AsyncIterator

from services.core.models import Fact
from tests.fakes.memory_graph import MemoryGraphStore


class HeldGraphStore(MemoryGraphStore):
    """Gives the first fact at once, and the others when `go_on` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.go_on = threading.Event()

    async def scan_facts(self, workspace: str) -> AsyncIterator[tuple[Fact, ...]]:
        async for batch in super().scan_facts(workspace):
            yield batch[:1]
            await asyncio.to_thread(self.go_on.wait)
            yield batch[1:]
