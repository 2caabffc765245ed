"""Services on the embedded database, started again and again, and what may happen to its files in between."""

import os
import random
import resource
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from services.agent.app import App
from services.bootstrap import build_services
from services.core.config import Settings
from services.writing.importer import import_rows
from services.writing.unfinished_writes import recover
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


@contextmanager
def files_of_at_most(count: int) -> Iterator[None]:
    """Have the system refuse to write more bytes to a file, as a disk does that has no more."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (count, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
