"""What would undo a write: the uuids that are new, and the records that it replaces as they were before."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any

from services import clock
from services.graph.store import GraphStore
from services.models import Entity, Episode, Fact, GraphWrite

_BATCH = 5_000


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """One write, as far as taking it back needs it."""

    new_entities: tuple[str, ...]
    new_facts: tuple[str, ...]
    new_episodes: tuple[str, ...]
    before: GraphWrite

    def to_bytes(self) -> bytes:
        """The change-set as JSON text."""
        document = {
            "new": {"entities": self.new_entities, "facts": self.new_facts, "episodes": self.new_episodes},
            "before": {
                "entities": [_written(e) for e in self.before.entities],
                "facts": [_written(f) for f in self.before.facts],
                "episodes": [_written(e) for e in self.before.episodes],
            },
        }
        return json.dumps(document, ensure_ascii=False).encode()

    @classmethod
    def from_bytes(cls, payload: bytes) -> "ChangeSet":
        """A change-set as `to_bytes` wrote it."""
        document = json.loads(payload)
        new, before = document["new"], document["before"]
        return cls(
            tuple(new["entities"]),
            tuple(new["facts"]),
            tuple(new["episodes"]),
            GraphWrite(
                tuple(Entity(**_read(record)) for record in before["entities"]),
                tuple(Fact(**_read(record)) for record in before["facts"]),
                tuple(Episode(**_read(record)) for record in before["episodes"]),
            ),
        )


async def take_back(graph: GraphStore, workspace: str, change_set: ChangeSet) -> tuple[GraphWrite, tuple[str, ...]]:
    """Undo a write that may have happened in part; doing it twice does no harm.

    A new entity stays when facts hang on it that are not of this write. A fact whose entities somebody has deleted
    since stays deleted with them. Returns what was put back, and the entities that went.
    """
    for batch in _batches(change_set.new_facts):
        await graph.delete(workspace, facts=batch)
    for batch in _batches(change_set.new_episodes):
        await graph.delete(workspace, episodes=batch)
    restored = await _possible(graph, workspace, change_set.before)
    await graph.write(workspace, restored)
    lonely = await _without_facts(graph, workspace, change_set.new_entities)
    for batch in _batches(lonely):
        await graph.delete(workspace, entities=batch)
    return restored, lonely


async def _possible(graph: GraphStore, workspace: str, before: GraphWrite) -> GraphWrite:
    """What can be put back: facts need their entities."""
    ends = {end for fact in before.facts for end in (fact.source_uuid, fact.target_uuid)}
    held = {entity.uuid for entity in (*before.entities, *await graph.entities(workspace, ends))}
    facts = tuple(fact for fact in before.facts if {fact.source_uuid, fact.target_uuid} <= held)
    return replace(before, facts=facts)


async def _without_facts(graph: GraphStore, workspace: str, uuids: tuple[str, ...]) -> tuple[str, ...]:
    if not uuids:
        return ()
    busy = {end async for facts in graph.scan_facts(workspace) for f in facts for end in (f.source_uuid, f.target_uuid)}
    return tuple(uuid for uuid in uuids if uuid not in busy)


def _batches(uuids: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [uuids[start : start + _BATCH] for start in range(0, len(uuids), _BATCH)]


def _written(record: Entity | Fact | Episode) -> dict[str, Any]:
    values = {field.name: getattr(record, field.name) for field in fields(record)}
    return {name: _plain(value) for name, value in values.items() if value is not None}


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return clock.spell(value)
    return dict(value) if isinstance(value, Mapping) else value


def _read(record: dict[str, Any]) -> dict[str, Any]:
    return {name: _typed(name, value) for name, value in record.items()}


def _typed(name: str, value: Any) -> Any:
    if name.endswith("_at"):
        return datetime.fromisoformat(value)
    return tuple(value) if isinstance(value, list) else value
