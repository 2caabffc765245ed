"""What a workspace has to be found, read from its mirror: which items there are, and the texts of those asked for."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from services.core.models import StructuredDocument
from services.mirror.mirror import Mirror
from services.mirror.search_rows import ChunkRow
from services.mirror.vectors import VectorModel, Vectors
from services.retrieval.items import KINDS, NEAR, Kind, SearchItem, chunk_item, entity_item, fact_item, text_key

Signatures = Mapping[str, int]
"""For each id a digest of everything that an index holds of the item."""


@dataclass(frozen=True)
class Catalog:
    """The ids of a workspace with their signatures at one version of its mirror."""

    version: int
    signatures: Mapping[Kind, Signatures]

    @classmethod
    def of(cls, mirror: Mirror) -> "Catalog":
        """What the mirror holds now."""
        return cls(mirror.version, {kind: mirror.signatures(kind) for kind in KINDS})


def read_items(mirror: Mirror, kind: Kind, ids: Collection[str] | None = None) -> list[SearchItem]:
    """The items of a kind, in the mirror's order; all of them, or those of `ids`."""
    asked = None if ids is None else list(ids)
    if kind == "fact":
        return [
            replace(
                fact_item(f.uuid, f.text, f.source, f.relation, f.target, (f.source_uuid, f.target_uuid)),
                signature=f.signature,
            )
            for f in mirror.fact_rows(asked)
        ]
    if kind == "entity":
        return [
            replace(entity_item(e.uuid, e.name, e.types, e.summary), signature=e.signature)
            for e in mirror.entity_rows(asked)
        ]
    rows = mirror.chunk_rows(asked)
    threads = {row.thread for row in rows} - {""}
    whole = rows if asked is None else mirror.thread_rows(sorted(threads)) if threads else []
    whole_threads = (list(found) for thread, found in groupby(whole, key=lambda row: row.thread) if thread)
    near = {row.id: around for thread in whole_threads for row, around in _around(thread)}
    return [
        replace(
            chunk_item(
                row.id,
                row.text,
                title=row.title,
                path=headings(row.section_path),
                thread=row.thread,
                near=near.get(row.id, ()),
                section_id=row.section_id,
                first=row.place == 0,
            ),
            signature=row.signature,
        )
        for row in rows
    ]


def _around(thread: Sequence[ChunkRow]) -> Iterator[tuple[ChunkRow, tuple[str, ...]]]:
    """Each message of a thread, and the texts of those around it."""
    for place, row in enumerate(thread):
        near = [*thread[max(0, place - NEAR) : place], *thread[place + 1 : place + 1 + NEAR]]
        yield row, tuple(other.text for other in near)


def items_of(document: StructuredDocument) -> list[SearchItem]:
    """The chunks of a document as items."""
    paths = {section.id: headings(section.path) for section in document.sections}
    record = document.document
    return [
        chunk_item(
            chunk.id,
            chunk.text,
            title=record.title,
            path=paths.get(chunk.section_id, ()),
            thread=record.thread,
            section_id=chunk.section_id,
            first=chunk.index == 0,
        )
        for chunk in document.chunks
    ]


def headings(path: str) -> list[str]:
    """The headings of a section's path, from the top."""
    return [part.partition(": ")[2] for part in path.split(" > ")] if path else []


def item_vectors(mirror: Mirror, items: Sequence[SearchItem], model: VectorModel) -> Vectors:
    """A row for each item: the mean of its texts' vectors; zeros where the mirror lacks one of them.

    A message's is mixed half and half with the mean of those around it, and is of length 1 again.
    """
    own, whole = _means(mirror, [item.embedded for item in items], model)
    own[~whole] = 0
    placed = np.array([place for place, item in enumerate(items) if item.near], np.intp)
    if len(placed):
        around, _ = _means(mirror, [items[place].near for place in placed], model)
        mixed = own[placed] + around
        own[placed] = mixed / np.maximum(np.linalg.norm(mixed, axis=1, keepdims=True), 1e-9) * whole[placed, None]
    return own


def _means(mirror: Mirror, texts: Sequence[Sequence[str]], model: VectorModel) -> tuple[Vectors, NDArray[np.bool_]]:
    """The mean vector of each group of texts, and for which of them the mirror has all."""
    found = np.zeros((len(texts), model.dimension), np.float32)
    whole = np.ones(len(texts), bool)
    for place in range(max(map(len, texts), default=0)):
        rows = np.array([row for row, own in enumerate(texts) if len(own) > place], np.intp)
        vectors, there = mirror.vectors.of([text_key(texts[row][place]) for row in rows], model)
        found[rows] += vectors
        whole[rows] &= there
    found /= np.maximum([len(own) for own in texts], 1).astype(np.float32)[:, None] if texts else 1
    return found, whole
