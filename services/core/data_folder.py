"""The data folder is its owner's alone, and one app serves it at a time; what can be read is served where it cannot be
written."""

import errno
import fcntl
import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from services.core.announcement import running_app
from services.core.config import EMBEDDED, Settings
from services.core.errors import BadInput

PRIVATE = 0o077
"""The umask of our processes: what they make is nobody else's to read."""

HINT = "Free some space, give Asof write access to the folder, or set ASOF_HOME to another one."
_LEAST_FREE = 1 << 20
"""With fewer free bytes a disk counts as full, so that what is begun can be ended."""

_PROBE = 4096
_PROBE_EVERY = 5.0
"""Seconds for which it is taken for granted that something can be saved where it was, and the disk has room."""
_saved_at: dict[Path, float] = {}
_claimed: dict[Path, int] = {}


def make_private(folder: Path) -> None:
    """Make the folder where it is missing, and keep other users of this machine out of it.

    Where that cannot be, `write_problem` says why.
    """
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if folder.is_dir() and folder.stat().st_mode & PRIVATE:
            folder.chmod(0o700)


def write_problem(folder: Path) -> str:
    """Why nothing can be saved in the folder, found by saving something; empty where it can."""
    _saved_at.pop(folder, None)
    if folder.exists() and not folder.is_dir():
        return f"The data folder {folder} is not a folder."
    try:
        if free_bytes(folder) < _LEAST_FREE:
            return f"The disk of the data folder {folder} is full."
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"\0" * _PROBE)
            probe.flush()
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return f"The disk of the data folder {folder} is full."
        return f"The data folder {folder} is not writable: {error.strerror}."
    _saved_at[folder] = time.monotonic()
    return ""


def save_problem(chosen: Settings) -> str:
    """Why nothing can be saved; empty where it can, as where graph and accounts are on servers, whatever the folder.

    Asked before each write, so it saves something now and then only; a disk that is full or read-only is seen at once.
    """
    elsewhere = chosen.graph_url != EMBEDDED and bool(chosen.database_url)
    return "" if elsewhere or _could_save(chosen.folder) else write_problem(chosen.folder)


def _could_save(folder: Path) -> bool:
    """True where something was saved a moment ago, and nothing is known to have changed since."""
    try:
        read_only = os.statvfs(folder).f_flag & os.ST_RDONLY
        return (
            time.monotonic() - _saved_at.get(folder, -_PROBE_EVERY) < _PROBE_EVERY
            and not read_only
            and free_bytes(folder) >= _LEAST_FREE
        )
    except OSError:
        return False


def free_bytes(folder: Path) -> int:
    """How much may still be written on the folder's disk. Raises `OSError` where nobody can say."""
    return shutil.disk_usage(folder).free


def claim(folder: Path) -> None:
    """Hold the folder for this process until it ends: only one app can have its mirrors open.

    Raises `BadInput` while another process holds it.
    """
    if folder in _claimed:
        return
    make_private(folder)
    try:
        lock = os.open(folder / "app.lock", os.O_WRONLY | os.O_CREAT, 0o600)
    except OSError:  # nobody can write there, so two apps cannot disagree
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(lock)
        app = running_app(folder)
        where = f", at http://localhost:{app.port}" if app else ""
        raise BadInput(
            f"Asof is already running with the data folder {folder}{where}.", "Stop that process first."
        ) from error
    _claimed[folder] = lock


def use_private_files() -> None:
    """Have this process, and what it starts, make files that only their owner can read."""
    os.umask(PRIVATE)
