"""One workspace's mirror: the read model that answers questions about a whole graph in milliseconds."""

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import duckdb

from services.core import clock
from services.core.group_records import Community, Saga
from services.core.models import (
    Counts,
    Entity,
    Episode,
    Fact,
    GraphWrite,
    MergedEntity,
    SectionType,
    SimilarChunks,
    StructuredDocument,
)
from services.graph.store import Watermark
from services.mirror import document_tables as document_tables
from services.mirror.arrivals import LateArrivals, early_facts
from services.mirror.as_of_queries import AsOfReads
from services.mirror.changes import ChangeReads
from services.mirror.database import MirrorDatabase
from services.mirror.derived_columns import DerivedColumns, work_out_everything
from services.mirror.document_tables import DocumentReads
from services.mirror.group_queries import GroupReads
from services.mirror.lookups import LookupReads
from services.mirror.neighbourhoods import GraphReads
from services.mirror.paths import PathReads
from services.mirror.provenance import ProvenanceReads
from services.mirror.reads import one
from services.mirror.record_changes import RecordChangeReads
from services.mirror.record_tables import (
    COMMUNITIES,
    ENTITIES,
    EPISODES,
    FACTS,
    MERGED,
    SAGAS,
    SECTION_TYPES,
    SIMILAR,
    Columns,
    in_columns,
    read_instant,
)
from services.mirror.record_writes import ahead_of, append, clear, delete, replace, upsert
from services.mirror.search_rows import SearchRows
from services.mirror.sql_snapshot import write_snapshot
from services.mirror.vectors import VectorTable

_NOTED_EVERY = timedelta(seconds=2)


