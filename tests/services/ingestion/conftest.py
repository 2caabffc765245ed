"""Services on a graph in memory, and on the embedded database."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.bootstrap import Services, build_services
from services.config import Settings
from services.retrieval.indexes import Indexes
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.word_embedder import WordEmbedder


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    services = build_services(Settings(home=tmp_path), graph=MemoryGraphStore())
    yield services
    services.close()


@pytest.fixture(scope="module")
def database(short_folder: Path, request: pytest.FixtureRequest) -> Iterator[Services]:
    home = short_folder / request.module.__name__.rpartition(".")[2]
    services = build_services(Settings(home=home, graph_url="embedded"))
    services.__dict__["_indexes"] = Indexes(services.mirrors, WordEmbedder())
    yield services
    services.close()


@pytest.fixture
def real(database: Services) -> Iterator[Services]:
    """Services on the embedded database, with an empty workspace `w`."""
    yield database
    database.bridge.run(database.graph.clear("w"))
    database.accounts.remove("w")
    database.mirrors.drop("w")
