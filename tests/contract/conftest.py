"""One store per backend for the whole run; each test gets a workspace of its own."""

from collections.abc import Coroutine, Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest

from services.core.bridge import AsyncBridge
from services.core.config import Settings
from services.core.models import Entity, Episode, Fact, GraphWrite
from services.graph.connect import open_graph
from services.graph.graphiti_store import GraphitiStore
from services.graph.store import GraphStore
from tests.fakes.deletion import delete
from tests.fakes.memory_graph import MemoryGraphStore

SLOW_NEO4J = pytest.param("neo4j", marks=(pytest.mark.neo4j, pytest.mark.slow))
DATABASES = ["embedded", "falkordb", SLOW_NEO4J]


@dataclass(frozen=True)
class Graph:
    """A store and an empty workspace in it, with the plumbing out of a test's way."""

    store: GraphStore
    workspace: str
    bridge: AsyncBridge

    def run[T](self, work: Coroutine[Any, Any, T]) -> T:
        return self.bridge.run(work)

    def write(self, *items: Entity | Fact | Episode) -> None:
        self.run(
            self.store.write(
                self.workspace,
                GraphWrite(
                    tuple(i for i in items if isinstance(i, Entity)),
                    tuple(i for i in items if isinstance(i, Fact)),
                    tuple(i for i in items if isinstance(i, Episode)),
                ),
            )
        )

    def ask(self, method: str, *args: Any, **options: Any) -> Any:
        """Call a coroutine method of the store on the workspace."""
        return self.run(getattr(self.store, method)(self.workspace, *args, **options))

    def scan(self, method: str) -> list[Any]:
        async def gathered() -> list[Any]:
            return [record async for page in getattr(self.store, method)(self.workspace) for record in page]

        return self.run(gathered())

    def delete(self, **ids: Iterable[str]) -> None:
        """Delete records by uuid, documents by id."""
        self.run(delete(self.store, self.workspace, **ids))

    def cypher(self, text: str, **params: Any) -> list[Any]:
        """Write past the store, as another program would."""
        assert isinstance(self.store, GraphitiStore)
        return self.run(self.store._db.write(self.workspace, text, **params))


def _opened(settings: Settings, bridge: AsyncBridge) -> Iterator[GraphStore]:
    store = open_graph(settings)
    yield store
    bridge.run(store.close())


@pytest.fixture(scope="session")
def embedded_store(embedded_settings: Settings, bridge: AsyncBridge) -> Iterator[GraphStore]:
    yield from _opened(embedded_settings, bridge)


@pytest.fixture(scope="session")
def falkordb_store(falkordb_settings: Settings, bridge: AsyncBridge) -> Iterator[GraphStore]:
    yield from _opened(falkordb_settings, bridge)


@pytest.fixture(scope="session")
def neo4j_store(neo4j_settings: Settings, bridge: AsyncBridge) -> Iterator[GraphStore]:
    yield from _opened(neo4j_settings, bridge)


@pytest.fixture(scope="session")
def memory_store() -> GraphStore:
    return MemoryGraphStore()


def _graph(backend: str, request: pytest.FixtureRequest) -> Iterator[Graph]:
    store, bridge = request.getfixturevalue(f"{backend}_store"), request.getfixturevalue("bridge")
    graph = Graph(store, f"test-{uuid4().hex[:12]}", bridge)
    yield graph
    graph.ask("clear")


@pytest.fixture(params=["memory", *DATABASES])
def graph(request: pytest.FixtureRequest) -> Iterator[Graph]:
    """A workspace on every backend there is, the one in memory too."""
    yield from _graph(request.param, request)


@pytest.fixture(params=DATABASES)
def database(request: pytest.FixtureRequest) -> Iterator[Graph]:
    """A workspace on every real database."""
    yield from _graph(request.param, request)


@pytest.fixture
def embedded(request: pytest.FixtureRequest) -> Iterator[Graph]:
    """A workspace on the embedded FalkorDB."""
    yield from _graph("embedded", request)
