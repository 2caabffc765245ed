"""Everything that a database holds of a workspace, to be compared."""

import json
from typing import Any

from services.agent.app import App
from services.graph.graphiti_store import GraphitiStore
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.memory_raw import elements

NODE = "labels(n), properties(n)"
END = "labels({0}), {0}.uuid, {0}.id, {0}.name, {0}.content_hash, {0}.version"


def dump(services: App, workspace: str) -> tuple[list[str], list[str]]:
    """Nodes with labels and properties, and edges with their ends, as sorted lines."""
    if isinstance(services.graph, MemoryGraphStore):
        held = elements(services.graph._open(workspace))
        return sorted(json.dumps([key, [one.plain() for one in bag]], sort_keys=True) for key, bag in held.items()), []
    assert isinstance(services.graph, GraphitiStore)
    return services.bridge.run(_dump(services.graph, workspace))


async def _dump(graph: GraphitiStore, workspace: str) -> tuple[list[str], list[str]]:
    database = graph._db
    mine = database.scope("n", workspace)
    nodes = await database.read_exactly(workspace, f"MATCH (n{mine}) RETURN {NODE}")
    ends = f"{END.format('n')}, {END.format('m')}"
    edges = await database.read_exactly(workspace, f"MATCH (n{mine})-[e]->(m) RETURN type(e), {ends}, properties(e)")
    return _lines([[sorted(labels), values] for labels, values in nodes]), _lines(edges)


def _lines(rows: list[Any]) -> list[str]:
    return sorted(json.dumps(row, sort_keys=True) for row in rows)
