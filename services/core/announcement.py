"""Tells other processes on the same data folder that the app runs, and where: `app.json`, for its owner only."""

import json
import os
import secrets
import socket
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

_FILE = "app.json"


@dataclass(frozen=True, slots=True)
class Announcement:
    """A running app: its process, its port on this machine, and the token that its commands ask for."""

    pid: int
    port: int
    token: str


def announce(folder: Path, listening: Sequence[socket.socket]) -> Announcement | None:
    """Write where this process listens; nothing where it listens on no port. Raises `OSError` where it cannot."""
    port = next((s.getsockname()[1] for s in listening if s.family in (socket.AF_INET, socket.AF_INET6)), None)
    if port is None:
        return None
    announcement = Announcement(os.getpid(), port, secrets.token_urlsafe(32))
    folder.mkdir(parents=True, exist_ok=True)
    fresh = folder / f"{_FILE}.{announcement.pid}"
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(asdict(announcement), file)
    fresh.replace(folder / _FILE)
    return announcement


def withdraw(folder: Path) -> None:
    """Remove what this process announced; another process's announcement stays."""
    found = _read(folder)
    if found is not None and found.pid == os.getpid():
        (folder / _FILE).unlink(missing_ok=True)


def running_app(folder: Path) -> Announcement | None:
    """The app that runs on this data folder, unless it is this process; what a dead one left is no app."""
    found = _read(folder)
    if found is None or found.pid == os.getpid():
        return None
    with suppress(PermissionError):
        try:
            os.kill(found.pid, 0)
        except ProcessLookupError:
            return None
    return found


def own_token(folder: Path) -> str | None:
    """The token that this process announced; None while it has announced nothing."""
    found = _read(folder)
    return found.token if found is not None and found.pid == os.getpid() else None


def own_address(folder: Path) -> str:
    """Where this process announced its pages on this machine; empty while it has announced nothing."""
    found = _read(folder)
    return f"http://localhost:{found.port}" if found is not None and found.pid == os.getpid() else ""


def _read(folder: Path) -> Announcement | None:
    try:
        return Announcement(**json.loads((folder / _FILE).read_text()))
    except (OSError, ValueError, TypeError):
        return None
