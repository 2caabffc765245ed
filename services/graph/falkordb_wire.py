"""FalkorDB's wire: parameters as it parses them, and replies as Python values.

The `falkordb` client walks both recursively, value by value, in coroutines. A batch of 5,000 facts is 75,000 values,
so parameters go through the JSON encoder (its output is valid Cypher once the names of control characters are
replaced, and maps are not used) and replies through one plain loop.
"""

import json
import re
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
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


def _control_character(match: re.Match[str]) -> str:
    """FalkorDB knows no `\\u`: the character itself, and nothing for NUL, which would end the query."""
    if match[1] == "\\":
        return match[0]
    return chr(int(match[1][1:], 16)).replace("\0", "")


def rows(reply: Sequence[Any]) -> list[list[Any]]:
    """The rows of a compact reply. Vectors come back as None: embeddings are not read."""
    if len(reply) < 3:
        return []
    return [[cell[1] if cell[0] == _STRING else _value(cell) for cell in row] for row in reply[1]]


def _value(cell: Sequence[Any]) -> Any:
    convert = _CONVERT.get(cell[0])
    return convert(cell[1]) if convert else None


_STRING = 2
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
