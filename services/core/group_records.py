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


@dataclass(frozen=True, slots=True)
class GroupMark:
    """A cheap summary of the communities and sagas of a workspace. They change without an episode: communities are
    made anew, and summaries are written after the episode was saved."""

    groups: int = 0
    last_created_at: datetime | None = None
    summary_length: int = 0
