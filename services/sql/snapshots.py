"""Copies of a workspace's mirror for queries: the mirror itself is open in the app, and nobody else can open it."""

import threading
import uuid
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from services.core.data_folder import make_private
from services.core.errors import GraphUnavailable

if TYPE_CHECKING:
    from services.context import OpenWorkspace

_KEPT = 2
"""A query that began on the one before goes on reading it."""
_making: defaultdict[Path, threading.Lock] = defaultdict(threading.Lock)
"""One copy at a time of each mirror, by the file that its copies are named after."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A copy of a workspace's facts, and when the mirror that it was made of was last in step with the graph."""

    path: Path
    version: int
    synced_at: datetime | None


def latest_snapshot(workspace: "OpenWorkspace") -> Snapshot:
    """Return a copy of what the mirror holds; one is made where the last is older than the mirror.

    Raises `GraphUnavailable` where the graph could not be read yet, and `MirrorUnavailable`.
    """
    status = workspace.sync()
    if status.synced_at is None:
        raise GraphUnavailable("There is nothing to query: the graph could not be read yet.", status.down or "")
    with _making[_file(workspace, 0)]:
        path = _file(workspace, workspace.mirror.version)
        if not path.exists():
            path = _made(workspace, path)
    return Snapshot(path, _version(path), status.synced_at)


def delete_snapshots(workspace: "OpenWorkspace") -> None:
    """Delete the copies of a workspace, as it is emptied."""
    _delete_unfinished(_file(workspace, 0))
    for copy in _copies(workspace):
        copy.unlink(missing_ok=True)


def _made(workspace: "OpenWorkspace", path: Path) -> Path:
    """Write a copy, and delete all but the last ones. Returns where it is: the mirror may have grown meanwhile."""
    make_private(path.parent)
    _delete_unfinished(path)  # those of a process that was killed
    unfinished = path.with_suffix(f".{uuid.uuid4().hex}.unfinished")
    try:
        made = _file(workspace, workspace.mirror.write_snapshot(unfinished))
        unfinished.replace(made)
    finally:
        _delete_unfinished(path)
    for old in _copies(workspace)[:-_KEPT]:
        with suppress(OSError):
            old.unlink()
    return made


def _delete_unfinished(path: Path) -> None:
    mirror = path.name.split(".")[0]
    for left in path.parent.glob(f"{mirror}.*.unfinished*"):
        left.unlink(missing_ok=True)


def _copies(workspace: "OpenWorkspace") -> list[Path]:
    """Return the copies of a workspace's mirror, the last made at the end."""
    path = _file(workspace, 0)
    return sorted(path.parent.glob(path.name.replace(".0.", ".*.")), key=_version)


def _file(workspace: "OpenWorkspace", version: int) -> Path:
    mirror = workspace.services.mirrors.file(workspace.name)
    beside = mirror or workspace.settings.folder / "mirror" / "in-memory.duckdb"
    return beside.with_name(f"{beside.stem}.{version}.snapshot")


def _version(path: Path) -> int:
    return int(path.name.split(".")[-2])
