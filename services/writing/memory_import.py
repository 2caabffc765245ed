"""Imports an agent's records: what a line gives is set, what it leaves out stays, and null takes a field away."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from services.context import OpenWorkspace
from services.core.change_records import Origin
from services.core.json_documents import Json
from services.core.memory_records import RECORD_TYPES, MemoryRecord
from services.core.progress import Progress, nobody
from services.graph import raw
from services.graph.raw import Image, RawNode
from services.graph.store import check_workspace
from services.memory.record_fields import title_of
from services.writing.change_sets import writing
from services.writing.edits import Edit, Line

IMPORT = Origin("import")


@dataclass(frozen=True, slots=True)
class MemoryPlan:
    """What an import does to records: those that are new, those that change, and how many stay as they are.

    `change_set` is the id of the change that it made, if it made one.
    """

    new: tuple[MemoryRecord, ...] = ()
    changed: tuple[MemoryRecord, ...] = ()
    unchanged: int = 0
    nodes: Image | None = None
    change_set: str | None = None

    def document(self) -> Json:
        """Return the plan in numbers, with those of each type."""
        written = (*self.new, *self.changed)
        types = {type: sum(one.type == type for one in written) for type in RECORD_TYPES}
        return {
            "new": len(self.new),
            "changed": len(self.changed),
            "unchanged": self.unchanged,
            "types": {type: count for type, count in types.items() if count},
        }


def preview_records(workspace: OpenWorkspace, records: Sequence[MemoryRecord]) -> MemoryPlan:
    """Return what importing records would do. Raises `BadInput` for what cannot name a workspace."""
    check_workspace(workspace.name)
    given: dict[str, list[MemoryRecord]] = {}
    for one in records:
        given.setdefault(raw.node_key(one.type, one.id), []).append(one)
    held = workspace.run(workspace.graph.raw.read(workspace.name, given))
    nodes: dict[str, tuple[RawNode, ...]] = {}
    new, changed, unchanged = list[MemoryRecord](), list[MemoryRecord](), 0
    for key, lines in given.items():
        there = [node for node in held[key] if isinstance(node, RawNode)]
        empty = RawNode((lines[0].type,), {"group_id": workspace.name})
        wanted = tuple(_updated(node, lines) for node in there or [empty])
        if there and [node.properties for node in there] == [node.properties for node in wanted]:
            unchanged += 1
            continue
        nodes[key] = wanted
        (changed if there else new).append(MemoryRecord(lines[0].type, wanted[0].properties))
    return MemoryPlan(tuple(new), tuple(changed), unchanged, nodes)


def import_records(
    workspace: OpenWorkspace,
    records: Sequence[MemoryRecord],
    *,
    title: str,
    origin: Origin = IMPORT,
    progress: Progress = nobody,
    cancel: threading.Event | None = None,
) -> MemoryPlan:
    """Write records by type and id, whole or not at all, as one change-set; nothing is written where nothing changes.

    Raises `Cancelled` once `cancel` is set, and `WriteFailed` when the write did not go through; nothing is in then.
    """
    with writing(workspace, cancel) as writer:
        plan = preview_records(workspace, records)
        if plan.nodes:
            lines = [Line("added", _name(one)) for one in plan.new]
            lines += [Line("other", f"{_name(one)}: record changed") for one in plan.changed]
            edit = Edit(nodes=plan.nodes)
            change_set = writer.apply(edit, title=title, origin=origin, lines=lines, progress=progress)
            plan = replace(plan, change_set=change_set)
    return plan


def _updated(node: RawNode, lines: Sequence[MemoryRecord]) -> RawNode:
    values: Mapping[str, object] = node.properties
    for line in lines:
        values = {**values, **line.properties}
    return RawNode(node.labels, {name: value for name, value in values.items() if value is not None})


def _name(record: MemoryRecord) -> str:
    return f"{record.type} {record.id}: {title_of(record.type, record.properties)}"
