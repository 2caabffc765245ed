"""An agent's records of a graph in memory: the nodes under the labels of their types."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from services.core.memory_records import RECORD_TYPES, MemoryRecord, Properties, RecordType
from services.graph import raw
from services.graph.memory_store import FoundRecord, RecordFilter
from services.graph.raw import RawNode

if TYPE_CHECKING:
    from tests.fakes.memory_graph import Partition


class MemoryAgentRecords:
    """`partition` gives a workspace's records, and raises while the store is down."""

    def __init__(self, partition: Callable[[str], "Partition"]) -> None:
        self._partition = partition

    def _held(self, workspace: str) -> list[tuple[RecordType, Properties]]:
        others = self._partition(workspace).others.items()
        pairs = [(raw.node_parts(key)[0], bag) for key, bag in others if raw.is_node(key)]
        return [
            (label, {name: value for name, value in node.properties.items() if name != "group_id"})  # type: ignore[misc]
            for label, bag in pairs
            if label in RECORD_TYPES
            for node in bag
            if isinstance(node, RawNode)
        ]

    async def citizens(self, workspace: str) -> tuple[str, ...]:
        return tuple(sorted({one["citizen"] for _, one in self._held(workspace) if "citizen" in one}))

    async def fitting(
        self, workspace: str, type: RecordType, wanted: RecordFilter, properties: Sequence[str]
    ) -> tuple[FoundRecord, ...]:
        held = enumerate(self._held(workspace))
        fitting = ((own, one) for own, (label, one) in held if label == type and _fits(wanted, one))
        return tuple(FoundRecord(own, {name: one[name] for name in properties if name in one}) for own, one in fitting)

    async def read(self, workspace: str, own_ids: Iterable[int]) -> dict[int, Properties]:
        held = self._held(workspace)
        return {own: held[own][1] for own in own_ids}

    async def counts(self, workspace: str) -> dict[RecordType, int]:
        labels = [label for label, _ in self._held(workspace)]
        return {label: labels.count(label) for label in RECORD_TYPES if label in labels}

    async def all_records(self, workspace: str) -> tuple[MemoryRecord, ...]:
        return tuple(sorted((MemoryRecord(*one) for one in self._held(workspace)), key=lambda one: (one.type, one.id)))


def _fits(wanted: RecordFilter, record: Properties) -> bool:
    equal = all(_lower(record.get(name)) in map(str.lower, texts) for name, texts in wanted.equal.items())
    texts = [_lower(record.get(name)) for name in wanted.within]
    texts += [_lower(item) for name in wanted.listed for item in record.get(name, ())]
    within = not wanted.texts or any(part.lower() in text for part in wanted.texts for text in texts)
    return equal and within and all(record.get(name, -1.0) >= least for name, least in wanted.at_least.items())


def _lower(value: Any) -> str:
    return value.lower() if isinstance(value, str) else ""
