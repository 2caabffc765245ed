"""From settings to a graph store."""

from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

from services.core.config import EMBEDDED, Settings, without_password
from services.core.errors import BadInput
from services.graph.dialect import Dialect
from services.graph.embedded import EmbeddedServer
from services.graph.falkordb_dialect import FalkorDB
from services.graph.graphiti_store import GraphitiStore
from services.graph.neo4j_dialect import Neo4j
from services.graph.store import GraphStore

_BOLT = frozenset({"bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc"})
_HINT = "Set ASOF_GRAPH_URL to embedded, falkordb://host:6379, bolt://host:7687, neo4j://… or neo4j+s://…"


@dataclass(frozen=True, slots=True)
class Target:
    """Where the settings say the graph is: an address without user and password, and how to get there."""

    kind: Literal["falkordb", "neo4j"]
    address: str
    user: str = ""
    password: str = field(default="", repr=False)
    server: EmbeddedServer | None = None
    redis: dict[str, Any] = field(default_factory=dict, repr=False)


def open_graph(settings: Settings) -> GraphStore:
    """The store that the settings name.

    Nothing is connected yet, so this works while the database is down; each call then raises `GraphUnavailable`.
    Raises `BadInput` for an address that names no known kind of database.
    """
    return GraphitiStore(_dialect(settings))


async def test_connection(settings: Settings) -> str:
    """What is found at the settings' address: the database, its version, and how many workspaces it holds.

    Raises `GraphUnavailable` when it cannot be reached and `BadInput` when the address is no good.
    """
    dialect = _dialect(settings)
    try:
        version, count = await dialect.version(), len(await dialect.workspaces())
    finally:
        await dialect.close()
    return f"{version} ({dialect.address}), {count} {'workspace' if count == 1 else 'workspaces'}"


def target(settings: Settings) -> Target:
    """Read the settings' address. Raises `BadInput` when it names no known kind of database."""
    if settings.graph_url == EMBEDDED:
        server = EmbeddedServer(settings.folder / "graph")
        return Target(
            "falkordb", f"embedded in {server.folder}", server=server, redis={"unix_socket_path": str(server.socket)}
        )
    try:
        shown, parts = without_password(settings.graph_url), urlsplit(settings.graph_url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise BadInput("ASOF_GRAPH_URL is not valid: check its host and port.", _HINT) from error
    user = unquote(parts.username or "") or settings.graph_user
    password = unquote(parts.password or "") or settings.graph_password
    if parts.scheme == "falkordb" and host:
        where = {"host": host, "port": port or 6379, "username": user or None, "password": password or None}
        return Target("falkordb", shown, user, password, redis=where)
    if parts.scheme in _BOLT and host:
        return Target("neo4j", shown, user, password)
    raise BadInput(f"ASOF_GRAPH_URL is not valid: “{shown}” is not the address of a graph database.", _HINT)


def _dialect(settings: Settings) -> Dialect:
    where = target(settings)
    if where.kind == "neo4j":
        return Neo4j(where.address, where.user, where.password)
    return FalkorDB(where.address, server=where.server, **where.redis)
