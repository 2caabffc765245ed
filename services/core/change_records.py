"""Changes of the graph as they are kept and listed: who made them, from what, and how they stand."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

ChangeSetState = Literal["writing", "done", "undoing", "undone", "redoing"]
OriginKind = Literal["import", "text", "form", "correction", "merge", "delete", "clean-up", "demo"]
UNDO_DAYS = 30
"""So long a change-set can be undone; what it needs for that is forgotten then."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Who changed the graph, and from what. `job_id` and `item_id` where a job did; `document_ids` it was read from.

    `note` is the analyst's reason, in words.
    """

    kind: OriginKind
    user_id: str | None = None
    job_id: str | None = None
    item_id: str | None = None
    document_ids: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class ChangeSetRecord:
    """A change of the graph as it is listed. `counts` are lines by kind and new entities, episodes and documents.

    `can_undo` and `can_redo` say whether what that takes is still kept.
    """

    id: str
    workspace: str
    title: str
    state: ChangeSetState
    created_at: datetime
    origin: Origin
    counts: Mapping[str, int]
    finished_at: datetime | None = None
    undone_at: datetime | None = None
    undone_by: str | None = None
    can_undo: bool = False
    can_redo: bool = False


@dataclass(frozen=True, slots=True)
class ReadPosition:
    """How far somebody has read what changed: what was recorded by an instant, of what a version of the mirror held."""

    recorded: datetime
    version: int = 0
