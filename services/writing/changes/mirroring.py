"""Brings a mirror in step with elements that were changed in the graph."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from services.context import OpenWorkspace
from services.core.models import GraphWrite, StructuredDocument
from services.graph import raw


@dataclass(frozen=True, slots=True)
class _Records:
    """The records that elements belong to, by uuid and by id."""

    entities: frozenset[str]
    facts: frozenset[str]
    episodes: frozenset[str]
    documents: frozenset[str]
    linked: bool
    merged: bool


def bring_in_step(workspace: OpenWorkspace, keys: Iterable[str], documents: Sequence[StructuredDocument] = ()) -> None:
    """Read again what these keys name, and have the mirror take it over. `documents` are known already."""
    records = _records(keys)
    if not workspace.services.mirrors.wants(workspace.name):
        workspace.services.mirrors.written(workspace.name, GraphWrite())
        return
    read, graph = workspace.services.bridge.run, workspace.graph
    found = GraphWrite(
        read(graph.entities(workspace.name, records.entities), timeout=None),
        read(graph.facts(workspace.name, records.facts), timeout=None),
        read(graph.episodes(workspace.name, records.episodes), timeout=None),
    )
    known = {whole.document.id for whole in documents}
    there = [*documents, *read(_documents(workspace, records.documents - known), timeout=None)]
    links = None
    if records.linked:
        types, pairs = graph.documents.section_types(workspace.name), graph.documents.similar(workspace.name)
        links = read(types, timeout=None), read(pairs, timeout=None)
    workspace.services.mirrors.written(
        workspace.name,
        found,
        gone_entities=records.entities - {one.uuid for one in found.entities},
        gone_facts=records.facts - {one.uuid for one in found.facts},
        gone_episodes=records.episodes - {one.uuid for one in found.episodes},
        documents=there,
        gone_documents=records.documents - {whole.document.id for whole in there},
        links=links,
        merged=read(graph.merged(workspace.name), timeout=None) if records.merged else None,
    )


async def _documents(workspace: OpenWorkspace, ids: Iterable[str]) -> list[StructuredDocument]:
    return [whole async for batch in workspace.graph.documents.scan(workspace.name, ids) for whole in batch]


def _records(keys: Iterable[str]) -> _Records:
    found: dict[str, set[str]] = {label: set() for label in ("Entity", raw.FACT, "Episodic", "Document")}
    linked = merged = False
    for key in keys:
        if raw.is_link(key):
            type, source, _ = raw.link_parts(key)
            linked = linked or type in ("SEMANTICALLY_SIMILAR", "INSTANCE_OF")
            if type == "MENTIONS":
                found["Episodic"].add(raw.node_parts(source)[1])
        else:
            label, id = raw.node_parts(key)
            linked = linked or label == "SectionType"
            merged = merged or label == "MergedEntity"
            if label in found:
                found[label].add(id)
    return _Records(
        frozenset(found["Entity"]),
        frozenset(found[raw.FACT]),
        frozenset(found["Episodic"]),
        frozenset(found["Document"]),
        linked,
        merged,
    )
