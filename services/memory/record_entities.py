"""Which entities of the graph an agent's records name. Nothing is stored: a link is there once both are."""

from collections.abc import Iterable
from typing import Any

from services.context import OpenWorkspace
from services.core.memory_records import Properties, RecordType
from services.core.models import Entity
from services.memory.record_fields import NAMES

MOST_NAMES = 60
"""So many names of one answer are looked up."""


def entities_of_records(workspace: OpenWorkspace, type: RecordType, records: Iterable[Properties]) -> dict[str, Entity]:
    """Return the entities that records name, by the name as the records write it."""
    names = dict.fromkeys(name for record in records for name in names_in(type, record))
    found = ((name, workspace.mirror.entities_named(name)) for name in list(names)[:MOST_NAMES])
    return {name: entities[0] for name, entities in found if entities}


def names_in(type: RecordType, record: Properties) -> list[str]:
    """Return what a record may name: whose it is, and the fields of its type that hold names."""
    values: list[Any] = []
    for field in ("citizen", *NAMES[type]):
        value = record.get(field)
        values += value if isinstance(value, list) else [value]
    return [value for value in values if isinstance(value, str) and value.strip()]
