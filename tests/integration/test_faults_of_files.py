"""Ten users write, app and database are killed, and a file is damaged: nothing saved is lost, or its loss is said."""

import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from services.accounts.store import Accounts
from services.commands.search import SearchArguments
from services.core.announcement import running_app
from services.core.client import ask
from services.core.config import Settings
from services.core.errors import AccountsUnavailable
from tests.conftest import few
from tests.fakes.scripted_users import USERS, WORKSPACE, ScriptedUsers
from tests.integration.busy_app import (
    Records,
    app,
    check,
    check_records,
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

LOST_CHANGES = rf"The accounts database is missing the last (\d+) changes of “{WORKSPACE}”\. They are in the graph, .*"

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


@pytest.mark.parametrize("damage", few([cut, flip, empty]))
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


@pytest.mark.parametrize("damage", few([flip, cut]))
def test_ten_users_lose_nothing_when_the_accounts_database_is_damaged(users: ScriptedUsers, damage: Damage) -> None:
    before = killed_at_work(users)
    damage(users.home / "accounts.db-wal")
    with app(users.home):
        assert changes_lost(notices_of(users.home)) > 0
        check(users, before)
        users.write(USERS)
        assert restore(users.home)["missing"] == []
        check(users, before)


@pytest.mark.parametrize("damage", few([cut, flip, empty]))
def test_ten_users_are_told_what_damaged_accounts_lost(users: ScriptedUsers, damage: Damage) -> None:
    with app(users.home):
        users.write(USERS)  # these changes are in the file itself, later ones in its log
    before = killed_at_work(users)
    damage(users.home / "accounts.db")
    with app(users.home):
        notices_of(users.home)  # the app starts its database when it is asked
        listed = changes_listed(users.home)
        check_records(users, before, records(users.home))
    if listed is None:  # it is called corrupt, and moved away as Asof advises
        for path in users.home.glob("accounts.db*"):
            path.unlink()
    with app(users.home):
        told = notices_of(users.home)
        check(users, before)
        assert changes_lost(told) >= users.imports - (listed or 0)
        users.write(USERS)
        check(users, before)
        assert notices_of(users.home) == told


def changes_lost(notices: list[str]) -> int:
    """How many changes the app says that the accounts database lacks; it says nothing else."""
    found = [re.fullmatch(LOST_CHANGES, one) for one in notices]
    assert None not in found, notices
    return sum(int(one[1]) for one in found if one)


def changes_listed(home: Path) -> int | None:
    """How many changes can be listed with all their lines; None where the database is called corrupt."""
    settings = Settings(home=home)
    with closing(Accounts(settings.accounts_url, settings.graph_key)) as accounts:
        try:
            ids = [one.id for one in accounts.change_sets.listed(WORKSPACE, 10_000)]
            return sum(bool(accounts.change_sets.changes(id)) for id in ids)
        except AccountsUnavailable as error:
            if "accounts.db is corrupt. Restore a backup. Or move the file elsewhere" not in str(error):
                raise
            return None


def found(home: Path) -> object:
    app = running_app(home)
    assert app is not None
    words = SearchArguments(workspace=WORKSPACE, query="Author 3 filed")
    return ask(app, "search", words.body())["results"]


@pytest.mark.parametrize("damage", few([flip, cut]))
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
