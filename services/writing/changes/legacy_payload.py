"""What earlier versions kept of a write that a crash left unfinished: the uuids of what is new, and records."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter

from services.core.models import GraphWrite
from services.graph import raw
from services.graph.store import GraphStore

Document = Mapping[str, Any]
_RECORDS = TypeAdapter(GraphWrite)
_LABELS = {"entities": "Entity", "facts": raw.FACT, "episodes": "Episodic"}


def as_images(document: Document) -> Document:
    """The same as a change-set's images: what is new, and of what was there nothing, since records know less."""
    new = document["new"]
    return {"before": {}, "made": [raw.node_key(_LABELS[kind], uuid) for kind in _LABELS for uuid in new[kind]]}


async def put_records(graph: GraphStore, workspace: str, document: Document) -> None:
    """Write the records that there were. Facts need their entities: those without are left out."""
    before = _RECORDS.validate_python(document["before"])
    ends = {end for fact in before.facts for end in (fact.source_uuid, fact.target_uuid)}
    held = {entity.uuid for entity in (*before.entities, *await graph.entities(workspace, ends))}
    possible = tuple(fact for fact in before.facts if {fact.source_uuid, fact.target_uuid} <= held)
    await graph.write(workspace, replace(before, facts=possible))
