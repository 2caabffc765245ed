"""Ten users write while the disk fills up or becomes read-only: what was acknowledged stays as it was."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import FULL
from tests.fakes.scripted_users import USERS, WORKSPACE, ScriptedUsers
from tests.integration.busy_app import (
    BEFORE,
    WHILE,
    Records,
    app,
    check,
    kill,
    kill_database,
    mirrored,
    records,
    restore,
    stop_database,
)
from tests.small_disk import (
    FULL_DISK,
    READ_ONLY_DISK,
    allow_writing,
    fill_up,
    nothing_opened_for_writing,
    small_disk,
    write_protect,
)

pytestmark = pytest.mark.slow

MOMENTS = 2 if FULL else 1


@pytest.fixture
def home() -> Iterator[Path]:
    with small_disk(megabytes=60) as folder:
        yield folder
        stop_database(folder)


def read_by_the_terminal(home: Path, problem: str) -> int:
    """How many facts the terminal says there ever were, which has no app to ask, and says what is wrong."""
    words = ["diff", "--workspace", WORKSPACE, "--from", BEFORE, "--to", WHILE, "--limit", "0", "--json"]
    environment = {**os.environ, "ASOF_HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "cli.py", *words], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert problem in done.stderr
    count: int = json.loads(done.stdout)["totals"]["added"]
    return count


def most(before: Records, users: ScriptedUsers) -> int:
    """How many facts there can be: all that were acknowledged, and all without an answer."""
    return len({*users.ends, *before, *(key for facts in users.unsure for key in facts)})


def test_ten_users_lose_nothing_when_the_disk_is_full(users: ScriptedUsers, home: Path) -> None:
    for _ in range(MOMENTS):
        with app(home) as process:
            users.start()
            users.wait_for(USERS)
            mirrored(home)
            before = records(home)
            filler = fill_up(home)
            users.wait_for_refusals(FULL_DISK)
            filler.unlink()
            users.wait_for(USERS)
            filler = fill_up(home)
            kill(process)
            kill_database(home)
            users.stop()
        assert len(users.ends) <= read_by_the_terminal(home, FULL_DISK) <= most(before, users)
        filler.unlink()
        with app(home):
            restore(home)
            check(users, before)


def test_ten_users_lose_nothing_when_the_disk_is_read_only(users: ScriptedUsers, home: Path) -> None:
    for _ in range(MOMENTS):
        with app(home) as process:
            users.start()
            users.wait_for(USERS)
            known = mirrored(home)
            before = records(home)
            with nothing_opened_for_writing(home):
                users.wait_for_refusals(READ_ONLY_DISK)
            users.wait_for(USERS)
            kill(process)
            kill_database(home)
            users.stop()
        write_protect(home)
        assert known <= read_by_the_terminal(home, READ_ONLY_DISK) <= most(before, users)  # the mirror may be behind
        allow_writing(home)
        with app(home):
            check(users, before)
