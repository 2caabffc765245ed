"""`/mcp`: the Model Context Protocol, for whoever has a token, and on this machine where nobody signs in."""

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from services.agent import app
from services.api.bearer import METADATA, access_of, base, metadata
from services.core.errors import AsofError
from services.mcp.access import ACCESS, ACCESS_NOW, Access, TooWide, at_address

if TYPE_CHECKING:
    from services.mcp.http import HttpServer

_BAD, _FORBIDDEN, _NOT_SO = 400, 403, 405
_servers: dict[asyncio.AbstractEventLoop, "HttpServer"] = {}
_listening: list[socket.socket] = []


class McpEndpoint:
    """Judges each request, then has the server of this event loop answer it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it with 400, 401, 403, 405 or 503."""
        if scope["method"] != "POST":
            await JSONResponse({"error": "Send requests with POST."}, _NOT_SO, {"Allow": "POST"})(scope, receive, send)
            return
        request = Request(scope, receive)
        granted = await _granted(request)
        if isinstance(granted, Response):
            await granted(scope, receive, send)
            return
        server = await _server()
        await server.handle({**scope, ACCESS: granted, ACCESS_NOW: partial(_still_granted, request)}, receive, send)


async def _granted(request: Request) -> Access | Response:
    """Return what a request may ask by its token and its address, or the answer that refuses it."""
    services = app.get_services()
    access = await access_of(request, services)
    if isinstance(access, Response):
        return access
    try:
        narrowed = at_address(access, request.query_params.multi_items(), services.graph.default_workspace)
    except AsofError as error:
        status = _FORBIDDEN if isinstance(error, TooWide) else _BAD
        return JSONResponse({"error": str(error)}, status)
    return replace(narrowed, address=base(request))


async def _still_granted(request: Request) -> Access | None:
    """Return what a request may ask now; None once it would be refused, or the app takes no more requests."""
    if _listening and all(one.fileno() < 0 for one in _listening):
        return None
    granted = await _granted(request)
    return None if isinstance(granted, Response) else granted


async def _server() -> "HttpServer":
    """The server of this event loop, made at the first request: its library takes long to import."""
    loop = asyncio.get_running_loop()
    if loop not in _servers:
        http = await asyncio.to_thread(import_module, "services.mcp.http")
        if loop not in _servers:  # another request may have made it meanwhile
            _servers[loop] = http.HttpServer(app.get_services)
    return _servers[loop]


@asynccontextmanager
async def serving(listening: Sequence[socket.socket] = ()) -> AsyncIterator[None]:
    """Have the server that requests made be closed in the end.

    `listening` are the app's sockets: once they are closed, whoever listens for news is let go, for the app waits for
    every answer before it ends.
    """
    _listening[:] = listening
    try:
        yield
    finally:
        server = _servers.pop(asyncio.get_running_loop(), None)
        if server is not None:
            await server.close()
        _listening.clear()


routes = [
    Route("/mcp", McpEndpoint()),  # every method, or what follows the routes would answer the others with a page
    Route(METADATA, metadata, methods=["GET"]),
    Route(f"{METADATA}/mcp", metadata, methods=["GET"]),
]
