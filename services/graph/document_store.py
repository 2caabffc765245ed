"""What the rest of Asof may ask of a graph database about documents: their structure as nodes, beside Graphiti's own.

(:Document)-[:HAS_SECTION]->(:Section), (:Section)-[:PARENT_SECTION]->(:Section) from parent to child,
(:Section)-[:IN_SECTION]->(:Chunk), (:Section)-[:INSTANCE_OF]->(:SectionType),
(:Chunk)-[:SEMANTICALLY_SIMILAR]->(:Chunk).
Only nodes that carry a `content_hash` (documents) or a `document_id` (sections and chunks) are ours: other programs use
the same labels. Every method is a coroutine for the bridge's loop, takes the workspace first, and raises
`GraphUnavailable` when the database cannot be reached.
"""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Protocol

from services.core.models import Document, SectionType, SimilarChunks, StructuredDocument

Embeddings = Mapping[str, Sequence[float]]
"""Vectors by the id of a section or a chunk."""


class DocumentStore(Protocol):
    """The documents of a Graphiti-schema graph."""

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
