"""The types of the accounts database's columns that SQLite and PostgreSQL would keep differently."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import DateTime, Dialect, Text, TypeDecorator
from sqlalchemy.exc import SQLAlchemyError

DAMAGED = "no longer valid JSON"
"""What is said of a value that was damaged where it is kept."""


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


class SafeText(TypeDecorator[str]):
    """A text of anybody's. What a database cannot hold, NUL and half a character, is written as a mark for it."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Without what cannot be held."""
        return None if value is None else value.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


class Json(TypeDecorator[Any]):
    """A document. It is kept as text of ASCII alone: PostgreSQL's own type refuses the NUL that a document may hold."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:  # noqa: ARG002
        """As text; nothing stays nothing."""
        return None if value is None else json.dumps(value, separators=(",", ":"), default=_plain)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:  # noqa: ARG002
        """The document again. Raises `SQLAlchemyError` where it was damaged."""
        try:
            return None if value is None else json.loads(value)
        except ValueError as error:
            raise SQLAlchemyError(DAMAGED) from error


def _plain(value: Any) -> Any:
    """What a document may hold beside what JSON knows: mappings of any kind, and instants."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"JSON cannot store values of type {type(value).__name__}")
