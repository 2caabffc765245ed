"""Neo4j 5.26 or later over Bolt: a workspace is the property `group_id`, and dates are native."""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from neo4j import AsyncDriver, AsyncGraphDatabase, AsyncSession
from neo4j.exceptions import AuthError, DriverError, Neo4jError
from neo4j.spatial import Point
from neo4j.time import Date, DateTime, Duration, Time

from services.core import clock
from services.core.errors import BadInput, GraphUnavailable, QueryRejected
from services.core.memory_records import RECORD_TYPES
from services.graph import neo4j_values
from services.graph.dialect import Dialect, Row

PAGE = 10_000
CONNECT_SECONDS = 3.0

Mode = Literal["READ", "WRITE"]
Conversion = Callable[[list[Any]], Any]

INDEXES = (
    "CREATE INDEX entity_uuid IF NOT EXISTS FOR (n:Entity) ON (n.uuid)",
    "CREATE INDEX episode_uuid IF NOT EXISTS FOR (n:Episodic) ON (n.uuid)",
    "CREATE INDEX merged_uuid IF NOT EXISTS FOR (n:MergedEntity) ON (n.uuid)",
    "CREATE TEXT INDEX merged_name IF NOT EXISTS FOR (n:MergedEntity) ON (n.name)",
    "CREATE INDEX relation_uuid IF NOT EXISTS FOR ()-[e:RELATES_TO]-() ON (e.uuid)",
    "CREATE TEXT INDEX name_entity_index IF NOT EXISTS FOR (n:Entity) ON (n.name)",
    "CREATE TEXT INDEX name_edge_index IF NOT EXISTS FOR ()-[e:RELATES_TO]-() ON (e.name)",
    "CREATE INDEX entity_group_id IF NOT EXISTS FOR (n:Entity) ON (n.group_id)",
    "CREATE INDEX episode_group_id IF NOT EXISTS FOR (n:Episodic) ON (n.group_id)",
    "CREATE INDEX document_id IF NOT EXISTS FOR (n:Document) ON (n.id)",
    "CREATE INDEX section_id IF NOT EXISTS FOR (n:Section) ON (n.id)",
    "CREATE INDEX section_document_id IF NOT EXISTS FOR (n:Section) ON (n.document_id)",
    "CREATE INDEX chunk_id IF NOT EXISTS FOR (n:Chunk) ON (n.id)",
    "CREATE INDEX chunk_document_id IF NOT EXISTS FOR (n:Chunk) ON (n.document_id)",
    "CREATE INDEX relation_group_id IF NOT EXISTS FOR ()-[e:RELATES_TO]-() ON (e.group_id)",
    "CALL db.awaitIndexes(30)",
)
"""Under Graphiti's own names, so that neither makes a second index of the other's. On names it is a text index:
a range index refuses names beyond 8 KB."""

RECORD_INDEXES = (
    *(f"CREATE INDEX {label.lower()}_id IF NOT EXISTS FOR (n:{label}) ON (n.id)" for label in RECORD_TYPES),
    *(f"CREATE INDEX {label.lower()}_citizen IF NOT EXISTS FOR (n:{label}) ON (n.citizen)" for label in RECORD_TYPES),
    "CALL db.awaitIndexes(30)",
)


