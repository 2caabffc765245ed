"""What a graph was fed from, as it is listed: documents, episodes of other programs, and items that did not go in."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

SourceKind = Literal["document", "message", "episode", "table"]
SourceState = Literal["read", "facts read", "in review", "failed"]
UnfinishedState = Literal["in review", "failed"]
SourceOrder = Literal["recorded", "newest", "oldest", "title"]
PAGE = 50


@dataclass(frozen=True, slots=True)
class SourcesAsked:
    """Which sources to list. All `words` must stand in the title, a tag or the text; None of kind or state is any.

    `order` is by what was recorded last, by the source's own date, or by title.
    """

    words: tuple[str, ...] = ()
    kind: SourceKind | None = None
    state: SourceState | None = None
    order: SourceOrder = "recorded"
    offset: int = 0
    limit: int = PAGE


@dataclass(frozen=True, slots=True)
class Unfinished:
    """An item of a job that failed or waits for review. `document_id` is what it is about, in the graph or not."""

    item_id: str
    job_id: str
    document_id: str
    kind: SourceKind
    title: str
    state: UnfinishedState
    problem: str = ""
    hint: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """A line of the list. `key` names it: a document's id, an episode's uuid, or the id of an item that is not in.

    `date` is the source's own, `recorded_at` that of its present text. `facts` cite one of its texts, and `entities`
    are mentioned in one; `unfinished` is the item that failed or waits.
    """

    key: str
    holds: Literal["document", "episode", "item"]
    kind: SourceKind
    state: SourceState
    title: str
    date: datetime | None = None
    recorded_at: datetime | None = None
    versions: int = 1
    chunks: int = 0
    facts: int = 0
    entities: int = 0
    tags: tuple[str, ...] = ()
    unfinished: Unfinished | None = None


@dataclass(frozen=True, slots=True)
class SourcePage:
    """Some of the sources that were asked for, and how many there are of these."""

    sources: tuple[Source, ...] = ()
    total: int = 0
