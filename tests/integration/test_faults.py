"""Ten users write while something breaks: what was acknowledged stays, with all its instants."""

import os
import random
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import redis
from falkordb.graph import Graph

from services.commands.diff import DiffArguments
from services.commands.facts import FactsArguments
from services.commands.index import IndexArguments
from services.core.announcement import running_app
from services.core.client import ask
from services.graph.embedded import socket_path
from tests.browser.server import free_port, process
from tests.conftest import FULL
from tests.fakes.scripted_users import USERS, WORKSPACE, ScriptedUsers

pytestmark = pytest.mark.slow

MOMENTS = 10 if FULL else 1
LATEST = 1.5
BEFORE, WHILE = "2019-01-01T00:00:00Z", "2020-06-01T00:00:00Z"
FACTS = "MATCH (a)-[r:RELATES_TO]->(b) RETURN a.name, b.name, properties(r)"

Records = Mapping[tuple[str, str], Mapping[str, Any]]


@pytest.fixture
def home() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="asof-"))
    yield folder
    with graph(folder) as client, suppress(redis.RedisError):  # it is gone already
        client.shutdown(nosave=True)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def users(home: Path) -> Iterator[ScriptedUsers]:
    users = ScriptedUsers(home)
    yield users
    users.stop()


def app(home: Path) -> AbstractContextManager["subprocess.Popen[bytes]"]:
    """The real app, which is ended as a user does unless it is dead by then."""
    return process(home, free_port(), {"ASOF_GRAPH_URL": "embedded", "ASOF_AUTH": "none"})


@contextmanager
def graph(home: Path) -> Iterator[redis.Redis]:
    client = redis.Redis(unix_socket_path=str(socket_path(home / "graph")), decode_responses=True)
    try:
        yield client
    finally:
        client.close()


def records(home: Path) -> Records:
    """Every fact of the graph with all its properties, the four instants among them, by the names of its ends."""
    with graph(home) as client:
        rows = Graph(client, WORKSPACE).ro_query(FACTS).result_set
    found = {(source, target): properties for source, target, properties in rows}
    assert len(found) == len(rows), "a fact is stored twice"
    return found


def shown(home: Path) -> tuple[int, int, int]:
    """How many facts hold with the authors now, ever held by the mirror, and can be found by the app's answers."""
    app = running_app(home)
    assert app is not None
    asked = [FactsArguments(workspace=WORKSPACE, entity=f"Author {number}") for number in range(USERS)]
    now = sum(len(ask(app, "facts", one.body())["facts"]) for one in asked)
    since = DiffArguments.model_validate({"workspace": WORKSPACE, "from": BEFORE, "to": WHILE, "limit": 0})
    ever = ask(app, "diff", since.body())["totals"]["added"]
    return now, ever, ask(app, "index", IndexArguments(workspace=WORKSPACE).body())["items"]["fact"]


def check(users: ScriptedUsers, before: Records) -> None:
    """What was acknowledged is there, and what nobody touched since `before` has not changed in any instant."""
    seen = shown(users.home)  # the app starts its database when it is asked
    after = records(users.home)
    assert users.missing(after) == []
    assert users.halves(after) == []
    touched = {key for key, end in users.ends.items() if end} | {key for facts in users.unsure for key in facts}
    assert {key: after.get(key) for key in before if key not in touched} == {
        key: record for key, record in before.items() if key not in touched
    }
    now = sum(record.get("invalid_at") is None for record in after.values())
    assert seen == (now, len(after), len(after))


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
            os.killpg(process.pid, signal.SIGKILL)
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
            with graph(users.home) as client:
                pid = client.info("server")["process_id"]
            before = records(users.home)
            os.kill(pid, signal.SIGKILL)
            users.wait_for(USERS)
        users.stop()
        check(users, before)


def cut(path: Path) -> None:
    """Leave the first half of a file."""
    os.truncate(path, path.stat().st_size // 2)


def flip(path: Path) -> None:
    """Change every bit of 64 bytes in the middle of a file."""
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        block = file.read(64)
        file.seek(-len(block), os.SEEK_CUR)
        file.write(bytes(byte ^ 0xFF for byte in block))


def empty(path: Path) -> None:
    """Leave nothing of a file but its name."""
    os.truncate(path, 0)


@pytest.mark.parametrize("damage", [cut, flip, empty] if FULL else [flip])
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
