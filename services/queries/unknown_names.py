"""What to say of a name that no entity has."""

from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from services.context import OpenWorkspace
    from services.mirror.mirror import Mirror

_MOST_OFFERED = 3


def unknown_name(mirror: "Mirror", name: str, known_at: datetime | None = None) -> str:
    """Return what to say of a name that the graph does not know, with the names that hold it."""
    near = [entity.name for entity in mirror.find_entities(name, _MOST_OFFERED, known_at)]
    return f"No entity in the graph matches “{name}”." + (f" Similar names: {'; '.join(near)}." if near else "")


def note_on_name(workspace: "OpenWorkspace", name: str, known_at: datetime | None = None) -> str:
    """Return what to say where the graph knows nothing of that name; "" where it does."""
    known = workspace.run(workspace.graph.entities_named(workspace.name, name))
    return "" if known else unknown_name(workspace.mirror, name, known_at)
