"""FalkorDB's wire: parameters as it parses them, and replies as Python values.

The `falkordb` client walks both recursively, value by value, in coroutines. A batch of 5,000 facts is 75,000 values,
so parameters go through the JSON encoder (its output is valid Cypher once the names of control characters are
replaced, and maps are not used) and replies through one plain loop.
"""

import json
import re
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

_ESCAPED = re.compile(r"\\(\\|u00[01][0-9a-f])")


class Literal(str):
    """A parameter's value that is written out already."""


def literal(value: Any) -> Literal:
    """A parameter's value, a scalar or nested lists, as FalkorDB parses it."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return Literal(_ESCAPED.sub(_control_character, text) if "\\u00" in text else text)


def command(cypher: str, params: dict[str, Any]) -> bytes:
    """A query with its parameters in front, as FalkorDB takes it. Parameters are scalars and nested lists."""
    header = "".join(
        f"{name}={value if isinstance(value, Literal) else literal(value)} " for name, value in params.items()
    )
    return f"CYPHER {header}{cypher}".encode("utf-8", "replace") if header else cypher.encode()


def as_received(value: Any) -> Any:
    """How a parameter's value comes back: texts without NUL and halves of characters, numbers with 15 digits."""
    if isinstance(value, str):
        return value.replace("\0", "").encode("utf-8", "replace").decode()
    if isinstance(value, float):
        return float(f"{value:.15g}")
    return [as_received(item) for item in value] if isinstance(value, list | tuple) else value


def _control_character(match: re.Match[str]) -> str:
    """FalkorDB knows no `\\u`: the character itself, and nothing for NUL, which would end the query."""
    if match[1] == "\\":
        return match[0]
    return chr(int(match[1][1:], 16)).replace("\0", "")


def rows(reply: Sequence[Any], *, exactly: bool = False) -> list[list[Any]]:
    """The rows of a compact reply. Vectors come back as None: embeddings are not read; `exactly`, they and native dates
    as maps from their kind."""
    read, found = _exact if exactly else _value, reply[1] if len(reply) > 2 else ()
    return [[cell[1] if cell[0] == _STRING else read(cell) for cell in row] for row in found]


def _exact(cell: Sequence[Any]) -> Any:
    kind, value = cell[0], cell[1]
    if kind == _LIST:
        return [_exact(item) for item in value]
    if kind == _MAP:
        return {value[i]: _exact(value[i + 1]) for i in range(0, len(value), 2)}
    name = _EXACTLY.get(kind)
    if name is None:
        return _value(cell)
    if kind == _VECTOR:
        return {name: [float(item) for item in value]}
    return {name: [float(value[0]), float(value[1])] if kind == _POINT else _native(kind, value)}


def _native(kind: int, value: int) -> str:
    """A native date as FalkorDB's function of its kind takes it."""
    if kind == _DURATION:
        return f"PT{value}S"
    at = datetime(1970, 1, 1) + timedelta(seconds=value)
    return {_DATE: at.date().isoformat(), _TIME: at.time().isoformat()}.get(kind) or at.isoformat()


def _value(cell: Sequence[Any]) -> Any:
    convert = _CONVERT.get(cell[0])
    return convert(cell[1]) if convert else None


_STRING, _LIST, _MAP, _POINT, _VECTOR, _DATETIME, _DATE, _TIME, _DURATION = 2, 6, 10, 11, 12, 13, 14, 15, 16
_EXACTLY = {
    _POINT: "point",
    _VECTOR: "vecf32",
    _DATETIME: "localdatetime",
    _DATE: "date",
    _TIME: "localtime",
    _DURATION: "duration",
}
_CONVERT: dict[int, Callable[[Any], Any]] = {
    _STRING: lambda value: value,
    3: int,
    4: lambda value: value == "true",
    5: float,
    6: lambda value: [_value(item) for item in value],
    10: lambda value: {value[i]: _value(value[i + 1]) for i in range(0, len(value), 2)},
    11: lambda value: f"POINT({float(value[1])} {float(value[0])})",
    13: lambda value: datetime.fromtimestamp(value, UTC),
    14: lambda value: date.fromordinal(datetime.fromtimestamp(value, UTC).toordinal()),
    15: lambda value: datetime.fromtimestamp(value, UTC).time().isoformat(),
    16: lambda value: f"PT{value}S",
}
