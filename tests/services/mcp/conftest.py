"""The server on Ada's working life, for a client of the protocol's own library: over HTTP, and on this machine."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette

from services.agent import app as process
from services.agent.app import App
from services.api.guard import middleware
from services.api.mcp_route import serving
from services.api.routes import routes
from services.core import announcement
from services.core.toolsets import TOOLSETS
from services.mcp.access import Access
from services.mcp.calls import call
from services.mcp.tool_results import ToolReply
from tests.fakes.memory_graph import MemoryGraphStore
from tests.services.retrieval.conftest import open_services
from tests.services.tools.conftest import _fill, filled, graph, services

__all__ = ["filled", "graph", "services"]

Call = Callable[..., ToolReply]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """Services with a life and two documents, for tests that only read."""
    services = open_services(tmp_path_factory.mktemp("mcp"), MemoryGraphStore())
    yield _fill(services)
    services.close()


@pytest.fixture
def ask(app: App) -> Call:
    """Calls a tool in this process: `ask(name, access?, **inputs)`."""

    def asked(name: str, /, access: Access | None = None, **given: Any) -> ToolReply:
        return call(app, access or Access(toolsets=TOOLSETS), name, given)

    return asked


@pytest.fixture(scope="module")
def address(app: App) -> Iterator[str]:
    """Where the server listens, behind the app's own guard."""
    with served(app) as address:
        yield address


@contextmanager
def served(app: App) -> Iterator[str]:
    """The address of a server of these services, behind the app's own guard."""
    before = process.pinned()
    process.pin(app)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # as app.py does: or each answer waits 40 ms
        web = Starlette(routes=routes, middleware=middleware, lifespan=lambda _: serving([listening]))
        server = uvicorn.Server(uvicorn.Config(web, log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        announcement.announce(app.settings.folder, [listening])
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        announcement.withdraw(app.settings.folder)
        server.should_exit = True
        thread.join()
    process.pin(before)
