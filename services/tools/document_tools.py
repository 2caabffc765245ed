"""Tools that read documents: passages by meaning, and a document's text, sections and versions."""

from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import Field

from services.core.errors import BadInput
from services.core.json_documents import Json, instants_document, spelled
from services.core.models import Chunk, Document, Episode, Section, StructuredDocument
from services.documents.structure import structured
from services.documents.versions import as_version
from services.language.names import of_name
from services.queries.facts_at import Name
from services.retrieval.query import Query
from services.tools import wording
from services.tools.mirror_fallback import from_mirror, nothing
from services.tools.tool import Context, ResultItem, ToolResult

_UNAVAILABLE = "Documents are currently unavailable: Asof has not read the graph yet."


@from_mirror(_UNAVAILABLE)
def search_knowledge(
    context: Context,
    query: Annotated[Name, Field(description="What to look for, in plain words.")],
    limit: Annotated[int, Field(ge=1, le=20, description="Maximum number of passages.")] = 8,
    document: Annotated[Name | None, Field(description="Only this document: its id or title.")] = None,
) -> ToolResult:
    """Search the TEXT of documents for relevant passages.

    Use this for what documents say: reasons, explanations, definitions, wording. NOT for entity relationships or
    dated facts: use search_knowledge_graph, facts_at or get_entity_history. NOT to read more of a known document:
    use get_document_context.
    """
    within = documents_named(context, document) if document else ()
    asked = {"query": query, "document": document, **instants_document(context.at)}
    if document and not within:
        return nothing({**asked, "total": 0, "results": []}, no_document(context, document))
    sought = Query(query, ("chunk",), limit, known_at=context.known_at, documents=tuple(one.id for one in within))
    found = context.workspace.search(sought)
    hits = [(hit, hit.chunk) for hit in found.hits if hit.chunk is not None]
    results = [
        {
            "id": chunk.id,
            "document_id": chunk.document_id,
            "title": hit.document.title if hit.document else None,
            "section": hit.section.path if hit.section else None,
            "start_line": chunk.start_line,
            "end_line": chunk.end_line,
            "text": chunk.text,
            "score": round(hit.score, 6),
        }
        for hit, chunk in hits
    ]
    return ToolResult(
        {**asked, "total": len(hits), "results": results},
        tuple(_chunk_item(chunk, hit.document, hit.section, f", score {hit.score:.2f}") for hit, chunk in hits),
        len(hits),
        heading=found.heading,
        message="No passages match. This workspace may have no documents.",
        truncation="{total} passages match. Narrow the query, or ask for one document.",
        summary=wording.counted(len(hits), "passage"),
        rows=tuple({key: row[key] for key in ("document_id", "title", "section", "score")} for row in results),
        is_whole=False,
    )


def _chunk_item(chunk: Chunk, document: Document | None, section: Section | None, more: str = "") -> ResultItem:
    title = (document.title or document.id) if document else chunk.document_id
    place = title + (f" > {section.path}" if section else "")
    text = f"- {place}, lines {chunk.start_line}-{chunk.end_line}{more}:\n{chunk.text}"
    return ResultItem(text, chunk=chunk, document=document)


@from_mirror(_UNAVAILABLE)
def get_document_context(
    context: Context,
    document: Annotated[Name, Field(description="The document's id or its title.")],
    section: Annotated[Name | None, Field(description="Only this section: its heading, path or anchor.")] = None,
    start_line: Annotated[int | None, Field(ge=1, description="From this line, counted from 1.")] = None,
    end_line: Annotated[int | None, Field(ge=1, description="To this line, included.")] = None,
) -> ToolResult:
    """Read ONE document, given its id or title: its text, sections and versions.

    Use this to read closely after search_knowledge, by section or by lines, and to list the versions of a document.
    NOT to find out which document says something: use search_knowledge. NOT for recent changes across documents: use
    get_change_history.
    """
    if start_line is not None and end_line is not None and end_line < start_line:
        raise BadInput(f"end_line: {end_line} is before start_line {start_line}.")
    named = documents_named(context, document)
    missing: Json = {"document": None, **instants_document(context.at), "text": "", "sections": [], "versions": []}
    if not named:
        return nothing(missing, no_document(context, document))
    reading = _reading(context, named[0])
    if reading is None:
        message = f"“{document}” existed then, but its text from that time no longer exists."
        return nothing({**missing, "document": _record(known_document(context, named[0]))}, message)
    shown = None if section is None else _section(reading.parts, section)
    first = max(start_line or 1, shown.start_line if shown else 1)
    last = min(end_line or _NO_END, shown.end_line if shown else _NO_END)
    return _read(context, reading, shown, first, last)


_NO_END = 2**31
_LONGEST_HEADING = 600
_MOST_NEAR = 5
_OF_A_SECTION = ("name", "path", "level", "anchor", "start_line", "end_line")


def _section(whole: StructuredDocument, asked: str) -> Section:
    """The section of that path, heading or anchor. Raises `BadInput` that names some there are."""
    for spelling in ("path", "name", "anchor"):
        found: list[Section] = of_name(whole.sections, asked.strip(), lambda one, by=spelling: str(getattr(one, by)))  # type: ignore[misc]
        if found:
            return found[0]
    known = wording.names([one.name for one in whole.sections])
    raise BadInput(f"section: the document has no section “{asked}”.", f"Sections: {known}." if known else "")


