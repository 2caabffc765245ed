"""Point look-ups come from the graph, and from the mirror while the graph is down."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from services import lookup
from services.bootstrap import Services, build_services
from services.config import Settings
from services.errors import GraphUnavailable
from services.models import GraphWrite, Instants
from tests.fakes.memory_graph import MemoryGraphStore
from tests.services.mirror.graphs import ENTITIES, EPISODES, START, graph
from tests.services.mirror.test_mirrors import FACT

W = "_"


@pytest.fixture
def store() -> MemoryGraphStore:
    return MemoryGraphStore()


@pytest.fixture
def services(tmp_path: Path, store: MemoryGraphStore) -> Iterator[Services]:
    services = build_services(Settings(home=tmp_path), graph=store)
    services.bridge.run(store.write(W, graph((FACT,))))
    yield services
    services.close()


def test_a_look_up_is_fresh_while_the_graph_answers(services: Services, store: MemoryGraphStore) -> None:
    services.mirrors.of(W)
    changed = replace(FACT, text="said just now")
    services.bridge.run(store.write(W, GraphWrite(facts=(changed,))))
    answer = lookup.history(services, W, "e0")
    assert (answer.value, answer.as_of_sync) == ((changed,), None)


def test_the_mirror_stands_in_while_the_graph_is_down_and_says_of_when_it_is(
    services: Services, store: MemoryGraphStore
) -> None:
    synced_at = services.mirrors.of(W).synced_at
    store.down = True
    at = Instants(START, START)
    assert lookup.history(services, W, "e0") == lookup.Answer((FACT,), synced_at)
    assert lookup.facts(services, W, ["f0", "f1"]) == lookup.Answer((FACT,), synced_at)
    assert lookup.entities(services, W, ["e1"]) == lookup.Answer((ENTITIES[1],), synced_at)
    assert lookup.episodes(services, W, ["p1", "p0"]) == lookup.Answer(EPISODES[::-1], synced_at)
    path = lookup.shortest_path(services, W, "e1", "e0", at)
    assert path.value is not None
    assert (path.value.facts, path.as_of_sync) == ((FACT,), synced_at)


def test_without_graph_and_mirror_the_reader_is_told(services: Services, store: MemoryGraphStore) -> None:
    store.down = True
    with pytest.raises(GraphUnavailable, match="does not answer"):
        lookup.history(services, W, "e0")
