"""What the layers hand each other: frozen records in the field's own words.

Every instant is a timezone-aware `datetime` in UTC. A span is half-open, `[valid_at, invalid_at)`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any, Literal

Attributes = Mapping[str, Any]
NO_ATTRIBUTES: Attributes = MappingProxyType({})
STATEMENTS = "asof_statements"
"""The attribute of a fact in which the import keeps what was stated when. It is in the graph only, not for people."""

Precision = Literal["year", "month", "day", "instant"]
"""How a date was given: "1974" is a year, "May 1974" a month; what nothing tells of counts as an instant."""

DEFAULT_WORKSPACE = "default"
"""The name under which commands know every database's own default group."""


@dataclass(frozen=True, slots=True)
class Instants:
    """The two clocks of every question: the world's (`as_of`) and the graph's (`known_at`)."""

    as_of: datetime
    known_at: datetime


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing that facts are about (Graphiti's EntityNode). `types` are its labels without Graphiti's own "Entity"."""

    uuid: str
    name: str
    types: tuple[str, ...] = ()
    summary: str = ""
    created_at: datetime | None = None
    attributes: Attributes = NO_ATTRIBUTES

    @property
    def type(self) -> str:
        """The type to show; empty when the entity has none."""
        return self.types[0] if self.types else ""


@dataclass(frozen=True, slots=True)
class MergedEntity:
    """What is left of an entity that was merged: its uuid and its name still find the one that was kept, `into`."""

    uuid: str
    name: str
    types: tuple[str, ...]
    into: str


@dataclass(frozen=True, slots=True)
class Fact:
    """A dated statement that joins two entities (Graphiti's EntityEdge, RELATES_TO).

    `invalid_at` is when it stopped being true, `expired_at` when the graph learned that, `withdrawn_at` when the record
    was found to be wrong, and `believed_invalid_at` the end that was believed before `expired_at`. `ended_by` is the
    uuid of the fact or episode that ended it, where that was recorded. `episodes` are the uuids of its sources.

    The precisions say how `valid_at` and `invalid_at` were given. `ended_unknown` marks a fact of which is known only
    that it has ended, by `invalid_at`, or by `expired_at` where there is none.
    """

    uuid: str
    source_uuid: str
    target_uuid: str
    source: str
    relation: str
    target: str
    text: str = ""
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    created_at: datetime | None = None
    expired_at: datetime | None = None
    withdrawn_at: datetime | None = None
    believed_invalid_at: datetime | None = None
    ended_by: str | None = None
    episodes: tuple[str, ...] = ()
    attributes: Attributes = NO_ATTRIBUTES
    valid_at_precision: Precision = "instant"
    invalid_at_precision: Precision = "instant"
    ended_unknown: bool = False


@dataclass(frozen=True, slots=True)
class Episode:
    """A source that facts came from (Graphiti's EpisodicNode). `valid_at` is the source's own date."""

    uuid: str
    name: str
    content: str
    source: str = "text"
    source_description: str = ""
    valid_at: datetime | None = None
    created_at: datetime | None = None
    entity_uuids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """A text that was ingested. `id` is the one it was given, or its path; `path` and `directory` say where it lay.

    `content_hash` tells versions apart; `episode_uuid` is the episode that holds this version's text, whose lines the
    chunks count. `reference_time` is the text's own date. Messages of one `thread` follow each other by `position`.
    `created_at` is when the document was first ingested, `updated_at` when its present version was; `tags` are words
    that whoever took that version in gave it, to find it by.
    """

    id: str
    title: str
    content_hash: str
    episode_uuid: str
    path: str = ""
    directory: str = ""
    format: str = "text"
    thread: str = ""
    position: int = 0
    chunk_count: int = 0
    reference_time: datetime | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a document under a heading.

    `path` spells the headings from the top, "Level 1: Profile > Level 2: Skills", `parent_path` the same without the
    last, empty at the top. Chunks from `start_chunk` to `end_chunk` (both included) stand under this heading itself;
    without any, both are -1. Lines count from 1, `end_line` is included, and with it the sections below.
    """

    id: str
    document_id: str
    level: int
    name: str
    normalized_name: str
    path: str
    parent_path: str
    anchor: str
    chunk_count: int
    start_chunk: int
    end_chunk: int
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage of a document: its lines from `start_line` to `end_line`, both included, counted from 1.

    `section_id` is empty for what stands under no heading. `keywords` are its most telling words, in lower case.
    """

    id: str
    document_id: str
    section_id: str
    index: int
    text: str
    start_line: int
    end_line: int
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StructuredDocument:
    """A document with its parts, in their order."""

    document: Document
    sections: tuple[Section, ...]
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True)
class SectionType:
    """What sections of several documents have in common, found by clustering their headings.

    `id` is "section_type:" and the normalised name; `centroid` is the mean vector of the `section_ids`' headings.
    """

    id: str
    canonical_name: str
    normalized_name: str
    common_variants: tuple[str, ...]
    section_ids: tuple[str, ...]
    centroid: tuple[float, ...]
    created_at: datetime
    updated_at: datetime

    @property
    def member_count(self) -> int:
        """How many sections are of the type."""
        return len(self.section_ids)


@dataclass(frozen=True, slots=True)
class SimilarChunks:
    """Two chunks that mean nearly the same; `similarity` is the cosine of their vectors."""

    first: str
    second: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Subgraph:
    """A part of a graph. `total_entities` and `total_facts` count what it was cut from, so a page can say "N of M"."""

    entities: tuple[Entity, ...]
    facts: tuple[Fact, ...]
    total_entities: int
    total_facts: int


@dataclass(frozen=True, slots=True)
class CommonValue:
    """An entity that nearly everything hangs on by one relation, such as a status."""

    uuid: str
    relation: str


@dataclass(frozen=True, slots=True)
class Path:
    """A chain of facts between two entities, in walking order; `entities` has one more item than `facts`.

    `as_short` is how many other paths between the two are known to be as short.
    """

    entities: tuple[Entity, ...]
    facts: tuple[Fact, ...]
    as_short: int = 0

    @property
    def uuids(self) -> tuple[str, ...]:
        """The uuids of the entities."""
        return tuple(entity.uuid for entity in self.entities)

    @property
    def undated(self) -> int:
        """How many of the facts have no date, and so need not hold at any instant."""
        return sum(fact.valid_at is None for fact in self.facts)


@dataclass(frozen=True, slots=True)
class Counts:
    """How many entities, facts and episodes a workspace holds."""

    entities: int
    facts: int
    episodes: int


@dataclass(frozen=True, slots=True)
class GraphWrite:
    """Everything that one write puts into the graph; what is there under the same uuid is replaced."""

    entities: tuple[Entity, ...] = ()
    facts: tuple[Fact, ...] = ()
    episodes: tuple[Episode, ...] = ()


@dataclass(frozen=True, slots=True)
class FactPage:
    """Facts that were asked for, cut to a limit; `total` counts them all, `undated` those without a start."""

    facts: tuple[Fact, ...]
    total: int
    undated: int = 0


CauseKind = Literal["fact", "episode", "change", "record", "unknown"]


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a fact began, ended or was corrected.

    `kind` says what `uuid` names; "change" is a change by hand, by the id of its change-set, and "record" means that
    only the record's own times tell it. `inferred` is true where
    nobody wrote the cause down and it was read off the facts (a successor that begins where this one ends).
    """

    kind: CauseKind
    text: str
    uuid: str | None = None
    inferred: bool = False


ChangeKind = Literal["added", "ended", "corrected", "re-dated"]


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two views of the graph.

    `before` is the fact as the first view has it, `after` as the second; `at` is the instant of the change on the
    clock that made it: the world's for added and ended, the graph's for corrected and re-dated. `dated_by` says how
    exactly `at` is known: it is the fact as the later record date knows it, and knows an end that `before` may lack.
    """

    kind: ChangeKind
    before: Fact | None
    after: Fact | None
    at: datetime | None
    cause: Cause
    dated_by: Fact

    @property
    def fact(self) -> Fact:
        """The fact to show: the later view's where there is one."""
        fact = self.after or self.before
        assert fact is not None, "a change has at least one side"
        return fact


@dataclass(frozen=True, slots=True)
class Diff:
    """What changed from one pair of instants to another. `totals` counts each kind, `changes` may be cut to a limit."""

    first: Instants
    second: Instants
    changes: tuple[Change, ...]
    totals: Mapping[ChangeKind, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Workspace:
    """One partition of memory: `name` is Graphiti's group_id and never changes, `label` is what people read."""

    name: str
    label: str


@dataclass(frozen=True, slots=True)
class TrueCounts:
    """At one pair of instants: facts true, facts undated, records the graph held, entities in a true fact."""

    true: int
    undated: int
    recorded: int
    entities: int


@dataclass(frozen=True, slots=True)
class SeriesPoint:
    """How many facts of a group are true at an instant; `group` is empty where everything is counted together."""

    at: datetime
    group: str
    count: int


@dataclass(frozen=True, slots=True)
class EntityCount:
    """An entity and how many of something it has."""

    entity: Entity
    count: int


@dataclass(frozen=True, slots=True)
class NameCount:
    """A name of a type or a relation and how many carry it; an empty name stands for "none"."""

    name: str
    count: int
