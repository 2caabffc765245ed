"""Writes what means the same into graph and mirror: links between chunks, types of sections."""

from collections.abc import Collection, Sequence

import numpy as np

from services import clock
from services.bootstrap import Services
from services.models import SectionType
from services.retrieval.items import text_key
from services.retrieval.links import section_types, similar_chunks


def link_chunks(services: Services, workspace: str, chunk_ids: Collection[str] | None = None) -> int:
    """Link these chunks, or all, to those that mean nearly the same; returns how many links there are of them."""
    index = services.indexes.of(workspace).index
    ids = index.ids("chunk")
    vectors = np.concatenate([index.main["chunk"].vectors, index.later["chunk"].vectors])
    new = [place for place, id in enumerate(ids) if chunk_ids is None or id in chunk_ids]
    pairs = similar_chunks(ids, vectors, new)
    if pairs:
        services.bridge.run(services.graph.documents.write_similar(workspace, pairs), timeout=None)
        services.mirrors.of(workspace).link_chunks(pairs)
    return len(pairs)


def rebuild_section_types(services: Services, workspace: str) -> Sequence[SectionType]:
    """Group the workspace's sections by what their headings mean, in the place of the groups there were."""
    mirror = services.mirrors.of(workspace)
    sections = mirror.section_rows()
    names = sorted({section.name for section in sections})
    vectors, there = mirror.vectors.of([text_key(name) for name in names], services.indexes.embedder.dimension)
    known = {name: vector for name, vector, found in zip(names, vectors, there, strict=True) if found}
    held = {one.id: one for one in mirror.section_types()}
    types = section_types([s for s in sections if s.name in known], known, held, clock.now())
    services.bridge.run(services.graph.documents.replace_section_types(workspace, types), timeout=None)
    mirror.hold_links(types, mirror.similar_chunks())
    return types
