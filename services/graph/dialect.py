"""What the one Graphiti-schema store asks of a database: run Cypher, and say how this database's Cypher differs."""

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

Row = Sequence[Any]


class Dialect(Protocol):
    """A connection to one kind of database. It is made lazily, on the loop that makes the first call.

    Every coroutine raises `GraphUnavailable` when the database cannot be reached and `QueryRejected` when it refuses.
    """

    default_workspace: str
    """The database's own default group."""

    address: str
    """Where the database is, without user and password."""

    earliest: str
    """A literal before every date; `latest` is one after every date."""

    latest: str

    indexes_citizens: bool
    """Whether it finds an agent's records faster by an index on whose they are than by looking at all of them."""

    async def read(self, workspace: str, cypher: str, **params: Any) -> list[Row]:
        """The rows of a query that changes nothing; none for a workspace that does not exist."""

    async def read_exactly(self, workspace: str, cypher: str, **params: Any) -> list[Row]:
        """As `read`, but nothing is lost on the way: what JSON has no like of is a map with one name, its kind."""

    def typed(self, value: Any, expression: str) -> str:
        """Cypher that makes a value of `read_exactly` what it was; `expression` is what `given` made of it."""

    def given(self, value: Any) -> Any:
        """A value of `read_exactly` as a parameter. Raises `BadInput` for one that cannot be written."""

    def as_received(self, values: list[Any]) -> list[Any]:
        """The same of a list of values, in which None stays."""

    def as_read(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """How `read_exactly` will give properties that are written as `values`; what is None is not stored."""

    async def write(self, workspace: str, cypher: str, *, alive: bool = False, **params: Any) -> list[Row]:
        """The rows of a query that may change the workspace.

        It is never sent twice, so a connection is tried before it, unless the database is known to be `alive`: it
        answered a moment ago.
        """

    def pages(self, workspace: str, match: str, returns: str, record: str, **params: Any) -> AsyncIterator[list[Row]]:
        """The rows of `match` and `returns` in pages; `record` is the variable that there is one row for."""

    async def ensure_indexes(self, workspace: str) -> None:
        """Create the indexes that look-ups and writes need, unless they are there."""

    async def ensure_record_indexes(self, workspace: str) -> None:
        """Create the indexes that an agent's records need, unless they are there."""

    async def workspaces(self) -> list[str]:
        """The groups that hold an entity, an episode or an agent's record."""

    async def clear(self, workspace: str) -> None:
        """Delete the workspace's nodes and edges."""

    async def position(self, workspace: str) -> str | None:
        """The text that `set_position` left with the workspace, lost with whatever was written since; empty where it
        left none, and None where the database keeps none."""

    async def set_position(self, workspace: str, position: str) -> None:
        """Leave a text with the workspace, beside its graph, where the database keeps one."""

    async def version(self) -> str:
        """The database's name and version, for people to read."""

    async def close(self) -> None:
        """Let go of the connection."""

    def scope(self, variable: str, workspace: str) -> str:
        """What keeps a pattern of everything inside `$group`; empty where a workspace is a graph of its own."""

    def guard(self, variable: str) -> str:
        """The same for a pattern that a uuid or a name finds already: never looked up in an index."""

    def packed(self, rows: Sequence[Row]) -> Any:
        """Rows as a parameter of a query, made ready to be sent: many take long, and any thread can do it."""

    def date(self, value: datetime | None) -> Any:
        """An instant as this database stores it."""

    def vector(self, expression: str) -> str:
        """`expression`, a list of numbers or null, as the kind of value that this database keeps vectors in."""

    def comparable(self, expression: str) -> str:
        """`expression`, a stored date, such that `<` and `>` compare it rightly with a `date()` parameter."""

    def quoted(self, name: str) -> str:
        """A label or property name that came from data, fit to stand in Cypher text.

        Raises `BadInput` when the database has no way to write it.
        """

    def holds(self, edge: str) -> str:
        """The time rule's `true` for the edge variable `edge` at `$as_of` and `$known_at`."""
        return f"{self.comparable(edge + '.valid_at')} <= $as_of AND {self._open(edge)}"

    def undated(self, edge: str) -> str:
        """The time rule's `undated` for the edge variable `edge` at `$as_of` and `$known_at`."""
        return f"{edge}.valid_at IS NULL AND {self._open(edge)}"

    def _open(self, edge: str) -> str:
        """The part of the rule that `true` and `undated` share: recorded at `$known_at` and not ended by `$as_of`.

        `earliest` and `latest` stand in for a missing date, so that each comparison is made once.
        """
        created, withdrawn, expired, invalid, believed = (
            self.comparable(f"{edge}.{name}")
            for name in ("created_at", "withdrawn_at", "expired_at", "invalid_at", "believed_invalid_at")
        )
        return (
            f"coalesce({created}, {self.earliest}) <= $known_at AND coalesce({withdrawn}, {self.latest}) > $known_at"
            f" AND coalesce(CASE WHEN {edge}.expired_at IS NULL THEN {invalid}"
            f" WHEN {expired} <= $known_at THEN coalesce({invalid}, {expired})"
            f" ELSE {believed} END, {self.latest}) > $as_of"
        )
