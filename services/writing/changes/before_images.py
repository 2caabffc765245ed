"""Which elements an edit touches, and what they are before it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from services.core.errors import BadInput
from services.core.models import Fact, GraphWrite, StructuredDocument
from services.graph import document_records, raw
from services.graph.raw import Image, Raw
from services.graph.store import GraphStore, own_id
from services.writing.changes.merge_delete import operated
from services.writing.edits import Edit

SIMILAR, MEMBER = "SEMANTICALLY_SIMILAR", "INSTANCE_OF"


@dataclass(frozen=True, slots=True)
class BeforeImages:
    """What an edit touches, as it is before, and the keys of what it makes; all else is not touched.

    `now` is when the edit is recorded, as the database spells it.
    """

    before: Image
    made: frozenset[str]
    now: Any

    @property
    def keys(self) -> frozenset[str]:
        """All that is touched."""
        return self.made | self.before.keys()


async def before_images_of(graph: GraphStore, workspace: str, edit: Edit, at: datetime) -> BeforeImages:
    """What an edit touches that is recorded at `at`.

    Raises `BadInput` for records that other programs gave no uuid, which cannot be named.
    """
    check_editable(edit)
    now = graph.raw.instant(at)
    made = frozenset(_made(edit.created)) | frozenset(_parts_and_links(edit.documents))
    touched = {*_replaced(edit), *(raw.node_key("Document", id) for id in edit.tags), *edit.values, *edit.nodes} - made
    mentioning = [raw.node_key("Episodic", e.uuid) for e in edit.replaced.episodes]
    before: dict[str, tuple[Raw, ...]] = {}
    if mentioning:
        hanging = await graph.raw.around(workspace, mentioning)
        mentions = (key for key in hanging if raw.is_link(key) and raw.link_parts(key)[0] == "MENTIONS")
        before = {key: hanging[key] for key in mentions}
    if edit.documents:
        parts = await graph.raw.parts(workspace, [whole.document.id for whole in edit.documents])
        before.update(await graph.raw.around(workspace, parts) if parts else {})
        touched |= parts | (made if parts else frozenset()) - frozenset(_made(edit.created))
    before |= await _linked(graph, workspace, edit)
    before |= await graph.raw.read(workspace, touched - before.keys())
    if edit.merges or edit.gone != Edit().gone:
        before |= await operated_on(graph, workspace, edit)
        with_made = {**before, **graph.raw.expected(workspace, edit.created)}
        after = operated(with_made, edit.merges, edit.gone, now)
        before |= await graph.raw.read(workspace, after.keys() - before.keys() - made)
    return BeforeImages(before, made - before.keys(), now)


async def operated_on(graph: GraphStore, workspace: str, edit: Edit) -> dict[str, tuple[Raw, ...]]:
    """All that merging and deleting may change: the nodes, what hangs on them, and what names what is deleted."""
    gone, store = edit.gone, graph.raw
    nodes = {raw.node_key("Entity", uuid) for uuid in (*gone.entities, *(m.gone for m in edit.merges))}
    nodes |= {raw.node_key("Episodic", uuid) for uuid in gone.episodes}
    nodes |= await store.parts(workspace, gone.documents) if gone.documents else frozenset()
    nodes |= await store.merged_into(workspace, gone.entities) if gone.entities else frozenset()
    image: dict[str, tuple[Raw, ...]] = {**await store.around(workspace, nodes)}
    ends = {raw.node_key("Entity", uuid) for merge in edit.merges for uuid in (merge.gone, merge.kept)}
    uuids = {raw.node_parts(key)[1] for key in image if raw.is_fact(key)} if gone.entities else set()
    naming = await store.naming(workspace, {*uuids, *gone.facts, *gone.episodes})
    wanted = {*nodes, *ends, *naming, *map(raw.fact_key, gone.facts)}
    image |= await store.read(workspace, wanted - image.keys())
    return {**image, **await store.read(workspace, _where_links_move(edit, image) - image.keys())}


async def _linked(graph: GraphStore, workspace: str, edit: Edit) -> dict[str, tuple[Raw, ...]]:
    """What linking chunks and sections may change: links between chunks, types of sections and their members."""
    keys, nodes, kinds = set[str](), set[str](), set[str]()
    for pair in edit.similar:
        ends = [raw.node_key("Chunk", id) for id in sorted((pair.first, pair.second))]
        keys.add(raw.link_key(SIMILAR, *ends))
    if edit.only_similar:
        ids = [document.id for document in await graph.documents.all_documents(workspace)]
        nodes |= {key for key in await graph.raw.parts(workspace, ids) if key.startswith("Chunk:")}
        kinds.add(SIMILAR)
    if edit.section_types is not None:
        held = {kind.id for kind in await graph.documents.section_types(workspace)}
        types = [raw.node_key("SectionType", id) for id in held]
        keys |= {*types, *(raw.node_key("SectionType", kind.id) for kind in edit.section_types)}
        keys |= {
            raw.link_key(MEMBER, raw.node_key("Section", id), raw.node_key("SectionType", kind.id))
            for kind in edit.section_types
            for id in kind.section_ids
        }
        nodes |= set(types)
        kinds.add(MEMBER)
    hanging = await graph.raw.around(workspace, nodes) if nodes else {}
    found = {key: bag for key, bag in hanging.items() if raw.is_link(key) and raw.link_parts(key)[0] in kinds}
    return {**found, **await graph.raw.read(workspace, keys - found.keys())}


def _where_links_move(edit: Edit, image: Image) -> set[str]:
    """The keys of links that a merge may find in the place to which it moves others."""
    entities = {raw.node_key("Entity", m.gone): raw.node_key("Entity", m.kept) for m in edit.merges}
    found = set[str]()
    for key in filter(raw.is_link, image):
        type, *ends = raw.link_parts(key)
        seen = set[str]()
        while any(end in entities for end in ends):
            ends = [entities.get(end, end) for end in ends]
            moved = raw.link_key(type, *ends)
            if moved in seen:
                raise BadInput("These merges form a circle.", "Choose one entity to keep.")
            seen.add(moved)
        found |= seen
    return found


def _made(created: GraphWrite) -> Iterator[str]:
    yield from (raw.node_key("Entity", entity.uuid) for entity in created.entities)
    yield from (raw.fact_key(fact.uuid) for fact in created.facts)
    for episode in created.episodes:
        yield (source := raw.node_key("Episodic", episode.uuid))
        yield from (raw.link_key("MENTIONS", source, raw.node_key("Entity", uuid)) for uuid in episode.entity_uuids)


def _replaced(edit: Edit) -> Iterator[str]:
    """What takes the place of what is there, and the sources that facts are added to."""
    replaced = edit.replaced
    yield from _made(replaced)
    for fact in (*edit.created.facts, *replaced.facts):
        yield from (raw.node_key("Episodic", uuid) for uuid in fact.episodes)


def _parts_and_links(documents: Iterable[StructuredDocument]) -> Iterator[str]:
    """The keys of all that documents are made of."""
    for whole in documents:
        document = raw.node_key("Document", whole.document.id)
        sections = {section.id: raw.node_key("Section", section.id) for section in whole.sections}
        yield document
        yield from sections.values()
        yield from (raw.link_key("HAS_SECTION", document, section) for section in sections.values())
        for up, down in document_records.steps_down(whole.sections):
            yield raw.link_key("PARENT_SECTION", sections[up], sections[down])
        for chunk in whole.chunks:
            yield raw.node_key("Chunk", chunk.id)
            if chunk.section_id in sections:
                yield raw.link_key("IN_SECTION", sections[chunk.section_id], raw.node_key("Chunk", chunk.id))


def listed_facts(parts: Iterable[Sequence[Fact]]) -> dict[str, list[str]]:
    """The facts that sources list when batches of facts were written in this order, by the source's uuid."""
    listed: dict[str, list[str]] = {}
    for facts in parts:
        by_episode: dict[str, list[str]] = {}
        for fact in facts:
            for episode in fact.episodes:
                by_episode.setdefault(episode, []).append(fact.uuid)
        for episode, uuids in by_episode.items():
            new = set(uuids)
            listed[episode] = [u for u in listed.get(episode, ()) if u not in new] + uuids
    return listed


def check_editable(edit: Edit) -> None:
    """Raise `BadInput` for records that other programs gave no uuid."""
    gone, replaced = edit.gone, edit.replaced
    uuids = [*gone.entities, *gone.facts, *gone.episodes, *(u for m in edit.merges for u in (m.gone, m.kept))]
    uuids += [record.uuid for records in (replaced.entities, replaced.facts, replaced.episodes) for record in records]
    if any(own_id(uuid) is not None for uuid in uuids):
        raise BadInput(
            "This record has no UUID, so Asof cannot change it.",
            "In the program that wrote the record, change it or give it a UUID.",
        )