class Neo4j(Dialect):
    """A Neo4j server, cluster or Aura at a `bolt://`, `neo4j://` or `neo4j+s://` address."""

    default_workspace = ""
    earliest, latest = "datetime({year: -999999999})", "datetime({year: 999999999})"
    indexes_citizens = True

    def __init__(self, address: str, user: str, password: str) -> None:
        self.address = address
        self._auth = (user, password) if user or password else None
        self._driver: AsyncDriver | None = None
        self._indexed, self._records_indexed = False, False

    async def read(self, workspace: str, cypher: str, **params: Any) -> list[Row]:
        """The rows of a query, with native values as Python has them."""
        return await self._read(workspace, cypher, params, _native)

    async def read_exactly(self, workspace: str, cypher: str, **params: Any) -> list[Row]:
        """The rows of a query, with native values as `neo4j_values` spells them."""
        return await self._read(workspace, cypher, params, neo4j_values.spelled)

    async def _read(self, workspace: str, cypher: str, params: dict[str, Any], convert: Conversion) -> list[Row]:
        """Ask once more when the connection had gone stale."""
        try:
            return await self._run("READ", workspace, cypher, params, convert)
        except GraphUnavailable as error:
            if isinstance(error.__cause__, AuthError):
                raise
        return await self._run("READ", workspace, cypher, params, convert)

    def typed(self, value: Any, expression: str) -> str:  # noqa: ARG002
        """The parameter: the driver sends native values."""
        return expression

    def given(self, value: Any) -> Any:
        """The native value."""
        return neo4j_values.native(value)

    def as_read(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The same; instants are spelled."""
        return {name: neo4j_values.spelled(value) for name, value in values.items() if value is not None}

    def as_received(self, values: list[Any]) -> list[Any]:
        """The same of a list of values."""
        return [neo4j_values.spelled(value) for value in values]

    async def write(self, workspace: str, cypher: str, *, alive: bool = False, **params: Any) -> list[Row]:
        """The rows of a query that may change the workspace. The read before it replaces connections gone stale."""
        if not alive:
            await self.read(workspace, "RETURN 1")
        return await self._run("WRITE", workspace, cypher, params, _native)

    async def pages(
        self,
        workspace: str,
        match: str,
        returns: str,
        record: str,  # noqa: ARG002
        **params: Any,
    ) -> AsyncIterator[list[Row]]:
        """The rows as they come in: Bolt streams."""
        try:
            async with self._session("READ", fetch_size=PAGE) as session:
                result = await session.run(f"{match} {returns}", {**params, "group": workspace})
                while records := await result.fetch(PAGE):
                    yield [_native(record.values()) for record in records]
        except (DriverError, Neo4jError, OSError) as error:
            raise self._translated(error) from error

    async def ensure_indexes(self, workspace: str) -> None:
        """Create the indexes, once: they belong to the database, not to the workspace."""
        await self._ensure(workspace, () if self._indexed else INDEXES)
        self._indexed = True

    async def ensure_record_indexes(self, workspace: str) -> None:
        """Create the indexes of an agent's records, once."""
        await self._ensure(workspace, () if self._records_indexed else RECORD_INDEXES)
        self._records_indexed = True

    async def _ensure(self, workspace: str, statements: Iterable[str]) -> None:
        for statement in statements:
            try:
                await self.write(workspace, statement)
            except QueryRejected as error:
                if "EquivalentSchemaRuleAlreadyExists" not in str(error.__cause__):
                    raise

    async def workspaces(self) -> list[str]:
        """The groups that hold an entity, an episode or an agent's record."""
        labels = "|".join(("Entity", "Episodic", *RECORD_TYPES))
        rows = await self.read("", f"MATCH (n:{labels}) RETURN DISTINCT coalesce(n.group_id, '')")
        return [row[0] for row in rows]

    async def clear(self, workspace: str) -> None:
        """Delete every node of the group with its edges, in transactions of a size that fits in memory.

        Of nodes without a group, the default workspace's are Graphiti's and an agent's records; others are not ours.
        """
        delete = "CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS"
        await self.write(workspace, f"MATCH (n {{group_id: $group}}) {delete}")
        if not workspace:
            labels = "|".join(("Entity", "Episodic", "Community", *RECORD_TYPES))
            await self.write(workspace, f"MATCH (n:{labels}) WHERE n.group_id IS NULL {delete}")

    async def position(self, workspace: str) -> None:
        """None: a server keeps its own files."""

    async def set_position(self, workspace: str, position: str) -> None:
        """Nothing: a server keeps its own files."""

    async def version(self) -> str:
        """Neo4j's version and edition."""
        rows = await self.read("", "CALL dbms.components() YIELD versions, edition RETURN versions[0], edition")
        return f"Neo4j {rows[0][0]} {rows[0][1]}"

    async def close(self) -> None:
        """Close the connections."""
        if self._driver is not None:
            await self._driver.close()
            self._driver = None

    def scope(self, variable: str, workspace: str) -> str:
        """The group as a property, which is indexed; the default workspace holds what has no group, too."""
        return " {group_id: $group}" if workspace else self.guard(variable)

    def guard(self, variable: str) -> str:
        """The group in an expression: a property Neo4j may look up instead of the uuid, and visit every node."""
        return f" WHERE coalesce({variable}.group_id, '') = $group"

    def packed(self, rows: Sequence[Row]) -> Sequence[Row]:
        """The rows as they are: the driver packs them while it sends."""
        return rows

    def date(self, value: datetime | None) -> datetime | None:
        """An instant, which Neo4j stores natively."""
        return None if value is None else clock.instant(value)

    def vector(self, expression: str) -> str:
        """The list as it is: Neo4j's vector functions and indexes take lists of floats."""
        return expression

    def comparable(self, expression: str) -> str:
        """A date that somebody stored as text, or without a zone, as a native one; a native one as it is."""
        return f"datetime({expression})"

    def quoted(self, name: str) -> str:
        """A name between backticks; a backtick in it is doubled.

        Before it reads anything else Neo4j takes `\\u0060` for a backtick, so a backslash is spelled that way itself.
        """
        if not name or not name.isprintable():
            raise BadInput(f"“{name[:80]}” is not a valid type or attribute name.", "Leave out tabs and line breaks.")
        return "`" + name.replace("\\", "\\u005C").replace("`", "``") + "`"

    async def _run(
        self, mode: Mode, workspace: str, cypher: str, params: dict[str, Any], convert: Conversion
    ) -> list[Row]:
        try:
            async with self._session(mode) as session:
                result = await session.run(cypher, {**params, "group": workspace})
                return [convert(record.values()) async for record in result]
        except (DriverError, Neo4jError, OSError) as error:
            raise self._translated(error) from error

    def _session(self, mode: Mode, **options: Any) -> AsyncSession:
        """A session on the driver, made on first use. Bookmarks are shared, so a cluster shows us our own writes."""
        if self._driver is None:
            self._driver = AsyncGraphDatabase.driver(
                self.address, auth=self._auth, connection_timeout=CONNECT_SECONDS, notifications_min_severity="OFF"
            )
        bookmarks = self._driver.execute_query_bookmark_manager
        return self._driver.session(default_access_mode=mode, bookmark_manager=bookmarks, **options)

    def _translated(self, error: Exception) -> GraphUnavailable | QueryRejected:
        if isinstance(error, AuthError):
            hint = "Set ASOF_GRAPH_USER and ASOF_GRAPH_PASSWORD."
            return GraphUnavailable(f"{self.address} rejected the user or password.", hint)
        if isinstance(error, Neo4jError) and not error.is_retryable():
            return QueryRejected(f"The graph database refused the query: {str(error)[:300]}")
        hint = "Start the database, or change ASOF_GRAPH_URL. Asof reconnects automatically."
        return GraphUnavailable(f"The graph database at {self.address} is not responding.", hint)


def _native(value: Any) -> Any:
    """Neo4j's own dates as Python's, however deep in a row, and what Python has no like of as text."""
    if isinstance(value, DateTime | Date):
        return value.to_native()
    if isinstance(value, Time | Duration):
        return value.iso_format()
    if isinstance(value, Point):
        return f"POINT({' '.join(map(str, value))})"
    return [_native(item) for item in value] if isinstance(value, list) else value
