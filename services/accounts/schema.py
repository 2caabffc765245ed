"""The tables of the accounts database: what Asof knows that the graph does not hold."""

from datetime import UTC, datetime

from sqlalchemy import Column, DateTime, Dialect, LargeBinary, MetaData, Table, Text, TypeDecorator


class Instant(TypeDecorator[datetime]):
    """An aware instant in UTC. SQLite keeps no time zone, so it is put back when the value is read."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """To UTC on the way in."""
        return value.astimezone(UTC) if value is not None else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Aware and in UTC on the way out."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


metadata = MetaData()

workspaces = Table(
    "workspaces",
    metadata,
    Column("graph", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("label", Text, nullable=False),
)

change_sets = Table(
    "change_sets",
    metadata,
    Column("id", Text, primary_key=True),
    Column("graph", Text, nullable=False),
    Column("workspace", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("state", Text, nullable=False, index=True),
    Column("created_at", Instant, nullable=False),
    Column("payload", LargeBinary, nullable=False),
)
