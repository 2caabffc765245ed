"""What a query gives, as JSON can hold it."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Literal

from services.core.errors import BadInput
from services.sql.query_limits import MOST_VALUES

ExportForm = Literal["csv", "parquet"]
"""The files that rows can become."""


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The rows of a query as JSON has them, with the names and types of their columns.

    `truncated` says that there are more rows than a query may give.
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    truncated: bool
    sql: str


def rows_in_json(rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
    """Return rows of a database as JSON can hold them.

    Raises `BadInput` for more values than the app should hold: two letters of JSON can become sixty bytes there.
    """
    values, found = 0, []
    for row in rows:
        found.append([in_json(value) for value in row])
        values += sum(map(_size, found[-1]))
        if values > MOST_VALUES:
            raise BadInput("The result is too large to show.", "Choose fewer columns or rows.")
    return found


def _size(value: Any) -> int:
    """Return how many values a value is."""
    if isinstance(value, dict):
        return 1 + sum(map(_size, value.values()))
    return 1 + sum(map(_size, value)) if isinstance(value, list) else 1


def in_json(value: Any) -> Any:
    """Return a value as JSON can hold it: dates in ISO 8601, those of a zone in UTC, what JSON lacks as text."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Decimal):
        return _number(value)
    if isinstance(value, datetime):
        return (value.astimezone(UTC) if value.tzinfo else value).isoformat()
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex()
    if isinstance(value, Mapping):
        return {str(key): in_json(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [in_json(one) for one in value]
    return str(value)


def _number(value: Decimal) -> int | float | str:
    """Return a decimal as a number where that is the same one, else as text."""
    if not value.is_finite():
        return str(float(value))
    if value.as_tuple().exponent == 0:
        return int(value)
    near = float(value)
    return near if math.isfinite(near) and Decimal(repr(near)) == value else str(value)
