"""Takes elements back to an image: what may be restored, and what must stay since something stands in the way."""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Any

from services.core.memory_records import RECORD_TYPES
from services.graph import raw
from services.graph.raw import Image, Raw, RawEdge, RawNode
from services.graph.store import GraphStore
from services.writing.changes.before_images import MEMBER, SIMILAR
from services.writing.edits import Left

CHANGED = "A later change affected this record."
BUSY = "Later records depend on this one."
LOOSE = "One of the fact's entities no longer exists."
STATED = "Someone has recorded the same fact again since."

DERIVED, PASSAGES = (SIMILAR, MEMBER), ("Section", "Chunk")
"""Links that are worked out from passages go with them."""

NOTHING: Image = {}

Reasons = Mapping[str, str]
"""Why elements stay as they are, by their keys."""


@dataclass(frozen=True, slots=True)
class LaterChanges:
    """The changes after one that stand: the title of the latest that wrote an element, and of one that would put back
    what hangs on it, by the element's key."""

    wrote: Mapping[str, str] = field(default_factory=dict)
    needs: Mapping[str, str] = field(default_factory=dict)

    def changed(self, key: str) -> str:
        """Say that an element was changed afterwards."""
        return _words(CHANGED, self.wrote.get(key))


NOBODY = LaterChanges()
_Why = tuple[str, str | None]
"""Why an element stays as it is, and the title of the change that stands in the way, where that is one of ours."""


def _words(reason: str, title: str | None) -> str:
    return f"{reason} Undo “{title}” first." if title else reason


async def restorable(
    graph: GraphStore,
    workspace: str,
    wanted: Image,
    others: Image = NOTHING,
    later: LaterChanges = NOBODY,
    missing: Set[str] = frozenset(),
) -> tuple[dict[str, Any], dict[str, str]]:
    """The part of `wanted` that can be put, with the links that go with a passage, and why the rest cannot.

    `others` are elements as they are that may stay: what the change touched, and the facts written since. `missing` are
    nodes that should come as well and cannot, even where others have their keys by now. What one that
    stays hangs on or names stays, too, and an entity that another one was merged into which stays; so does what a later
    change needs to be taken back. An edge comes only where both its ends are, a fact only where none that stays says
    the same. A document goes and comes whole, and an entity in exchange for what is left of it once it was merged.
    """
    nodes = {key for key, bag in wanted.items() if not bag and raw.is_node(key)}
    hanging = await graph.raw.around(workspace, nodes) if nodes else {}
    around = {**others, **hanging, **await _merged(graph, workspace, nodes)}
    ends = {end for both in _ends(wanted).values() for end in both}
    there = {**await graph.raw.read(workspace, ends), **dict.fromkeys(missing, ())}
    wholes = _wholes(wanted, around)
    chosen, left = dict(wanted), dict[str, _Why]()
    while (
        more := _needed(chosen, around, later, left)
        | _stated_since(chosen, others, later)
        | _loose(chosen, there, later)
        | _torn(wholes, chosen, left)
    ):
        left |= more
        chosen = {key: bag for key, bag in chosen.items() if key not in left and not _inside(key) & left.keys()}
    going = _going(chosen)
    derived = {
        key
        for key, bag in hanging.items()
        if key not in chosen
        for one in bag
        if isinstance(one, RawEdge) and one.type in DERIVED and {one.source, one.target} & going
    }
    return {**chosen, **dict.fromkeys(derived, ())}, {key: _words(*why) for key, why in left.items()}


def _going(chosen: Image) -> set[str]:
    return {key for key, bag in chosen.items() if not bag}


def _needed(chosen: Image, around: Image, later: LaterChanges, left: Mapping[str, _Why]) -> dict[str, _Why]:
    """Why elements cannot go: something that stays holds them, or a later change needs them to be taken back."""
    going = _going(chosen)
    merging = {key for key in going if chosen.get(_twin(key))}
    found = {key: (BUSY, later.needs.get(key)) for key in going & later.needs.keys()}
    for key, bag in around.items():
        if key not in chosen:
            held = {one for element in bag for one in held_by(element)} & going
            title = left[key][1] if key in left else later.wrote.get(key)
            found |= dict.fromkeys(held - merging if key.startswith("MergedEntity:") else held, (BUSY, title))
    return found


def held_by(one: Raw, *, passages: bool = False) -> Iterator[str]:
    """The keys of what an element that stays cannot do without.

    What is derived from passages holds none of them, unless with `passages`. A fact holds its sources with what they
    say they mention, and what ended it.
    """
    values = one.properties
    if isinstance(one, RawNode):
        if "MergedEntity" in one.labels:
            yield raw.node_key("Entity", str(values.get("into")))
        return
    held = passages or one.type not in DERIVED
    yield from (end for end in (one.source, one.target) if held or raw.node_parts(end)[0] not in PASSAGES)
    if one.type == raw.FACT:
        for source in (raw.node_key("Episodic", uuid) for uuid in values.get("episodes") or ()):
            yield source
            yield from (raw.link_key("MENTIONS", source, end) for end in (one.source, one.target))
        cause = str(values.get("ended_by"))
        yield from (raw.fact_key(cause), raw.node_key("Episodic", cause))


