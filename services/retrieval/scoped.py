"""Questions for a part of somebody's document, or for that part of all documents: sections first, then their chunks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from services.mirror.mirror import Mirror
from services.mirror.search_rows import SectionRow
from services.mirror.vectors import Vectors
from services.retrieval.embedder import Embedder, model_of
from services.retrieval.items import text_key
from services.retrieval.routing import Route
from services.retrieval.tokens import tokens

SECTION_WEIGHT, CHUNK_WEIGHT = 0.6, 0.4

SECTION_THRESHOLD = 0.52
"""From which cosine on a heading is taken for what was asked for, with MiniLM: of 50 pairs that were judged by hand it
takes 15 of 26 that say the same and 1 of 24 that do not (tests/services/retrieval/test_scoped.py)."""

NAMED_BY_DOCUMENT = 0.4
"""How well a chunk must match at least whose document bears the name that was asked for."""


@dataclass(frozen=True, slots=True)
class ScopedChunk:
    """A chunk that was found by its section."""

    chunk_id: str
    section: SectionRow
    section_similarity: float
    chunk_similarity: float

    @property
    def combined_score(self) -> float:
        """What it is ranked by."""
        return SECTION_WEIGHT * self.section_similarity + CHUNK_WEIGHT * self.chunk_similarity


class SectionIndex:
    """The sections of a workspace by what their headings mean."""

    def __init__(self, mirror: Mirror, embedder: Embedder) -> None:
        self._sections = mirror.section_rows()
        self._chunks = mirror.chunks_by_section()
        names = list(dict.fromkeys(section.name for section in self._sections))
        self._name_vectors = _vectors(mirror, embedder, names)
        places = {name: place for place, name in enumerate(names)}
        self._names = np.array([places[section.name] for section in self._sections], np.int64)

    def find(self, asked: Route, wanted: Vectors, cosines: Mapping[str, float]) -> list[ScopedChunk]:
        """The chunks of the sections that a question asks for, best first; `wanted` is the section query's vector.

        A name scopes to its documents. `cosines` are the similarities of the chunks that may be found to the question.
        """
        if not self._sections:
            return []
        similar: NDArray[np.float32] = (self._name_vectors @ wanted)[self._names]
        found = [
            ScopedChunk(chunk_id, section, float(similarity), cosines[chunk_id])
            for section, similarity in zip(self._sections, similar, strict=True)
            if similarity >= SECTION_THRESHOLD and (not asked.names or _is_named(section, asked.names))
            for chunk_id in self._chunks.get(section.id, ())
            if chunk_id in cosines
        ]
        if asked.names:
            found = [one for one in found if one.combined_score >= NAMED_BY_DOCUMENT]
        return sorted(found, key=lambda one: (-one.combined_score, one.chunk_id))


def _is_named(section: SectionRow, names: Sequence[str]) -> bool:
    """True where the section's document is called by one of the names."""
    title = {token.lower() for token in tokens(f"{section.title} {section.document_id}".replace("_", " "))}
    return any({token.lower() for token in tokens(name)} <= title for name in names)


def _vectors(mirror: Mirror, embedder: Embedder, names: Sequence[str]) -> Vectors:
    """The names' vectors; those that the mirror lacks are made."""
    found, there = mirror.vectors.of([text_key(name) for name in names], model_of(embedder))
    lacking = [place for place in range(len(names)) if not there[place]]
    if lacking:
        found[lacking] = embedder.embed([names[place] for place in lacking])
    return found
