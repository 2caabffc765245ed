"""The structure of documents as properties of nodes, and rows of them as our records.

Names of properties are those of other programs that keep documents in a graph, so that these can read ours.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from services.core import clock
from services.core.memory_records import RECORD_TYPES
from services.core.models import Chunk, Document, Section, SectionType, SimilarChunks, StructuredDocument
from services.graph import records

Values = dict[str, Any]
"""Properties by name; all records of a kind have the same names in the same order."""

Vector = Sequence[float] | None

Spelling = Callable[[datetime | None], Any]
"""A dialect's `date`."""

_MARKS = {
    "Document": "content_hash IS NOT NULL",
    "Section": "document_id IS NOT NULL",
    "Chunk": "document_id IS NOT NULL",
    "SectionType": "id STARTS WITH 'section_type:'",
}

DOCUMENT = (
    "n.id, n.title, n.content_hash, n.episode_uuid, n.file_path, n.directory_name, n.format, n.thread, n.position,"
    " n.chunk_count, toStringOrNull(n.reference_time), toStringOrNull(n.created_at), toStringOrNull(n.updated_at),"
    " n.tags"
)
SECTION = (
    "n.id, n.document_id, n.name, n.normalized_name, n.path, n.parent_path, n.anchor, n.level, n.chunk_count,"
    " n.start_chunk_idx, n.end_chunk_idx, n.start_line, n.end_line, n.version"
)
CHUNK = "n.id, n.document_id, n.section_id, n.text, n.chunk_index, n.start_line, n.end_line, n.keywords, n.version"
SECTION_TYPE = (
    "n.id, n.canonical_name, n.normalized_name, n.common_variants, members, n.centroid,"
    " toStringOrNull(n.createdAt), toStringOrNull(n.updatedAt)"
)


def mark(variable: str, label: str) -> str:
    """What tells our nodes of a label from those of others; an agent's records are anybody's, but no entities."""
    return f"NOT {variable}:Entity" if label in RECORD_TYPES else f"{variable}.{_MARKS[label]}"


def document_values(workspace: str, document: Document, date: Spelling) -> Values:
    """The properties of a Document node."""
    return {
        "id": document.id,
        "group_id": workspace,
        "title": document.title,
        "file_name": document.path.rstrip("/").rpartition("/")[2] or document.title,
        "file_path": document.path,
        "directory_name": document.directory,
        "format": document.format,
        "content_hash": document.content_hash,
        "episode_uuid": document.episode_uuid,
        "thread": document.thread,
        "position": document.position,
        "chunk_count": document.chunk_count,
        "reference_time": date(document.reference_time),
        "created_at": date(document.created_at),
        "updated_at": date(document.updated_at),
        "tags": list(document.tags),
    }


def section_values(workspace: str, document: Document, section: Section, vector: Vector, date: Spelling) -> Values:
    """The properties of a Section node."""
    return {
        "id": section.id,
        "group_id": workspace,
        "document_id": section.document_id,
        "file_id": section.document_id,
        "level": section.level,
        "name": section.name,
        "normalized_name": section.normalized_name,
        "path": section.path,
        "parent_path": section.parent_path,
        "anchor": section.anchor,
        "chunk_count": section.chunk_count,
        "start_chunk_idx": section.start_chunk,
        "end_chunk_idx": section.end_chunk,
        "start_line": section.start_line,
        "end_line": section.end_line,
        "version": document.content_hash,
        "createdAt": date(document.updated_at or document.created_at),
        records.EMBEDDING: _floats(vector),
    }


def chunk_values(workspace: str, document: Document, chunk: Chunk, vector: Vector, date: Spelling) -> Values:
    """The properties of a Chunk node."""
    return {
        "id": chunk.id,
        "group_id": workspace,
        "document_id": chunk.document_id,
        "section_id": chunk.section_id,
        "chunk_index": chunk.index,
        "text": chunk.text,
        "start_line": chunk.start_line,
        "end_line": chunk.end_line,
        "keywords": list(chunk.keywords),
        "created_at": date(document.updated_at or document.created_at),
        "version": document.content_hash,
        records.EMBEDDING: _floats(vector),
    }


def type_values(workspace: str, kind: SectionType, date: Spelling) -> Values:
    """The properties of a SectionType node. The centroid is a plain list: vectors are not read back."""
    return {
        "id": kind.id,
        "group_id": workspace,
        "canonical_name": kind.canonical_name,
        "normalized_name": kind.normalized_name,
        "member_count": kind.member_count,
        "common_variants": list(kind.common_variants),
        "centroid": _floats(kind.centroid) or [],
        "createdAt": date(kind.created_at),
        "updatedAt": date(kind.updated_at),
    }