def _twin(key: str) -> str:
    """The key of what is left of an entity once it was merged, and the other way round."""
    label, id = raw.node_parts(key)
    return raw.node_key("MergedEntity" if label == "Entity" else "Entity", id)


def _wholes(wanted: Image, around: Image) -> dict[str, str]:
    """What nodes are a part of that come and go together, by the node's key."""
    found = dict[str, str]()
    for key, bag in wanted.items():
        label, id = raw.node_parts(key) if raw.is_node(key) else ("", "")
        if label in ("Entity", "MergedEntity"):
            found[key] = raw.node_key("Entity", id)
        elif label == "Document":
            found[key] = id
        elif label in PASSAGES:
            found[key] = str(next((one.properties.get("document_id") for one in bag or around.get(key, ())), key))
    return found


def _torn(wholes: Mapping[str, str], chosen: Image, left: Mapping[str, _Why]) -> dict[str, _Why]:
    """Why nodes cannot come or go: another part of the same stays as it is."""
    torn = {whole: left[key] for key, whole in wholes.items() if key in left}
    return {key: torn[whole] for key, whole in wholes.items() if key in chosen and whole in torn}


def _inside(key: str) -> set[str]:
    """The ends of a link that holds a document together."""
    if not raw.is_link(key) or raw.link_parts(key)[0] in DERIVED:
        return set()
    return {end for end in raw.link_parts(key)[1:] if raw.node_parts(end)[0] in PASSAGES}


async def _merged(graph: GraphStore, workspace: str, nodes: Set[str]) -> Image:
    """What is left of the entities that were merged into others, where entities go."""
    if not any(key.startswith("Entity:") for key in nodes):
        return NOTHING
    keys = [raw.node_key("MergedEntity", one.uuid) for one in await graph.merged(workspace)]
    return await graph.raw.read(workspace, keys) if keys else NOTHING


def _stated_since(wanted: Image, others: Image, later: LaterChanges) -> dict[str, _Why]:
    """Why facts cannot come: another record that stays, and was not withdrawn, says the same."""
    stay = {
        identity: key
        for key, bag in others.items()
        if raw.is_fact(key) and key not in wanted
        for one in bag
        if (identity := _identity(one)) is not None
    }
    return {
        key: (STATED, later.wrote.get(stay[stated]))
        for key, bag in wanted.items()
        if raw.is_fact(key)
        for one in bag
        if (stated := _identity(one)) in stay and stated is not None
    }


def _identity(one: Raw) -> tuple[str, ...] | None:
    """What makes a fact the same as another: its ends, relation and start; None for one that was withdrawn."""
    values = one.properties
    if isinstance(one, RawNode) or values.get("withdrawn_at") is not None:
        return None
    return one.source, one.target, raw.spelled([values.get("name"), values.get("valid_at")])


def _ends(wanted: Image) -> dict[str, set[str]]:
    """The ends of the edges that are wanted, by the edge's key."""
    return {
        key: {end for edge in bag if isinstance(edge, RawEdge) for end in (edge.source, edge.target)}
        for key, bag in wanted.items()
        if not raw.is_node(key)
    }


def _loose(wanted: Image, there: Image, later: LaterChanges) -> dict[str, _Why]:
    """Why edges cannot come: an end will not be there."""
    return {
        key: (LOOSE, later.wrote.get(end))
        for key, ends in _ends(wanted).items()
        for end in sorted(ends)
        if not wanted.get(end, there[end])
    }


def left_records(reasons: Reasons, images: Image) -> tuple[Left, ...]:
    """What was left, for people; `images` know the elements' names. Parts of a document are told as the document, and
    what a source mentions as the source."""
    found: dict[tuple[str, str], Left] = {}
    for key, reason in sorted(reasons.items(), key=lambda pair: raw.is_link(pair[0])):
        bag = images.get(key, ())
        one = _left(key, bag[0] if bag else None, reason)
        found.setdefault((one.kind, one.key), one)
    order = ("entity", "fact", "episode", "document", "record", "link")
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
    if label in RECORD_TYPES:
        return Left("record", key, f"{label} {id}", reason)
    name = str(values.get("name") or values.get("title") or id)
    if label in ("Episodic", "Document"):
        return Left("episode" if label == "Episodic" else "document", id, name, reason)
    return Left("entity" if isinstance(element, RawNode) or label else "link", id, name, reason)


def count_records(keys: Mapping[str, Any]) -> int:
    """How many records these elements are: parts of documents and links are not counted."""
    return sum(not raw.is_link(key) and raw.node_parts(key)[0] not in ("Section", "Chunk") for key in keys)
