"""Ten users write while something is killed or the mirror is damaged: what was acknowledged stays as it was."""

import random
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import FULL, few
from tests.fakes.scripted_users import USERS, ScriptedUsers
from tests.integration.busy_app import app, check, cut, flip, kill, kill_database, records, shown

pytestmark = pytest.mark.slow

MOMENTS = 4 if FULL else 1
LATEST = 1.5


def test_ten_users_lose_nothing_when_the_app_is_killed(users: ScriptedUsers) -> None:
    chance, before = random.Random("app"), dict[tuple[str, str], Mapping[str, Any]]()
    for _ in range(MOMENTS):
        with app(users.home) as process:
            if before:
                check(users, before)
            users.start()
            users.wait_for(USERS)
            threading.Event().wait(chance.uniform(0.0, LATEST))
            before = dict(records(users.home))
            kill(process)
            users.stop()
    with app(users.home):
        check(users, before)


def test_ten_users_lose_nothing_when_the_database_is_killed(users: ScriptedUsers) -> None:
    chance = random.Random("database")
    with app(users.home):
        users.start()
        for _ in range(MOMENTS):
            users.wait_for(USERS)
            threading.Event().wait(chance.uniform(0.0, LATEST))
            before = records(users.home)
            kill_database(users.home)
            users.wait_for(USERS)
        users.stop()
        check(users, before)


@pytest.mark.parametrize("damage", few([flip, cut]))
def test_a_mirror_that_is_damaged_on_disk_is_made_anew(users: ScriptedUsers, damage: Callable[[Path], None]) -> None:
    with app(users.home):
        users.write(USERS)
        shown(users.home)
        before = records(users.home)
    (mirror,) = users.home.glob("mirror/**/*.duckdb")
    damage(mirror)
    with app(users.home):
        check(users, before)
        users.write(USERS)
        check(users, before)
