"""FalkorDB, embedded or a server: a workspace is a graph of its own, and dates are text in the one spelling."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from itertools import batched
from typing import Any

import redis.asyncio as redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, BusyLoadingError, ResponseError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from services.core import clock
from services.core.errors import BadInput, GraphUnavailable, QueryRejected
from services.core.memory_records import RECORD_TYPES
from services.graph import falkordb_wire as wire
from services.graph.dialect import Dialect, Row
from services.graph.embedded import EmbeddedServer

PAGE = 10_000
MAX_PAGES = 20
CONNECT_SECONDS = 3
ANSWER_SECONDS = 60
INDEX_SECONDS = 50
LATELY = 0.5
"""Seconds in which a graph is taken to have its indexes still."""

INDEXES = {
    ("Entity", "uuid"): "CREATE INDEX FOR (n:Entity) ON (n.uuid)",
    ("Entity", "name"): "CREATE INDEX FOR (n:Entity) ON (n.name)",
    ("Episodic", "uuid"): "CREATE INDEX FOR (n:Episodic) ON (n.uuid)",
    ("MergedEntity", "uuid"): "CREATE INDEX FOR (n:MergedEntity) ON (n.uuid)",
    ("MergedEntity", "name"): "CREATE INDEX FOR (n:MergedEntity) ON (n.name)",
    ("RELATES_TO", "uuid"): "CREATE INDEX FOR ()-[e:RELATES_TO]-() ON (e.uuid)",
    ("Document", "id"): "CREATE INDEX FOR (n:Document) ON (n.id)",
    ("Section", "id"): "CREATE INDEX FOR (n:Section) ON (n.id)",
    ("Section", "document_id"): "CREATE INDEX FOR (n:Section) ON (n.document_id)",
    ("Chunk", "id"): "CREATE INDEX FOR (n:Chunk) ON (n.id)",
    ("Chunk", "document_id"): "CREATE INDEX FOR (n:Chunk) ON (n.document_id)",
}
"""Never on dates: FalkorDB answers `<` wrongly from an index on text."""

RECORD_INDEXES: Mapping[tuple[str, str], str] = {
    (label, "id"): f"CREATE INDEX FOR (n:{label}) ON (n.id)" for label in RECORD_TYPES
}
_HELD = " OR ".join(f"n:{label}" for label in ("Entity", "Episodic", *RECORD_TYPES))

_POSITION = "asof:position:"
_UNFINISHED = "CALL db.indexes() YIELD status WHERE status <> 'OPERATIONAL' RETURN status"
_UNREACHABLE = (RedisConnectionError, RedisTimeoutError, BusyLoadingError, OSError)


class FalkorDB(Dialect):
    """A FalkorDB at a `redis.asyncio` address; an embedded one is started when it is needed."""

    default_workspace = "_"
    earliest, latest = "''", "'~'"
    indexes_citizens = False

    def __init__(self, address: str, *, server: EmbeddedServer | None = None, **where: Any) -> None:
        self.address = address
        self._server = server
        self._where = where
        self._client: redis.Redis | None = None
        self._indexed: dict[str, float] = {}

    async def read(self, workspace: str, cypher: str, **params: Any) -> list[Row]:
        """The rows of a query; none where the graph does not exist, which a read must not create."""
        return wire.rows(await self._ask(workspace, cypher, params))  # type: ignore[return-value]

    async def read_exactly(self, workspace: str, cypher: str, **params: Any) -> list[Row]:
        """The rows of a query, with vectors and native dates. FalkorDB gives numbers with 15 digits."""
        return wire.rows(await self._ask(workspace, cypher, params), exactly=True)  # type: ignore[return-value]

    async def _ask(self, workspace: str, cypher: str, params: dict[str, Any]) -> Any:
        try:
            return await self._command("GRAPH.RO_QUERY", workspace, wire.command(cypher, params), "--compact")
        except QueryRejected as error:
            if "empty key" in str(error.__cause__):
                self._indexed.pop(workspace, None)
                return []
            raise

    async def write(self, workspace: str, cypher: str, *, alive: bool = False, **params: Any) -> list[Row]:
        """The rows of a query that may change the graph. The ping revives a server that died.

        It is repeated only where it was never sent.
        """
        if not alive:
            await self._command("PING")
        words = "GRAPH.QUERY", workspace, wire.command(cypher, params), "--compact"
        try:
            reply = await self._send(*words)
        except GraphUnavailable as error:
            if self._server is None or not _never_sent(error):
                raise
            await self._server.ensure()
            reply = await self._send(*words)
        return wire.rows(reply)  # type: ignore[return-value]

    async def pages(
        self, workspace: str, match: str, returns: str, record: str, **params: Any
    ) -> AsyncIterator[list[Row]]:
        """One query per range of internal ids: SKIP would read everything before it again."""
        last = (await self.read(workspace, f"{match} RETURN max(ID({record}))", **params) or [[None]])[0][0]
        size = max(PAGE, (last or 0) // MAX_PAGES + 1)
        within = f"{match} WHERE ID({record}) >= $low AND ID({record}) < $high {returns}"
        for low in range(0, -1 if last is None else int(last) + 1, size):
            yield await self.read(workspace, within, low=low, high=low + size, **params)

    async def ensure_indexes(self, workspace: str) -> None:
        """Create the indexes that are missing and wait for them: a query planned before they are there never uses them,
        and a server that was started anew builds them all again.

        Raises `GraphUnavailable` when that takes too long.
        """
        if time.monotonic() - self._indexed.get(workspace, -LATELY) < LATELY:
            return
        await self._ensure(workspace, INDEXES)
        self._indexed[workspace] = time.monotonic()

    async def ensure_record_indexes(self, workspace: str) -> None:
        """Create the indexes of an agent's records that are missing and wait for them."""
        await self._ensure(workspace, RECORD_INDEXES)

    async def _ensure(self, workspace: str, indexes: Mapping[tuple[str, str], str]) -> None:
        rows = await self.read(workspace, "CALL db.indexes() YIELD label, types RETURN label, types")
        there = {(label, name) for label, types in rows for name, kinds in types.items() if "RANGE" in kinds}
        missing = [statement for key, statement in indexes.items() if key not in there]
        for statement in missing:
            await self.write(workspace, statement)
        deadline = time.monotonic() + INDEX_SECONDS
        while await self.read(workspace, _UNFINISHED):
            if time.monotonic() > deadline:
                raise GraphUnavailable(f"{self.address} is still building indexes.", "Try again in a minute.")
            await asyncio.sleep(0.005)

    async def workspaces(self) -> list[str]:
        """The graphs that hold an entity, an episode or an agent's record."""
        graphs = await self._command("GRAPH.LIST")
        probe = f"MATCH (n) WHERE {_HELD} RETURN 1 LIMIT 1"
        return [graph for graph in graphs if await self.read(graph, probe)]

    async def clear(self, workspace: str) -> None:
        """Delete the graph, indexes and all."""
        try:
            await self._command("GRAPH.DELETE", workspace)
        except QueryRejected as error:
            if "empty key" not in str(error.__cause__):
                raise
        finally:
            self._indexed.pop(workspace, None)

    async def position(self, workspace: str) -> str | None:
        """The text that was left with the workspace; an embedded database alone keeps one, in the order of writes."""
        return None if self._server is None else str(await self._command("GET", _POSITION + workspace) or "")

    async def set_position(self, workspace: str, position: str) -> None:
        """Leave a text with the workspace, under a key that can name no graph."""
        if self._server is not None:
            await self._command("SET", _POSITION + workspace, position)

    async def version(self) -> str:
        """FalkorDB's own version, which is that of the module in the server."""
        modules = await self._command("MODULE", "LIST")
        found = [module if isinstance(module, dict) else dict(batched(module, 2)) for module in modules]
        numbers = [int(module["ver"]) for module in found if module.get("name") == "graph"]
        if not numbers:
            raise GraphUnavailable(
                f"{self.address} is a Redis server without FalkorDB.", "Load the FalkorDB module into that server."
            )
        major, rest = divmod(numbers[0], 10_000)
        return f"FalkorDB {major}.{rest // 100}.{rest % 100}"

    async def close(self) -> None:
        """Close the connections; stop the embedded server when nobody else uses it."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None
        if self._server is not None:
            await self._server.leave()

    def scope(self, variable: str, workspace: str) -> str:  # noqa: ARG002
        """Nothing: a workspace is a graph of its own."""
        return ""

    def guard(self, variable: str) -> str:  # noqa: ARG002
        """Nothing: a workspace is a graph of its own."""
        return ""

    def packed(self, rows: Sequence[Row]) -> wire.Literal:
        """The rows as text."""
        return wire.literal(rows)

    def date(self, value: datetime | None) -> str | None:
        """An instant in the one spelling, which sorts as text."""
        return None if value is None else clock.spell(value)

    def vector(self, expression: str) -> str:
        """The list as 32-bit floats, which FalkorDB's vector functions ask for."""
        return f"vecf32({expression})"

    def typed(self, value: Any, expression: str) -> str:
        """A call of the function that is named as the kind."""
        if not isinstance(value, dict):
            return expression
        (kind,) = value
        if kind == "point":
            return f"point({{latitude: {expression}[0], longitude: {expression}[1]}})"
        return f"{kind}({expression})"

    def given(self, value: Any) -> Any:
        """What the function takes."""
        if isinstance(value, list) and any(isinstance(item, dict) for item in value):
            raise BadInput(
                "FalkorDB cannot store a list of dates.", "In the program that wrote the list, store its dates as text."
            )
        return next(iter(value.values())) if isinstance(value, dict) else value

    def as_read(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Numbers with 15 digits, and texts as they go over the wire."""
        return {
            name: value if type(value) is str and value.isascii() and "\0" not in value else wire.as_received(value)
            for name, value in values.items()
            if value is not None
        }

    def as_received(self, values: list[Any]) -> list[Any]:
        """The same of a list of values."""
        return wire.as_received(values) if any(map(_may_change, values)) else values

    def comparable(self, expression: str) -> str:
        """The text of a date with "Z" spelled as an offset. Being an expression, it is never looked up in an index."""
        return f"replace(toString({expression}), 'Z', '+00:00')"

    def quoted(self, name: str) -> str:
        """A name between backticks, for which FalkorDB has no escape."""
        if not name or "`" in name or not name.isprintable():
            raise BadInput(f"“{name[:80]}” is not a valid type or attribute name.", "Leave out backticks and tabs.")
        return f"`{name}`"

    async def _command(self, *words: str | bytes) -> Any:
        """Send a command that may be sent twice: once more when the connection, or the embedded server, was gone."""
        try:
            return await self._send(*words)
        except GraphUnavailable as error:
            if isinstance(error.__cause__, AuthenticationError | RedisTimeoutError):
                raise
        if self._server is not None:
            await self._server.ensure()
        return await self._send(*words)

    async def _send(self, *words: str | bytes) -> Any:
        client = await self._connected()
        try:
            return await client.execute_command(*words)  # type: ignore[no-untyped-call]
        except AuthenticationError as error:
            hint = "Set ASOF_GRAPH_USER and ASOF_GRAPH_PASSWORD."
            raise GraphUnavailable(f"{self.address} rejected the user or password.", hint) from error
        except _UNREACHABLE as error:
            self._indexed.clear()
            hint = "Start the database, or change ASOF_GRAPH_URL. Asof reconnects automatically."
            raise GraphUnavailable(f"The graph database at {self.address} is not responding.", hint) from error
        except ResponseError as error:
            raise QueryRejected(f"The graph database refused the query: {str(error)[:300]}") from error

    async def _connected(self) -> redis.Redis:
        """The client, made on first use. It never repeats a command by itself: that could write twice."""
        if self._client is None:
            if self._server is not None:
                await self._server.ensure()
            self._client = redis.Redis(
                **self._where,
                decode_responses=True,
                retry=Retry(NoBackoff(), 0),
                socket_connect_timeout=CONNECT_SECONDS,
                socket_timeout=ANSWER_SECONDS,
            )
        return self._client


def _may_change(value: Any) -> bool:
    """False for what surely comes back as it is."""
    if value is None or (type(value) is str and value.isascii()):
        return value is not None and "\0" in value
    return type(value) is not list or any(map(_may_change, value))


def _never_sent(error: GraphUnavailable) -> bool:
    """True when nobody took the connection, so that nothing can have happened."""
    fault = error.__cause__
    return isinstance(fault, RedisConnectionError) and isinstance(
        fault.__context__, ConnectionRefusedError | FileNotFoundError
    )
