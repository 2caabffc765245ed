"""Ada's working life in a graph in memory, with two documents, and the tools bound to it."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from services.agent.app import App
from services.core.models import Entity, Episode, Fact, GraphWrite
from services.documents.versions import NewDocument
from services.tools.registry import TOOLS
from services.tools.tool import Context, ToolResult
from tests.fakes.memory_graph import MemoryGraphStore
from tests.services.retrieval.conftest import W, ingest, open_services

Ask = Callable[..., ToolResult]

MANUAL = """# Safety manual

Everybody reads this first.

## Brakes

The brake test is done every morning, before the doors open.

## Doors

Doors close by themselves when the brake test has failed.
"""


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def fact(uuid: str, source: str, relation: str, target: str, start: str = "", stop: str = "", **more: Any) -> Fact:
    """A fact between two entities, whose uuids are their names in lower case; recorded when it begins and ends."""
    valid, invalid = day(start) if start else None, day(stop) if stop else None
    times = {"created_at": valid or day("2020-01-01"), "expired_at": invalid, "episodes": ("note",)}
    text = f"{source} {relation.lower().replace('_', ' ')} {target}"
    return Fact(
        uuid, source.lower(), target.lower(), source, relation, target, text, valid, invalid, **{**times, **more}
    )


def life() -> GraphWrite:
    types = {"Ada": "Person", "Bob": "Person", "Cy": "Person", "Engines": "Company", "Labs": "Company", "Fly": "Wish"}
    entities = tuple(
        Entity(name.lower(), name, (kind,), f"{name} is a {kind}.", created_at=day("2018-01-01"))
        for name, kind in types.items()
    )
    note = Episode(
        "note",
        "A note",
        "Ada works for Labs.",
        valid_at=day("2022-07-01"),
        created_at=day("2022-07-02"),
        entity_uuids=("ada", "labs"),
    )
    letter = Episode(
        "letter",
        "A letter",
        "Ada again.",
        valid_at=day("2019-02-01"),
        created_at=day("2019-02-01"),
        entity_uuids=("ada",),
    )
    facts = (
        fact("f1", "Ada", "WORKS_FOR", "Engines", "2019-03-01", "2022-07-01", ended_by="f2"),
        fact("f2", "Ada", "WORKS_FOR", "Labs", "2022-07-01", episodes=("note", "letter")),
        fact("f3", "Ada", "KNOWS", "Bob", "2020-01-01"),
        fact("f4", "Cy", "WORKS_FOR", "Labs", "2021-01-01"),
        fact("f5", "Ada", "WANTS_TO", "Fly"),
        fact("f6", "Ada", "WORKS_FOR", "Bob", "2019-03-01", withdrawn_at=day("2020-06-01")),
    )
    return GraphWrite(entities, facts, (note, letter))


@pytest.fixture
def graph() -> MemoryGraphStore:
    return MemoryGraphStore()


@pytest.fixture
def services(tmp_path: Path, graph: MemoryGraphStore) -> Iterator[App]:
    services = open_services(tmp_path, graph)
    yield services
    graph.down = False
    services.close()


def _fill(services: App) -> App:
    services.bridge.run(services.graph.write(W, life()))
    ingest(services, NewDocument("manual", MANUAL, "Safety manual", "markdown", "docs/manual.md"))
    ingest(services, NewDocument("fleet", "Labs owns three ships. Ada sails the oldest.", "The fleet", "text"))
    return services


def _asking(services: App) -> Ask:
    def asked(name: str, /, as_of: str = "", known_at: str = "", **given: Any) -> ToolResult:
        clocks = [day(text) if text else None for text in (as_of, known_at)]
        return TOOLS[name](Context(services.workspace(W), *clocks), given)

    return asked


@pytest.fixture
def filled(services: App) -> App:
    """A life and two documents, for a test that changes them."""
    return _fill(services)


@pytest.fixture
def ask_own(filled: App) -> Ask:
    """Runs a tool on `filled`."""
    return _asking(filled)


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Runs a tool: `ask(name, input=…, as_of=…, known_at=…)`, the two clocks as text; for tests that only read."""
    services = open_services(tmp_path_factory.mktemp("shared"), MemoryGraphStore())
    yield _asking(_fill(services))
    services.close()
