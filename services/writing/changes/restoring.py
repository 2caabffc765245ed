"""Takes elements back to an image: what may be restored, and what must stay since others hang on it."""

from collections.abc import Iterator, Mapping, Set
from typing import Any

from services.graph import raw
from services.graph.raw import Image, Raw, RawEdge, RawNode
from services.graph.store import GraphStore
from services.writing.changes.before_images import MEMBER, SIMILAR
from services.writing.edits import Left

CHANGED = "It was changed afterwards."
BUSY = "Others hang on it that came in afterwards."
LOOSE = "What it joins is no longer there."
STATED = "The graph says it again since."

DERIVED, PASSAGES = (SIMILAR, MEMBER), ("Section", "Chunk")
"""Links that are worked out from passages go with them."""

NOTHING: Image = {}

Reasons = Mapping[str, str]
"""Why elements stay as they are, by their keys."""


async def restorable(
    graph: GraphStore, workspace: str, wanted: Image, others: Image = NOTHING
) -> tuple[dict[str, Any], dict[str, str]]:
    """The part of `wanted` that can be put, with the links that go with a passage, and why the rest cannot.

    `others` are elements as they are that may stay: what the change touched, and the facts written since. What one that
    stays hangs on or names stays, too, and an entity that another one was merged into which stays; an edge comes only
    where both its ends are, and a fact only where none that stays says the same.
    """
    chosen = dict(wanted)
    left = dict.fromkeys(await _loose(graph, workspace, chosen), LOOSE)
    left |= dict.fromkeys(_stated_since(chosen, others) - left.keys(), STATED)
    chosen = {key: bag for key, bag in chosen.items() if key not in left}
    going = {key for key, bag in chosen.items() if not bag}
    nodes = {key for key in going if raw.is_node(key)}
    hanging = await graph.raw.around(workspace, nodes) if nodes else {}
    around = {**others, **hanging, **await _merged(graph, workspace, nodes)}
    staying = {key: bag for key, bag in around.items() if key not in chosen}
    while busy := {held for bag in staying.values() for one in bag for held in _held_by(one)} & going:
        left |= dict.fromkeys(busy, BUSY)
        going -= busy
        staying = {key: around.get(key, ()) for key in busy}
    chosen = {key: bag for key, bag in chosen.items() if key not in left}
    derived = {
        key
        for key, bag in hanging.items()
        if key not in chosen
        for one in bag
        if isinstance(one, RawEdge) and one.type in DERIVED and {one.source, one.target} & going
    }
    return {**chosen, **dict.fromkeys(derived, ())}, left


def _held_by(one: Raw) -> Iterator[str]:
    """The keys of what an element that stays cannot do without.

    What is derived from passages holds none of them. A fact holds its sources with what they say they mention, and what
    ended it.
    """
    values = one.properties
    if isinstance(one, RawNode):
        if "MergedEntity" in one.labels:
            yield raw.node_key("Entity", str(values.get("into")))
        return
    yield from (
        end for end in (one.source, one.target) if one.type not in DERIVED or raw.node_parts(end)[0] not in PASSAGES
    )
    if one.type == raw.FACT:
        for source in (raw.node_key("Episodic", uuid) for uuid in values.get("episodes") or ()):
            yield source
            yield from (raw.link_key("MENTIONS", source, end) for end in (one.source, one.target))
        cause = str(values.get("ended_by"))
        yield from (raw.fact_key(cause), raw.node_key("Episodic", cause))


async def _merged(graph: GraphStore, workspace: str, nodes: Set[str]) -> Image:
    """What is left of the entities that were merged into others, where entities go."""
    if not any(key.startswith("Entity:") for key in nodes):
        return NOTHING
    keys = [raw.node_key("MergedEntity", one.uuid) for one in await graph.merged(workspace)]
    return await graph.raw.read(workspace, keys) if keys else NOTHING


def _stated_since(wanted: Image, others: Image) -> set[str]:
    """The keys of facts that are wanted, but that another record says which stays and was not withdrawn."""
    stay = {_identity(one) for key, bag in others.items() if raw.is_fact(key) and key not in wanted for one in bag}
    return {
        key
        for key, bag in wanted.items()
        if raw.is_fact(key)
        for one in bag
        if (stated := _identity(one)) is not None and stated in stay
    }


def _identity(one: Raw) -> tuple[str, ...] | None:
    """What makes a fact the same as another: its ends, relation and start; None for one that was withdrawn."""
    values = one.properties
    if isinstance(one, RawNode) or values.get("withdrawn_at") is not None:
        return None
    return one.source, one.target, raw.spelled([values.get("name"), values.get("valid_at")])


async def _loose(graph: GraphStore, workspace: str, wanted: Image) -> set[str]:
    """The keys of edges that want an end that will not be there."""
    ends = {
        key: {end for edge in bag if isinstance(edge, RawEdge) for end in (edge.source, edge.target)}
        for key, bag in wanted.items()
        if not raw.is_node(key)
    }
    needed = {end for both in ends.values() for end in both}
    there = await graph.raw.read(workspace, needed - wanted.keys()) if needed else {}
    absent = {end for end in needed if not (wanted[end] if end in wanted else there[end])}
    return {key for key, both in ends.items() if both & absent}


def left_records(reasons: Reasons, images: Image) -> tuple[Left, ...]:
    """What was left, for people; `images` know the elements' names. Parts of a document are told as the document, and
    what a source mentions as the source."""
    found: dict[tuple[str, str], Left] = {}
    for key, reason in sorted(reasons.items(), key=lambda pair: raw.is_link(pair[0])):
        bag = images.get(key, ())
        one = _left(key, bag[0] if bag else None, reason)
        found.setdefault((one.kind, one.key), one)
    order = ("entity", "fact", "episode", "document", "link")
    return tuple(sorted(found.values(), key=lambda one: (order.index(one.kind), one.name, one.key)))


def _left(key: str, element: raw.Raw | None, reason: str) -> Left:
    values = element.properties if element is not None else {}
    if raw.is_link(key):
        type, source, target = raw.link_parts(key)
        if type == "MENTIONS":
            uuid = raw.node_parts(source)[1]
            return Left("episode", uuid, uuid, reason)
        ends = " → ".join(raw.node_parts(end)[1] for end in (source, target))
        return Left("link", key, f"{type}: {ends}", reason)
    label, id = raw.node_parts(key)
    if label in ("Section", "Chunk"):
        document = str(values.get("document_id") or id)
        return Left("document", document, document, reason)
    if raw.is_fact(key):
        return Left("fact", id, str(values.get("fact") or values.get("name") or id), reason)
    name = str(values.get("name") or values.get("title") or id)
    if label in ("Episodic", "Document"):
        return Left("episode" if label == "Episodic" else "document", id, name, reason)
    return Left("entity" if isinstance(element, RawNode) or label else "link", id, name, reason)


def count_records(keys: Mapping[str, Any]) -> int:
    """How many records these elements are: parts of documents and links are not counted."""
    return sum(not raw.is_link(key) and raw.node_parts(key)[0] not in ("Section", "Chunk") for key in keys)
