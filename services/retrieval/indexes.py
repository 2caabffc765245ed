"""The search indexes of all workspaces: loaded from disk, kept in step with their mirrors, rebuilt in the background.

What changed since an index was built stands beside it, findable by words and vectors at once; the walk over the graph
knows it when the index is built again, once things are quiet.
"""

import logging
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from services.bulk import bulk_work
from services.errors import AsofError, BadInput
from services.mirror.mirror import Mirror
from services.mirror.mirrors import Mirrors
from services.mirror.vectors import VectorModel, Vectors
from services.retrieval import stored
from services.retrieval.catalog import Catalog, Signatures, item_vectors, read_items
from services.retrieval.embedder import Embedder
from services.retrieval.embedding import Progress, embed_missing
from services.retrieval.index import Allowed, SearchIndex
from services.retrieval.items import KINDS, Item, Kind
from services.retrieval.scoped import SectionIndex

MOST_LATER = 2_000
"""So many items may stand beside an index; with more it is built anew at once."""

FEW_LATER = 200
"""So few beside an index that is on disk are not worth building it again for one command."""

_QUIET = 10.0
_LATELY = 600.0
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Ready:
    """An index in step with a version of its mirror. `alive` are the items that are still as they were indexed.

    `waiting` items are not findable yet, or not by vectors; `stale_model` is the model of the vectors there are, where
    that is not the one of the settings: they are not used then.
    """

    index: SearchIndex
    version: int
    alive: Allowed
    fact_keys: NDArray[np.uint64]
    waiting: int = 0
    stale_model: VectorModel | None = None


@dataclass
class _Kept:
    """The index of a workspace in use. Whoever changes it holds `lock`."""

    lock: threading.RLock = field(default_factory=threading.RLock)
    index: SearchIndex | None = None
    built_from: Mapping[Kind, Signatures] = field(default_factory=dict)
    ready: Ready | None = None
    sections: tuple[int, SectionIndex] | None = None
    used: float = field(default_factory=time.monotonic)
    changed: float = 0.0
    dirty: bool = True


