"""What was saved and is missing from the graph or the accounts: said on every page, and settled on Health."""

import pytest

from services.agent.app import App
from services.writing.damage_check import look_for_losses, losses
from services.writing.importer import import_rows
from services.writing.lost_changes import lost_changes
from services.writing.restore_missing_records import restore, restored_text
from tests.fakes.memory_graph import MemoryGraphStore, Partition
from tests.pages.conftest import WORKSPACE, opened, words
from tests.pages.test_every_page import SOME_PAGES
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


@pytest.mark.parametrize("page", SOME_PAGES)
def test_each_page_says_what_is_missing(damaged: object, page: str) -> None:
    app = opened(page, w=WORKSPACE)
    assert not app.exception
    assert MISSING in words(app)
    assert "No facts yet" not in words(app)


def test_a_page_of_another_workspace_says_it_and_leads_to_health(services: App, damaged: object) -> None:
    opened("Overview", w=WORKSPACE)
    app = opened("Overview", w="_")
    assert MISSING in words(app)
    assert "to_losses_0" in [button.key for button in app.button]


def test_what_is_missing_is_restored_by_a_button(services: App, damaged: object) -> None:
    app = opened("Health", w=WORKSPACE).button(key="restore_losses").click().run()
    assert not app.exception
    assert MISSING not in words(app)
    assert "Asof restored 5 records." in words(app)
    assert content(services, WORKSPACE) == damaged
    assert losses(services) == ()


def test_what_could_not_be_restored_is_said_and_stays_until_it_is_dismissed(services: App, damaged: object) -> None:
    import_rows(services.workspace(WORKSPACE), [row(2011, source="Bo", number=2)], title="the same again")
    app = opened("Health", w=WORKSPACE).button(key="restore_losses").click().run()
    assert "Asof restored 2 records; 3 other records are lost or have changed since." in words(app)
    assert "saved in “Team memory” are missing from the graph." in words(app)
    app = app.button(key="restore_losses").click().run()
    assert [toast.value for toast in app.toast] == [
        "Asof restored 0 records; 3 other records are lost or have changed since."
    ]
    assert len(losses(services)) == 1


def test_what_somebody_else_restored_meanwhile_is_said_to_be_back(services: App, damaged: object) -> None:
    app = opened("Health", w=WORKSPACE)
    restore(services.workspace(WORKSPACE))
    app = app.button(key="restore_losses").click().run()
    assert not app.exception
    assert [toast.value for toast in app.toast] == ["No records are missing anymore."]


@pytest.mark.parametrize(
    ("records", "left", "text"),
    [
        (1, 0, "Asof restored 1 record."),
        (12, 3, "Asof restored 12 records; 3 other records are lost or have changed since."),
        (1, 1, "Asof restored 1 record; 1 other record is lost or has changed since."),
    ],
)
def test_what_came_of_it_is_said_in_numbers(records: int, left: int, text: str) -> None:
    assert restored_text(records, left) == text


def test_what_is_missing_is_dismissed_after_a_question(services: App, damaged: object) -> None:
    app = opened("Health", w=WORKSPACE).button(key="dismiss_losses").click().run()
    assert MISSING in words(app)
    app = app.button(key="confirmed").click().run()
    assert not app.exception
    assert losses(services) == ()
    assert MISSING not in words(opened("Health", w=WORKSPACE))
    assert content(services, WORKSPACE) != damaged


LOST_CHANGES = "The accounts database is missing the last 2 changes of “Team memory”."


@pytest.fixture
def forgotten(services: App, graph: MemoryGraphStore) -> None:
    """A workspace whose last two changes, of three, the accounts database lost."""
    services.accounts.add(WORKSPACE, "Team memory")
    workspace = services.workspace(WORKSPACE)
    for number in range(3):
        import_rows(workspace, [row(2010, source=f"Person {number}")], title=f"file {number}")
    with services.accounts._database.transaction() as connection:
        connection.exec_driver_sql("DELETE FROM change_sets WHERE position > 1")
    look_for_losses(services)
    services.mirrors.sync(WORKSPACE)


@pytest.mark.parametrize("page", SOME_PAGES)
def test_each_page_says_which_changes_the_accounts_lost(forgotten: None, page: str) -> None:
    app = opened(page, w=WORKSPACE)
    assert not app.exception
    assert LOST_CHANGES in words(app)


def test_health_says_what_to_do_about_lost_changes_and_dismisses_them(services: App, forgotten: None) -> None:
    app = opened("Health", w=WORKSPACE)
    assert "They are in the graph, but Asof does not list them and cannot undo them." in words(app)
    assert "If you have a newer copy, stop Asof and restore it. Otherwise dismiss this notice." in words(app)
    assert "restore_losses" not in [button.key for button in app.button]
    app = app.button(key="dismiss_losses").click().run().button(key="confirmed").click().run()
    assert not app.exception
    assert lost_changes(services) == ()
    assert LOST_CHANGES not in words(opened("Health", w=WORKSPACE))
    look_for_losses(services)
    assert lost_changes(services) == ()
