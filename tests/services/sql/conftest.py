import shutil
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from services.agent.app import App
from services.bootstrap import build_services
from services.context import OpenWorkspace
from services.core.config import Settings
from tests.fakes.memory_graph import MemoryGraphStore
from tests.services.accounts.conftest import _binary, _run, _server_user


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    """The services on a graph in memory."""
    app = build_services(Settings(home=tmp_path / "home"), graph=MemoryGraphStore())
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
            app = build_services(Settings(home=tmp_path / "own", **settings), graph=MemoryGraphStore())
            closing.callback(app.close)
            return app.workspace("_")

        yield opened


@pytest.fixture(scope="session")
def postgres_address() -> Iterator[str]:
    """The address of a server of the tests' own, on a loopback port."""
    initdb, control = _binary("initdb"), _binary("pg_ctl")
    if initdb is None or control is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt install postgresql)")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    user = _server_user()
    with tempfile.TemporaryDirectory(prefix="asof-pg-", ignore_cleanup_errors=True) as folder:
        if user:
            shutil.chown(folder, user)
        data = f"{folder}/data"
        _run(user, initdb, "-D", data, "-U", "asof", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
        options = f"-k {folder} -c listen_addresses=127.0.0.1 -p {port} -c fsync=off"
        _run(user, control, "-D", data, "-l", f"{folder}/log", "-o", options, "-w", "start")
        try:
            yield f"postgresql://asof@127.0.0.1:{port}/postgres"
        finally:
            _run(user, control, "-D", data, "-m", "immediate", "-w", "stop")
