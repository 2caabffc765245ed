"""What the rest of Asof may ask of a graph database, whichever it is.

A workspace is Graphiti's group_id: a graph of its own on FalkorDB, a property on Neo4j. Every method is a coroutine to
be run on the bridge's loop, takes the workspace first, and raises `GraphUnavailable` when the database cannot be
reached. An unknown uuid or name is an empty answer.
"""

import re
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from services.core.errors import BadInput
from services.core.group_records import Community, GroupMark, Saga
from services.core.models import (
    Counts,
    Document,
    Entity,
    Episode,
    Fact,
    GraphWrite,
    Instants,
    MergedEntity,
    SectionType,
    SimilarChunks,
    StructuredDocument,
)
from services.graph.memory_store import MemoryStore
from services.graph.raw import RawStore


@dataclass(frozen=True, slots=True)
class Watermark:
    """A cheap summary of a workspace. Two different ones mean that something changed; two equal ones prove nothing.

    `last_expired_at` is when the graph last learned that a record ended, or withdrew one: of a fact that had ended
    already, a withdrawal changes `withdrawn_at` alone.
    """

    counts: Counts
    last_created_at: datetime | None
    last_expired_at: datetime | None
    documents: int = 0
    last_document_at: datetime | None = None
    groups: GroupMark = field(default_factory=GroupMark)

    @property
    def newest(self) -> datetime | None:
        """When a record was last made, ended or withdrawn; None where there is none."""
        times = (self.last_created_at, self.last_expired_at, self.last_document_at)
        return max((time for time in times if time is not None), default=None)


_WORKSPACE = re.compile(r"[A-Za-z0-9_-]*")


def check_workspace(name: str) -> None:
    """Raise `BadInput` unless a name is valid for a workspace. An empty name is Neo4j's default group."""
    if not _WORKSPACE.fullmatch(name):
        raise BadInput(f"“{name}” is not a valid workspace name.", "Use letters, digits, - and _.")


_DERIVED = re.compile(r"(?:node|edge):(\d+)")


def own_id(uuid: str) -> int | None:
    """The database's own id of a record that other programs gave no uuid, which is read under one made of that id."""
    found = _DERIVED.fullmatch(uuid)
    return None if found is None else int(found[1])


Embeddings = Mapping[str, Sequence[float]]
"""Vectors by the id of a section or a chunk."""


class DocumentStore(Protocol):
    """The documents of a graph: their structure as nodes, beside Graphiti's own.

    (:Document)-[:HAS_SECTION]->(:Section), (:Section)-[:PARENT_SECTION]->(:Section) from parent to child,
    (:Section)-[:IN_SECTION]->(:Chunk), (:Section)-[:INSTANCE_OF]->(:SectionType),
    (:Chunk)-[:SEMANTICALLY_SIMILAR]->(:Chunk).
    Only nodes that carry a `content_hash` (documents) or a `document_id` (sections and chunks) are ours: other programs
    use the same labels.
    """

    async def all_documents(self, workspace: str) -> tuple[Document, ...]:
        """Every document, without its parts, by id."""

    def scan(self, workspace: str, ids: Iterable[str]) -> AsyncIterator[tuple[StructuredDocument, ...]]:
        """The documents of those ids with their parts, in batches; unknown ones are left out."""

    async def write(self, workspace: str, documents: Sequence[StructuredDocument], embeddings: Embeddings) -> None:
        """Put in documents with their parts; those of the same ids are replaced whole, in one query each way.

        `embeddings` become the property `embedding` of sections and chunks; ones that are missing are left out.
        """

    async def write_similar(self, workspace: str, pairs: Sequence[SimilarChunks], *, only: bool = False) -> None:
        """Link chunks by SEMANTICALLY_SIMILAR with the property `similarity`; a pair that is linked is updated.

        `only` deletes all other links.
        """

    async def similar(self, workspace: str) -> tuple[SimilarChunks, ...]:
        """Every link between chunks."""

    async def replace_section_types(self, workspace: str, types: Sequence[SectionType]) -> None:
        """Make these the workspace's section types, with INSTANCE_OF from their sections, and no others."""

    async def section_types(self, workspace: str) -> tuple[SectionType, ...]:
        """Every section type, by id."""


