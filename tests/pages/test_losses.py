"""Facts that were saved and are missing from the graph: said on every page, and settled on Health."""

import pytest

from services.agent.app import App
from services.writing.importer import import_rows
from services.writing.losses import losses
from tests.fakes.memory_graph import MemoryGraphStore, Partition
from tests.pages.conftest import WORKSPACE, opened, words
from tests.pages.test_every_page import PAGES
from tests.services.writing.imports import row
from tests.services.writing.test_importer import content

MISSING = "2 facts, 3 entities saved in “Team memory” are missing from the graph."


@pytest.fixture
def damaged(services: App, graph: MemoryGraphStore) -> tuple[object, ...]:
    """A workspace whose graph went back to nothing; what was saved in it."""
    services.accounts.add(WORKSPACE, "Team memory")
    services.mirrors.of(WORKSPACE)
    import_rows(services.workspace(WORKSPACE), [row(2010), row(2011, source="Bo", number=2)], title="a file")
    saved = content(services, WORKSPACE)
    graph._partitions[WORKSPACE] = Partition()
    graph.positions.clear()
    services.mirrors.sync(WORKSPACE)
    return saved


@pytest.mark.parametrize("page", PAGES)
def test_each_page_says_what_is_missing(damaged: object, page: str) -> None:
    app = opened(page, w=WORKSPACE)
    assert not app.exception
    assert MISSING in words(app)


def test_a_page_of_another_workspace_says_it_and_leads_to_health(services: App, damaged: object) -> None:
    opened("Overview", w=WORKSPACE)
    app = opened("Overview", w="_")
    assert MISSING in words(app)
    assert "to_losses_0" in [button.key for button in app.button]


def test_what_is_missing_is_written_back_by_a_button(services: App, damaged: object) -> None:
    app = opened("Health", w=WORKSPACE).button(key="write_back").click().run()
    assert not app.exception
    assert MISSING not in words(app)
    assert "what a damaged file had lost was written back" in words(app)
    assert content(services, WORKSPACE) == damaged
    assert losses(services) == ()


def test_what_is_missing_is_let_go_after_a_question(services: App, damaged: object) -> None:
    app = opened("Health", w=WORKSPACE).button(key="let_losses_go").click().run()
    assert MISSING in words(app)
    app = app.button(key="confirmed").click().run()
    assert not app.exception
    assert losses(services) == ()
    assert MISSING not in words(opened("Health", w=WORKSPACE))
    assert content(services, WORKSPACE) != damaged
