"""What change-sets say that a graph must hold, and which of it is missing there, as evidence that is kept."""

from collections import Counter
from collections.abc import Iterable, Mapping, Set
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from services.accounts.change_sets import StoredChangeSet
from services.core import clock
from services.core.memory_records import RECORD_TYPES
from services.core.models import Entity, Fact
from services.graph import raw
from services.graph.raw import Image
from services.mirror.mirror import Mirror
from services.writing.changes.change_lines import fact_read

KINDS: Mapping[str, str] = {
    raw.FACT: "facts",
    "Entity": "entities",
    "Episodic": "episodes",
    "Document": "documents",
    **dict.fromkeys(RECORD_TYPES, "records"),
}
"""What a record is called, by the label or type of its key. No mirror holds those of an agent."""

MERGED = "merged entities"
BACK = {kind: f"deleted {kind}" for kind in KINDS.values()}
"""What a deleted record that is back is called, by what it was called."""


class Acknowledged:
    """What change-sets left in the graph, taken in the order in which they were written, undone or redone.

    `digests` are those of elements by key, empty where the element was deleted; `facts` are facts as they were written,
    by uuid, as far as the change-sets have their lines; `nodes` are an agent's records by key; `keys` are all that was
    touched, by unfinished ones too.
    """

    def __init__(self, kept: Iterable[StoredChangeSet]) -> None:
        self.digests: dict[str, str] = {}
        self.facts: dict[str, Mapping[str, Any]] = {}
        self.nodes: dict[str, tuple[raw.Raw, ...]] = {}
        self.keys: set[str] = set()
        self.count = 0
        for one in kept:
            self._take(one)
            self.count += 1

    def _take(self, kept: StoredChangeSet) -> None:
        images = raw.unpacked(kept.payload) if kept.payload else {}
        before, nodes = (raw.image_of(images.get(name, {})) for name in ("before", "nodes"))
        written = raw.unpacked(kept.digests) if kept.digests and kept.state != "undone" else {}
        undone = raw.unpacked(kept.redo).keys() if kept.redo else set()
        back = {key: raw.digest(before.get(key, ())) for key in undone - written.keys()}
        self.digests |= {**written, **back}
        self.nodes |= {key: bag for key, bag in nodes.items() if key in written}
        self.nodes |= {key: before[key] for key in back.keys() & before.keys() if raw.is_agents_record(key)}
        self.keys |= {*images.get("made", ()), *before, *written, *back}
        facts = [line["after"] for line in kept.changes or () if "after" in line]
        self.facts |= {fact["uuid"]: fact for fact in facts if kept.state == "done"}


@dataclass(frozen=True, slots=True)
class LostRecords:
    """Which records a graph lacks. `now` are the digests of what it has in their place, empty where that is nothing.

    `held` are the keys of those that the mirror has, or the graph but for what their facts tell; of those that
    change-sets have, `facts` are by uuid, and `nodes`, an agent's records, by key. `gone` are the digests of records
    that had been deleted, and `merged` the uuids of entities that had been merged, and are back.
    """

    now: Mapping[str, str]
    held: tuple[str, ...]
    facts: Mapping[str, Mapping[str, Any]]
    gone: Mapping[str, str]
    merged: tuple[str, ...]
    nodes: Image = field(default_factory=dict)

    @property
    def remnants(self) -> frozenset[str]:
        """The keys of what was left of merged entities and is missing, where no entity tells of it."""
        named = self.now.keys() | self.gone.keys()
        uuids = (uuid for uuid in self.merged if raw.node_key("Entity", uuid) not in named)
        return frozenset(raw.node_key("MergedEntity", uuid) for uuid in uuids)

    @property
    def keys(self) -> frozenset[str]:
        """The keys of all that is missing, or is back."""
        return self.remnants.union(self.now, self.gone)

    def without(self, settled: Set[str]) -> "LostRecords":
        """The same, but for what has these keys."""
        return replace(
            self,
            now={key: digest for key, digest in self.now.items() if key not in settled},
            held=tuple(key for key in self.held if key not in settled),
            gone={key: digest for key, digest in self.gone.items() if key not in settled},
            merged=tuple(
                uuid
                for uuid in self.merged
                if settled.isdisjoint((raw.node_key("Entity", uuid), raw.node_key("MergedEntity", uuid)))
            ),
        )

    @property
    def counts(self) -> dict[str, int]:
        """How many records there are of each kind; the kinds of those that are back are those of `BACK`."""
        counted = Counter(KINDS[raw.node_parts(key)[0]] for key in self.now)
        back = Counter(BACK[KINDS[raw.node_parts(key)[0]]] for key in self.gone)
        counted += back + Counter({MERGED: len(self.remnants)})
        return {kind: counted[kind] for kind in (*KINDS.values(), MERGED, *BACK.values()) if counted[kind]}

    @property
    def lost(self) -> int:
        """How many records nobody has."""
        known = {*map(raw.fact_key, self.facts), *(raw.node_key("Entity", uuid) for uuid in self.named())}
        return len(self.now.keys() - known.union(self.held, self.nodes))

    def named(self) -> dict[str, Entity]:
        """The entities that the change-sets' facts name, by uuid: where nobody holds them, this is what is known."""
        facts = sorted(map(fact_read, self.facts.values()), key=lambda fact: fact.created_at or clock.LATEST)
        ends = [(uuid, name, fact) for fact in facts for uuid, name in _ends(fact)]
        return {uuid: Entity(uuid, name, created_at=fact.created_at) for uuid, name, fact in reversed(ends)}

    def packed(self) -> bytes:
        """The evidence for a file."""
        return raw.packed({**asdict(replace(self, nodes={})), "nodes": raw.image_document(self.nodes)})

    @classmethod
    def unpacked(cls, payload: bytes) -> "LostRecords":
        """LostRecords that `packed` made."""
        values = raw.unpacked(payload)
        nodes = raw.image_of(values.get("nodes", {}))
        return cls(
            values["now"], tuple(values["held"]), values["facts"], values["gone"], tuple(values["merged"]), nodes
        )


def _ends(fact: Fact) -> tuple[tuple[str, str], tuple[str, str]]:
    return (fact.source_uuid, fact.source), (fact.target_uuid, fact.target)


def records_of(keys: Iterable[str], mirror: Mirror) -> set[str]:
    """The keys of the records that elements are, or are parts of: a chunk is its document's, a mention its source's."""
    found, chunks = set[str](), list[str]()
    for key in keys:
        if raw.is_link(key):
            type, source, _ = raw.link_parts(key)
            if type == "MENTIONS":
                found.add(source)
        elif raw.node_parts(key)[0] == "Chunk":
            chunks.append(raw.node_parts(key)[1])
        elif raw.node_parts(key)[0] in KINDS:
            found.add(key)
    return found | {raw.node_key("Document", chunk.document_id) for chunk in mirror.chunks(chunks).values()}
