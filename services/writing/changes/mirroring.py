"""Brings a mirror in step with elements that were changed in the graph."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from services.context import OpenWorkspace
from services.core.models import GraphWrite, StructuredDocument
from services.graph import raw

_LINKS = {"SEMANTICALLY_SIMILAR", "INSTANCE_OF", "SectionType"}
"""What the links between sections and chunks are made of."""


def bring_in_step(workspace: OpenWorkspace, keys: Iterable[str], documents: Sequence[StructuredDocument] = ()) -> None:
    """Read again what these keys name, and have the mirror take it over. `documents` are known already."""
    if not workspace.services.mirrors.wants(workspace.name):
        workspace.services.mirrors.written(workspace.name, GraphWrite())
        return
    ids = _ids_by_label(keys)
    read, graph = workspace.services.bridge.run, workspace.graph
    found = GraphWrite(
        read(graph.entities(workspace.name, ids["Entity"]), timeout=None),
        read(graph.facts(workspace.name, ids[raw.FACT]), timeout=None),
        read(graph.episodes(workspace.name, ids["Episodic"]), timeout=None),
    )
    known = {whole.document.id for whole in documents}
    there = [*documents, *read(_documents(workspace, ids["Document"] - known), timeout=None)]
    links = None
    if ids.keys() & _LINKS:
        types, pairs = graph.documents.section_types(workspace.name), graph.documents.similar(workspace.name)
        links = read(types, timeout=None), read(pairs, timeout=None)
    workspace.services.mirrors.written(
        workspace.name,
        found,
        gone_entities=ids["Entity"] - {one.uuid for one in found.entities},
        gone_facts=ids[raw.FACT] - {one.uuid for one in found.facts},
        gone_episodes=ids["Episodic"] - {one.uuid for one in found.episodes},
        documents=there,
        gone_documents=ids["Document"] - {whole.document.id for whole in there},
        links=links,
        merged=read(graph.merged(workspace.name), timeout=None) if "MergedEntity" in ids else None,
    )


async def _documents(workspace: OpenWorkspace, ids: Iterable[str]) -> list[StructuredDocument]:
    return [whole async for batch in workspace.graph.documents.scan(workspace.name, ids) for whole in batch]


def _ids_by_label(keys: Iterable[str]) -> dict[str, set[str]]:
    """The uuids and ids that keys hold, by label or type; a link is known by its source, a mention is its episode's."""
    found: dict[str, set[str]] = defaultdict(set)
    for key in keys:
        if raw.is_link(key):
            type, source, _ = raw.link_parts(key)
            if type == "MENTIONS" or type in _LINKS:
                found["Episodic" if type == "MENTIONS" else type].add(raw.node_parts(source)[1])
        else:
            label, id = raw.node_parts(key)
            found[label].add(id)
    return found
