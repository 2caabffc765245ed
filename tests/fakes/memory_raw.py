"""The elements of a graph in memory: its records as nodes and edges, and back."""

from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import fields
from datetime import datetime
from typing import TYPE_CHECKING, Any

from services.core import clock
from services.core.models import (
    Chunk,
    Document,
    Entity,
    Episode,
    Fact,
    GraphWrite,
    Section,
    SectionType,
    StructuredDocument,
)
from services.graph import raw
from services.graph.raw import FACT, Image, Raw, RawEdge, RawNode

if TYPE_CHECKING:
    from tests.fakes.memory_graph import Partition

Elements = dict[str, tuple[Raw, ...]]


class MemoryRaw:
    """`partition` gives a workspace's records, and raises while the store is down."""

    def __init__(
        self,
        partition: Callable[[str], "Partition"],
        new: Callable[[], "Partition"],
        write: Callable[[str, GraphWrite], Coroutine[Any, Any, None]],
    ) -> None:
        self._partition = partition
        self._new = new
        self._write = write

    async def read(self, workspace: str, keys: Iterable[str]) -> Image:
        there = elements(self._partition(workspace))
        return {key: there.get(key, ()) for key in keys}

    async def around(self, workspace: str, keys: Iterable[str]) -> Image:
        nodes, there = set(keys), elements(self._partition(workspace))
        return {key: bag for key, bag in there.items() if any(_hangs(one, nodes) for one in bag)}

    async def naming(self, workspace: str, uuids: Iterable[str]) -> frozenset[str]:
        asked, facts = set(uuids), self._partition(workspace).facts.values()
        return frozenset(raw.fact_key(fact.uuid) for fact in facts if asked & set(fact.episodes))

    async def merged_into(self, workspace: str, uuids: Iterable[str]) -> frozenset[str]:
        merged = {node.properties["uuid"]: node.properties["into"] for node in _merged(self._partition(workspace))}
        asked, found = set(uuids), set[str]()
        while more := {uuid for uuid, into in merged.items() if into in asked | found} - found:
            found |= more
        return frozenset(raw.node_key("MergedEntity", uuid) for uuid in found)

    async def parts(self, workspace: str, document_ids: Iterable[str]) -> frozenset[str]:
        held = self._partition(workspace).shelf.documents
        return frozenset(key for id in document_ids if id in held for key in _document_nodes(held[id], {}))

    async def put(self, workspace: str, wanted: Image) -> None:
        partition = self._partition(workspace)
        there = elements(partition)
        there.update((key, bag) for key, bag in wanted.items() if raw.is_node(key))
        nodes = {key for key, bag in there.items() if raw.is_node(key) and bag}
        there.update((key, bag) for key, bag in wanted.items() if not raw.is_node(key))
        kept = {
            key: tuple(one for one in bag if isinstance(one, RawNode) or {one.source, one.target} <= nodes)
            for key, bag in there.items()
        }
        _hold(partition, {key: bag for key, bag in kept.items() if bag})

    def instant(self, at: datetime) -> str:
        return clock.spell(at)

    async def create(self, workspace: str, batch: GraphWrite, listed: Mapping[str, Iterable[str]]) -> dict[str, str]:
        held, made = self._partition(workspace), (batch.entities, batch.facts, batch.episodes)
        assert {*held.entities, *held.facts, *held.episodes}.isdisjoint(one.uuid for part in made for one in part)
        await self._write(workspace, batch)
        return {key: raw.digest(bag) for key, bag in self.expected(workspace, batch).items()}

    def expected(self, workspace: str, batch: GraphWrite) -> Image:
        partition = self._new()
        partition.entities.update((e.uuid, e) for e in batch.entities)
        partition.facts.update((f.uuid, f) for f in batch.facts)
        partition.episodes.update((e.uuid, e) for e in batch.episodes)
        return elements(partition)


def _hangs(one: Raw, nodes: set[str]) -> bool:
    return isinstance(one, RawEdge) and bool({one.source, one.target} & nodes)


def _merged(partition: "Partition") -> list[Raw]:
    return [node for key, bag in partition.others.items() if key.startswith("MergedEntity:") for node in bag]


def elements(partition: "Partition") -> Elements:
    """All that a partition holds."""
    found: Elements = dict(partition.others)
    for entity in partition.entities.values():
        labels = tuple(sorted({"Entity", *entity.types}))
        found[raw.node_key("Entity", entity.uuid)] = (RawNode(labels, _properties(entity)),)
    for fact in partition.facts.values():
        ends = [raw.node_key("Entity", uuid) for uuid in (fact.source_uuid, fact.target_uuid)]
        properties = _properties(fact, "source_uuid", "target_uuid", "source", "target", "relation", "text")
        properties |= {"name": fact.relation, "fact": fact.text}
        found[raw.fact_key(fact.uuid)] = (RawEdge(FACT, ends[0], ends[1], properties),)
    for episode in partition.episodes.values():
        key = raw.node_key("Episodic", episode.uuid)
        found[key] = (RawNode(("Episodic",), _properties(episode, "entity_uuids")),)
        for uuid in episode.entity_uuids:
            _add(found, RawEdge("MENTIONS", key, raw.node_key("Entity", uuid), {}))
    shelf = partition.shelf
    for whole in shelf.documents.values():
        found.update(_document_nodes(whole, shelf.embeddings))
    for (first, second), alike in shelf.similar.items():
        ends = [raw.node_key("Chunk", id) for id in (first, second)]
        _add(found, RawEdge("SEMANTICALLY_SIMILAR", ends[0], ends[1], {"similarity": alike}))
    for kind in shelf.types.values():
        key = raw.node_key("SectionType", kind.id)
        found[key] = (RawNode(("SectionType",), _properties(kind, "section_ids")),)
        for id in kind.section_ids:
            _add(found, RawEdge("INSTANCE_OF", raw.node_key("Section", id), key, {}))
    return found


