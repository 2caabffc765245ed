"""The mirrors of all workspaces: opened, built, kept in step with the graph."""

import hashlib
import logging
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from services.core import clock
from services.core.bridge import AsyncBridge
from services.core.errors import AsofError, MirrorUnavailable
from services.core.follower import Follower
from services.core.mirror_records import MirrorReading, MirrorStatus
from services.core.models import (
    Counts,
    GraphWrite,
    MergedEntity,
    SectionType,
    SimilarChunks,
    StructuredDocument,
)
from services.graph.store import GraphStore, Watermark
from services.mirror import database
from services.mirror.mirror import Mirror
from services.mirror.record_tables import Columns
from services.mirror.sync import GraphReader

_DEEP_EVERY = 12
"""Rounds from one comparison of everything to the next in the background, at least."""

_DEEP_REST = 20
"""How many times as long as a comparison took nothing is compared after it in the background."""

_log = logging.getLogger(__name__)

type Check = Callable[[Mirror, GraphReader], object]
"""Looks at a mirror and the graph that it is about to follow."""


@dataclass
class _Opened:
    """A mirror in use. Whoever changes its content holds `lock`; readers need none."""

    mirror: Mirror
    reader: GraphReader
    lock: threading.RLock = field(default_factory=threading.RLock)
    stale_mark: Path | None = None
    tried: bool = False
    in_step_with: Watermark | None = None
    compared: float | None = None
    rest: float = 0.0
    down: str | None = None
    reading: MirrorReading | None = None
    opening: threading.Thread | None = None

    def is_due(self, pause: float) -> bool:
        """True when everything should be compared again, having rested for `pause` seconds or as the last one asks."""
        return self.compared is None or time.monotonic() - self.compared >= max(pause, self.rest)


