"""Writes what means the same into graph and mirror: links between chunks, types of sections."""

from collections.abc import Collection, Sequence

import numpy as np

from services.context import OpenWorkspace
from services.core.change_records import Origin
from services.core.models import SectionType
from services.core.wording import counted
from services.retrieval.embedder import embed_texts, model_of
from services.retrieval.items import text_key
from services.retrieval.links import section_types, similar_chunks
from services.writing.change_sets import writing
from services.writing.edits import Edit, Line
from services.writing.record_times import record_instant

CLEAN_UP = Origin("clean-up")


def link_chunks(workspace: OpenWorkspace, chunk_ids: Collection[str] | None = None) -> int:
    """Link these chunks to those that mean nearly the same; without `chunk_ids` all of them, in the place of the links
    there were. Returns how many links were made.
    """
    ready = workspace.services.indexes.of(workspace.name)
    there = np.flatnonzero(ready.alive["chunk"])
    ids = [ready.index.ids["chunk"][place] for place in there.tolist()]
    segments = (ready.index.main["chunk"], ready.index.later["chunk"])
    vectors = np.concatenate([segment.vectors for segment in segments])[there]
    new = [place for place, id in enumerate(ids) if chunk_ids is None or id in chunk_ids]
    pairs = similar_chunks(ids, vectors, new)
    only = chunk_ids is None
    if pairs or only:
        edit, line = Edit(similar=tuple(pairs), only_similar=only), Line("other", f"{len(pairs):,} links")
        with writing(workspace) as writer:
            writer.apply(edit, title="Links between passages", origin=CLEAN_UP, lines=[line])
    return len(pairs)


def rebuild_section_types(workspace: OpenWorkspace) -> Sequence[SectionType]:
    """Group the workspace's sections by what their headings mean, in the place of the groups there were."""
    mirror, embedder = workspace.mirror, workspace.services.indexes.embedder
    sections = mirror.section_rows()
    names = sorted({section.name for section in sections})
    embed_texts(mirror, embedder, names)
    vectors, _ = mirror.vectors.of([text_key(name) for name in names], model_of(embedder))
    held = {one.id: one for one in mirror.section_types()}
    types = section_types(sections, dict(zip(names, vectors, strict=True)), held, record_instant(workspace))
    with writing(workspace) as writer:
        edit, line = Edit(section_types=tuple(types)), Line("other", counted(len(types), "section type"))
        writer.apply(edit, title="Section types", origin=CLEAN_UP, lines=[line])
    return types
