import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from services.agent.app import App
from services.bootstrap import build_services
from services.context import OpenWorkspace
from services.core.config import Settings
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.postgres_server import postgres_on


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    """The services on a graph in memory."""
    app = build_services(Settings(home=with_tables(tmp_path / "home")), graph=MemoryGraphStore())
    yield app
    app.close()


@pytest.fixture
def workspace(app: App) -> OpenWorkspace:
    return app.workspace("_")


@pytest.fixture
def open_to(tmp_path: Path) -> Iterator[Callable[..., OpenWorkspace]]:
    """Opens a workspace with settings of the test's own."""
    with ExitStack() as closing:

        def opened(**settings: str) -> OpenWorkspace:
            app = build_services(Settings(home=with_tables(tmp_path / "own"), **settings), graph=MemoryGraphStore())
            closing.callback(app.close)
            return app.workspace("_")

        yield opened


@pytest.fixture(scope="session")
def postgres_address() -> Iterator[str]:
    """The address of a server of the tests' own, on a loopback port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with postgres_on(f"-c listen_addresses=127.0.0.1 -p {port}"):
        yield f"postgresql://asof@127.0.0.1:{port}/postgres"
