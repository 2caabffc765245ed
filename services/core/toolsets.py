"""The toolsets: named groups of tools that are registered together, and granted to a client together."""

from collections.abc import Iterable
from typing import Literal, get_args

from services.core.errors import BadInput

Toolset = Literal["analyst", "knowledge", "memory", "omnii", "compute"]
TOOLSETS: tuple[Toolset, ...] = get_args(Toolset)


def read_toolsets(field: str, names: Iterable[str]) -> tuple[Toolset, ...]:
    """Return the toolsets of these names, in their own order. Raises `BadInput` that names the field."""
    asked = set(names)
    if strange := asked - set(TOOLSETS):
        raise BadInput(f"{field}: there is no toolset “{min(strange)}”.", f"Available: {', '.join(TOOLSETS)}.")
    if not asked:
        raise BadInput(f"{field}: choose at least one toolset.", f"Available: {', '.join(TOOLSETS)}.")
    return tuple(name for name in TOOLSETS if name in asked)
