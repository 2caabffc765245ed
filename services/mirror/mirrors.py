"""The mirrors of all workspaces: opened, built, kept in step with the graph."""

import hashlib
import logging
import re
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from services import clock
from services.bridge import AsyncBridge
from services.errors import AsofError, MirrorUnavailable
from services.graph.store import GraphStore, Watermark
from services.mirror import database
from services.mirror.mirror import Mirror
from services.mirror.sync import GraphReader, Progress
from services.models import GraphWrite, MirrorStatus

_LATELY = 600.0
"""Seconds since it was last asked for in which a workspace is followed."""

_DEEP_EVERY = 12

_log = logging.getLogger(__name__)


@dataclass
class _Opened:
    """A mirror in use. Whoever changes its content holds `lock`; readers need none."""

    mirror: Mirror
    reader: GraphReader
    lock: threading.RLock = field(default_factory=threading.RLock)
    used: float = field(default_factory=time.monotonic)
    tried: bool = False
    in_step_with: Watermark | None = None
    down: str | None = None


class Mirrors:
    """One mirror for each workspace of a graph, in files under `folder` (None: in memory). Any thread may call it."""

    def __init__(self, folder: Path | None, graph: GraphStore, bridge: AsyncBridge) -> None:
        self._folder = None if folder is None else folder / _short_hash(graph.address)
        self._graph = graph
        self._bridge = bridge
        self._lock = threading.Lock()
        self._opened: dict[str, _Opened] = {}
        self._stop = threading.Event()
        self._follower: threading.Thread | None = None

    def of(self, workspace: str) -> Mirror:
        """The workspace's mirror, brought in step when it is opened and built when it is new or was broken.

        With the graph out of reach it is what was there before, perhaps nothing: `status` says so.
        """
        opened = self._open(workspace)
        opened.used = time.monotonic()
        if not opened.tried:
            with opened.lock:
                if not opened.tried:
                    self._sync(opened, deep=False)
        return opened.mirror

    def sync(self, workspace: str, *, deep: bool = False) -> MirrorStatus:
        """Bring the mirror in step: cheap when nothing changed; `deep` compares every record.

        An unreachable graph is no error here: the status says why.
        """
        opened = self._open(workspace)
        with opened.lock:
            self._sync(opened, deep=deep)
        return _status(opened)

    def written(
        self,
        workspace: str,
        batch: GraphWrite,
        *,
        gone_entities: Iterable[str] = (),
        gone_facts: Iterable[str] = (),
        gone_episodes: Iterable[str] = (),
    ) -> None:
        """Take over at once what we wrote to the graph ourselves; one that is not open will see it when it is."""
        with self._lock:
            opened = self._opened.get(workspace)
        if opened is None:
            return
        with opened.lock:
            if opened.mirror.synced_at is not None:
                opened.mirror.apply(
                    batch, gone_entities=gone_entities, gone_facts=gone_facts, gone_episodes=gone_episodes
                )

    def rebuild(self, workspace: str, progress: Progress | None = None) -> MirrorStatus:
        """Read the whole graph again; readers see what was there until all is in.

        Raises `GraphUnavailable` when the graph cannot be read; the mirror is then as it was.
        """
        opened = self._open(workspace)
        with opened.lock:
            self._build(opened, progress)
        return _status(opened)

    def drop(self, workspace: str) -> None:
        """Delete the workspace's mirror; the next question builds it again."""
        with self._lock:
            opened = self._opened.pop(workspace, None)
            if opened is not None:
                with opened.lock:
                    opened.mirror.close()
            if (path := self._file(workspace)) is not None:
                database.delete(path)

    def status(self, workspace: str) -> MirrorStatus:
        """How the mirror stands, without asking the graph."""
        return _status(self._open(workspace))

    def follow(self, seconds: float) -> None:
        """Keep the workspaces that were asked for lately in step, from one thread in the background."""
        with self._lock:
            if self._follower is None:
                self._follower = threading.Thread(
                    target=self._keep_following, args=(seconds,), name="asof-mirrors", daemon=True
                )
                self._follower.start()

    def close(self) -> None:
        """Stop following and let go of the files."""
        self._stop.set()
        if self._follower is not None:
            self._follower.join()
        with self._lock:
            for opened in self._opened.values():
                with opened.lock:
                    opened.mirror.close()
            self._opened.clear()

    def _open(self, workspace: str) -> _Opened:
        with self._lock:
            if workspace not in self._opened:
                reader = GraphReader(self._graph, self._bridge, workspace)
                self._opened[workspace] = _Opened(self._mirror(workspace), reader)
            return self._opened[workspace]

    def _mirror(self, workspace: str) -> Mirror:
        """The workspace's file; one in memory where the file cannot be had, since another process may hold it."""
        try:
            return Mirror(self._file(workspace))
        except MirrorUnavailable as error:
            _log.warning("%s The mirror of “%s” is kept in memory.", error, workspace)
            return Mirror()

    def _file(self, workspace: str) -> Path | None:
        if self._folder is None:
            return None
        readable = re.sub(r"[^A-Za-z0-9_-]+", "-", workspace)[:40]
        return self._folder / f"{readable}.{_short_hash(workspace)}.duckdb"

    def _sync(self, opened: _Opened, *, deep: bool) -> None:
        opened.tried = True
        try:
            if opened.mirror.synced_at is None:
                self._build(opened, None)
            else:
                self._catch_up(opened, deep=deep)
        except AsofError as error:
            opened.down = str(error)

    def _build(self, opened: _Opened, progress: Progress | None) -> None:
        started, mark = clock.now(), opened.reader.watermark()
        opened.reader.build(opened.mirror, progress)
        self._in_step(opened, mark, started)

    def _catch_up(self, opened: _Opened, *, deep: bool) -> None:
        """By watermark, and by fingerprint where that leaves the counts apart.

        While others write, counts differ because they are taken at different instants: the next time looks again.
        """
        started, mark = clock.now(), opened.reader.watermark()
        if deep:
            opened.reader.reconcile(opened.mirror)
        elif mark != (opened.in_step_with or opened.mirror.watermark()):
            opened.reader.catch_up(opened.mirror)
            if opened.mirror.counts() != mark.counts:
                if opened.reader.watermark() != mark:
                    opened.in_step_with = opened.down = None
                    return
                opened.reader.reconcile(opened.mirror)
        self._in_step(opened, mark, started)

    def _in_step(self, opened: _Opened, mark: Watermark, started: datetime) -> None:
        opened.mirror.mark_synced(started)
        opened.in_step_with = mark
        opened.down = None

    def _keep_following(self, seconds: float) -> None:
        rounds = 0
        while not self._stop.wait(seconds):
            rounds += 1
            with self._lock:
                lately = [o for o in self._opened.values() if time.monotonic() - o.used < _LATELY]
            for opened in lately:
                self._follow_one(opened, deep=rounds % _DEEP_EVERY == 0)

    def _follow_one(self, opened: _Opened, *, deep: bool) -> None:
        try:
            with opened.lock:
                self._sync(opened, deep=deep)
        except Exception as error:  # noqa: BLE001 - the thread must outlive whatever a database driver throws
            opened.down = str(error)
            _log.exception("A mirror could not be brought in step.")


def _status(opened: _Opened) -> MirrorStatus:
    mirror = opened.mirror
    path = None if mirror.path is None else str(mirror.path)
    return MirrorStatus(mirror.synced_at, mirror.version, mirror.counts(), opened.down, path)


def _short_hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()
