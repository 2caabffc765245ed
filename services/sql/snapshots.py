"""Copies of a workspace's mirror for queries: the mirror itself is open in the app, and nobody else can open it."""

import threading
import time
import uuid
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from services.core.data_folder import make_private
from services.core.errors import GraphUnavailable, MirrorUnavailable
from services.mirror.sql_snapshot import snapshot_form

if TYPE_CHECKING:
    from services.context import OpenWorkspace

_KEPT = 2
"""A query that began on the one before goes on reading it."""
_ABANDONED = 3600.0
"""After so many seconds in which nothing was written, whoever wrote a copy does so no longer."""
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
        raise GraphUnavailable("There is nothing to query yet: Asof has not read the graph.", status.down or "")
    with _making[_file(workspace, 0)]:
        path = _file(workspace, workspace.mirror.version)
        if not path.exists():
            path = _made(workspace, path)
    return Snapshot(path, _version(path), status.synced_at)


def delete_snapshots(workspace: "OpenWorkspace") -> None:
    """Delete the copies of a workspace, as it is emptied."""
    for copy in (*_unfinished(workspace), *_copies(workspace)):
        copy.unlink(missing_ok=True)


def _made(workspace: "OpenWorkspace", path: Path) -> Path:
    """Write a copy, and delete all but the last ones. Returns where it is: the mirror may have grown meanwhile.

    Raises `MirrorUnavailable`.
    """
    make_private(path.parent)
    unfinished = path.with_suffix(f".{uuid.uuid4().hex}.unfinished")
    try:
        made = _file(workspace, workspace.mirror.write_snapshot(unfinished))
        unfinished.replace(made)
    except OSError as error:
        raise MirrorUnavailable(
            f"Asof could not save a copy of the graph: {error.strerror}.", "Run the query again."
        ) from error
    finally:
        for left in path.parent.glob(f"{unfinished.name}*"):
            left.unlink(missing_ok=True)
    _delete_old(workspace, made)
    return made


def _delete_old(workspace: "OpenWorkspace", made: Path) -> None:
    """Delete all but the copy just made and the last before it, and what a process that was killed left of one."""
    abandoned = time.time() - _ABANDONED
    before = sorted((_written_at(copy), copy) for copy in _copies(workspace) if copy != made)
    left = [copy for copy in _unfinished(workspace) if _written_at(copy) < abandoned]
    for old in (*(copy for _, copy in before[: 1 - _KEPT]), *left):
        with suppress(OSError):
            old.unlink()


def _written_at(copy: Path) -> float:
    try:
        return copy.stat().st_mtime
    except OSError:  # somebody else deleted it
        return time.time()


def _copies(workspace: "OpenWorkspace") -> list[Path]:
    """Return the copies of a workspace's mirror, those of other versions of Asof too."""
    beside = _beside(workspace)
    return list(beside.parent.glob(f"{beside.stem}.*.snapshot"))


def _unfinished(workspace: "OpenWorkspace") -> list[Path]:
    """Return what there is of copies that are being written, or were when their process was killed."""
    beside = _beside(workspace)
    return list(beside.parent.glob(f"{beside.stem}.*.unfinished*"))


def _file(workspace: "OpenWorkspace", version: int) -> Path:
    """Return where a copy of a version lies; one that another version of Asof wrote, with other macros, is not it."""
    beside = _beside(workspace)
    return beside.with_name(f"{beside.stem}.{snapshot_form()}.{version}.snapshot")


def _beside(workspace: "OpenWorkspace") -> Path:
    mirror = workspace.services.mirrors.file(workspace.name)
    return mirror or workspace.settings.folder / "mirror" / "in-memory.duckdb"


def _version(path: Path) -> int:
    return int(path.name.split(".")[-2])
