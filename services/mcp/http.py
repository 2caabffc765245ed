"""The protocol over HTTP: one address for both revisions, without sessions, answered beside the app's other routes."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from anyio import CapacityLimiter, to_thread
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from services.context import Services
from services.core.json_documents import Json
from services.mcp.access import ACCESS, ACCESS_NOW, Access
from services.mcp.protocol_methods import answer
from services.mcp.resources import states
from services.mcp.server import make_server
from services.mcp.subscriptions import States, Subscriptions

MOST_AT_ONCE = 8
"""So many calls run at once; each is a thread, and pages have threads of their own."""
MOST_BYTES = 1_048_576


class HttpServer:
    """Answers requests of the protocol from its first one on until it is closed, on one event loop."""

    def __init__(self, get_services: Callable[[], Services]) -> None:
        self._services = get_services
        self._limiter = CapacityLimiter(MOST_AT_ONCE)
        self._manager = StreamableHTTPSessionManager(
            make_server(self._answer, Subscriptions(self._look)),
            json_response=True,
            stateless=True,
            max_request_body_size=MOST_BYTES,
        )
        self._ready, self._over = asyncio.Event(), asyncio.Event()
        self._running = asyncio.create_task(self._run(), name="asof-mcp")

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request whose scope says under `ACCESS` and `ACCESS_NOW` what it was granted."""
        await self._ready.wait()
        await self._manager.handle_request(scope, receive, send)

    async def close(self) -> None:
        """Answer no more."""
        self._over.set()
        with suppress(asyncio.CancelledError):
            await self._running

    async def _run(self) -> None:
        """The library's task group is left in the task that entered it."""
        async with self._manager.run():
            self._ready.set()
            await self._over.wait()

    async def _answer(self, request: Any, method: str, parameters: Mapping[str, Any]) -> Json:
        assert isinstance(request, Request), "the transport hands its request on"
        access: Access = request.scope[ACCESS]
        work = partial(answer, self._services(), access, method, parameters)
        return await to_thread.run_sync(work, limiter=self._limiter)

    async def _look(self, request: Any, addresses: Sequence[str], before: States) -> States | None:
        assert isinstance(request, Request), "the transport hands its request on"
        access: Access | None = await request.scope[ACCESS_NOW]()
        if access is None:
            return None
        work = partial(states, self._services(), access, addresses, before)
        return await to_thread.run_sync(work, limiter=self._limiter)
