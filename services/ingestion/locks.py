"""One writer per workspace at a time, in this process and in others on the same data folder.

The lock is `flock` on a file: two files opened by one process exclude each other too, and a process that dies lets go.
"""

import fcntl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from urllib.parse import quote

from services.errors import Cancelled

_LOOK_AGAIN = 0.05


@contextmanager
def only_writer(folder: Path, workspace: str, cancel: threading.Event) -> Iterator[None]:
    """Wait until nobody else writes to the workspace, then keep others out for the block.

    Raises `Cancelled` when `cancel` is set before it is our turn.
    """
    with _opened(folder, workspace) as file:
        while not _taken(file):
            if cancel.wait(_LOOK_AGAIN):
                raise Cancelled("It was cancelled while another write was under way; nothing of it is in.")
        yield


@contextmanager
def writer_if_free(folder: Path, workspace: str) -> Iterator[bool]:
    """True, and others are kept out for the block, when nobody writes to the workspace."""
    with _opened(folder, workspace) as file:
        yield _taken(file)


def _opened(folder: Path, workspace: str) -> IO[str]:
    locks = folder / "locks"
    locks.mkdir(parents=True, exist_ok=True)
    return (locks / f"write-{quote(workspace, safe='')}.lock").open("w")


def _taken(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
