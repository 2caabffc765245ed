"""An entity that is looked at closely is as the graph has it now."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from services.agent.app import App
from services.bootstrap import build_services
from services.core.config import Settings
from services.core.models import Entity, Fact, GraphWrite
from services.queries.refresh_entity import refresh_entity
from tests.fakes.deletion import delete
from tests.fakes.memory_graph import MemoryGraphStore

W = "_"
ADA, ACME, BETA = Entity("a", "Ada"), Entity("c", "Acme"), Entity("b", "Beta")
FACT = Fact("f", "a", "c", "Ada", "WORKS_FOR", "Acme", "Ada works for Acme.")


@pytest.fixture
def store() -> MemoryGraphStore:
    return MemoryGraphStore()


@pytest.fixture
def services(tmp_path: Path, store: MemoryGraphStore) -> Iterator[App]:
    services = build_services(Settings(home=tmp_path), graph=store)
    write(services, GraphWrite((ADA, ACME), (FACT,)))
    services.mirrors.of(W)
    yield services
    services.close()


def write(services: App, batch: GraphWrite) -> None:
    services.bridge.run(services.graph.write(W, batch))


def test_what_another_program_changed_in_place_is_in_the_mirror_after_a_close_look(services: App) -> None:
    changed = replace(FACT, text="Ada runs Acme.")
    write(services, GraphWrite((replace(ADA, summary="A countess."),), (changed,)))
    assert refresh_entity(services.workspace(W), "a")
    mirror = services.mirrors.of(W)
    assert (mirror.history("a"), mirror.entities(("a",))[0].summary) == ((changed,), "A countess.")


def test_a_new_fact_comes_with_its_other_end(services: App) -> None:
    new = Fact("g", "a", "b", "Ada", "KNOWS", "Beta", "Ada knows Beta.")
    write(services, GraphWrite((BETA,), (new,)))
    assert refresh_entity(services.workspace(W), "a")
    assert services.mirrors.of(W).entities(("b",)) == (BETA,)
    assert new in services.mirrors.of(W).history("a")


def test_what_is_gone_from_the_graph_goes_from_the_mirror(services: App) -> None:
    services.bridge.run(delete(services.graph, W, facts=["f"]))
    assert refresh_entity(services.workspace(W), "a")
    assert services.mirrors.of(W).history("a") == ()
    services.bridge.run(delete(services.graph, W, entities=["a"]))
    assert refresh_entity(services.workspace(W), "a")
    assert services.mirrors.of(W).entities(("a",)) == ()


def test_a_close_look_at_what_is_in_step_changes_nothing(services: App) -> None:
    version = services.mirrors.of(W).version
    assert not refresh_entity(services.workspace(W), "a")
    assert not refresh_entity(services.workspace(W), "nobody")
    assert services.mirrors.of(W).version == version


def test_while_the_graph_is_down_the_mirror_stays_as_it_is(services: App, store: MemoryGraphStore) -> None:
    store.down = True
    assert not refresh_entity(services.workspace(W), "a")
    assert services.mirrors.of(W).history("a") == (FACT,)
