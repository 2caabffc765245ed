"""Graphiti on our database, for whoever wants to run Graphiti itself on a workspace.

Stock Graphiti indexes dates on FalkorDB, where they are text and `<` answers wrongly from such an index, and builds its
indexes anew with every driver and clone. The driver here does neither.
"""

import asyncio
import os

os.environ.setdefault("GRAPHITI_TELEMETRY_ENABLED", "false")

from falkordb.asyncio import FalkorDB as FalkorClient
from graphiti_core.driver.driver import GraphDriver
from graphiti_core.driver.falkordb_driver import FalkorDriver
from graphiti_core.driver.neo4j_driver import Neo4jDriver
from graphiti_core.graph_queries import get_fulltext_indices

from services.core.config import Settings
from services.graph.connect import target
from services.graph.embedded import EmbeddedServer

_NODES = {
    "Entity": ("uuid", "group_id", "name"),
    "Episodic": ("uuid", "group_id"),
    "Community": ("uuid",),
    "Saga": ("uuid", "group_id", "name"),
}
_EDGES = {
    "RELATES_TO": ("uuid",),
    "MENTIONS": ("uuid",),
    "HAS_MEMBER": ("uuid",),
    "HAS_EPISODE": ("uuid",),
    "NEXT_EPISODE": ("uuid",),
}


async def graphiti_driver(settings: Settings, workspace: str) -> GraphDriver:
    """A Graphiti driver for a workspace, with its indexes built. Close it when done.

    Raises `GraphUnavailable` when the embedded database cannot be started, and the driver's own errors otherwise.
    """
    where = target(settings)
    if where.kind == "neo4j":
        driver = Neo4jDriver(where.address, where.user, where.password)
        assert driver._init_task is not None
        await driver._init_task
        return driver
    if where.server is not None:
        await where.server.ensure()
    client = FalkorClient(**where.redis, protocol=2)
    cured = CuredFalkorDriver(client, workspace, where.server)
    await cured.build_indices_and_constraints()
    return cured


class CuredFalkorDriver(FalkorDriver):
    """Graphiti's FalkorDB driver without indexes on dates, which builds its indexes once per graph."""

    def __init__(self, client: FalkorClient, database: str, server: EmbeddedServer | None = None) -> None:
        self._built: dict[str, asyncio.Task[None]] = {}
        super().__init__(falkor_db=client, database=database)
        self._server = server

    async def build_indices_and_constraints(self, delete_existing: bool = False) -> None:
        """Build the indexes of this driver's graph, unless that was done or is under way."""
        if delete_existing:
            await self.delete_all_indexes()
            self._built.pop(self._database, None)
        if self._database not in self._built:
            self._built[self._database] = asyncio.create_task(self._build())
        await self._built[self._database]

    async def _build(self) -> None:
        """Range indexes first: FalkorDB finds nothing by one that was made after a full-text index."""
        nodes = [f"CREATE INDEX FOR (n:{label}) ON (n.{name})" for label, names in _NODES.items() for name in names]
        edges = [f"CREATE INDEX FOR ()-[e:{kind}]-() ON (e.{name})" for kind, names in _EDGES.items() for name in names]
        for statement in [*nodes, *edges, *get_fulltext_indices(self.provider)]:
            await self.execute_query(statement)

    def clone(self, database: str) -> GraphDriver:
        """This driver on another graph, over the same connection."""
        if database == self._database:
            return self
        cloned = CuredFalkorDriver(self.client, database)
        cloned._built = self._built
        return cloned

    async def close(self) -> None:
        """Close the connection; stop the embedded server when nobody else uses it."""
        await super().close()
        if self._server is not None:
            await self._server.leave()