class Mirrors:
    """One mirror for each workspace of a graph, in files under `folder` (None: in memory). Any thread may call it."""

    def __init__(self, folder: Path | None, graph: GraphStore, bridge: AsyncBridge) -> None:
        self._folder = None if folder is None else folder / _short_hash(graph.address)
        self._graph = graph
        self._bridge = bridge
        self._follower = Follower[_Opened]("asof-mirrors", lambda _, opened: self._follow(opened))
        self._every = 0.0
        self._check: Check = lambda *_: None
        self._beginning = threading.Lock()

    def check_before_reading(self, check: Check) -> None:
        """Have `check` look at a workspace and its mirror whenever the mirror is about to follow the graph."""
        self._check = check

    def check(self, workspace: str) -> None:
        """Check a workspace as if its mirror was about to follow the graph."""
        opened = self._open(workspace)
        with opened.lock:
            self._check(opened.mirror, opened.reader)

    @property
    def follows(self) -> bool:
        """True where every mirror in use follows the graph by itself."""
        return self._follower.is_running

    def of(self, workspace: str) -> Mirror:
        """The workspace's mirror, brought in step when it is opened and built when it is new or was broken.

        One that an earlier process left is compared whole before it is shown, or after that where `follow` runs.
        With the graph out of reach it is what was there before, perhaps nothing: `status` says so.
        """
        opened = self._open(workspace)
        self._sync_at_first(opened)
        return opened.mirror

    def _sync_at_first(self, opened: _Opened) -> None:
        """Bring a mirror in step unless that was tried since it was opened."""
        if opened.tried:
            return
        with opened.lock:
            if not opened.tried:
                self._sync(opened, deep=not self._follower.is_running)
        self._follower.wake()

    def open_within(self, workspace: str, seconds: float) -> None:
        """Open the workspace's mirror as `of` does, but wait for one that has to be made no longer than so.

        Whoever comes second does not wait for that: the status says how far it is.
        """
        opened = self._open(workspace)
        if opened.mirror.synced_at is not None:
            self.of(workspace)
            return
        with self._beginning:
            is_first = not opened.tried and opened.opening is None
            if is_first:
                opened.opening = threading.Thread(target=self._begin, args=(opened,), name="asof-mirror", daemon=True)
                opened.opening.start()
        if is_first and opened.opening is not None:
            opened.opening.join(seconds)

    def _begin(self, opened: _Opened) -> None:
        """Bring a mirror in step where nobody waits for it: the status says what went wrong."""
        try:
            self._sync_at_first(opened)
        except Exception as error:
            opened.down = str(error)
            raise

    def sync(self, workspace: str, *, deep: bool = False) -> MirrorStatus:
        """Bring the mirror in step: cheap when nothing changed; `deep` compares every record, as the first one does.

        An unreachable graph is no error here: the status says why.
        """
        opened = self._open(workspace)
        with opened.lock:
            self._sync(opened, deep=deep or opened.compared is None)
        return _status(opened)

    def wants(self, workspace: str) -> bool:
        """True when the workspace is open here, so that `written` will need the columns of a write."""
        opened = self._follower.peek(workspace)
        return opened is not None and opened.mirror.synced_at is not None

    def written(
        self,
        workspace: str,
        batch: GraphWrite | Columns,
        *,
        gone_entities: Iterable[str] = (),
        gone_facts: Iterable[str] = (),
        gone_episodes: Iterable[str] = (),
        documents: Sequence[StructuredDocument] = (),
        gone_documents: Iterable[str] = (),
        links: tuple[Sequence[SectionType], Sequence[SimilarChunks]] | None = None,
        merged: Sequence[MergedEntity] | None = None,
    ) -> None:
        """Take over at once what we wrote to the graph ourselves.

        `links` and `merged` are all that there are by now, where any changed.

        A file that is not open here is marked: whoever opens it, or has it open, compares everything first. So does one
        that refuses, for what is in the graph is in.
        """
        opened = self._follower.peek(workspace)
        if opened is None or opened.mirror.path is None:
            self._mark_stale(workspace)
        if opened is None or opened.mirror.synced_at is None:
            return
        with opened.lock:
            try:
                opened.mirror.apply(
                    batch,
                    gone_entities=gone_entities,
                    gone_facts=gone_facts,
                    gone_episodes=gone_episodes,
                    documents=documents,
                    gone_documents=list(gone_documents),
                )
                opened.in_step_with = None  # the graph stands where the mirror stands itself, if nobody else wrote
                if links is not None:
                    opened.mirror.hold_links(*links)
                if merged is not None:
                    opened.mirror.hold_merged(merged)
            except MirrorUnavailable as error:
                opened.compared, opened.down = None, str(error)
                _log.warning("%s The mirror of “%s” will be compared with the graph.", error, workspace)

    def rebuild(self, workspace: str) -> MirrorStatus:
        """Read the whole graph again; readers see what was there until all is in.

        Raises `GraphUnavailable` when the graph cannot be read; the mirror is then as it was.
        """
        opened = self._open(workspace)
        with opened.lock, _being_read(opened):
            self._check(opened.mirror, opened.reader)
            self._build(opened)
        return _status(opened)

    def drop(self, workspace: str) -> None:
        """Delete the workspace's mirror; the next question builds it again."""
        with self._follower.taken_out(workspace) as opened:
            if opened is not None:
                with opened.lock:
                    opened.mirror.close()
            if (path := self.file(workspace)) is not None:
                database.delete(path)
                for kept in (*path.parent.glob(f"{path.stem}.index*"), *path.parent.glob(f"{path.stem}.*.snapshot")):
                    kept.unlink(missing_ok=True)  # what search and SQL made of it
                _stale_mark(path).unlink(missing_ok=True)

    def status(self, workspace: str) -> MirrorStatus:
        """How the mirror stands, without asking the graph."""
        return _status(self._open(workspace))

    def follow(self, seconds: float) -> None:
        """Keep the workspaces that were asked for lately in step, from one thread in the background."""
        self._every = seconds
        self._follower.start(seconds)

    def close(self) -> None:
        """Stop following and let go of the files."""
        for opened in self._follower.close():
            with opened.lock:
                opened.mirror.close()

    def named_files(self) -> tuple[str, ...]:
        """The workspaces that have a file, as far as it tells their names."""
        files = [] if self._folder is None else self._folder.glob("*.duckdb")
        names = [path.name.split(".")[0] for path in files]
        return tuple(name for name in names if (path := self.file(name)) is not None and path.exists())

    def _open(self, workspace: str) -> _Opened:
        return self._follower.use(workspace, self._opened)

    def _opened(self, workspace: str) -> _Opened:
        mirror = self._mirror(workspace)
        mark = None if mirror.path is None else _stale_mark(mirror.path)
        return _Opened(mirror, GraphReader(self._graph, self._bridge, workspace), stale_mark=mark)

    def _mirror(self, workspace: str) -> Mirror:
        """The workspace's file; one in memory where the file cannot be had, since another process may hold it."""
        path = self.file(workspace)
        try:
            return Mirror(path)
        except MirrorUnavailable as error:
            _log.warning("%s The mirror of “%s” is kept in memory.", error, workspace)
            with suppress(MirrorUnavailable):  # a file that cannot be written can be read
                return Mirror(copied_from=path)
            return Mirror()

    def file(self, workspace: str) -> Path | None:
        """Where the workspace's mirror lies, whether there is one or not; None where mirrors are in memory."""
        if self._folder is None:
            return None
        readable = re.sub(r"[^A-Za-z0-9_-]+", "-", workspace)[:40]
        return self._folder / f"{readable}.{_short_hash(workspace)}.duckdb"

    def _mark_stale(self, workspace: str) -> None:
        path = self.file(workspace)
        if path is not None and path.exists():
            _stale_mark(path).touch()

    def _sync(self, opened: _Opened, *, deep: bool) -> None:
        with _being_read(opened):
            opened.tried = True
            if opened.stale_mark is not None and opened.stale_mark.exists():
                opened.stale_mark.unlink(missing_ok=True)
                opened.compared, deep = None, True
            try:
                if opened.mirror.synced_at is None:
                    self._check(opened.mirror, opened.reader)
                    self._build(opened)
                else:
                    self._catch_up(opened, deep=deep)
            except AsofError as error:
                opened.down = str(error)

    def _build(self, opened: _Opened) -> None:
        started, mark = clock.now(), opened.reader.watermark()

        def report(so_far: Counts) -> None:
            opened.reading = MirrorReading(so_far, mark.counts, started)

        report(Counts(0, 0, 0))
        with _compared(opened):
            opened.reader.build(opened.mirror, report)
        self._in_step(opened, mark, started)

    def _catch_up(self, opened: _Opened, *, deep: bool) -> None:
        """By watermark, and by comparing everything where that leaves the counts apart.

        While others write, counts differ because they are taken at different instants: the next time looks again.
        """
        started, mark = clock.now(), opened.reader.watermark()
        is_behind = mark != (opened.in_step_with or opened.mirror.watermark())
        if deep or is_behind:
            self._check(opened.mirror, opened.reader)
        if is_behind and not deep:
            opened.reader.catch_up(opened.mirror, mark)
            deep = opened.mirror.counts() != mark.counts
            if deep and opened.reader.watermark() != mark:
                opened.in_step_with = opened.down = None
                return
        if deep:
            with _compared(opened):
                opened.reader.compare(opened.mirror)
        self._in_step(opened, mark, started)

    def _in_step(self, opened: _Opened, mark: Watermark, started: datetime) -> None:
        opened.mirror.mark_synced(started)
        opened.in_step_with = mark
        opened.down = None

    def _follow(self, opened: _Opened) -> float:
        """Bring a mirror in step. Raises what a database driver throws, of which the status says so."""
        try:
            with opened.lock:
                self._sync(opened, deep=opened.is_due(_DEEP_EVERY * self._every))
        except Exception as error:
            opened.down = str(error)
            raise
        return 0.0


