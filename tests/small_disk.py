"""A small disk that fills up or becomes read-only, where this process may mount one."""

import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

FULL_DISK = "is full"
READ_ONLY_DISK = "is not writable: Read-only file system"


@contextmanager
def small_disk(megabytes: int) -> Iterator[Path]:
    """An empty disk, which is gone with the block."""
    with tempfile.TemporaryDirectory(prefix="asof-", ignore_cleanup_errors=True) as folder:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder]
        if subprocess.run(mount, capture_output=True, check=False).returncode:
            pytest.skip("Only an administrator can mount a small disk.")
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", "-l", folder], check=True)


def fill_up(home: Path) -> Path:
    """Leave not a byte on the disk; returns the file that takes it all."""
    filler = home / "filler"
    handle = os.open(filler, os.O_CREAT | os.O_WRONLY)
    try:
        while True:
            os.write(handle, bytes(4096))
    except OSError:
        return filler
    finally:
        os.close(handle)


def write_protect(home: Path) -> None:
    """Let nobody write on the disk any more, as soon as what was stopped has closed its files."""
    deadline = time.monotonic() + 30
    while not _remounted(home, "ro"):
        assert time.monotonic() < deadline, "somebody has a file open there"


def allow_writing(home: Path) -> None:
    """Undo `write_protect`."""
    assert _remounted(home, "rw")


def _remounted(home: Path, how: str) -> bool:
    remount = ["mount", "-o", f"remount,{how}", str(home)]
    return subprocess.run(remount, capture_output=True, check=False).returncode == 0


@contextmanager
def nothing_opened_for_writing(home: Path) -> Iterator[None]:
    """Make a folder read-only for whoever opens a file there; files that are open already can still be written.

    It is mounted on itself when it is read-only by then, so that nobody opens a file for writing in between.
    """
    with tempfile.TemporaryDirectory(prefix="asof-") as stage:
        _mount("--bind", str(home), stage)
        try:
            _mount("-o", "remount,ro,bind", stage)
            _mount("--bind", stage, str(home))
        finally:
            subprocess.run(["umount", stage], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(home)], check=True)


@contextmanager
def write_protected(file: Path) -> Iterator[None]:
    """Let nobody write a file, though its folder can be written."""
    _mount("--bind", str(file), str(file))
    try:
        _mount("-o", "remount,ro,bind", str(file))
        yield
    finally:
        subprocess.run(["umount", "-l", str(file)], check=True)


def _mount(*words: str) -> None:
    subprocess.run(["mount", *words], check=True)
