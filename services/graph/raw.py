"""Elements of a graph as the database has them, whatever they mean: what undoing and restoring are made of.

An element is a node with its labels and properties, or an edge with its ends and properties. A key names it:

- a node by a label that tells what it is and its uuid ("Entity:…"), or the `id` of a part of a document ("Chunk:…") or
  of an agent's record ("Partnership:…"); any other node by the database's own id (":17");
- a fact's edge by its uuid ("RELATES_TO:…"), wherever it is moved to;
- any other edge by its type and both ends, as JSON text (`link_key`).

Other programs may give several elements one key, so a key stands for a bag of them, mostly of one. Values of properties
are what JSON has; what it has not (a native date, a vector of the database's own) is a map with one name, its kind.
"""

import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from services.core.errors import AccountsUnavailable
from services.core.memory_records import RECORD_TYPES
from services.core.models import GraphWrite
from services.graph.records import FACT_COLUMNS

UUID_LABELS = ("Entity", "Episodic", "Community", "Saga", "MergedEntity")
DOCUMENT_LABELS = ("Document", "Section", "Chunk", "SectionType")
ID_LABELS = (*DOCUMENT_LABELS, *RECORD_TYPES)
FACT = "RELATES_TO"

Properties = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RawNode:
    """A node; labels are sorted."""

    labels: tuple[str, ...]
    properties: Properties

    def plain(self) -> list[Any]:
        """For JSON."""
        return [self.labels, self.properties]


@dataclass(frozen=True, slots=True)
class RawEdge:
    """An edge from one node to another, by their keys."""

    type: str
    source: str
    target: str
    properties: Properties

    def plain(self) -> list[Any]:
        """For JSON."""
        return [self.type, self.source, self.target, self.properties]


Raw = RawNode | RawEdge
Image = Mapping[str, tuple[Raw, ...]]
"""Elements by key. An empty bag says that nothing has the key."""


class RawStore(Protocol):
    """Reads and writes elements. Coroutines take the workspace first, and raise what the graph store's do."""

    async def read(self, workspace: str, keys: Iterable[str]) -> Image:
        """What each key names, as it is now; each key that was asked for is there."""

    async def around(self, workspace: str, keys: Iterable[str]) -> Image:
        """Every edge that hangs on one of these nodes."""

    async def naming(self, workspace: str, uuids: Iterable[str]) -> frozenset[str]:
        """The keys of facts that have one of these uuids among their sources, and of episodes that list one of them."""

    async def merged_into(self, workspace: str, uuids: Iterable[str]) -> frozenset[str]:
        """The keys of what is left of entities that were merged into one of these, by whatever chain."""

    async def parts(self, workspace: str, document_ids: Iterable[str]) -> frozenset[str]:
        """The keys of the nodes of documents: of the documents themselves, their sections and their chunks."""

    async def put(self, workspace: str, wanted: Image) -> None:
        """Make what each key names exactly this, and delete what has an empty bag, nodes with what hangs on them.

        An edge whose ends are neither there nor wanted is left out.
        """

    def instant(self, at: datetime) -> Any:
        """An instant as the value of a property."""

    async def create(self, workspace: str, batch: GraphWrite, listed: Mapping[str, Iterable[str]]) -> dict[str, str]:
        """Write records that are new, as the graph store's `write` does; the digests of what they become, by key.

        `listed` are the facts that the episodes list once all is written, by the episode's uuid.
        """

    def expected(self, workspace: str, batch: GraphWrite) -> Image:
        """The elements that records become which are created, mentions included."""


def node_key(label: str, id: str | int) -> str:
    """The key of a node."""
    return f"{label}:{id}"


def fact_key(uuid: str) -> str:
    """The key of a fact's edge."""
    return f"{FACT}:{uuid}"


def link_key(type: str, source: str, target: str) -> str:
    """The key of an edge that is no fact's."""
    return json.dumps([type, source, target])


def is_agents_record(key: str) -> bool:
    """True for the key of an agent's record."""
    return key.partition(":")[0] in RECORD_TYPES


def is_fact(key: str) -> bool:
    """True for the key of a fact's edge."""
    return key.startswith(f"{FACT}:")


def is_link(key: str) -> bool:
    """True for the key of an edge that is no fact's."""
    return key.startswith("[")


def is_node(key: str) -> bool:
    """True for the key of a node."""
    return not is_fact(key) and not is_link(key)


def link_parts(key: str) -> tuple[str, str, str]:
    """Type, source and target of a link's key."""
    type, source, target = json.loads(key)
    return type, source, target


def node_parts(key: str) -> tuple[str, str]:
    """Label and id of a node's key, or the type and uuid of a fact's."""
    label, _, id = key.partition(":")
    return label, id


def edge_key(edge: RawEdge) -> str:
    """The key of an edge."""
    uuid = edge.properties.get("uuid")
    if edge.type == FACT and isinstance(uuid, str):
        return fact_key(uuid)
    return link_key(edge.type, edge.source, edge.target)


_DIGEST = 8
spelled = json.JSONEncoder(sort_keys=True, ensure_ascii=False).encode


def digest(bag: Iterable[Raw]) -> str:
    """What tells whether a bag changed, in whatever order its elements come; empty for an empty one."""
    texts = sorted(map(_spelled, bag))
    return text_digest("\0".join(texts)) if texts else ""


def text_digest(text: str) -> str:
    """The digest of an element, or several, spelled out."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST).hexdigest()


def _spelled(one: Raw) -> str:
    if not isinstance(one, RawEdge) or one.type != FACT:
        return spelled(one.plain())
    values = one.properties
    cells = [one.source.removeprefix("Entity:"), one.target.removeprefix("Entity:"), *map(values.get, FACT_COLUMNS)]
    return fact_text(cells, {name: value for name, value in values.items() if name not in FACT_COLUMNS})


def fact_text(cells: list[Any], others: Properties) -> str:
    """A fact's edge spelled out: the uuids of both ends and the columns, None where nothing is; then other properties.

    Whoever writes many facts has them so, and needs nothing of what an element is to tell its digest.
    """
    return spelled(cells) + spelled(others) if others else spelled(cells)


_FAST = 1  # zlib's level: images compress well enough, and a write waits for them


def packed(document: Any) -> bytes:
    """A document of JSON, compressed."""
    return zlib.compress(json.dumps(document, ensure_ascii=False).encode("utf-8", "surrogatepass"), _FAST)


def unpacked(payload: bytes) -> Any:
    """A document that `packed` made. Raises `AccountsUnavailable` where it was damaged since."""
    try:
        return json.loads(zlib.decompress(payload).decode("utf-8", "surrogatepass"))
    except (zlib.error, ValueError) as error:
        raise AccountsUnavailable(
            "The saved data for undoing or restoring the change is damaged.",
            "Restore a backup of the accounts database.",
        ) from error


def image_document(image: Image) -> dict[str, list[list[Any]]]:
    """An image for JSON."""
    return {key: [one.plain() for one in bag] for key, bag in image.items()}


def image_of(document: Mapping[str, Iterable[Any]]) -> dict[str, tuple[Raw, ...]]:
    """An image that `image_document` made."""
    return {
        key: tuple(RawNode(tuple(one[0]), one[1]) if len(one) == 2 else RawEdge(*one) for one in bag)
        for key, bag in document.items()
    }
