"""A mirror survives what happens to its file: a rebuild that fails, rubbish, a kill, another process."""

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from services.core.bridge import AsyncBridge
from services.core.errors import GraphUnavailable
from services.core.models import Counts, Entity, GraphWrite
from services.mirror.mirror import Mirror
from services.mirror.mirrors import Mirrors
from tests.fakes.memory_graph import MemoryGraphStore
from tests.services.mirror.graphs import ENTITIES, EPISODES, FACT, W

pytestmark = pytest.mark.slow


def test_a_rebuild_that_fails_leaves_the_mirror_as_it_was(mirrors: Mirrors, store: MemoryGraphStore) -> None:
    before = mirrors.of(W).version
    store.down = True
    with pytest.raises(GraphUnavailable):
        mirrors.rebuild(W)
    assert (mirrors.of(W).version, mirrors.of(W).history("e0")) == (before, (FACT,))


def test_the_version_grows_with_a_rebuild(mirrors: Mirrors) -> None:
    before = mirrors.of(W).version
    assert mirrors.rebuild(W).version > before


def test_a_dropped_mirror_is_built_again_with_a_later_version(mirrors: Mirrors) -> None:
    before, path = mirrors.of(W).version, mirrors.status(W).path
    mirrors.drop(W)
    assert path is not None
    assert not Path(path).exists()
    assert mirrors.of(W).version > before
    assert mirrors.of(W).history("e0") == (FACT,)


@pytest.mark.parametrize("rubbish", [b"", b"no database at all" * 500])
def test_a_file_that_cannot_be_read_is_built_again(
    tmp_path: Path, store: MemoryGraphStore, bridge: AsyncBridge, rubbish: bytes
) -> None:
    first = Mirrors(tmp_path, store, bridge)
    path = first.sync(W).path
    first.close()
    assert path is not None
    Path(path).write_bytes(rubbish)
    again = Mirrors(tmp_path, store, bridge)
    assert again.of(W).history("e0") == (FACT,)
    assert again.status(W).path == path
    again.close()


def test_workspaces_whose_names_look_alike_have_files_of_their_own(
    mirrors: Mirrors, store: MemoryGraphStore, bridge: AsyncBridge
) -> None:
    for name in ("a/b", "a b", "../a", ""):
        bridge.run(store.write(name, GraphWrite(entities=(Entity(f"of {name}", name),))))
    for name in ("a/b", "a b", "../a", ""):
        assert mirrors.of(name).entities([f"of {name}"]) != ()
        assert mirrors.of(name).counts().entities == 1


def test_readers_see_one_state_or_the_next_while_it_is_written(mirrors: Mirrors) -> None:
    mirror = mirrors.of(W)
    many = tuple(replace(FACT, uuid=f"many {n}") for n in range(500))
    done = threading.Event()

    def read() -> set[int]:
        seen = set()
        while not done.is_set():
            seen.add(mirror.counts().facts)
        return seen

    with ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(read) for _ in range(4)]
        for _ in range(5):
            mirrors.written(W, GraphWrite(facts=many))
            mirrors.written(W, GraphWrite(), gone_facts=[f.uuid for f in many])
        done.set()
        assert set().union(*(reader.result(10) for reader in readers)) <= {1, 501}


_KILLED = """
import sys
from pathlib import Path
from services.mirror.mirror import Mirror
from tests.services.mirror.graphs import ENTITIES, EPISODES, FACT
from dataclasses import replace

def batches():
    for n in range(10_000_000):
        if n == 20:
            print("in the middle", flush=True)
        yield tuple(replace(FACT, uuid=f"{n}-{i}") for i in range(1000))

mirror = Mirror(Path(sys.argv[1]))
mirror.replace_all([ENTITIES], [[FACT]], [EPISODES])
mirror.replace_all([], batches(), [])
"""


def test_a_process_killed_while_it_writes_leaves_what_was_there_before(tmp_path: Path) -> None:
    path = tmp_path / "killed.duckdb"
    writer = subprocess.Popen(
        [sys.executable, "-c", _KILLED, str(path)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": "."},
    )
    assert writer.stdout is not None
    assert writer.stdout.readline().strip() == "in the middle"
    writer.send_signal(signal.SIGKILL)
    writer.wait(10)
    writer.stdout.close()
    mirror = Mirror(path)
    assert mirror.counts() == Counts(len(ENTITIES), 1, len(EPISODES))
    assert mirror.history("e0") == (FACT,)
    mirror.close()


def test_a_mirror_in_memory_stands_in_for_a_file_that_another_process_holds(
    tmp_path: Path, store: MemoryGraphStore, bridge: AsyncBridge
) -> None:
    first = Mirrors(tmp_path, store, bridge)
    path = first.sync(W).path
    first.close()
    hold = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('held', flush=True); sys.stdin.read()"
    holder = subprocess.Popen(
        [sys.executable, "-c", hold, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == "held"
        second = Mirrors(tmp_path, store, bridge)
        assert second.of(W).history("e0") == (FACT,)
        assert second.status(W).path is None
        second.close()
        holder.kill()
