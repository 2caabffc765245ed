"""A document's sections and chunks, from its readable text."""

from dataclasses import replace
from itertools import accumulate

from services.core.models import Chunk, Document, Section, StructuredDocument
from services.documents import markdown, restructured
from services.documents.chunking import Lines, Span, chunk_spans, keywords
from services.documents.outline import Outline
from services.documents.sections import Place, Unique, anchor, places, regions, section_name


def structured(document: Document, text: str) -> StructuredDocument:
    """Return the document with its sections and chunks; `text` comes from `readable`, so HTML is Markdown by now."""
    outline = outline_of(document.format, text)
    lines = Lines(text)
    standing = places(outline.headings, lines.count)
    ids = _section_ids(document.id, standing)
    chunks: list[Chunk] = []
    counts = []
    for section_id, (start, end) in zip(["", *ids], regions(outline.headings, lines.count), strict=True):
        spans = chunk_spans(lines, outline, start, end)
        numbered = enumerate(spans, start=len(chunks))
        chunks += [_chunk(document.id, section_id, index, lines, span) for index, span in numbered]
        counts.append(len(spans))
    sections = _sections(document.id, standing, ids, counts)
    return StructuredDocument(replace(document, chunk_count=len(chunks)), sections, tuple(chunks))


def outline_of(format: str, text: str) -> Outline:
    """The headings and blocks of a text in this format; in a format that we do not know, there are none."""
    if format in ("markdown", "html"):
        return markdown.outline(text)
    return restructured.outline(text) if format == "rst" else Outline()


def _section_ids(document_id: str, standing: list[Place]) -> list[str]:
    unique = Unique("_", first=2)
    return [
        unique(f"{document_id}:section:Level_{place.level}_{section_name(place.heading.name)}") for place in standing
    ]


def _sections(document_id: str, standing: list[Place], ids: list[str], counts: list[int]) -> tuple[Section, ...]:
    """Sections by their places; `counts` has the number of chunks before the first heading and under each."""
    unique_anchor = Unique("-", first=1)
    return tuple(
        Section(
            id=section_id,
            document_id=document_id,
            level=place.level,
            name=place.heading.name,
            normalized_name=section_name(place.heading.name).lower(),
            path=place.path,
            parent_path=place.parent_path,
            anchor=unique_anchor(anchor(place.heading.name), empty="section"),
            chunk_count=count,
            start_chunk=before if count else -1,
            end_chunk=before + count - 1 if count else -1,
            start_line=place.heading.start + 1,
            end_line=place.end,
        )
        for place, section_id, before, count in zip(standing, ids, accumulate(counts[:-1]), counts[1:], strict=True)
    )


def _chunk(document_id: str, section_id: str, index: int, lines: Lines, span: Span) -> Chunk:
    text = lines.text[slice(*span)]
    return Chunk(
        id=f"{document_id}:chunk:{index}",
        document_id=document_id,
        section_id=section_id,
        index=index,
        text=text,
        start_line=lines.of(span[0]) + 1,
        end_line=lines.of(span[1] - 1) + 1,
        keywords=keywords(text),
    )
