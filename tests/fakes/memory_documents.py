"""A document store in memory. The contract tests run on it too."""

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from services.core.models import Chunk, Document, Section, SectionType, SimilarChunks, StructuredDocument
from services.graph.store import Embeddings


@dataclass
class Shelf:
    """What a workspace holds of documents. `embeddings` are by the id of a section or a chunk, for tests to see."""

    documents: dict[str, StructuredDocument] = field(default_factory=dict)
    embeddings: dict[str, tuple[float, ...]] = field(default_factory=dict)
    similar: dict[tuple[str, str], float] = field(default_factory=dict)
    types: dict[str, SectionType] = field(default_factory=dict)

    def chunks(self) -> set[str]:
        return {chunk.id for whole in self.documents.values() for chunk in whole.chunks}

    def sections(self) -> set[str]:
        return {section.id for whole in self.documents.values() for section in whole.sections}

    def remove(self, document_id: str) -> None:
        """Take away a document and all that hangs on its parts."""
        whole = self.documents.pop(document_id, None)
        if whole is None:
            return
        gone = {part.id for part in (*whole.sections, *whole.chunks)}
        self.embeddings = {key: vector for key, vector in self.embeddings.items() if key not in gone}
        self.similar = {pair: alike for pair, alike in self.similar.items() if gone.isdisjoint(pair)}
        for kind in self.types.values():
            self.types[kind.id] = replace(kind, section_ids=tuple(s for s in kind.section_ids if s not in gone))


class MemoryDocuments:
    """`shelf` gives a workspace's documents, and raises while the store is down."""

    def __init__(self, shelf: Callable[[str], Shelf]) -> None:
        self._shelf = shelf

    async def all_documents(self, workspace: str) -> tuple[Document, ...]:
        held = self._shelf(workspace).documents
        return tuple(held[key].document for key in sorted(held))

    async def scan(self, workspace: str, ids: Iterable[str]) -> AsyncIterator[tuple[StructuredDocument, ...]]:
        held = self._shelf(workspace).documents
        if found := tuple(held[key] for key in dict.fromkeys(ids) if key in held):
            yield found

    async def write(self, workspace: str, documents: Sequence[StructuredDocument], embeddings: Embeddings) -> None:
        shelf = self._shelf(workspace)
        for whole in documents:
            shelf.remove(whole.document.id)
            shelf.documents[whole.document.id] = _ordered(whole)
            parts: tuple[Section | Chunk, ...] = (*whole.sections, *whole.chunks)
            shelf.embeddings |= {part.id: tuple(embeddings[part.id]) for part in parts if part.id in embeddings}

    async def write_similar(self, workspace: str, pairs: Sequence[SimilarChunks], *, only: bool = False) -> None:
        shelf = self._shelf(workspace)
        if only:
            shelf.similar.clear()
        known = shelf.chunks()
        for pair in pairs:
            if pair.first != pair.second and {pair.first, pair.second} <= known:
                shelf.similar[min(pair.first, pair.second), max(pair.first, pair.second)] = pair.similarity

    async def similar(self, workspace: str) -> tuple[SimilarChunks, ...]:
        held = self._shelf(workspace).similar
        return tuple(SimilarChunks(*pair, held[pair]) for pair in sorted(held))

    async def replace_section_types(self, workspace: str, types: Sequence[SectionType]) -> None:
        shelf = self._shelf(workspace)
        known = shelf.sections()
        shelf.types = {
            kind.id: replace(kind, section_ids=tuple(sorted(known.intersection(kind.section_ids)))) for kind in types
        }

    async def section_types(self, workspace: str) -> tuple[SectionType, ...]:
        held = self._shelf(workspace).types
        return tuple(held[key] for key in sorted(held))


def _ordered(whole: StructuredDocument) -> StructuredDocument:
    sections = sorted(whole.sections, key=lambda s: (s.start_line, s.level, s.id))
    return replace(whole, sections=tuple(sections), chunks=tuple(sorted(whole.chunks, key=lambda c: (c.index, c.id))))
