"""What deleting and merging make of elements: a pure function from what is there to what is wanted."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from services.core.errors import BadInput
from services.graph import raw
from services.graph.raw import Image, Raw, RawEdge, RawNode
from services.writing.edits import Merge, Scope

_MOVED = ("MENTIONS", "HAS_MEMBER")
"""Links that go with the facts to the entity that is kept, once for each node at their other end."""

_ENDS = ("source_node_uuid", "target_node_uuid", "source_uuid", "target_uuid")
"""Where Graphiti repeats on an edge which nodes it joins."""


def operated(image: Image, merges: Sequence[Merge], gone: Scope, now: Any) -> dict[str, tuple[Raw, ...]]:
    """What of `image` is to be otherwise after the merges, then the deletions. `now` is spelled as the database does.

    The image holds all nodes of both with everything that hangs on them, and what names what is deleted. Raises
    `BadInput` for a merge of an entity that is not there, or with itself.
    """
    work = dict(image)
    for merge in merges:
        _merge(work, merge, now)
    _delete(work, gone)
    return {key: bag for key, bag in work.items() if bag != image.get(key, ())}


def _merge(work: dict[str, tuple[Raw, ...]], merge: Merge, now: Any) -> None:
    gone, kept = raw.node_key("Entity", merge.gone), raw.node_key("Entity", merge.kept)
    if gone == kept:
        raise BadInput("You cannot merge an entity with itself.", "Choose two different entities.")
    if len(work.get(gone, ())) != 1 or len(work.get(kept, ())) != 1:
        raise BadInput(
            "An entity to merge is not in the graph, or several entities share its UUID.", "Look up the entity again."
        )
    (old,) = work[gone]
    left = raw.node_key("MergedEntity", merge.gone)
    work[gone] = ()
    work[left] = (RawNode(("MergedEntity",), {**old.properties, "into": merge.kept, "merged_at": now}),)
    for key, edge in list(_edges_at(work, {gone})):
        work[key] = tuple(one for one in work[key] if one is not edge)
        moves = edge.type == raw.FACT or edge.type in _MOVED
        moved = _joined_to(edge, gone, kept, merge) if moves else _joined_to(edge, gone, left, None)
        there = work.get(raw.edge_key(moved), ())
        if not (there and edge.type in _MOVED):
            work[raw.edge_key(moved)] = (*there, moved)


def _joined_to(edge: RawEdge, old: str, new: str, merge: Merge | None) -> RawEdge:
    source, target = (new if end == old else end for end in (edge.source, edge.target))
    values = edge.properties
    if merge is not None and any(values.get(name) == merge.gone for name in _ENDS):
        values = {k: merge.kept if k in _ENDS and v == merge.gone else v for k, v in values.items()}
    return RawEdge(edge.type, source, target, values)


def _delete(work: dict[str, tuple[Raw, ...]], gone: Scope) -> None:
    nodes = {raw.node_key("Entity", uuid) for uuid in gone.entities}
    nodes |= {raw.node_key("Episodic", uuid) for uuid in gone.episodes}
    nodes |= {key for key in work if _is_part_of(work[key], gone.documents)} | _leading_to(work, gone.entities)
    facts = set(gone.facts)
    for key, edge in list(_edges_at(work, nodes)):
        facts |= {edge.properties["uuid"]} if raw.is_fact(key) else set()
        work[key] = ()
    work.update({key: () for key in work if key in nodes})
    work.update({key: () for key in map(raw.fact_key, facts) if key in work})
    for key, bag in work.items():
        if raw.is_fact(key):
            work[key] = tuple(_without(one, "episodes", gone.episodes) for one in bag)
        elif key.startswith("Episodic:"):
            work[key] = tuple(_without(one, "entity_edges", facts) for one in bag)


def _edges_at(work: Mapping[str, tuple[Raw, ...]], nodes: set[str]) -> Iterator[tuple[str, RawEdge]]:
    for key, bag in work.items():
        for one in bag:
            if isinstance(one, RawEdge) and (one.source in nodes or one.target in nodes):
                yield key, one


def _is_part_of(bag: Iterable[Raw], documents: frozenset[str]) -> bool:
    """True for documents and for their sections and chunks."""
    nodes = (one for one in bag if isinstance(one, RawNode))
    return any(one.properties.get("id" if "Document" in one.labels else "document_id") in documents for one in nodes)


def _leading_to(work: Mapping[str, tuple[Raw, ...]], entities: frozenset[str]) -> set[str]:
    """What is left of the entities that were merged into one of these, by whatever chain."""
    into = {
        one.properties["uuid"]: one.properties.get("into")
        for key, bag in work.items()
        for one in bag
        if key.startswith("MergedEntity:")
    }
    found = set[str]()
    while more := {uuid for uuid, kept in into.items() if kept in entities | found} - found:
        found |= more
    return {raw.node_key("MergedEntity", uuid) for uuid in found}


def _without(one: Raw, name: str, gone: Iterable[str]) -> Raw:
    """The element without those uuids in a list of its own."""
    listed = one.properties.get(name)
    if not isinstance(listed, list) or not any(uuid in gone for uuid in listed):
        return one
    values = {**one.properties, name: [uuid for uuid in listed if uuid not in gone]}
    if isinstance(one, RawNode):
        return RawNode(one.labels, values)
    return RawEdge(one.type, one.source, one.target, values)
