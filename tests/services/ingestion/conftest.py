"""Services on a graph in memory, and rows to import."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.bootstrap import Services, build_services
from services.config import Settings
from tests.fakes.memory_graph import MemoryGraphStore


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    services = build_services(Settings(home=tmp_path), graph=MemoryGraphStore())
    yield services
    services.close()
