"""Bringing a mirror in step with its graph: built whole, by watermark, or by fingerprint."""

from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator
from itertools import batched
from typing import Any

from services.bridge import AsyncBridge
from services.graph.store import Fingerprint, GraphStore, Kind, Watermark
from services.mirror.mirror import Mirror
from services.mirror.records import Record
from services.models import GraphWrite

Progress = Callable[[int, int], None]
"""Called with how many records are read and how many there are."""

type _Fetch[R] = Callable[[str, Iterable[str]], Coroutine[Any, Any, tuple[R, ...]]]

_KINDS: tuple[Kind, ...] = ("entity", "fact", "episode")
_FETCHED_AT_ONCE = 2000


class GraphReader:
    """One workspace of a graph, read from outside the bridge's loop, however long it takes."""

    def __init__(self, graph: GraphStore, bridge: AsyncBridge, workspace: str) -> None:
        self._graph = graph
        self._bridge = bridge
        self._workspace = workspace

    def watermark(self) -> Watermark:
        """The graph's counts and latest record times."""
        return self._bridge.run(self._graph.watermark(self._workspace))

    def build(self, mirror: Mirror, progress: Progress | None = None) -> None:
        """Read everything into `mirror`; its readers see what was there before until all is in."""
        # Taken before the records are read: one that changes in between then looks changed at the next comparison.
        prints = self._fingerprints()
        counted = _Counter(sum(map(len, prints.values())), progress)
        graph, workspace = self._graph, self._workspace
        mirror.replace_all(
            counted(self._batches(graph.scan_entities(workspace))),
            counted(self._batches(graph.scan_facts(workspace))),
            counted(self._batches(graph.scan_episodes(workspace))),
        )
        for kind in _KINDS:
            mirror.remember(kind, prints[kind])

    def catch_up(self, mirror: Mirror) -> None:
        """Read what was recorded or expired since the latest that the mirror has."""
        own = mirror.watermark()
        news = self._graph.changed_since(self._workspace, own.last_created_at, own.last_expired_at)
        mirror.apply(self._wait(news))

    def reconcile(self, mirror: Mirror) -> None:
        """Compare every record by fingerprint, read those that differ and drop those that are gone."""
        prints = self._fingerprints()
        entities, gone_entities = self._stale(mirror, prints, "entity", self._graph.entities)
        facts, gone_facts = self._stale(mirror, prints, "fact", self._graph.facts)
        episodes, gone_episodes = self._stale(mirror, prints, "episode", self._graph.episodes)
        mirror.apply(
            GraphWrite(entities, facts, episodes),
            gone_entities=gone_entities,
            gone_facts=gone_facts,
            gone_episodes=gone_episodes,
        )
        for kind in _KINDS:
            mirror.remember(kind, prints[kind])

    def _fingerprints(self) -> dict[Kind, Fingerprint]:
        return {kind: self._wait(self._graph.fingerprint(self._workspace, kind)) for kind in _KINDS}

    def _stale[R: Record](
        self, mirror: Mirror, prints: dict[Kind, Fingerprint], kind: Kind, fetch: _Fetch[R]
    ) -> tuple[tuple[R, ...], list[str]]:
        """Records of a kind that differ, as the graph has them now, and the uuids of those that it has no more."""
        changed, gone = mirror.out_of_step(kind, prints[kind])
        found: list[R] = []
        for uuids in batched(changed, _FETCHED_AT_ONCE):
            found += self._wait(fetch(self._workspace, uuids))
        return tuple(found), [*gone, *(set(changed) - {record.uuid for record in found})]

    def _wait[T](self, work: Coroutine[Any, Any, T]) -> T:
        return self._bridge.run(work, timeout=None)

    def _batches[R](self, scan: AsyncIterator[tuple[R, ...]]) -> Iterator[tuple[R, ...]]:
        """The batches of a scan that runs on the bridge's loop."""

        async def following() -> tuple[R, ...] | None:
            return await anext(scan, None)

        while (batch := self._wait(following())) is not None:
            yield batch


class _Counter:
    """Counts the records of batches as they pass."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self._total = total
        self._progress = progress
        self._read = 0

    def __call__[R](self, batches: Iterable[tuple[R, ...]]) -> Iterator[tuple[R, ...]]:
        for batch in batches:
            yield batch
            self._read += len(batch)
            if self._progress is not None:
                self._progress(min(self._read, self._total), self._total)
