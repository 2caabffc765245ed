"""Takes elements back to an image: what may be restored, and what must stay since others hang on it."""

from collections.abc import Mapping
from typing import Any

from services.graph import raw
from services.graph.raw import Image, RawEdge, RawNode
from services.graph.store import GraphStore
from services.ingestion.edits import Left

CHANGED = "It was changed afterwards."
BUSY = "Others hang on it that came in afterwards."
LOOSE = "What it joins is no longer there."

Reasons = Mapping[str, str]
"""Why elements stay as they are, by their keys."""


async def restorable(graph: GraphStore, workspace: str, wanted: Image) -> tuple[dict[str, Any], dict[str, str]]:
    """The part of `wanted` that can be put, and why the rest cannot.

    A node goes only where all that hangs on it goes, too, an entity only where none stays that was merged into it, and
    an edge comes only where both its ends are.
    """
    chosen, left = dict(wanted), dict[str, str]()
    loose = await _loose(graph, workspace, chosen)
    left |= dict.fromkeys(loose, LOOSE)
    chosen = {key: bag for key, bag in chosen.items() if key not in loose}
    going = {key for key, bag in chosen.items() if raw.is_node(key) and not bag}
    hanging = await graph.raw.around(workspace, going) if going else {}
    if kept := await _kept_for_others(graph, workspace, chosen, going):
        left |= dict.fromkeys(kept, BUSY)
        going -= kept
        chosen = {key: bag for key, bag in chosen.items() if key not in kept}
    while True:
        busy = {end for key, bag in hanging.items() if key not in chosen
                for edge in bag if isinstance(edge, RawEdge) for end in (edge.source, edge.target)} & going  # fmt: skip
        if not busy:
            return chosen, left
        left |= dict.fromkeys(busy, BUSY)
        going -= busy
        chosen = {key: bag for key, bag in chosen.items() if key not in busy}


async def _kept_for_others(graph: GraphStore, workspace: str, chosen: Image, going: set[str]) -> set[str]:
    """The keys of entities that are to go, but that others were merged into, which stay."""
    if not any(key.startswith("Entity:") for key in going):
        return set()
    merged = {raw.node_key("MergedEntity", one.uuid) for one in await graph.merged(workspace)}
    stay = await graph.raw.read(workspace, merged - chosen.keys()) if merged else {}
    return {raw.node_key("Entity", str(one.properties.get("into"))) for bag in stay.values() for one in bag} & going


async def _loose(graph: GraphStore, workspace: str, wanted: Image) -> set[str]:
    """The keys of edges that want an end that will not be there."""
    ends = {key: {end for edge in bag if isinstance(edge, RawEdge) for end in (edge.source, edge.target)}
            for key, bag in wanted.items() if not raw.is_node(key)}  # fmt: skip
    needed = {end for both in ends.values() for end in both}
    there = await graph.raw.read(workspace, needed - wanted.keys()) if needed else {}
    absent = {end for end in needed if not (wanted[end] if end in wanted else there[end])}
    return {key for key, both in ends.items() if both & absent}


def left_records(reasons: Reasons, images: Image) -> tuple[Left, ...]:
    """What was left, for people; `images` know the elements' names. Parts of a document are told as the document."""
    found: dict[tuple[str, str], Left] = {}
    for key, reason in reasons.items():
        bag = images.get(key, ())
        one = _left(key, bag[0] if bag else None, reason)
        found.setdefault((one.kind, one.key), one)
    order = ("entity", "fact", "episode", "document", "link")
    return tuple(sorted(found.values(), key=lambda one: (order.index(one.kind), one.name, one.key)))


def _left(key: str, element: raw.Raw | None, reason: str) -> Left:
    told = element.properties if element is not None else {}
    if raw.is_link(key):
        type, source, target = raw.link_parts(key)
        ends = " → ".join(raw.node_parts(end)[1] for end in (source, target))
        return Left("link", key, f"{type}: {ends}", reason)
    label, id = raw.node_parts(key)
    if label in ("Section", "Chunk"):
        document = str(told.get("document_id") or id)
        return Left("document", document, document, reason)
    if raw.is_fact(key):
        return Left("fact", id, str(told.get("fact") or told.get("name") or id), reason)
    name = str(told.get("name") or told.get("title") or id)
    if label in ("Episodic", "Document"):
        return Left("episode" if label == "Episodic" else "document", id, name, reason)
    return Left("entity" if isinstance(element, RawNode) or label else "link", id, name, reason)


def count_records(keys: Mapping[str, Any]) -> int:
    """How many records these elements are: parts of documents and links are not counted."""
    return sum(not raw.is_link(key) and raw.node_parts(key)[0] not in ("Section", "Chunk") for key in keys)