def _document_nodes(whole: StructuredDocument, embeddings: Mapping[str, Any]) -> Elements:
    nodes: Elements = {
        raw.node_key("Document", whole.document.id): (RawNode(("Document",), _properties(whole.document)),)
    }
    for label, parts in (("Section", whole.sections), ("Chunk", whole.chunks)):
        for part in parts:
            properties = (
                {**_properties(part), "embedding": list(embeddings[part.id])}
                if part.id in embeddings
                else _properties(part)
            )
            nodes[raw.node_key(label, part.id)] = (RawNode((label,), properties),)
    return nodes


def _add(found: Elements, edge: RawEdge) -> None:
    key = raw.edge_key(edge)
    found[key] = (*found.get(key, ()), edge)


def _hold(partition: "Partition", held: Elements) -> None:
    """Make these the records of a partition."""
    new = type(partition)()
    mentioned: dict[str, list[str]] = {}
    members: dict[str, list[str]] = {}
    for key, bag in held.items():
        for one in bag:
            if isinstance(one, RawNode):
                _hold_node(new, key, bag, one)
            elif raw.is_fact(key):
                ends = {"source_uuid": raw.node_parts(one.source)[1], "target_uuid": raw.node_parts(one.target)[1]}
                properties = {"relation": one.properties["name"], "text": one.properties.get("fact", "")}
                others = {name: value for name, value in one.properties.items() if name not in ("name", "fact")}
                fact = _read(Fact, {"source": "", "target": "", **others, **properties, **ends})
                new.facts[fact.uuid] = fact
            else:
                _hold_link(new, key, bag, one, mentioned, members)
    for uuid, entities in mentioned.items():
        new.episodes[uuid] = _read(Episode, {**_properties(new.episodes[uuid]), "entity_uuids": sorted(entities)})
    for id, sections in members.items():
        new.shelf.types[id] = _read(SectionType, {**_properties(new.shelf.types[id]), "section_ids": sorted(sections)})
    for name in ("entities", "facts", "episodes", "others"):
        setattr(partition, name, getattr(new, name))
    for part in fields(partition.shelf):
        setattr(partition.shelf, part.name, getattr(new.shelf, part.name))


def _hold_node(new: "Partition", key: str, bag: tuple[Raw, ...], node: RawNode) -> None:
    label, id = raw.node_parts(key)
    properties, shelf = dict(node.properties), new.shelf
    if label == "Entity":
        new.entities[id] = _read(Entity, properties)
    elif label == "Episodic":
        new.episodes[id] = _read(Episode, properties)
    elif label == "Document":
        below = shelf.documents.get(id)
        parts = (below.sections, below.chunks) if below else ((), ())
        shelf.documents[id] = StructuredDocument(_read(Document, properties), *parts)
    elif label in ("Section", "Chunk"):
        if "embedding" in properties:
            shelf.embeddings[id] = tuple(properties.pop("embedding"))
        whole = shelf.documents.get(properties["document_id"]) or StructuredDocument(Document("", "", "", ""), (), ())
        sections, chunks = whole.sections, whole.chunks
        if label == "Section":
            sections = (*sections, _read(Section, properties))
        else:
            chunks = (*chunks, _read(Chunk, properties))
        shelf.documents[properties["document_id"]] = StructuredDocument(
            whole.document,
            tuple(sorted(sections, key=lambda s: (s.start_line, s.level, s.id))),
            tuple(sorted(chunks, key=lambda c: (c.index, c.id))),
        )
    elif label == "SectionType":
        shelf.types[id] = _read(SectionType, {**properties, "section_ids": []})
    else:
        new.others[key] = bag


def _hold_link(
    new: "Partition",
    key: str,
    bag: tuple[Raw, ...],
    edge: RawEdge,
    mentioned: dict[str, list[str]],
    members: dict[str, list[str]],
) -> None:
    source, target = (raw.node_parts(end)[1] for end in (edge.source, edge.target))
    if edge.type == "MENTIONS" and edge.target.startswith("Entity:"):
        mentioned.setdefault(source, []).append(target)
    elif edge.type == "SEMANTICALLY_SIMILAR":
        new.shelf.similar[source, target] = edge.properties["similarity"]
    elif edge.type == "INSTANCE_OF":
        members.setdefault(target, []).append(source)
    else:
        new.others[key] = bag


def _properties(record: Any, *without: str) -> dict[str, Any]:
    """A record's fields for JSON; what is not given is none."""
    values = {part.name: getattr(record, part.name) for part in fields(record) if part.name not in without}
    return {name: _plain(value) for name, value in values.items() if value is not None}


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return clock.spell(value)
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _read[R](record: Callable[..., R], properties: Mapping[str, Any]) -> R:
    return record(**{name: _typed(name, value) for name, value in properties.items()})


def _typed(name: str, value: Any) -> Any:
    if isinstance(value, str) and (name.endswith("_at") or name == "reference_time"):
        return datetime.fromisoformat(value)
    return tuple(value) if isinstance(value, list) else value