def _status(opened: _Opened) -> MirrorStatus:
    mirror = opened.mirror
    path = None if mirror.path is None else str(mirror.path)
    reading = opened.reading if mirror.synced_at is None else None
    if mirror.synced_at is None and reading is None and opened.opening is not None and opened.opening.is_alive():
        reading = _nothing_read()
    return MirrorStatus(mirror.synced_at, mirror.version, mirror.counts(), opened.down, path, reading)


@contextmanager
def _being_read(opened: _Opened) -> Iterator[None]:
    """Say that a new mirror is read, from before the graph is asked for anything until the mirror is in step.

    Where the graph did not answer last time, `down` says so until it does.
    """
    if opened.down is None:
        opened.reading = _nothing_read()
    try:
        yield
    finally:
        opened.reading = None


def _nothing_read() -> MirrorReading:
    return MirrorReading(Counts(0, 0, 0), Counts(0, 0, 0), clock.now())


@contextmanager
def _compared(opened: _Opened) -> Iterator[None]:
    """Remember when the whole mirror was last compared with the graph, and how long to rest after that."""
    started = time.monotonic()
    yield
    opened.compared = time.monotonic()
    opened.rest = _DEEP_REST * (opened.compared - started)


def _stale_mark(path: Path) -> Path:
    return path.with_suffix(".stale")


def _short_hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()
