"""Documents in the mirror: their sections, chunks, types of sections, and links between chunks that mean the same."""

from collections.abc import Iterable, Sequence

import duckdb

from services.core.models import Chunk, Document, Section, SectionType, SimilarChunks, StructuredDocument
from services.mirror.reads import Reads, in_list, registered
from services.mirror.record_tables import CHUNKS, DOCUMENTS, SECTION_TYPES, SECTIONS, SIMILAR, RecordTable

_PARTS = ((DOCUMENTS, "id"), (SECTIONS, "document_id"), (CHUNKS, "document_id"))

_OF = "SELECT {columns} FROM {table} WHERE {key} IN"

_LINKS_OF_GONE = """
    WITH gone AS (SELECT id FROM chunks WHERE document_id IN (SELECT unnest($ids::VARCHAR[])))
    DELETE FROM similar_chunks WHERE first IN (FROM gone) OR second IN (FROM gone)"""

_LINKS_OF = """
    SELECT first, second, similarity FROM similar_chunks WHERE first IN (SELECT unnest($ids::VARCHAR[])) UNION ALL
    SELECT second, first, similarity FROM similar_chunks WHERE second IN (SELECT unnest($ids::VARCHAR[]))
    ORDER BY ALL"""


class DocumentReads(Reads):
    """Documents and their parts as they are."""

    def documents(self) -> tuple[Document, ...]:
        """Every document, by title."""
        return self._records(DOCUMENTS, f"SELECT {DOCUMENTS.columns()} FROM documents ORDER BY lower(title), id")

    def has_documents(self) -> bool:
        """True where there is any document."""
        return bool(self._rows("SELECT 1 FROM documents LIMIT 1"))

    def documents_of_threads(self, threads: Iterable[str]) -> tuple[Document, ...]:
        """The documents of these threads, by thread and position."""
        with self._database.read() as cursor:
            return _of(cursor, DOCUMENTS, "thread", list(threads), "thread, position, id")

    def documents_by_id(self, ids: Iterable[str]) -> dict[str, Document]:
        """Documents by id; unknown ones are left out."""
        with self._database.read() as cursor:
            return {d.id: d for d in _of(cursor, DOCUMENTS, "id", list(ids), "id")}

    def with_surroundings(self, chunk_ids: Sequence[str]) -> dict[str, tuple[Chunk, Document | None, Section | None]]:
        """Chunks with their documents and sections, by id; unknown ones are left out."""
        if not chunk_ids:
            return {}
        with self._database.read() as cursor:
            chunks = _of(cursor, CHUNKS, "id", list(chunk_ids), "id")
            ids = sorted({chunk.document_id for chunk in chunks})
            documents = {document.id: document for document in _of(cursor, DOCUMENTS, "id", ids, "id")}
            under = sorted({chunk.section_id for chunk in chunks} - {""})
            sections = {section.id: section for section in _of(cursor, SECTIONS, "id", under, "id")}
        return {c.id: (c, documents.get(c.document_id), sections.get(c.section_id)) for c in chunks}

    def document(self, id: str) -> StructuredDocument | None:
        """A document with its parts; None when it is unknown."""
        with self._database.read() as cursor:
            found = _of(cursor, DOCUMENTS, "id", [id], "id")
            if not found:
                return None
            sections = _of(cursor, SECTIONS, "document_id", [id], "start_line, level")
            return StructuredDocument(found[0], sections, _of(cursor, CHUNKS, "document_id", [id], "index"))

    def chunks(self, ids: Iterable[str]) -> dict[str, Chunk]:
        """Chunks by id; unknown ones are left out."""
        with self._database.read() as cursor:
            return {c.id: c for c in _of(cursor, CHUNKS, "id", list(ids), "id")}

    def section_types(self) -> tuple[SectionType, ...]:
        """The types of sections, the commonest first."""
        sql = f"SELECT {SECTION_TYPES.columns()} FROM section_types ORDER BY len(section_ids) DESC, id"
        return self._records(SECTION_TYPES, sql)

    def similar_chunks(self) -> tuple[SimilarChunks, ...]:
        """Every link between chunks."""
        return self._records(SIMILAR, f"SELECT {SIMILAR.columns()} FROM similar_chunks ORDER BY first, second")

    def links_of(self, chunk_ids: Iterable[str]) -> list[tuple[str, str, float]]:
        """For each link of these chunks: the chunk, the one that it is linked to, and how alike they are."""
        return self._rows(_LINKS_OF, {"ids": list(chunk_ids)})


def put(cursor: duckdb.DuckDBPyConnection, documents: Sequence[StructuredDocument]) -> None:
    """Put in documents with their parts, in the place of those with the same ids."""
    if not documents:
        return
    held = in_list(cursor, "SELECT id FROM documents WHERE id IN", [document.document.id for document in documents])
    drop(cursor, [id for (id,) in held])
    _insert(cursor, DOCUMENTS, [document.document for document in documents])
    _insert(cursor, SECTIONS, [section for document in documents for section in document.sections])
    _insert(cursor, CHUNKS, [chunk for document in documents for chunk in document.chunks])


def drop(cursor: duckdb.DuckDBPyConnection, ids: Sequence[str]) -> None:
    """Delete documents with their parts and the links of their chunks."""
    if not ids:
        return
    cursor.execute(_LINKS_OF_GONE, {"ids": list(ids)})
    for table, key in _PARTS:
        cursor.execute(f"DELETE FROM {table.name} WHERE {key} IN (SELECT unnest($ids::VARCHAR[]))", {"ids": list(ids)})


def replace[R](cursor: duckdb.DuckDBPyConnection, table: RecordTable[R], held: Sequence[R]) -> None:
    """Hold these records in a table and no others."""
    cursor.execute(f"DELETE FROM {table.name}")
    _insert(cursor, table, held)


def _insert[R](cursor: duckdb.DuckDBPyConnection, table: RecordTable[R], held: Sequence[R]) -> None:
    if held:
        with registered(cursor, table.arrow(held)):
            cursor.execute(f"INSERT INTO {table.name} FROM incoming")


def _of[R](
    cursor: duckdb.DuckDBPyConnection, table: RecordTable[R], key: str, ids: list[str], order: str
) -> tuple[R, ...]:
    if not ids:
        return ()
    sql = _OF.format(columns=table.columns(), table=table.name, key=key)
    return tuple(map(table.read, in_list(cursor, sql, ids, f"ORDER BY {order}")))
