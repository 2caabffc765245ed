"""Ten users write, app and database are killed, and a file is damaged: nothing saved is lost, or its loss is said."""

from collections.abc import Callable
from pathlib import Path

import pytest

from services.commands.search import SearchArguments
from services.core.announcement import running_app
from services.core.client import ask
from tests.conftest import FULL
from tests.fakes.scripted_users import USERS, WORKSPACE, ScriptedUsers
from tests.integration.busy_app import (
    Records,
    app,
    check,
    cut,
    empty,
    flip,
    kill,
    kill_database,
    mirrored,
    notices_of,
    records,
    restore,
    shown,
)

pytestmark = pytest.mark.slow

type Damage = Callable[[Path], None]


def killed_at_work(users: ScriptedUsers) -> Records:
    """Kill app and database while all users work and the mirror follows; returns what was stored just before."""
    with app(users.home) as process:
        users.start()
        users.wait_for(USERS)
        mirrored(users.home)
        users.wait_for(USERS)
        before = records(users.home)
        kill(process)
        kill_database(users.home)
        users.stop()
    return before


@pytest.mark.parametrize("damage", [cut, flip, empty] if FULL else [cut])
def test_ten_users_are_told_what_a_damaged_graph_lost_and_get_it_back(users: ScriptedUsers, damage: Damage) -> None:
    before = killed_at_work(users)
    (commands,) = users.home.glob("graph/appendonlydir/*.incr.aof")
    damage(commands)
    with app(users.home):
        (notice,) = notices_of(users.home)
        assert f"saved in “{WORKSPACE}” are missing from the graph." in notice
        assert users.missing(records(users.home))
        assert restore(users.home)["left"] == 0
        assert notices_of(users.home) == []
        check(users, before)
        users.write(USERS)
        check(users, before)


@pytest.mark.parametrize("damage", [cut, flip, empty] if FULL else [flip])
def test_ten_users_lose_nothing_when_the_accounts_database_is_damaged(users: ScriptedUsers, damage: Damage) -> None:
    before = killed_at_work(users)
    damage(users.home / "accounts.db-wal")
    with app(users.home):
        assert notices_of(users.home) == []
        check(users, before)
        users.write(USERS)
        assert restore(users.home)["missing"] == []
        check(users, before)


def found(home: Path) -> object:
    app = running_app(home)
    assert app is not None
    words = SearchArguments(workspace=WORKSPACE, query="Author 3 filed")
    return ask(app, "search", words.body())["results"]


@pytest.mark.parametrize("damage", [cut, flip, empty] if FULL else [flip])
def test_a_search_index_that_is_damaged_on_disk_is_made_anew(users: ScriptedUsers, damage: Damage) -> None:
    with app(users.home):
        users.write(USERS)
        shown(users.home)
        before, hits = records(users.home), found(users.home)
    (index,) = users.home.glob("mirror/**/*.index.npz")
    damage(index)
    with app(users.home):
        check(users, before)
        assert found(users.home) == hits
        users.write(USERS)
        check(users, before)
