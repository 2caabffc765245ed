from collections.abc import Iterator
from pathlib import Path

import pytest

from services.agent.app import App
from services.bootstrap import build_services
from services.context import OpenWorkspace
from services.core.config import Settings
from tests.fakes.memory_graph import MemoryGraphStore


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    """The services on a graph in memory."""
    app = build_services(Settings(home=tmp_path / "home"), graph=MemoryGraphStore())
    yield app
    app.close()


@pytest.fixture
def workspace(app: App) -> OpenWorkspace:
    return app.workspace("_")
