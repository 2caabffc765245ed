"""Services with a small graph in the workspace `team`: what two notes and a document say about Ada."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from services.agent.app import App
from services.bootstrap import build_services
from services.core.config import Settings
from services.core.models import Entity, Episode, Fact, GraphWrite
from services.graph.connect import open_graph
from services.graph.store import GraphStore
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore

WORKSPACE = "team"
START = datetime(2020, 1, 1, tzinfo=UTC)


def day(n: int) -> datetime:
    return START + timedelta(days=n)


def note(uuid: str, *mentions: str) -> Episode:
    return Episode(
        uuid, f"note {uuid}", f"What {uuid} says.", valid_at=day(0), created_at=day(0), entity_uuids=mentions
    )


def fact(uuid: str, target: str, *episodes: str, relation: str = "KNOWS", **more: object) -> Fact:
    given = Fact(
        uuid, "ada", target, "Ada", relation, target.title(), valid_at=day(1), created_at=day(2), episodes=episodes
    )
    return replace(given, **more)  # type: ignore[arg-type]


GRAPH = GraphWrite(
    tuple(Entity(name, name.title(), ("Person",), created_at=day(0)) for name in ("ada", "bob", "cy", "dan")),
    (
        fact("one", "bob", "first"),
        fact("both", "cy", "first", "second"),
        fact("ended", "cy", "second", relation="LIKES", invalid_at=day(5), expired_at=day(6), ended_by="one"),
    ),
    (note("first", "ada", "bob", "cy", "dan"), note("second", "ada", "cy")),
)


@pytest.fixture(params=["memory", pytest.param("embedded", marks=pytest.mark.slow)])
def team(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[App]:
    """Services with that graph, in memory and on the embedded database."""
    if request.param == "memory":
        graph: GraphStore = MemoryGraphStore()
    else:
        graph = open_graph(request.getfixturevalue("embedded_settings"))
    services = build_services(Settings(home=with_tables(tmp_path), _env_file=None), graph=graph)
    services.bridge.run(services.graph.clear(WORKSPACE))
    services.bridge.run(services.graph.write(WORKSPACE, GRAPH))
    services.mirrors.sync(WORKSPACE, deep=True)
    yield services
    services.close()
