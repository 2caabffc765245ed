"""What a query may cost: bombs, kills and results that are too large leave the app as it was."""

import ctypes
import gc
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from services.core.errors import Cancelled, QueryRejected
from services.sql.query_limits import QueryLimits
from tests.services.sql import attacks
from tests.services.sql.test_ask_sql import Ask, ask

__all__ = ["ask"]

pytestmark = pytest.mark.slow


BOMBS = {
    "SELECT count(*) FROM range(1000000) a, range(1000000) b": "longer than 2 seconds",
    "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) FROM c": "longer than 2 seconds",
    "SELECT repeat('x', 10000000000)": "Cannot create a string|needs more than",
    "SELECT list(range) FROM range(100000000)": "needs more than 256 MB",
    "SELECT repeat('x', 100000) FROM range(10000)": "needs more than 256 MB|too large",
}


FOREVER = next(iter(BOMBS))


@pytest.mark.parametrize("sql", BOMBS)
def test_after_a_bomb_the_next_query_is_answered(ask: Ask, sql: str) -> None:
    with pytest.raises(QueryRejected, match=BOMBS[sql]):
        ask(sql, QueryLimits(seconds=2, memory_mb=256))
    assert ask("SELECT 1").result.rows == ((1,),)


def test_a_query_is_stopped_at_once_and_the_next_one_answered(ask: Ask) -> None:
    cancel = threading.Event()
    stop = threading.Timer(0.5, cancel.set)
    stop.start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        ask(FOREVER, cancel=cancel)
    stop.join()
    assert time.monotonic() - began < 10
    assert ask("SELECT 1").result.rows == ((1,),)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists processes below /proc")
def test_after_its_processes_are_killed_the_next_query_is_answered(ask: Ask) -> None:
    until = time.monotonic() + 120
    while not query_processes() and time.monotonic() < until:  # the one that forks is started beside the first query
        assert ask("SELECT 1").result.rows == ((1,),)

    cancel = threading.Event()

    def ask_in_vain() -> None:
        with pytest.raises((QueryRejected, Cancelled)):
            ask(FOREVER, QueryLimits(seconds=60), cancel)  # one whose server is killed is run again

    asked = threading.Thread(target=ask_in_vain)
    asked.start()
    while len(found := query_processes()) < 2 and time.monotonic() < until:  # the one that forks, and the query's
        pass
    for process in found:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    while asked.is_alive() and set(query_processes()) <= {*found} and time.monotonic() < until:
        time.sleep(0.01)
    cancel.set()
    asked.join()
    assert len(found) >= 2
    assert ask("SELECT 1").result.rows == ((1,),)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks")
def test_the_process_that_queries_are_forked_from_has_no_other_thread() -> None:
    code = "import os, services.sql.query_process as q; q.warm_up(); print(len(os.listdir('/proc/self/task')))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert run.stdout == "1\n", "else each query waits for a process that is started anew"


def query_processes() -> list[int]:
    """Return the processes of this one that run queries."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if b"services.sql.query_process" in (folder / "cmdline").read_bytes():
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                found.append((int(folder.name), parent))
    ours = {os.getpid(), *(process for process, parent in found if parent == os.getpid())}
    return [process for process, parent in found if parent in ours]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says what a process holds now")
def test_after_attacks_and_bombs_the_app_holds_no_more_than_before(ask: Ask) -> None:
    def attack() -> None:
        for sql in attacks.DUCKDB:
            with pytest.raises(QueryRejected):
                ask(sql)
        for sql in (*BOMBS, *TOO_LARGE):
            with pytest.raises(QueryRejected):
                ask(sql, QueryLimits(seconds=1, memory_mb=512))
            assert ask("SELECT 1").result.rows == ((1,),)

    attack()  # what is kept between queries is there now
    before, peak = held(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    attack()
    assert len(ask("SELECT repeat('x', 1000) FROM range(10000)").result.rows) == 10_000
    assert held() - before < 20 << 20
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak < 100_000, "kilobytes, of the largest result"


def held() -> int:
    """Return how many bytes of memory this process holds, without what it has freed and may use again."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


TOO_LARGE = (
    "SELECT list(range) FROM range(2000000)",
    "SELECT list([]) FROM range(2000000)",
    "SELECT * FROM range(10000), (SELECT repeat('y', 4000))",
    "SELECT list({'a': range}) FROM range(600000)",
)
"""Small as JSON, or small in the database, and large in the app."""


@pytest.mark.parametrize("sql", TOO_LARGE)
def test_a_result_that_would_grow_in_the_app_is_refused(ask: Ask, sql: str) -> None:
    with pytest.raises(QueryRejected, match="too large to show"):
        ask(sql)
