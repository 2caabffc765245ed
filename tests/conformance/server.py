"""Our server with the toolset of the conformance suite mounted beside our own tools: behind the app's guard, at the
app's route, with sign-in, for a client that has a token."""

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from typing import Any

import uvicorn
from mcp.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Receive, Scope, Send

from services.agent import app as process
from services.agent.app import App
from services.api import mcp_route
from services.api.guard import middleware
from services.api.routes import routes
from services.core import announcement
from services.core.toolsets import TOOLSETS
from services.mcp.http import MOST_BYTES, HttpServer
from services.mcp.server import make_server
from tests.conformance.everything import everything, low_level

_LISTS = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resource_templates",
    "prompts/list": "prompts",
}


class EverythingServer(HttpServer):
    """Our server with the suite's toolset. It keeps sessions and streams its answers, unlike ours: the older revision's
    scenarios ask the client in the middle of a call, and both want news of a call that is under way."""

    def __init__(self) -> None:
        super().__init__(process.get_services)
        self._manager = StreamableHTTPSessionManager(
            with_everything(make_server(self._answer)), max_request_body_size=MOST_BYTES
        )


def with_everything(ours: Server[Any]) -> Server[Any]:
    """Our server, whose lists go on with the suite's, and whose calls go to whoever has the name."""
    for method, theirs in low_level._request_handlers.items():
        mine = ours.get_request_handler(method)
        if mine is None:
            ours.add_request_handler(method, theirs.params_type, theirs.handler)
        elif method in _LISTS:
            ours.add_request_handler(method, mine.params_type, _listing(_LISTS[method], mine.handler, theirs.handler))
        elif method in _NAMES:
            ours.add_request_handler(method, mine.params_type, _calling(_NAMES[method], mine.handler, theirs.handler))
    ours.get_tool_input_schema = low_level.get_tool_input_schema
    ours.middleware.extend(one for one in low_level.middleware if type(one) not in map(type, ours.middleware))
    return ours


def _listing(field: str, mine: Any, theirs: Any) -> Any:
    async def listed(context: Any, parameters: Any) -> Any:
        found, more = await mine(context, parameters), await theirs(context, parameters)
        return found.model_copy(update={field: [*getattr(found, field), *getattr(more, field)]})

    return listed


def _calling(is_theirs: Any, mine: Any, theirs: Any) -> Any:
    async def called(context: Any, parameters: Any) -> Any:
        return await (theirs if await is_theirs(parameters) else mine)(context, parameters)

    return called


async def _is_their_tool(parameters: Any) -> bool:
    return parameters.name in {one.name for one in await everything.list_tools()}


async def _is_their_prompt(parameters: Any) -> bool:
    return parameters.name in {one.name for one in await everything.list_prompts()}


async def _is_their_resource(parameters: Any) -> bool:
    uri = str(parameters.uri)
    return uri.startswith("test://template/") or uri in {str(one.uri) for one in await everything.list_resources()}


_NAMES = {"tools/call": _is_their_tool, "prompts/get": _is_their_prompt, "resources/read": _is_their_resource}


class _WithToken:
    """Adds a token to what the suite sends to `/mcp`, since it cannot send one."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app, self._header = app, (b"authorization", f"Bearer {token}".encode())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] == "/mcp":
            scope = {**scope, "headers": [*scope["headers"], self._header]}
        await self._app(scope, receive, send)


@contextmanager
def serving(app: App, *, has_everything: bool) -> Iterator[str]:
    """The address of our server on a loopback port, with the suite's toolset or as it is."""
    before, app = process.pinned(), replace(app, settings=app.settings.model_copy(update={"auth": "local"}))
    process.pin(app)
    owner, name = app.accounts.users.local(), f"conformance, everything: {has_everything}"
    _, token = app.accounts.tokens.add(owner, name, workspaces=["_"], toolsets=TOOLSETS, may_write=True)

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:
        async with mcp_route.serving():
            if has_everything:
                mcp_route._servers[asyncio.get_running_loop()] = EverythingServer()
            yield

    with socket.create_server(("127.0.0.1", 0)) as listening:
        web = Starlette(routes=routes, middleware=[*middleware, Middleware(_WithToken, token=token)], lifespan=lifespan)
        server = uvicorn.Server(uvicorn.Config(web, log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        announcement.announce(app.settings.folder, [listening])
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        finally:
            announcement.withdraw(app.settings.folder)
            server.should_exit = True
            thread.join()
            process.pin(before)
