"""The real app while ten users write: started, killed, and asked whether what it acknowledged is there."""

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any

import redis
from falkordb.graph import Graph

from services.commands.diff import DiffArguments
from services.commands.facts import FactsArguments
from services.commands.index import IndexArguments
from services.commands.recover import RecoverArguments
from services.core.announcement import running_app
from services.core.client import ask
from services.graph.embedded import socket_path
from tests.browser.server import free_port, process
from tests.fakes.scripted_users import USERS, WORKSPACE, ScriptedUsers
from tests.integration.test_embedded_server import ended

BEFORE, WHILE = "2019-01-01T00:00:00Z", "2020-06-01T00:00:00Z"
FACTS = "MATCH (a)-[r:RELATES_TO]->(b) RETURN a.name, b.name, properties(r)"

Records = Mapping[tuple[str, str], Mapping[str, Any]]


def app(home: Path, **more: str) -> AbstractContextManager["subprocess.Popen[bytes]"]:
    """The real app, with `more` in its environment, which is ended as a user does unless it is dead by then."""
    return process(home, free_port(), {"ASOF_GRAPH_URL": "embedded", "ASOF_AUTH": "none", **more})


def kill(app: "subprocess.Popen[bytes]") -> None:
    """Kill the app and whatever it started, but for the database, which leads a session of its own."""
    os.killpg(app.pid, signal.SIGKILL)
    app.wait()


def kill_database(home: Path) -> None:
    """Kill the embedded database, and wait until it is gone."""
    with graph(home) as client:
        pid = client.info("server")["process_id"]
    os.kill(pid, signal.SIGKILL)
    while not ended(pid):
        pass


def stop_database(home: Path) -> None:
    """End the embedded database where a test left it running."""
    with graph(home) as client, suppress(redis.RedisError):  # it is gone already
        client.shutdown(nosave=True)


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
        rows = Graph(client, WORKSPACE).ro_query(FACTS).result_set if client.exists(WORKSPACE) else []
    found = {(source, target): properties for source, target, properties in rows}
    assert len(found) == len(rows), "a fact is stored twice"
    return found


def mirrored(home: Path) -> int:
    """How many facts ever held, by the app's mirror."""
    app = running_app(home)
    assert app is not None
    since = DiffArguments.model_validate({"workspace": WORKSPACE, "from": BEFORE, "to": WHILE, "limit": 0})
    count: int = ask(app, "diff", since.body())["totals"]["added"]
    return count


def shown(home: Path) -> tuple[int, int, int]:
    """How many facts hold with the authors now, ever held by the mirror, and can be found by the app's answers."""
    app = running_app(home)
    assert app is not None
    asked = [FactsArguments(workspace=WORKSPACE, entity=f"Author {number}") for number in range(USERS)]
    now = sum(len(ask(app, "facts", one.body())["facts"]) for one in asked)
    return now, mirrored(home), ask(app, "index", IndexArguments(workspace=WORKSPACE).body())["items"]["fact"]


def check(users: ScriptedUsers, before: Records) -> None:
    """What was acknowledged is there, as the app shows it, and nothing else has changed since `before`."""
    seen = shown(users.home)  # the app starts its database when it is asked
    after = records(users.home)
    check_records(users, before, after)
    now = sum(record.get("invalid_at") is None for record in after.values())
    assert seen == (now, len(after), len(after))


def check_records(users: ScriptedUsers, before: Records, after: Records) -> None:
    """What was acknowledged is stored; what nobody touched has not changed, and when it was recorded nowhere.

    An import that was not acknowledged may have been in the graph before, and have been taken back since.
    """
    assert users.missing(after) == []
    assert users.halves(after) == []
    touched = {key for key, end in users.ends.items() if end} | {key for facts in users.unsure for key in facts}
    assert {key: after.get(key) for key in before if key not in touched} == {
        key: record for key, record in before.items() if key not in touched
    }
    kept = before.keys() & after.keys()
    assert {key: after[key]["created_at"] for key in kept} == {key: before[key]["created_at"] for key in kept}


def notices_of(home: Path) -> list[str]:
    """What the app tells the terminal before it answers."""
    app, notices = running_app(home), list[str]()
    assert app is not None
    ask(app, "facts", FactsArguments(workspace=WORKSPACE, entity="Author 0").body(), say=notices.append)
    return notices


def restore(home: Path) -> Mapping[str, Any]:
    """What the app does at `recover`: nothing where nothing is missing."""
    app = running_app(home)
    assert app is not None
    return ask(app, "recover", RecoverArguments(workspace=WORKSPACE).body())


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