class Mirror(
    AsOfReads,
    ChangeReads,
    RecordChangeReads,
    GraphReads,
    PathReads,
    LookupReads,
    GroupReads,
    DocumentReads,
    ProvenanceReads,
    SearchRows,
):
    """Entities, facts, episodes and documents of one workspace in DuckDB. Any thread may read while one writes.

    `path` is its file, None where it is in memory. `version` grows with each change of content, over rebuilds too, so
    results may be kept under it; it is 0 until the mirror is built. `synced_at` is when it was last known to be in step
    with the graph. Every method raises `MirrorUnavailable` when the database refuses.
    """

    def __init__(self, path: Path | None = None, *, copied_from: Path | None = None) -> None:
        """Open the file at `path`, made anew when it cannot be read; None is a mirror in memory.

        One in memory may begin as a copy of a file that cannot be written.
        """
        super().__init__(MirrorDatabase(path))
        if copied_from is not None:
            self._database.copy_from(copied_from)
        version, synced_at = self._one("SELECT version, epoch_us(synced_at) FROM meta")
        self.path, self.version, self.synced_at = path, int(version), read_instant(synced_at)
        self._noted_at: datetime | None = None
        self._copying = threading.Lock()
        self._mark: tuple[int, Watermark | None] = 0, None
        self.vectors = VectorTable(self._database)

    @property
    def origin(self) -> int:
        """The version from which on it is known what came late: the first one of a mirror that was made anew."""
        (version,) = self._one("SELECT coalesce(max(version), 0) FROM origin")
        return int(version)

    def counts(self, known_at: datetime | None = None) -> Counts:
        """How many records the mirror holds; with `known_at`, how many of them the graph had then."""
        return super().counts(known_at) if known_at is not None else self.watermark().counts

    def watermark(self) -> Watermark:
        """The mirror's own counts and latest record times, as `GraphStore.watermark` gives the graph's."""
        version, (of_version, mark) = self.version, self._mark
        if mark is None or of_version != version:
            mark = super().watermark()
            self._mark = version, mark
        return mark

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def mark_synced(self, at: datetime) -> None:
        """Record that the mirror was in step with the graph at `at`; in the file this is seconds old at most."""
        if self.synced_at is None or self._noted_at is None or at - self._noted_at > _NOTED_EVERY:
            with self._database.write() as cursor:
                cursor.execute("UPDATE meta SET synced_at = ?", [at])
            self._noted_at = at
        self.synced_at = at

    def apply(
        self,
        batch: GraphWrite | Columns,
        *,
        gone_entities: Iterable[str] = (),
        gone_facts: Iterable[str] = (),
        gone_episodes: Iterable[str] = (),
        documents: Sequence[StructuredDocument] = (),
        gone_documents: Sequence[str] = (),
    ) -> None:
        """Put in or replace by uuid, and delete with everything that hangs on it, in one transaction.

        What is there already as it stands changes nothing, and then the version does not grow. Documents do as
        `put_documents` has it.
        """
        columns = batch if isinstance(batch, Columns) else in_columns(batch)
        entities, facts, episodes = list(gone_entities), list(gone_facts), list(gone_episodes)
        with self._database.write() as cursor:
            derived = DerivedColumns(cursor, columns, entities, facts)
            arrivals = LateArrivals(cursor, self._read_until, early_facts(columns.facts, self._read_until))
            changed = delete(cursor, entities, facts, episodes)
            changed += upsert(cursor, ENTITIES, columns.entities)
            changed += upsert(cursor, FACTS, columns.facts)
            changed += upsert(cursor, EPISODES, columns.episodes)
            if changed:
                derived.work_out()
            document_tables.drop(cursor, gone_documents)
            document_tables.put(cursor, documents)
            changed += len(documents) + len(gone_documents)
            version = self._next_version(cursor) if changed else self.version
            arrivals.note(version)
        self.version = version

    def replace_all(
        self,
        entities: Iterable[Iterable[Entity]],
        facts: Iterable[Iterable[Fact]],
        episodes: Iterable[Iterable[Episode]],
    ) -> None:
        """Hold these records, given in batches, and nothing else; readers see the old ones until all are in."""
        former = self._database.former
        with self._database.write() as cursor:
            arrivals = LateArrivals(cursor, self._read_until, former=former)
            clear(cursor)
            append(cursor, ENTITIES, entities)
            append(cursor, FACTS, facts)
            append(cursor, EPISODES, episodes)
            work_out_everything(cursor)
            version = self._next_version(cursor)
            arrivals.note(version)
            if self._read_until is None:
                cursor.execute("INSERT INTO origin VALUES (?)", [version])
        self._database.former = None
        self.version = version

    def become(
        self,
        entities: Iterable[Iterable[Entity]],
        facts: Iterable[Iterable[Fact]],
        episodes: Iterable[Iterable[Episode]],
    ) -> None:
        """Hold the same as after `replace_all`, but write only what differs; the version grows if anything did."""
        with self._database.write() as cursor:
            arrivals = LateArrivals(cursor, self._read_until)
            changed = replace(cursor, ENTITIES, entities)
            changed += replace(cursor, FACTS, facts)
            changed += replace(cursor, EPISODES, episodes)
            version = self._next_version(cursor) if changed else self.version
            if changed:
                work_out_everything(cursor)
                arrivals.note(version)
        self.version = version
        self._database.forget_pages()

    def ahead_of(
        self,
        entities: Iterable[Iterable[Entity]],
        facts: Iterable[Iterable[Fact]],
        episodes: Iterable[Iterable[Episode]],
    ) -> dict[str, tuple[set[str], set[str]]]:
        """By table, the uuids of what the mirror holds beyond these records: those that are missing, and those that are
        another version, no older by its record times."""
        with self._database.write() as cursor:
            return {
                ENTITIES.name: ahead_of(cursor, ENTITIES, entities),
                FACTS.name: ahead_of(cursor, FACTS, facts),
                EPISODES.name: ahead_of(cursor, EPISODES, episodes),
            }

    def copy_to(self, path: Path) -> None:
        """Write all that the mirror holds to another file."""
        with self._database.copying() as cursor:
            (name,) = one(cursor, "SELECT current_database()")
            cursor.execute(f"ATTACH '{str(path).replace("'", "''")}' AS copied")
            try:
                cursor.execute(f'COPY FROM DATABASE "{name}" TO copied')
            finally:
                cursor.execute("DETACH DATABASE IF EXISTS copied")

    def write_snapshot(self, path: Path) -> int:
        """Write a copy for questions in SQL to a new file (`sql_snapshot.py`), one at a time; writers go on meanwhile.

        Returns the version that it has.
        """
        with self._copying, self._database.cursor() as cursor:
            return write_snapshot(cursor, path)

    def put_documents(self, documents: Sequence[StructuredDocument], *, gone: Sequence[str] = ()) -> None:
        """Put in documents with their parts, in the place of those with the same ids, and delete those that are gone.

        In one transaction; nothing given changes nothing.
        """
        if documents or gone:
            with self._growing() as cursor:
                document_tables.drop(cursor, gone)
                document_tables.put(cursor, documents)

    def hold_merged(self, merged: Sequence[MergedEntity]) -> None:
        """Hold what is left of these entities that were merged, and of no others; the same again changes nothing."""
        if tuple(merged) != self.merged():
            with self._growing() as cursor:
                document_tables.replace(cursor, MERGED, merged)

    def hold_groups(self, communities: Sequence[Community], sagas: Sequence[Saga]) -> None:
        """Hold these communities and sagas, and no others; the same again changes nothing."""
        if (tuple(communities), tuple(sagas)) != (self.communities(), self.sagas()):
            with self._growing() as cursor:
                document_tables.replace(cursor, COMMUNITIES, communities)
                document_tables.replace(cursor, SAGAS, sagas)

    def hold_links(self, types: Sequence[SectionType], pairs: Sequence[SimilarChunks]) -> None:
        """Hold these types of sections and links between chunks, and no others; what is so already changes nothing."""
        if set(types) != set(self.section_types()) or set(pairs) != set(self.similar_chunks()):
            with self._growing() as cursor:
                document_tables.replace(cursor, SECTION_TYPES, types)
                document_tables.replace(cursor, SIMILAR, pairs)

    @property
    def _read_until(self) -> datetime | None:
        """Up to when anybody can have been told what changed; a file says so some seconds late."""
        if self._database.former is not None:
            return self._database.former.synced_at + _NOTED_EVERY
        if self.synced_at is None or self._noted_at is not None:
            return self.synced_at
        return self.synced_at + _NOTED_EVERY

    @contextmanager
    def _growing(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Write in a block, and let the version grow with it."""
        with self._database.write() as cursor:
            yield cursor
            version = self._next_version(cursor)
        self.version = version

    def _next_version(self, cursor: duckdb.DuckDBPyConnection) -> int:
        """The version starts from the clock, so that it grows over a mirror that was dropped and made anew."""
        version = max(self.version + 1, int(clock.now().timestamp() * 1000))
        cursor.execute("UPDATE meta SET version = ?", [version])
        return version
