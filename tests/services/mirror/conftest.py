"""What the tests of the mirror share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.core.bridge import AsyncBridge
from services.mirror.mirror import Mirror
from services.mirror.mirrors import Mirrors
from tests.fakes.memory_graph import MemoryGraphStore
from tests.services.mirror.graphs import FACT, W, graph


@pytest.fixture(scope="module")
def mirror() -> Iterator[Mirror]:
    """A mirror in memory; each test puts in what it needs."""
    mirror = Mirror()
    yield mirror
    mirror.close()


@pytest.fixture
def store(bridge: AsyncBridge) -> MemoryGraphStore:
    store = MemoryGraphStore()
    bridge.run(store.write(W, graph((FACT,))))
    return store


@pytest.fixture
def mirrors(tmp_path: Path, store: MemoryGraphStore, bridge: AsyncBridge) -> Iterator[Mirrors]:
    mirrors = Mirrors(tmp_path, store, bridge)
    yield mirrors
    mirrors.close()
