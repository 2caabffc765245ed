"""How a workspace's mirror stands, and how far one is that is being made."""

from dataclasses import dataclass
from datetime import datetime

from services.core.models import Counts


@dataclass(frozen=True, slots=True)
class MirrorReading:
    """How far a graph was read into a mirror that is being made: what is in so far, and how much there is."""

    so_far: Counts
    total: Counts
    started_at: datetime

    @property
    def share(self) -> float:
        """How far it is, from 0 to 1."""
        read, there = (sum((c.entities, c.facts, c.episodes)) for c in (self.so_far, self.total))
        return min(1.0, read / there) if there else 0.0

    def seconds_left(self, now: datetime) -> float | None:
        """A guess from the pace so far; None while it is too early for one."""
        gone = (now - self.started_at).total_seconds()
        return gone / self.share - gone if self.share > 0.02 and gone > 1 else None


@dataclass(frozen=True, slots=True)
class MirrorStatus:
    """How a workspace's mirror stands. `down` says why the graph could not be read lately; None while it can.

    `path` is the mirror's file; None when it is in memory. `reading` is how far one is that is being made.
    """

    synced_at: datetime | None
    version: int
    counts: Counts
    down: str | None
    path: str | None
    reading: MirrorReading | None = None
