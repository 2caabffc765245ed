"""The search indexes of all workspaces: loaded from disk, kept in step with their mirrors, rebuilt in the background.

What changed since an index was built stands beside it, findable by words and vectors at once; the walk over the graph
knows it when the index is built again, once things are quiet.
"""

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from services.core.errors import BadInput
from services.core.follower import Follower
from services.core.gc_pause import gc_pause, give_memory_back
from services.core.progress import Progress, nobody
from services.mirror.mirror import Mirror
from services.mirror.mirrors import Mirrors
from services.mirror.search_rows import Keys
from services.mirror.vectors import VectorModel
from services.retrieval import index_file
from services.retrieval.catalog import Catalog, Signatures, item_vectors, read_items
from services.retrieval.embedder import Embedder, embed_missing, model_of
from services.retrieval.index import Allowed, SearchIndex
from services.retrieval.items import KINDS, Kind
from services.retrieval.section_search import SectionIndex

MOST_LATER = 2_000
"""So many items may stand beside an index; with more it is built anew at once."""

FEW_LATER = 200
"""So few beside an index that is on disk are not worth building it again for one command."""

_QUIET = 10.0
_REST = 20.0
"""How many times as long as building an index took it is not built again for little."""

_PACE, _LONGEST_REST = 3.0, 15.0
"""How many times as long as following a workspace took it is not followed after that, and how many seconds at most."""

_GIVE_BACK_EVERY = 15.0


@dataclass(frozen=True)
class LiveIndex:
    """An index in step with a version of its mirror.

    `alive` are the items that are still as they were indexed, `keys` stand for their ids. `waiting` items are not
    findable yet, or not by vectors; `stale_model` is the model of the vectors there are, where that is not the one of
    the settings: they are not used then.
    """

    index: SearchIndex
    version: int
    alive: Allowed
    keys: Mapping[Kind, Keys]
    waiting: int = 0
    stale_model: VectorModel | None = None

    def having(self, kind: Kind, keys: Keys) -> NDArray[np.bool_]:
        """Which items of a kind have one of these keys, by position."""
        known, where = self._known_keys[kind]
        if not len(known):
            return np.zeros(0, bool)
        places = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        chosen = np.zeros(len(known), bool)
        chosen[places[known[places] == keys]] = True
        return chosen[where]

    @cached_property
    def _known_keys(self) -> dict[Kind, tuple[Keys, NDArray[np.intp]]]:
        """For each kind its keys in order, each once, and for each item the place of its own."""
        return {kind: np.unique(held, return_inverse=True) for kind, held in self.keys.items()}


@dataclass
class _Kept:
    """The index of a workspace in use. Whoever changes it holds `lock`."""

    lock: threading.RLock = field(default_factory=threading.RLock)
    index: SearchIndex | None = None
    built_from: Mapping[Kind, Signatures] = field(default_factory=dict)
    ready: LiveIndex | None = None
    sections: tuple[int, SectionIndex] | None = None
    changed: float = 0.0
    settled: float = 0.0
    took: float = 0.0
    refreshed: float = 0.0
    refreshing: float = 0.0
    dirty: bool = True

    def differs_from(self, catalog: Catalog) -> dict[Kind, list[str]]:
        """The items that are not as the index was built from them, or not in it."""
        return {
            kind: [
                id for id, signature in catalog.signatures[kind].items() if self.built_from[kind].get(id) != signature
            ]
            for kind in KINDS
        }

    def is_due(self) -> bool:
        """True when nothing changed lately, and the last time that it was built is long ago, or much has come since."""
        now = time.monotonic()
        rested = now - self.settled > _REST * self.took
        many = self.ready is not None and count_later(self.ready.index) > FEW_LATER // 4
        return now - self.changed > _QUIET and (rested or many)