@dataclass(frozen=True, slots=True)
class _Reading:
    """The version of a document that is read, with its parts, and all the versions that were known."""

    parts: StructuredDocument
    text: str
    episode_id: str
    versions: tuple[Episode, ...]
    is_present: bool


def _reading(context: Context, document: Document) -> _Reading | None:
    """The version that was known at `known_at`; None where its text is not kept.

    The parts of an older one are found in its text again: the mirror has those of the present one alone.
    """
    versions, is_present = versions_of(context, document), _is_present(context, document)
    shown = [(record, e) for record, e in versions if is_present == (e.uuid == document.episode_uuid)]
    if not shown:
        return None
    record, episode = shown[0]
    parts = context.mirror.document(document.id) if is_present else None
    every = tuple(one for _, one in versions)
    return _Reading(parts or structured(record, episode.content), episode.content, episode.uuid, every, is_present)


def versions_of(context: Context, document: Document) -> list[tuple[Document, Episode]]:
    """What the document was by `known_at`, newest first, each time with the episode of its text."""
    possible = context.mirror.possible_versions(document, context.at.known_at)
    found = ((as_version(context.workspace.name, document, episode), episode) for episode in possible)
    return [(record, episode) for record, episode in found if record is not None]


def _is_present(context: Context, document: Document) -> bool:
    """True when the present version was there at `known_at`."""
    return document.updated_at is None or document.updated_at <= context.at.known_at


def _read(context: Context, reading: _Reading, section: Section | None, first: int, last: int) -> ToolResult:
    """The text from line `first` to `last`."""
    whole, lines = reading.parts, reading.text.splitlines()
    last = min(last, max(len(lines), 1))
    chunks = [c for c in whole.chunks if reading.is_present and c.start_line <= last and c.end_line >= first]
    under = {one.id: one for one in whole.sections}
    document = {
        "document": _record(whole.document),
        **instants_document(context.at),
        "section": section.path if section else None,
        "start_line": first,
        "end_line": last,
        "text": "\n".join(lines[first - 1 : last]),
        "sections": [{name: getattr(one, name) for name in _OF_A_SECTION} for one in whole.sections],
        "versions": [
            {
                "episode_id": one.uuid,
                "created_at": spelled(one.created_at),
                "valid_at": spelled(one.valid_at),
                "shown": one.uuid == reading.episode_id,
            }
            for one in reading.versions
        ],
    }
    items = [_chunk_item(chunk, whole.document, under.get(chunk.section_id)) for chunk in chunks]
    if not reading.is_present and document["text"]:  # chunks that can be cited are the present version's
        title = whole.document.title or whole.document.id
        items = [
            ResultItem(
                f"- {title}, an older version, lines {first}-{last}:\n{document['text']}", document=whole.document
            )
        ]
    return ToolResult(
        document,
        tuple(items),
        len(items),
        heading=_heading(whole, len(lines), len(reading.versions)),
        message="These lines contain no text.",
        truncation="{total} passages in all. Ask for a section, or from a later start_line.",
        summary=wording.counted(len(items), "passage"),
        rows=tuple({"start_line": c.start_line, "end_line": c.end_line, "id": c.id} for c in chunks),
    )


def _heading(whole: StructuredDocument, lines: int, versions: int) -> str:
    sections = wording.names([one.name for one in whole.sections], 20)
    title = whole.document.title or whole.document.id
    head = f"{title} ({whole.document.id}): {wording.counted(lines, 'line')}, {wording.counted(versions, 'version')}."
    return wording.shortened(head + (f" Sections: {sections}." if sections else ""), _LONGEST_HEADING)


def _record(document: Document) -> Json:
    times = {name: spelled(getattr(document, name)) for name in ("reference_time", "created_at", "updated_at")}
    return {"id": document.id, "title": document.title, "path": document.path, "format": document.format, **times}


def documents_named(context: Context, name: str | None) -> tuple[Document, ...]:
    """The documents of that id, title or path, or all of them; those alone that were taken in by `known_at`.

    Titles and paths are those that they had then.
    """
    known_at = context.at.known_at
    known = [d for d in context.mirror.documents() if d.created_at is None or d.created_at <= known_at]
    if name is None:
        return tuple(known)
    if by_id := of_name(known, name, lambda one: one.id):
        return tuple(by_id)
    then = [(known_document(context, document), document) for document in known]
    found = of_name(then, name, lambda one: one[0].title) or of_name(then, name, lambda one: one[0].path)
    return tuple(document for _, document in found)


def no_document(context: Context, name: str) -> str:
    """What to say of a document that there is not; titles that hold the name are offered."""
    then = (known_document(context, document) for document in documents_named(context, None))
    near = [d.title or d.id for d in then if name.casefold() in (d.title + d.id).casefold()][:_MOST_NEAR]
    return f"There is no document “{name}”." + (f" Available: {', '.join(near)}." if near else "")


def known_document(context: Context, document: Document) -> Document:
    """The document's record as it was at `known_at`: its title may have come later."""
    if _is_present(context, document):
        return document
    versions = versions_of(context, document)
    return versions[0][0] if versions else replace(document, title="", reference_time=None, updated_at=None)
