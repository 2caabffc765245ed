"""Jobs that feed a graph, as they are kept and shown: a list of items, each done once, whatever happens meanwhile."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

JobKind = Literal["import", "documents", "crawl", "dates"]
JobState = Literal["running", "paused", "cancelled", "done"]
ItemState = Literal["queued", "running", "review", "done", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class NewItem:
    """An item to add. `key` tells it from others of its job; `payload` is all that doing it takes, as JSON."""

    key: str
    title: str
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class JobItem:
    """One step of a job. `result` is what it gave, for people and for review; `problem` and `hint` say why it failed.

    `cost` is in US dollars, None where no model was asked or no price is configured.
    """

    id: str
    job_id: str
    position: int
    key: str
    title: str
    state: ItemState
    payload: Mapping[str, Any]
    result: Mapping[str, Any] | None = None
    problem: str = ""
    hint: str = ""
    attempts: int = 0
    change_set_id: str | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    ms: float = 0.0
    started_at: datetime | None = None
    finished_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ItemEnd:
    """How an item ended. With a change-set it is recorded in the transaction that finishes the change-set.

    One that is still `running` has not: what it took and gave so far is kept, for whoever does it again. `was` is what
    an item that waited for review held: the end counts only while it does.
    """

    item_id: str
    state: Literal["running", "review", "done", "failed", "cancelled"]
    result: Mapping[str, Any] | None = None
    problem: str = ""
    hint: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    ms: float = 0.0
    was: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ItemSummary:
    """How an item stands, without what it holds: what a crawl asks of all its pages at each of them.

    `part` is of its payload, the rest of its result; empty is what they do not say.
    """

    key: str
    state: ItemState
    part: str = ""
    moved_to: str = ""
    left_out: str = ""
    same_as: str = ""
    document_id: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """A job as it stands. `counts` are its items by state; `step` is what its runner does now, where that is known,
    and `step_share` how much of it, from 0 to 1. `begun` is since when it is worked on without a break, and how many
    items were settled by then.

    `options` hold for all its items: tags, extractor, schema, whether to write at once.
    """

    id: str
    workspace: str
    kind: JobKind
    title: str
    state: JobState
    options: Mapping[str, Any]
    created_at: datetime
    user_id: str | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
    counts: Mapping[ItemState, int] = field(default_factory=dict)
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    step: str = ""
    step_share: float = 0.0
    begun: tuple[datetime, int] | None = None

    @property
    def share(self) -> float:
        """How far it is, from 0 to 1."""
        return min(1.0, (self.settled + self.step_share) / self.total) if self.total else 0.0

    @property
    def total(self) -> int:
        """How many items it has so far."""
        return sum(self.counts.values())

    @property
    def left(self) -> int:
        """How many items have not been done yet."""
        return self.counts.get("queued", 0) + self.counts.get("running", 0)

    @property
    def settled(self) -> int:
        """How many items nothing more is done about: those that were done, and those cancelled or discarded."""
        return self.total - self.left

    @property
    def done(self) -> int:
        """How many items have been done, for people: those that a cancelled job let go of have not."""
        return self.settled - (self.counts.get("cancelled", 0) if self.state == "cancelled" else 0)

    def seconds_left(self, now: datetime) -> float | None:
        """A guess from the pace since it was last taken up; None while it is too early for one."""
        if self.begun is None or not self.left:
            return None
        since, before = self.begun
        settled = self.settled + self.step_share
        pace = (now - since).total_seconds() / (settled - before) if settled > before else None
        return None if pace is None else pace * (self.left - self.step_share)