class GraphStore(Protocol):
    """A Graphiti-schema graph, opened."""

    @property
    def default_workspace(self) -> str:
        """The database's own default group: "" on Neo4j, "_" on FalkorDB."""

    @property
    def address(self) -> str:
        """Where the graph is, for people to read; never with a password."""

    @property
    def documents(self) -> DocumentStore:
        """The structure of documents, which lies beside Graphiti's own nodes."""

    @property
    def raw(self) -> RawStore:
        """The elements as the database has them, to be read and put exactly."""

    @property
    def memory(self) -> MemoryStore:
        """The records of an agent's own memory, which lie beside Graphiti's own nodes."""

    async def ping(self) -> None:
        """Return when the database answers; raise `GraphUnavailable` when it does not."""

    async def close(self) -> None:
        """Let go of the connections (and of the embedded server, when nobody else uses it)."""

    async def workspaces(self) -> tuple[str, ...]:
        """The groups that the database holds anything of, sorted."""

    async def position(self, workspace: str) -> str | None:
        """The text that `set_position` left with the workspace, which is lost with whatever was written since.

        Empty where it left none; None where the database keeps none.
        """

    async def set_position(self, workspace: str, position: str) -> None:
        """Leave a text with the workspace, where the database keeps one."""

    async def watermark(self, workspace: str) -> Watermark:
        """Counts and the latest record times, in one cheap query."""

    # -- look-ups: always fresh

    async def entities(self, workspace: str, uuids: Iterable[str]) -> tuple[Entity, ...]:
        """Entities by uuid, in the order asked; unknown ones are left out."""

    async def facts(self, workspace: str, uuids: Iterable[str]) -> tuple[Fact, ...]:
        """Facts by uuid, in the order asked; unknown ones are left out."""

    async def episodes(self, workspace: str, uuids: Iterable[str]) -> tuple[Episode, ...]:
        """Episodes by uuid, in the order asked; unknown ones are left out."""

    async def entities_named(self, workspace: str, name: str, *, exactly: bool = False) -> tuple[Entity, ...]:
        """Entities of that exact name; failing that, of the same name (`services/language/names.py`) unless `exactly`.

        Oldest first.
        """

    async def merged(self, workspace: str) -> tuple[MergedEntity, ...]:
        """What is left of entities that were merged, by uuid; `into` is the entity that was kept in the end.

        `entities`, `entities_named`, `facts_about` and `history` follow them where nothing else is found.
        """

    async def communities(self, workspace: str) -> tuple[Community, ...]:
        """Graphiti's communities with their members, by uuid."""

    async def sagas(self, workspace: str) -> tuple[Saga, ...]:
        """Graphiti's sagas with their episodes in order, by uuid."""

    async def facts_about(self, workspace: str, name: str) -> tuple[Fact, ...]:
        """The whole history of the entities of that name (as `entities_named`), on either side, by `valid_at`."""

    async def history(self, workspace: str, entity_uuid: str) -> tuple[Fact, ...]:
        """Every fact with the entity on either side, whatever its times, by `valid_at` (undated first)."""

    async def count_true(self, workspace: str, at: Instants) -> int:
        """How many facts hold at `at`, counted by the database's own Cypher fragment of the time rule."""

    # -- the mirror's reading

    def scan_entities(self, workspace: str) -> AsyncIterator[tuple[Entity, ...]]:
        """Every entity, in batches."""

    def scan_facts(self, workspace: str) -> AsyncIterator[tuple[Fact, ...]]:
        """Every fact, in batches."""

    def scan_episodes(self, workspace: str) -> AsyncIterator[tuple[Episode, ...]]:
        """Every episode, in batches."""

    async def changed_since(self, workspace: str, created: datetime | None, expired: datetime | None) -> GraphWrite:
        """What was recorded after `created`, or expired or withdrawn after `expired` (None: since ever)."""

    # -- writing

    async def write(self, workspace: str, batch: GraphWrite) -> None:
        """Create or replace by uuid. Embeddings that the graph holds are kept. In batches, not in one transaction:
        whoever needs all or nothing keeps before-images (`services/writing/change_sets.py`)."""

    async def clear(self, workspace: str) -> None:
        """Delete everything in the workspace."""