class Indexes:
    """One index for each workspace. Any thread may call it."""

    def __init__(self, mirrors: Mirrors, embedder: Embedder) -> None:
        self._mirrors = mirrors
        self.embedder = embedder
        self._lock = threading.Lock()
        self._kept: dict[str, _Kept] = {}
        self._stop = threading.Event()
        self._wake = threading.Event()
        self._follower: threading.Thread | None = None

    def of(self, workspace: str) -> Ready:
        """The workspace's index with what its mirror has now; with very much that is new, some of it comes later."""
        kept, mirror = self._open(workspace), self._mirrors.of(workspace)
        kept.used = time.monotonic()
        if kept.ready is None or kept.ready.version != mirror.version:
            with kept.lock:
                if kept.ready is None or kept.ready.version != mirror.version:
                    self._refresh(kept, mirror)
            self._wake.set()
        assert kept.ready is not None, "refreshing makes it ready"
        return kept.ready

    def sections(self, workspace: str) -> SectionIndex:
        """The workspace's sections by their headings, in step with its mirror."""
        kept, mirror = self._open(workspace), self._mirrors.of(workspace)
        with kept.lock:
            version = mirror.version
            if kept.sections is None or kept.sections[0] != version:
                kept.sections = (version, SectionIndex(mirror, self.embedder))
            return kept.sections[1]

    def prepare(self, workspace: str, progress: Progress | None = None, cancel: threading.Event | None = None) -> Ready:
        """The workspace's index with everything in it: what has no vector gets one, and it is built where it must be.

        Raises `BadInput` when the vectors are of another model, and `Cancelled`.
        """
        kept, mirror = self._open(workspace), self._mirrors.of(workspace)
        with kept.lock:
            ready = self.of(workspace)
            if ready.stale_model:
                raise BadInput(*_of_another_model(ready.stale_model, self.embedder.name))
            if ready.waiting:
                with bulk_work():
                    embed_missing(mirror, self.embedder, progress, cancel)
            if ready.waiting or (kept.dirty and not 0 < _later(ready.index) <= FEW_LATER):
                self._settle(kept, mirror)
            assert kept.ready is not None, "it was ready before"
            return kept.ready

    def embed_anew(self, workspace: str, progress: Progress | None = None) -> Ready:
        """Forget the vectors, whichever model made them, and make them again with the one of the settings."""
        kept, mirror = self._open(workspace), self._mirrors.of(workspace)
        with kept.lock:
            mirror.vectors.clear()
            kept.index = kept.ready = None
        return self.prepare(workspace, progress)

    def follow(self, seconds: float = 2.0) -> None:
        """Embed and build what waits, in workspaces that were searched lately, from one thread in the background."""
        self._follower = threading.Thread(target=self._keep_following, args=(seconds,), name="asof-index", daemon=True)
        self._follower.start()

    def close(self) -> None:
        """Stop following."""
        self._stop.set()
        self._wake.set()
        if self._follower is not None:
            self._follower.join()

    def _open(self, workspace: str) -> _Kept:
        with self._lock:
            return self._kept.setdefault(workspace, _Kept())

    def _refresh(self, kept: _Kept, mirror: Mirror) -> None:
        """Bring what is kept in step with the mirror."""
        catalog = Catalog.of(mirror)
        if kept.index is None:
            self._load(kept, mirror, catalog)
        assert kept.index is not None, "loading gives one"
        changed = {kind: _differing(catalog.signatures[kind], kept.built_from[kind]) for kind in KINDS}
        if sum(map(len, changed.values())) > MOST_LATER:
            self._build(kept, mirror, catalog)
            changed = {kind: [] for kind in KINDS}
        self._stand_beside(kept, mirror, catalog, changed)

    def _load(self, kept: _Kept, mirror: Mirror, catalog: Catalog) -> None:
        """The index of the disk; failing that, one that is built."""
        found = stored.load(mirror.path, self.embedder)
        if found is None:
            self._build(kept, mirror, catalog)
        else:
            kept.index, kept.built_from, kept.dirty = *found, False

    def _build(self, kept: _Kept, mirror: Mirror, catalog: Catalog) -> None:
        with bulk_work():
            items = {kind: read_items(mirror, kind) for kind in KINDS}
            kept.index = SearchIndex.of(items, {kind: self._vectors(mirror, items[kind]) for kind in KINDS})
        kept.built_from, kept.dirty = catalog.signatures, True

    def _vectors(self, mirror: Mirror, items: list[Item]) -> Vectors:
        if self._stale_model(mirror):
            return np.zeros((len(items), self.embedder.dimension), np.float32)
        return item_vectors(mirror, items, self.embedder.dimension)

    def _stale_model(self, mirror: Mirror) -> VectorModel | None:
        held = mirror.vectors.model()
        ours = VectorModel(self.embedder.name, self.embedder.dimension)
        return None if held in (None, ours) else held

    def _stand_beside(self, kept: _Kept, mirror: Mirror, catalog: Catalog, changed: Mapping[Kind, list[str]]) -> None:
        """Put what changed beside the index, and close it to what is gone."""
        assert kept.index is not None, "there is one to stand beside"
        items = {kind: read_items(mirror, kind, changed[kind]) if changed[kind] else [] for kind in KINDS}
        index = kept.index.with_later(items, {kind: self._vectors(mirror, items[kind]) for kind in KINDS})
        alive = {kind: _alive(index, kind, catalog.signatures[kind], kept.built_from[kind]) for kind in KINDS}
        unembedded = sum(int((~_embedded(index, kind) & alive[kind]).sum()) for kind in KINDS)
        stale = self._stale_model(mirror)
        if any(changed.values()):
            kept.changed, kept.dirty = time.monotonic(), True
        kept.ready = Ready(
            index, catalog.version, alive, mirror.keys(index.ids("fact")), 0 if stale else unembedded, stale
        )

    def _settle(self, kept: _Kept, mirror: Mirror) -> None:
        """See that everything is in the index, and keep it on disk."""
        catalog = Catalog.of(mirror)
        if (
            kept.ready is None
            or kept.ready.waiting
            or _later(kept.ready.index)
            or kept.built_from != catalog.signatures
        ):
            self._build(kept, mirror, catalog)
        self._stand_beside(kept, mirror, catalog, {kind: [] for kind in KINDS})
        self._save(kept, mirror)

    def _save(self, kept: _Kept, mirror: Mirror) -> None:
        if kept.index is not None and kept.ready is not None and not kept.ready.stale_model:
            stored.save(mirror.path, self.embedder, kept.index, kept.built_from)
            kept.dirty = False

    def _keep_following(self, seconds: float) -> None:
        while True:
            self._wake.wait(seconds)
            self._wake.clear()
            if self._stop.is_set():
                return
            with self._lock:
                lately = [(n, k) for n, k in self._kept.items() if time.monotonic() - k.used < _LATELY]
            for workspace, kept in lately:
                with _survived():
                    self._follow_one(workspace, kept)

    def _follow_one(self, workspace: str, kept: _Kept) -> None:
        mirror, ready = self._mirrors.of(workspace), kept.ready
        if ready is None or ready.stale_model:
            return
        if ready.waiting:
            embed_missing(mirror, self.embedder, cancel=self._stop)
        if ready.waiting or (kept.dirty and time.monotonic() - kept.changed > _QUIET):
            with kept.lock:
                self._settle(kept, mirror)


def _later(index: SearchIndex) -> int:
    return sum(len(segment.ids) for segment in index.later.values())


def _differing(now: Signatures, built: Signatures) -> list[str]:
    return [id for id, signature in now.items() if built.get(id) != signature]


def _alive(index: SearchIndex, kind: Kind, now: Signatures, built: Signatures) -> NDArray[np.bool_]:
    """Which items are as they were indexed; the later ones always are."""
    main = [now.get(id) == built[id] for id in index.main[kind].ids]
    return np.array([*main, *(True for _ in index.later[kind].ids)], bool)


def _embedded(index: SearchIndex, kind: Kind) -> NDArray[np.bool_]:
    return np.concatenate([part.vectors.any(axis=1) for part in (index.main[kind], index.later[kind])])


def _of_another_model(held: VectorModel, ours: str) -> tuple[str, str]:
    return (
        f"The vectors of this workspace are of {held.name}, and the settings say {ours}.",
        "Embed it anew (`cli.py index`, or Settings), or search by keyword.",
    )


@contextmanager
def _survived() -> Iterator[None]:
    """The thread outlives whatever happens to one workspace."""
    try:
        yield
    except AsofError as error:
        _log.info("An index waits: %s", error)
    except Exception:  # noqa: BLE001 - whatever it is, the other workspaces want their turn
        _log.exception("An index could not be brought in step.")
