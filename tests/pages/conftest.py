"""Pages on services of their own: a graph in memory, and a mirror and accounts in a folder of the test."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from services.agent.app import App, pin
from services.bootstrap import build_services
from services.core.config import Settings
from services.core.models import Entity, Episode, Fact, GraphWrite
from services.jobs import documents_job as feed
from tests.data_folder import with_tables
from tests.fakes.line_extractor import LineExtractor
from tests.fakes.memory_graph import MemoryGraphStore
from tests.rendered import Rendered, rendered

ROOT = Path(__file__).resolve().parents[2]
WORKSPACE = "team"


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def small_graph() -> GraphWrite:
    """Ada's life: two employers one after the other, two friends at once, and an undated wish."""
    names = {"ada": "Person", "bob": "Person", "cy": "Person", "engines": "Company", "labs": "Company", "fly": "Wish"}
    entities = tuple(Entity(uuid, uuid.title(), (kind,), created_at=day("2019-01-01")) for uuid, kind in names.items())
    note = Episode(
        "note",
        "Ada joined Labs",
        "Since July she works for Labs.",
        valid_at=day("2022-07-01"),
        created_at=day("2022-07-02"),
    )

    def fact(uuid: str, relation: str, target: str, start: str | None, stop: str | None = None) -> Fact:
        begun, ended = start and day(start), stop and day(stop)
        return Fact(
            uuid,
            "ada",
            target,
            "Ada",
            relation,
            target.title(),
            valid_at=begun or None,
            invalid_at=ended or None,
            created_at=(begun or day("2020-01-01")) + timedelta(hours=1),
            expired_at=ended or None,
            episodes=("note",),
        )

    facts = (
        fact("f1", "WORKS_FOR", "engines", "2019-03-01", "2022-07-01"),
        fact("f2", "WORKS_FOR", "labs", "2022-07-01"),
        fact("f3", "KNOWS", "bob", "2020-01-01"),
        fact("f4", "KNOWS", "cy", "2021-01-01"),
        fact("f5", "WANTS_TO", "fly", None),
    )
    return GraphWrite(entities, facts, (note,))


@pytest.fixture
def graph() -> MemoryGraphStore:
    return MemoryGraphStore()


@contextmanager
def serving(chosen: Settings, graph: MemoryGraphStore) -> Iterator[App]:
    """Services that the pages of this test find."""
    st.cache_resource.clear()
    with_tables(chosen.folder)
    built = build_services(chosen, graph=graph)
    pin(built)
    try:
        yield built
    finally:
        graph.down = False
        pin(None)
        built.close()
        st.cache_resource.clear()


@pytest.fixture
def services(graph: MemoryGraphStore, tmp_path: Path) -> Iterator[App]:
    """Services without sign-in, on a graph in memory."""
    with serving(Settings(home=tmp_path, _env_file=None), graph) as built:
        built.jobs.start()
        yield built


@pytest.fixture
def filled(services: App) -> App:
    """Services with the small graph in the workspace `team`."""
    services.bridge.run(services.graph.write(WORKSPACE, small_graph()))
    services.accounts.add(WORKSPACE, "Team memory")
    return services


def opened(page: str, **address: str) -> AppTest:
    """A page, opened by a deep link."""
    app = AppTest.from_file(str(ROOT / "pages" / "_main.py"), default_timeout=30)
    for name, value in address.items():
        app.query_params[name] = value
    if page != "Overview":
        app.switch_page(f"{page}.py")
    return app.run()


def displayed(app: AppTest) -> Rendered:
    """All that a page shows as HTML."""
    return rendered(*(str(one.value) for kind in ("html", "markdown", "caption") for one in app.get(kind)))


def words(app: AppTest) -> str:
    """All that a page says, in one text."""
    return displayed(app).text


def popovers(app: AppTest) -> list[str]:
    """The labels of what opens on a click; the time bar shows its dates in them."""
    return [popover.proto.popover.label for popover in app.get("popover")]


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> LineExtractor:
    """Who reads facts from texts in the place of the rules."""
    extractor = LineExtractor()
    monkeypatch.setattr(feed, "extractor_of", lambda services, name: extractor)
    return extractor


@pytest.fixture(autouse=True)
def patient(request: pytest.FixtureRequest, packages_scanned_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page waits for answers without a model until they are there, however busy the machine is."""
    if "modelled" not in request.fixturenames:
        monkeypatch.setattr("components.ask.actions._AT_ONCE", 20.0)
