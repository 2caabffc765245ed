"""Bringing a mirror in step with its graph: built whole, by watermark, or by comparing every record."""

from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from services.core.bridge import AsyncBridge
from services.core.errors import AsofError, MirrorUnavailable, QueryRejected
from services.core.gc_pause import gc_pause
from services.core.models import Counts, Entity, Episode, Fact
from services.graph.store import GraphStore, Watermark
from services.mirror.mirror import Mirror

TakeOver = Callable[[Iterable[Iterable[Entity]], Iterable[Iterable[Fact]], Iterable[Iterable[Episode]]], None]
"""Has a mirror hold these records, given in batches."""

Report = Callable[[Counts], None]
"""Hears how much of a graph was read."""


class GraphReader:
    """One workspace of a graph, read from outside the bridge's loop, however long it takes."""

    def __init__(self, graph: GraphStore, bridge: AsyncBridge, workspace: str) -> None:
        self._graph = graph
        self._bridge = bridge
        self._workspace = workspace

    @property
    def workspace(self) -> str:
        """The workspace's name."""
        return self._workspace

    def watermark(self) -> Watermark:
        """The graph's counts and latest record times."""
        return self._bridge.run(self._graph.watermark(self._workspace))

    def build(self, mirror: Mirror, report: Report) -> None:
        """Read everything into `mirror`, and say how far that is; its readers see what was there before until all is
        in.

        Raises `MirrorUnavailable` for what cannot be stored.
        """
        so_far = [0, 0, 0]

        def counted[R](batches: Iterable[Iterable[R]], place: int) -> Iterator[tuple[R, ...]]:
            for batch in batches:
                held = tuple(batch)
                so_far[place] += len(held)
                report(Counts(*so_far))
                yield held

        def take_over(
            entities: Iterable[Iterable[Entity]],
            facts: Iterable[Iterable[Fact]],
            episodes: Iterable[Iterable[Episode]],
        ) -> None:
            mirror.replace_all(counted(entities, 0), counted(facts, 1), counted(episodes, 2))

        self._read_all(mirror, take_over)

    def catch_up(self, mirror: Mirror, mark: Watermark) -> None:
        """Read what was recorded or expired since the latest that the mirror has; `mark` is the graph's.

        Where others wrote dates that the database itself cannot compare, everything is read instead.
        """
        own = mirror.watermark()
        try:
            news = self._wait(self._graph.changed_since(self._workspace, own.last_created_at, own.last_expired_at))
        except QueryRejected:
            self.compare(mirror)
        else:
            with _translated():
                mirror.apply(news)
                mirror.hold_merged(self._wait(self._graph.merged(self._workspace)))
            if news.episodes or own.groups != mark.groups:  # an episode may join a group and leave its mark as it is
                self._read_groups(mirror)
            if (own.documents, own.last_document_at) != (mark.documents, mark.last_document_at):
                self.compare_documents(mirror)

    def missing(self, mirror: Mirror) -> dict[str, tuple[set[str], set[str]]]:
        """By table, what `mirror` holds beyond the graph: uuids (ids of documents) that the graph lacks, and those of
        which it has another version. The mirror stays as it is."""
        graph, workspace = self._graph, self._workspace
        with _translated(), gc_pause():
            found = mirror.ahead_of(
                self._batches(graph.scan_entities(workspace)),
                self._batches(graph.scan_facts(workspace)),
                self._batches(graph.scan_episodes(workspace)),
            )
        there = {document.id: document for document in self._wait(graph.documents.all_documents(workspace))}
        held = {document.id: document for document in mirror.documents()}
        other = {id for id, document in held.items() if id in there and document != there[id]}
        return {**found, "documents": (held.keys() - there.keys(), other)}

    def compare(self, mirror: Mirror) -> None:
        """Read everything and take over what differs: it finds what changed without a trace in its record times."""
        self._read_all(mirror, mirror.become)

    def _read_all(self, mirror: Mirror, take_over: TakeOver) -> None:
        graph, workspace = self._graph, self._workspace
        with _translated(), gc_pause():
            take_over(
                self._batches(graph.scan_entities(workspace)),
                self._batches(graph.scan_facts(workspace)),
                self._batches(graph.scan_episodes(workspace)),
            )
        self.compare_documents(mirror)
        mirror.hold_merged(self._wait(graph.merged(workspace)))
        self._read_groups(mirror)

    def _read_groups(self, mirror: Mirror) -> None:
        graph, workspace = self._graph, self._workspace
        with _translated():
            mirror.hold_groups(self._wait(graph.communities(workspace)), self._wait(graph.sagas(workspace)))

    def compare_documents(self, mirror: Mirror) -> None:
        """Take over the documents whose versions differ, whole, and the links between sections and chunks."""
        documents, workspace = self._graph.documents, self._workspace
        held = {document.id: document for document in mirror.documents()}
        there = {document.id: document for document in self._wait(documents.all_documents(workspace))}
        gone = [id for id in held if id not in there]
        with _translated():
            mirror.put_documents((), gone=gone)
            for batch in self._batches(documents.scan(workspace, [i for i in there if there[i] != held.get(i)])):
                mirror.put_documents(batch)
            if there or gone:
                types, pairs = documents.section_types(workspace), documents.similar(workspace)
                mirror.hold_links(self._wait(types), self._wait(pairs))

    def _wait[T](self, work: Coroutine[Any, Any, T]) -> T:
        return self._bridge.run(work, timeout=None)

    def _batches[R](self, scan: AsyncIterator[tuple[R, ...]]) -> Iterator[tuple[R, ...]]:
        """The batches of a scan that runs on the bridge's loop."""

        async def following() -> tuple[R, ...] | None:
            return await anext(scan, None)

        while (batch := self._wait(following())) is not None:
            yield batch


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except AsofError:
        raise
    except Exception as error:
        raise MirrorUnavailable(
            f"Asof cannot copy a record of the graph to the mirror: {error}", "The graph itself is unchanged."
        ) from error