def document(row: Sequence[Any]) -> Document:
    """A document from the columns of `DOCUMENT`."""
    key, title, content_hash, episode, path, directory, form, thread = map(records.text, row[:8])
    position, chunk_count = map(_number, row[8:10])
    reference_time, created_at, updated_at = map(records.read_date, row[10:13])
    return Document(
        key,
        title,
        content_hash,
        episode,
        path,
        directory,
        form,
        thread,
        position,
        chunk_count,
        reference_time,
        created_at,
        updated_at,
        _texts(row[13]),
    )


def section(row: Sequence[Any]) -> Section:
    """A section from the columns of `SECTION`."""
    key, document_id, name, normalized_name, path, parent_path, anchor = map(records.text, row[:7])
    level, chunk_count, start_chunk, end_chunk, start_line, end_line = map(_number, row[7:13])
    return Section(
        key,
        document_id,
        level,
        name,
        normalized_name,
        path,
        parent_path,
        anchor,
        chunk_count,
        start_chunk,
        end_chunk,
        start_line,
        end_line,
    )


def chunk(row: Sequence[Any]) -> Chunk:
    """A chunk from the columns of `CHUNK`."""
    key, document_id, section_id, text = map(records.text, row[:4])
    index, start_line, end_line = map(_number, row[4:7])
    return Chunk(key, document_id, section_id, index, text, start_line, end_line, _texts(row[7]))


def section_type(row: Sequence[Any]) -> SectionType:
    """A section type from the columns of `SECTION_TYPE`."""
    key, canonical_name, normalized_name = map(records.text, row[:3])
    variants, members, centroid = row[3:6]
    created_at, updated_at = (records.read_date(value) or clock.EARLIEST for value in row[6:])
    return SectionType(
        key,
        canonical_name,
        normalized_name,
        _texts(variants),
        tuple(sorted(_texts(members))),
        tuple(map(float, centroid or ())),
        created_at,
        updated_at,
    )


def similar(row: Sequence[Any]) -> SimilarChunks:
    """A link from the ids of both chunks and how alike they are."""
    first, second, similarity = row
    return SimilarChunks(records.text(first), records.text(second), float(similarity))


def structured(
    documents: Iterable[Sequence[Any]], sections: Iterable[Sequence[Any]], chunks: Iterable[Sequence[Any]]
) -> dict[str, StructuredDocument]:
    """Documents by id with the parts of the same version in order, from rows."""
    below: defaultdict[tuple[str, str], list[Section]] = defaultdict(list)
    within: defaultdict[tuple[str, str], list[Chunk]] = defaultdict(list)
    for row in sections:
        below[records.text(row[1]), records.text(row[-1])].append(section(row))
    for row in chunks:
        within[records.text(row[1]), records.text(row[-1])].append(chunk(row))
    return {
        head.id: StructuredDocument(
            head,
            tuple(sorted(below[head.id, head.content_hash], key=_reading_order)),
            tuple(sorted(within[head.id, head.content_hash], key=lambda c: (c.index, c.id))),
        )
        for head in latest(map(document, documents))
    }


def latest(documents: Iterable[Document]) -> list[Document]:
    """Each document once, by id: of two that a crash left beside each other the later."""
    ordered = sorted(documents, key=lambda one: (one.updated_at or clock.EARLIEST, one.content_hash))
    return sorted({one.id: one for one in ordered}.values(), key=lambda one: one.id)


def steps_down(sections: Iterable[Section]) -> list[tuple[str, str]]:
    """The ids of parent and child; the parent is the nearest section before that has the child's `parent_path`."""
    last: dict[str, str] = {}
    steps = []
    for one in sorted(sections, key=_reading_order):
        if one.parent_path in last:
            steps.append((last[one.parent_path], one.id))
        last[one.path] = one.id
    return steps


def _reading_order(section: Section) -> tuple[int, int, str]:
    return section.start_line, section.level, section.id


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _floats(vector: Vector) -> list[float] | None:
    """A vector as plain floats, of whatever kind its numbers are; None for none."""
    return None if vector is None or not len(vector) else list(map(float, vector))


def _texts(values: Iterable[Any] | None) -> tuple[str, ...]:
    return tuple(map(records.text, values or ()))
