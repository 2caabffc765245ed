"""The data folder is its owner's alone, and one app serves it at a time."""

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from services.core.announcement import running_app
from services.core.errors import BadInput

PRIVATE = 0o077
"""The umask of our processes: what they make is nobody else's to read."""

_claimed: dict[Path, int] = {}


def make_private(folder: Path) -> None:
    """Make the folder where it is missing, and keep other users of this machine out of it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(PermissionError):  # another user's folder is that user's to open or close
        if folder.stat().st_mode & PRIVATE:
            folder.chmod(0o700)


def claim(folder: Path) -> None:
    """Hold the folder for this process until it ends: only one app can have its mirrors open.

    Raises `BadInput` while another process holds it.
    """
    if folder in _claimed:
        return
    make_private(folder)
    lock = os.open(folder / "app.lock", os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(lock)
        app = running_app(folder)
        where = f", at http://localhost:{app.port}" if app else ""
        raise BadInput(f"Asof runs already on {folder}{where}.", "Stop that one first.") from error
    _claimed[folder] = lock


def use_private_files() -> None:
    """Have this process, and what it starts, make files that only their owner can read."""
    os.umask(PRIVATE)
