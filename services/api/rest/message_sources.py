"""The passages that stand beside an answer: found for the question, kept with the message, filled in where old ones
lack something."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from services.context import OpenWorkspace
from services.core.errors import AsofError
from services.core.json_documents import Json
from services.core.models import Document
from services.retrieval.graphrag_recipe import CANDIDATES
from services.retrieval.hits import Hit
from services.retrieval.query import LONGEST_TEXT, Query
from services.retrieval.routing import Route

MOST_SOURCES = 8
_LONGEST = 500
_NAMED, _IN_NAMED_FILE, _ANYWAY = 0.3, 0.4, 0.7
"""The least similarity of a passage with the name that is asked for, in a file of that name, and of any other."""
_BOOST = 0.4
_WORD = re.compile(r"\w+")


def find_sources(workspace: OpenWorkspace, question: str) -> list[Json]:
    """Return the passages that a question is about, best first; of a person who is named that person's alone."""
    asked = Query(
        question[:LONGEST_TEXT], ("chunk",), CANDIDATES, recipe="graphrag", keyword_match="any", keyword_boost=_BOOST
    )
    found = workspace.search(asked)
    people = _people(found.route)
    return [source_document(hit) for hit in found.hits if _is_asked_for(hit, people)][:MOST_SOURCES]


def source_document(hit: Hit, longest: int | None = _LONGEST) -> Json:
    """Return a passage for JSON."""
    chunk, section = hit.chunk, hit.section
    metadata = {
        "chunk_id": hit.id,
        "chunk_index": chunk.index if chunk else None,
        "file_id": chunk.document_id if chunk else None,
        "start_line": chunk.start_line if chunk else None,
        "end_line": chunk.end_line if chunk else None,
        "section_path": section.path if section else None,
        "routing": hit.routing,
    }
    return {
        **_file(hit.document),
        "text": hit.text[:longest],
        "similarity": round(hit.vector_score, 6),
        "hybrid_score": round(hit.hybrid_score, 6),
        "metadata": metadata,
    }


def shown_sources(workspace: OpenWorkspace, kept: Sequence[Mapping[str, Any]]) -> list[Json]:
    """Return the sources of a message as it keeps them.

    Those of an answer that was given on a page are what its tools read; what they lack of their document is filled in
    while there is such a document, and null else.
    """
    found = [dict(one) for one in kept if "n" not in (one.get("metadata") or {})]
    return found or _filled(workspace, kept)[:MOST_SOURCES]


def _filled(workspace: OpenWorkspace, kept: Sequence[Mapping[str, Any]]) -> list[Json]:
    sources = [{"text": "", "similarity": None, "hybrid_score": None, "metadata": {}, **one} for one in kept]
    passages = {str(one["metadata"].get("id")) for one in sources if one["metadata"].get("kind") == "chunk"}
    files = _files_of(workspace, sorted(passages))
    return [_with_file(one, files.get(str(one["metadata"].get("id")))) for one in sources]


def _files_of(workspace: OpenWorkspace, passages: Sequence[str]) -> Mapping[str, Document | None]:
    try:
        return {id: found[1] for id, found in workspace.mirror.with_surroundings(passages).items()}
    except AsofError:  # a message is shown without its mirror too
        return {}


def _with_file(source: Json, document: Document | None) -> Json:
    known = {name: source.get(name) or value for name, value in _file(document).items()}
    return {**source, **known, "text": str(source["text"])[:_LONGEST]}


def _file(document: Document | None) -> Json:
    if document is None:
        return {"file_name": None, "file_path": None, "directory_name": None}
    name = PurePath(document.path).name or document.title or document.id
    return {"file_name": name, "file_path": document.path, "directory_name": document.directory}


def _people(route: Route) -> list[set[str]]:
    """Return the words of each name in a question."""
    return [words for name in route.names if (words := _words(name))]


def _is_asked_for(hit: Hit, people: Sequence[set[str]]) -> bool:
    """Say whether a passage is on the one who is named: near enough, or of the very section that is asked for."""

    def is_near(least: float) -> bool:
        return hit.routing == "hard" or hit.vector_score >= least

    if not people or _names_one(hit.text, people):
        return is_near(_NAMED)
    file = f"{hit.document.title} {hit.document.path}" if hit.document else ""
    return hit.vector_score >= _ANYWAY or (is_near(_IN_NAMED_FILE) and _names_one(file, people))


def _names_one(text: str, people: Iterable[set[str]]) -> bool:
    held = _words(text)
    return any(person <= held for person in people)


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text.replace("_", " "))}
