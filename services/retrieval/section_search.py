"""Questions for a part of somebody's document, or for that part of all documents: sections first, then their chunks."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from services.mirror.mirror import Mirror
from services.mirror.search_rows import SectionRow
from services.mirror.vectors import Vectors
from services.retrieval.catalog import headings
from services.retrieval.embedder import Embedder, model_of
from services.retrieval.items import text_key
from services.retrieval.lexical import Scores
from services.retrieval.links import SAME_HEADING
from services.retrieval.routing import Route
from services.retrieval.section_owners import SectionOwners
from services.retrieval.section_variants import is_on, parts_asked
from services.retrieval.tokens import stems

SECTION_WEIGHT, CHUNK_WEIGHT = 0.6, 0.4

SECTION_THRESHOLD = 0.52
"""From which cosine on a heading is taken for what was asked for, with MiniLM: of 50 pairs that were judged by hand it
takes 15 of 26 that say the same and 1 of 24 that do not (tests/services/retrieval/test_section_search.py)."""

VARIANT_SIMILARITY = 0.75
"""How similar a heading is at least that is another name of the part, and what stands below such a heading."""

OF_ITS_TYPE = 0.9
"""How much of a heading's similarity the others of its type of section share."""

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
        self._mirror = mirror
        self._embedder = embedder
        self._sections = mirror.section_rows()
        places = {(section.document_id, section.path): place for place, section in enumerate(self._sections)}
        self._parents = [places.get((one.document_id, one.path.rpartition(" > ")[0]), -1) for one in self._sections]
        self._names = list(dict.fromkeys(section.name for section in self._sections))
        numbers = {name: number for number, name in enumerate(self._names)}
        self._name_of = np.array([numbers[section.name] for section in self._sections], np.int64)
        self.owners = SectionOwners(self._sections, self._parents)

    def has_heading(self, names: Sequence[str], heading: str) -> bool:
        """True where something that bears one of the names has a section of that heading."""
        alike = self._alike(heading)
        return bool(alike) and any(self._name_of[place] in alike for place in self.owners.owned_by(names))

    def _alike(self, heading: str) -> set[int]:
        """The headings that read so, with those of the same types of section."""
        same = self._by_stems.get(" ".join(stems(heading)), set())
        types = (set(self._name_of[members].tolist()) for members in self._types) if same else ()
        return same.union(*(names for names in types if names & same))

    def find(self, asked: Route, wanted: Vectors, cosines: Mapping[str, float]) -> list[ScopedChunk]:
        """The chunks of the sections that a question asks for, best first; `wanted` is the section query's vector.

        A name scopes to what it owns. `cosines` are the similarities of the chunks that may be found to the question.
        """
        if not self._sections:
            return []
        similar = self._similarities(asked.section_query or "", wanted)
        places = self.owners.owned_by(asked.names) if asked.names else range(len(self._sections))
        found = [
            ScopedChunk(chunk_id, self._sections[place], float(similar[place]), cosines[chunk_id])
            for place in sorted(places)
            if similar[place] >= SECTION_THRESHOLD
            for chunk_id in self._chunks.get(self._sections[place].id, ())
            if chunk_id in cosines
        ]
        if asked.names:
            found = [one for one in found if one.combined_score >= NAMED_BY_DOCUMENT]
        found = self._mentioning(asked.topics, found)
        return sorted(found, key=lambda one: (-one.combined_score, one.chunk_id))

    def _similarities(self, section_query: str, wanted: Vectors) -> Scores:
        """How alike each section's heading and the part asked for are: by meaning, by other names of the part, and by
        other headings of its type of section."""
        cosine: Scores = (self._name_vectors @ wanted)[self._name_of]
        similar = np.where(self._below(section_query), np.maximum(cosine, VARIANT_SIMILARITY), cosine)
        for members in self._types:
            best = float(similar[members].max())
            if best >= SAME_HEADING:
                similar[members] = np.maximum(similar[members], OF_ITS_TYPE * best)
        return similar.astype(np.float32)

    def _below(self, section_query: str) -> NDArray[np.bool_]:
        """Which sections have a heading that names the part, or stand below one."""
        parts = parts_asked(section_query)
        same = self._by_stems.get(" ".join(stems(section_query)), set()) if section_query else set()
        named = [number in same or is_on(name, parts) for number, name in enumerate(self._names)]
        found = np.zeros(len(self._sections), bool)
        for place, parent in enumerate(self._parents):
            found[place] = named[self._name_of[place]] or (parent >= 0 and found[parent])
        return found

    def _mentioning(self, topics: Sequence[str], found: list[ScopedChunk]) -> list[ScopedChunk]:
        """Those of the chunks that mention the topics, in their text, their headings or their document's title."""
        wanted = {stem for topic in topics for stem in stems(topic)}
        if not wanted or not found:
            return found
        texts = {id: chunk.text for id, chunk in self._mirror.chunks({one.chunk_id for one in found}).items()}
        return [
            one
            for one in found
            if wanted
            <= set(stems(" ".join((one.section.title, *headings(one.section.path), texts.get(one.chunk_id, "")))))
        ]

    @cached_property
    def _by_stems(self) -> dict[str, set[int]]:
        """The headings by their stems."""
        found: dict[str, set[int]] = defaultdict(set)
        for number, name in enumerate(self._names):
            found[" ".join(stems(name))].add(number)
        return found

    @cached_property
    def _chunks(self) -> dict[str, list[str]]:
        return self._mirror.chunks_by_section()

    @cached_property
    def _name_vectors(self) -> Vectors:
        """The headings' vectors; those that the mirror lacks are made."""
        found, there = self._mirror.vectors.of([text_key(name) for name in self._names], model_of(self._embedder))
        lacking = [place for place in range(len(self._names)) if not there[place]]
        if lacking:
            found[lacking] = self._embedder.embed([self._names[place] for place in lacking])
        return found

    @cached_property
    def _types(self) -> list[NDArray[np.intp]]:
        """The places of the sections of each type that sections of several documents have in common."""
        places = {section.id: place for place, section in enumerate(self._sections)}
        types = ([places[id] for id in one.section_ids if id in places] for one in self._mirror.section_types())
        return [np.array(members, np.intp) for members in types if members]
