"""The embedded database's life: who starts it, who stops it, and what a kill -9 leaves."""

import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import redis

from services.core.bridge import AsyncBridge
from services.core.config import Settings
from services.core.errors import GraphUnavailable
from services.core.models import Entity, GraphWrite
from services.graph import connect, embedded
from services.graph.embedded import EmbeddedServer, socket_path
from services.graph.store import GraphStore
from tests.fakes.deletion import delete


@pytest.fixture
def home() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="asof-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@pytest.fixture
def open_store(home: Path, bridge: AsyncBridge) -> Iterator[Callable[[], GraphStore]]:
    opened = []

    def open_one() -> GraphStore:
        opened.append(connect.open_graph(Settings(home=home, graph_url="embedded")))
        return opened[-1]

    yield open_one
    for store in opened:
        bridge.run(store.close())


def server_pid(folder: Path) -> int:
    client = redis.Redis(unix_socket_path=str(socket_path(folder)))
    try:
        return int(client.info("server")["process_id"])
    finally:
        client.close()


def socket_answers(home: Path) -> bool:
    return embedded._answers(socket_path(home / "graph"))


def ended(pid: int) -> bool:
    """True once the process is gone, or a zombie that nobody waits for."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        state = Path(f"/proc/{pid}/stat")
        try:
            if state.read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
    return False


def person(number: int) -> GraphWrite:
    return GraphWrite((Entity(f"u-{number}", f"Person {number}"),))


def test_nothing_is_started_before_it_is_needed(open_store: Callable[[], GraphStore], home: Path) -> None:
    assert str(home) in open_store().address
    assert not (home / "graph").exists()


def test_the_last_user_stops_the_server(open_store: Callable[[], GraphStore], home: Path, bridge: AsyncBridge) -> None:
    first, second = open_store(), open_store()
    bridge.run(first.write("w", person(1)))
    bridge.run(second.ping())
    pid = server_pid(home / "graph")
    bridge.run(first.close())
    assert bridge.run(second.entities("w", ["u-1"]))
    bridge.run(second.close())
    assert ended(pid)


def test_a_closed_store_opens_again_with_what_was_written(
    open_store: Callable[[], GraphStore], bridge: AsyncBridge
) -> None:
    store = open_store()
    bridge.run(store.write("w", person(1)))
    bridge.run(store.close())
    assert bridge.run(store.entities("w", ["u-1"]))


def test_many_starts_at_once_give_one_server(home: Path, bridge: AsyncBridge) -> None:
    servers = [EmbeddedServer(home / "graph") for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda server: bridge.run(server.ensure()), servers))
    log = (home / "graph" / "server.log").read_text()
    for server in servers:
        bridge.run(server.leave())
    assert log.count("Ready to accept connections") == 1


def test_no_acknowledged_write_is_lost_when_the_server_is_killed(
    open_store: Callable[[], GraphStore], home: Path, bridge: AsyncBridge
) -> None:
    store = open_store()
    for round_ in range(3):
        for number in range(round_ * 20, round_ * 20 + 20):
            bridge.run(store.write("w", person(number)))
        os.kill(server_pid(home / "graph"), signal.SIGKILL)
    uuids = [f"u-{number}" for number in range(60)]
    assert [e.uuid for e in bridge.run(store.entities("w", uuids))] == uuids


def test_what_was_written_is_flushed_to_the_disk_until_the_store_is_closed(
    open_store: Callable[[], GraphStore], home: Path, bridge: AsyncBridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: queue.Queue[str] = queue.Queue()
    monkeypatch.setattr(os, "fsync", lambda handle: flushed.put(str(Path(f"/proc/self/fd/{handle}").readlink())))
    store = open_store()
    bridge.run(store.write("w", person(1)))
    log = next((home / "graph" / "appendonlydir").glob("*.incr.aof"))
    while flushed.get(timeout=20) != str(log.resolve()):
        pass
    flushers = [thread for thread in threading.enumerate() if thread.name == f"flush {home / 'graph'}"]
    bridge.run(store.close())
    for thread in flushers:
        thread.join(20)
    assert flushers
    assert not any(thread.is_alive() for thread in flushers)


def test_the_first_call_after_a_kill_may_be_a_write(
    open_store: Callable[[], GraphStore], home: Path, bridge: AsyncBridge
) -> None:
    store = open_store()
    bridge.run(store.write("w", person(1)))
    pid = server_pid(home / "graph")
    os.kill(pid, signal.SIGKILL)
    assert ended(pid)
    bridge.run(store.write("w", person(2)))
    assert bridge.run(store.watermark("w")).counts.entities == 2


def test_a_store_closes_quietly_after_its_server_died(
    open_store: Callable[[], GraphStore], home: Path, bridge: AsyncBridge
) -> None:
    store = open_store()
    bridge.run(store.ping())
    pid = server_pid(home / "graph")
    os.kill(pid, signal.SIGKILL)
    assert ended(pid)
    bridge.run(store.close())
    assert not socket_answers(home)


APP = """
import os, pathlib, sys
from services.core.bridge import AsyncBridge
from services.core.config import Settings
from services.graph.connect import open_graph
from services.core.models import Entity, GraphWrite
bridge, graph = AsyncBridge(), open_graph(Settings(home=pathlib.Path(sys.argv[1]), graph_url="embedded"))
bridge.run(graph.write("w", GraphWrite((Entity("u-1", "Person 1"),))))
os.kill(os.getpid(), 9)
"""


def test_a_killed_app_leaves_its_server_to_the_next_one(
    open_store: Callable[[], GraphStore], home: Path, bridge: AsyncBridge
) -> None:
    died = subprocess.run([sys.executable, "-c", APP, str(home)], check=False)
    assert died.returncode == -signal.SIGKILL
    pid = server_pid(home / "graph")
    store = open_store()
    assert bridge.run(store.entities("w", ["u-1"]))
    assert server_pid(home / "graph") == pid
    bridge.run(store.close())
    assert ended(pid)


def test_a_long_path_gets_a_short_socket_that_is_written_down(home: Path, bridge: AsyncBridge) -> None:
    folder = home / ("long-" * 20) / "graph"
    server = EmbeddedServer(folder)
    bridge.run(server.ensure())
    written = Path((folder / "socket.txt").read_text().strip())
    bridge.run(server.leave())
    assert written == server.socket
    assert len(os.fsencode(written)) < 104
    assert not written.is_relative_to(folder)
    written.parent.rmdir()


def test_where_the_package_is_missing_the_error_names_the_other_databases(
    home: Path, bridge: AsyncBridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "find_spec", lambda name: None)
    with pytest.raises(GraphUnavailable, match="Neo4j"):
        bridge.run(EmbeddedServer(home / "graph").ensure())


def test_a_server_that_cannot_run_here_says_so(
    home: Path, bridge: AsyncBridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "_binaries", lambda: ("redis-server-of-another-system", "falkordb.so"))
    server = EmbeddedServer(home / "graph")
    with pytest.raises(GraphUnavailable, match="does not run on this computer"):
        bridge.run(server.ensure())
    bridge.run(server.leave())


def test_a_server_that_stops_while_starting_leaves_its_last_words(
    home: Path, bridge: AsyncBridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, _ = embedded._binaries()
    monkeypatch.setattr(embedded, "_binaries", lambda: (program, "/nowhere/falkordb.so"))
    server = EmbeddedServer(home / "graph")
    with pytest.raises(GraphUnavailable, match="did not start"):
        bridge.run(server.ensure())
    bridge.run(server.leave())


def test_a_server_that_was_started_anew_is_waited_for_until_its_indexes_are_there(
    open_store: Callable[[], GraphStore], home: Path, bridge: AsyncBridge
) -> None:
    store = open_store()
    people = tuple(Entity(f"u-{n}", f"Person {n}") for n in range(20_000))
    bridge.run(store.write("w", GraphWrite(people)))
    os.kill(pid := server_pid(home / "graph"), signal.SIGKILL)
    assert ended(pid)
    bridge.run(delete(store, "w", entities=[person.uuid for person in people[:5_000]]))
    client = redis.Redis(unix_socket_path=str(socket_path(home / "graph")), decode_responses=True)
    unfinished = "CALL db.indexes() YIELD status WHERE status <> 'OPERATIONAL' RETURN status"
    assert client.execute_command("GRAPH.RO_QUERY", "w", unfinished)[1] == []
    client.close()
    assert bridge.run(store.watermark("w")).counts.entities == 15_000


def test_a_write_that_looks_at_nothing_revives_a_server_that_was_just_killed(
    open_store: Callable[[], GraphStore], home: Path, bridge: AsyncBridge
) -> None:
    store = open_store()
    bridge.run(store.write("w", person(1)))
    os.kill(pid := server_pid(home / "graph"), signal.SIGKILL)
    assert ended(pid)
    bridge.run(store.write("w", person(2)))
    assert bridge.run(store.watermark("w")).counts.entities == 2
