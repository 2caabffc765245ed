"""Records of an agent's own memory: their types, which are their labels in a graph, and what each of them is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

RecordType = Literal[
    "Partnership",
    "Conversation_Memory",
    "Technical_Context",
    "Emotional_State",
    "Strategy_Pattern",
    "Code_Reference",
    "Failed_Attempt",
    "Constraint",
]
RECORD_TYPES: tuple[RecordType, ...] = get_args(RecordType)

Properties = Mapping[str, Any]
"""The properties of a record by name: texts, numbers, booleans, and lists of them."""


@dataclass(frozen=True, slots=True)
class MemoryRecord:
    """A record of an agent's memory. `properties` hold the `id` too, by which the type knows the record."""

    type: RecordType
    properties: Properties

    @property
    def id(self) -> str:
        """What the type knows the record by."""
        return str(self.properties["id"])
