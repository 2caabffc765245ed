"""Services on a graph in memory, and on the embedded database."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.agent.app import App
from services.bootstrap import build_services
from services.core.config import Settings
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.word_embedder import WordEmbedder


@pytest.fixture
def services(tmp_path: Path) -> Iterator[App]:
    services = build_services(Settings(home=with_tables(tmp_path)), graph=MemoryGraphStore())
    yield services
    services.close()


@pytest.fixture(scope="module")
def database(short_folder: Path, request: pytest.FixtureRequest) -> Iterator[App]:
    home = short_folder / request.module.__name__.rpartition(".")[2]
    services = build_services(Settings(home=home, graph_url="embedded"), embedder=WordEmbedder())
    yield services
    services.close()


@pytest.fixture
def real(database: App) -> Iterator[App]:
    """Services on the embedded database, with an empty workspace `w`."""
    yield database
    database.bridge.run(database.graph.clear("w"))
    database.accounts.remove("w")
    database.mirrors.drop("w")