class Indexes:
    """One index for each workspace. Any thread may call it."""

    def __init__(self, mirrors: Mirrors, embedder: Embedder) -> None:
        self._mirrors = mirrors
        self.embedder = embedder
        self._follower = Follower[_Kept]("asof-index", self._follow, self._give_back)
        self._given_back = time.monotonic()

    def of(self, workspace: str) -> LiveIndex:
        """The workspace's index with what its mirror has now; with very much that is new, some of it comes later."""
        kept, mirror = self._open(workspace), self._mirrors.of(workspace)
        ready = kept.ready
        if ready is None or ready.version != mirror.version:
            with kept.lock:
                if kept.ready is None or kept.ready.version != mirror.version:
                    started = time.monotonic()
                    self._refresh(kept, mirror)
                    kept.refreshed = time.monotonic()
                    kept.refreshing = kept.refreshed - started
                ready = kept.ready
            self._follower.wake()
        assert ready is not None, "refreshing makes it ready"
        return ready

    def lately(self, workspace: str) -> LiveIndex:
        """The workspace's index as it is or was a little while ago, for whoever looks into it between many writes.

        A while is so many times as long as it takes to bring it in step.
        """
        kept = self._open(workspace)
        if kept.ready is not None and time.monotonic() - kept.refreshed < _REST * kept.refreshing:
            return kept.ready
        return self.of(workspace)

    def sections(self, workspace: str) -> SectionIndex:
        """The workspace's sections by their headings, in step with its mirror."""
        kept, mirror = self._open(workspace), self._mirrors.of(workspace)
        with kept.lock:
            version = mirror.version
            if kept.sections is None or kept.sections[0] != version:
                kept.sections = (version, SectionIndex(mirror, self.embedder))
            return kept.sections[1]

    def prepare(self, workspace: str, progress: Progress = nobody, cancel: threading.Event | None = None) -> LiveIndex:
        """The workspace's index with everything in it: what has no vector gets one, and it is built where it must be.

        Raises `BadInput` when the vectors are of another model, and `Cancelled`.
        """
        kept, mirror = self._open(workspace), self._mirrors.of(workspace)
        ready = self.of(workspace)
        if ready.stale_model:
            raise BadInput(
                f"The embeddings of this workspace are from {ready.stale_model.name}, but the settings name "
                f"{self.embedder.name}.",
                "Re-embed the workspace (`cli.py index`, or Settings), or search by keyword.",
            )
        if ready.waiting:
            embed_missing(mirror, self.embedder, progress, cancel)
        if ready.waiting or (kept.dirty and not 0 < count_later(ready.index) <= FEW_LATER):
            with kept.lock:
                self._settle(kept, mirror)
        return self.of(workspace)

    def embed_anew(
        self, workspace: str, progress: Progress = nobody, cancel: threading.Event | None = None
    ) -> LiveIndex:
        """Forget the vectors, whichever model made them, and make them again with the one of the settings.

        Raises what the embedder raises before anything is forgotten, and `Cancelled`.
        """
        self.embedder.embed(["A short text to test the model."])
        kept, mirror = self._open(workspace), self._mirrors.of(workspace)
        with kept.lock:
            mirror.vectors.clear()
            index_file.delete(mirror.path)
            kept.index = kept.ready = kept.sections = None
        return self.prepare(workspace, progress, cancel)

    def follow(self, seconds: float = 2.0) -> None:
        """Embed and build what waits, in workspaces that were searched lately, from one thread in the background."""
        self._follower.start(seconds)

    def close(self) -> None:
        """Stop following."""
        self._follower.close()

    def _open(self, workspace: str) -> _Kept:
        return self._follower.use(workspace, lambda _: _Kept())

    def _refresh(self, kept: _Kept, mirror: Mirror) -> None:
        """Bring what is kept in step with the mirror."""
        catalog = Catalog.of(mirror)
        if kept.index is None:
            self._load(kept, mirror)
        assert kept.index is not None, "loading gives one"
        changed = kept.differs_from(catalog)
        if sum(map(len, changed.values())) > MOST_LATER:
            self._build(kept, mirror)
            changed = kept.differs_from(catalog)
        self._stand_beside(kept, mirror, catalog, changed)

    def _load(self, kept: _Kept, mirror: Mirror) -> None:
        """The index of the disk; failing that, one that is built."""
        with gc_pause():
            found = index_file.load(mirror.path, self.embedder) if mirror.vectors.model() == self._model else None
        if found is None:
            self._build(kept, mirror)
        else:
            kept.index, kept.built_from, kept.dirty = *found, False

    def _build(self, kept: _Kept, mirror: Mirror) -> None:
        """What is written while it is read is in the index as it was read, and differs at the next look."""
        with gc_pause():
            items = {kind: read_items(mirror, kind) for kind in KINDS}
            index = SearchIndex.of(items, {kind: item_vectors(mirror, items[kind], self._model) for kind in KINDS})
        kept.index, kept.dirty = index, True
        kept.built_from = {kind: {item.id: item.signature for item in items[kind]} for kind in KINDS}

    @property
    def _model(self) -> VectorModel:
        return model_of(self.embedder)

    def _stand_beside(self, kept: _Kept, mirror: Mirror, catalog: Catalog, changed: Mapping[Kind, list[str]]) -> None:
        """Put what changed beside the index, and close it to what is gone."""
        assert kept.index is not None, "there is one to stand beside"
        items = {kind: read_items(mirror, kind, changed[kind]) if changed[kind] else [] for kind in KINDS}
        index = kept.index.with_later(items, {kind: item_vectors(mirror, items[kind], self._model) for kind in KINDS})
        still = {kind: alive(index, kind, catalog.signatures[kind], kept.built_from[kind]) for kind in KINDS}
        unembedded = sum(int((~embedded(index, kind) & still[kind]).sum()) for kind in KINDS)
        held = mirror.vectors.model()
        stale = None if held in (None, self._model) else held
        if any(changed.values()) or not all(mask.all() for mask in still.values()):
            kept.changed, kept.dirty = time.monotonic(), True
        keys = {kind: mirror.keys(index.ids[kind]) for kind in KINDS}
        kept.ready = LiveIndex(index, catalog.version, still, keys, 0 if stale else unembedded, stale)

    def _settle(self, kept: _Kept, mirror: Mirror) -> None:
        """See that everything is in the index, and keep it on disk."""
        started, catalog = time.monotonic(), Catalog.of(mirror)
        if (
            kept.ready is None
            or kept.ready.waiting
            or count_later(kept.ready.index)
            or kept.built_from != catalog.signatures
        ):
            self._build(kept, mirror)
        self._stand_beside(kept, mirror, catalog, kept.differs_from(catalog))
        if kept.index is not None and kept.ready is not None and not kept.ready.stale_model:
            index_file.save(mirror.path, self.embedder, kept.index, kept.built_from)
            kept.dirty = False
        kept.settled = time.monotonic()
        kept.took = kept.settled - started

    def _give_back(self) -> None:
        if time.monotonic() - self._given_back > _GIVE_BACK_EVERY:
            give_memory_back()
            self._given_back = time.monotonic()

    def _follow(self, workspace: str, kept: _Kept) -> float:
        """Embed and build what waits, and return the seconds to rest after that."""
        started, mirror, ready = time.monotonic(), self._mirrors.of(workspace), kept.ready
        if ready is not None and not ready.stale_model and ready.waiting:
            embed_missing(mirror, self.embedder, cancel=self._follower.stopping)
            with kept.lock:
                # the index is built again only where items of its own lacked vectors
                if kept.index is None or any(not one.vectors.any(axis=1).all() for one in kept.index.main.values()):
                    self._settle(kept, mirror)
                else:
                    self._refresh(kept, mirror)
        elif ready is not None and not ready.stale_model and kept.dirty and kept.is_due():
            with kept.lock:
                self._settle(kept, mirror)
        return min(_PACE * (time.monotonic() - started), _LONGEST_REST)


def count_later(index: SearchIndex) -> int:
    """How many items stand beside an index."""
    return sum(len(segment.ids) for segment in index.later.values())


def alive(index: SearchIndex, kind: Kind, now: Signatures, built: Signatures) -> NDArray[np.bool_]:
    """Which items are as they were indexed; the later ones always are."""
    main = [now.get(id) == built[id] for id in index.main[kind].ids]
    return np.array([*main, *(True for _ in index.later[kind].ids)], bool)


def embedded(index: SearchIndex, kind: Kind) -> NDArray[np.bool_]:
    """Which items have a vector."""
    return np.concatenate([part.vectors.any(axis=1) for part in (index.main[kind], index.later[kind])])
