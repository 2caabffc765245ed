"""What earlier versions kept of a write that a crash left unfinished: the uuids of what is new, and records."""

from collections.abc import Mapping
from typing import Any

from services.core.models import Entity, Episode, Fact, GraphWrite
from services.graph import raw
from services.graph.store import GraphStore
from services.writing.changes.change_lines import fields_read

Document = Mapping[str, Any]
_LABELS = {"entities": "Entity", "facts": raw.FACT, "episodes": "Episodic"}


def as_images(document: Document) -> Document:
    """The same as a change-set's images: what is new, and of what was there nothing, since records know less."""
    new = document["new"]
    return {"before": {}, "made": [raw.node_key(_LABELS[kind], uuid) for kind in _LABELS for uuid in new[kind]]}


async def put_records(graph: GraphStore, workspace: str, document: Document) -> None:
    """Write the records that there were. Facts need their entities: those without are left out."""
    before = document["before"]
    entities = tuple(Entity(**fields_read(record)) for record in before["entities"])
    facts = [Fact(**fields_read(record)) for record in before["facts"]]
    ends = {end for fact in facts for end in (fact.source_uuid, fact.target_uuid)}
    held = {entity.uuid for entity in (*entities, *await graph.entities(workspace, ends))}
    possible = tuple(fact for fact in facts if {fact.source_uuid, fact.target_uuid} <= held)
    episodes = tuple(Episode(**fields_read(record)) for record in before["episodes"])
    await graph.write(workspace, GraphWrite(entities, possible, episodes))
