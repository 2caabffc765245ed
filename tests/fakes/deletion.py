"""Deleting records of a graph past the change-sets, as another program would."""

from collections.abc import Iterable

from services.graph import raw
from services.graph.store import GraphStore


async def delete(
    store: GraphStore,
    workspace: str,
    *,
    entities: Iterable[str] = (),
    facts: Iterable[str] = (),
    episodes: Iterable[str] = (),
    documents: Iterable[str] = (),
) -> None:
    """Delete by uuid (documents by id), each with everything that hangs on it."""
    keys = {raw.node_key("Entity", uuid) for uuid in entities} | {raw.node_key("Episodic", uuid) for uuid in episodes}
    keys |= {raw.fact_key(uuid) for uuid in facts} | await store.raw.parts(workspace, documents)
    await store.raw.put(workspace, dict.fromkeys(keys, ()))
