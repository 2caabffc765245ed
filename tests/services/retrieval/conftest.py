"""A workspace in memory whose index needs no model."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.agent.app import App
from services.bootstrap import build_services
from services.core.config import Settings
from services.core.models import Entity, Fact, GraphWrite
from services.documents.versions import NewDocument
from services.writing.documents import ingest_documents
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.word_embedder import WordEmbedder

W = "_"


def open_services(home: Path, graph: MemoryGraphStore, embedder: WordEmbedder | None = None) -> App:
    """Services whose indexes have the embedder of the tests."""
    return build_services(Settings(home=with_tables(home)), graph=graph, embedder=embedder or WordEmbedder())


@pytest.fixture
def graph() -> MemoryGraphStore:
    return MemoryGraphStore()


@pytest.fixture
def services(tmp_path: Path, graph: MemoryGraphStore) -> Iterator[App]:
    services = open_services(tmp_path, graph)
    yield services
    services.close()


def write(services: App, *records: Entity | Fact) -> None:
    """Put records into graph and mirror, as our own writes do."""
    entities = tuple(r for r in records if isinstance(r, Entity))
    facts = tuple(r for r in records if isinstance(r, Fact))
    batch = GraphWrite(entities, facts)
    services.bridge.run(services.graph.write(W, batch))
    services.mirrors.of(W)
    services.mirrors.written(W, batch)


def ingest(services: App, *documents: NewDocument):
    """Take in documents and make everything findable."""
    done = ingest_documents(services.workspace(W), documents)
    services.indexes.prepare(W)
    return done
