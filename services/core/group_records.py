"""What Graphiti gathers: entities that belong together, and episodes that follow each other."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Community:
    """Entities that Graphiti found to belong together. It makes communities anew now and then, so they have no dates
    in the world."""

    uuid: str
    name: str
    summary: str = ""
    created_at: datetime | None = None
    member_uuids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Saga:
    """Episodes that follow each other, in their order. The summary covers those until `summarized_until`."""

    uuid: str
    name: str
    summary: str = ""
    created_at: datetime | None = None
    summarized_until: datetime | None = None
    episode_uuids: tuple[str, ...] = ()
