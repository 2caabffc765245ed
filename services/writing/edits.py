"""What one change of the graph is made of, whoever asks for it: an import, a text, a form, a merge, an undo."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from services.core.models import Fact, GraphWrite, SectionType, SimilarChunks, StructuredDocument
from services.graph.raw import Image
from services.graph.store import Embeddings


@dataclass(frozen=True, slots=True)
class Scope:
    """Records by uuid (documents by id): what an edit deletes, each with everything that hangs on it alone."""

    entities: frozenset[str] = frozenset()
    facts: frozenset[str] = frozenset()
    episodes: frozenset[str] = frozenset()
    documents: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Merge:
    """The entity `gone` becomes the entity `kept`: its facts, mentions and memberships move there, its uuid and its
    name still find it."""

    gone: str
    kept: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Everything that one change-set does. `created` is not in the graph yet, `replaced` takes the place of what is.

    `documents` go in with their parts, in the place of their earlier versions; `embeddings` are of those parts. `tags`
    are those of documents that stay as they are otherwise, by id, `values` the properties that other elements get, by
    their keys, as the database has them. `nodes` are an agent's records by their keys, as they are to be.
    `similar` links chunks, with `only_similar` in the place of all links there were; `section_types`, unless None, take
    the place of those there were.
    """

    created: GraphWrite = field(default_factory=GraphWrite)
    replaced: GraphWrite = field(default_factory=GraphWrite)
    documents: tuple[StructuredDocument, ...] = ()
    embeddings: Embeddings = field(default_factory=dict)
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    nodes: Image = field(default_factory=dict)
    gone: Scope = field(default_factory=Scope)
    merges: tuple[Merge, ...] = ()
    similar: tuple[SimilarChunks, ...] = ()
    only_similar: bool = False
    section_types: tuple[SectionType, ...] | None = None


LineKind = Literal["added", "ended", "corrected", "withdrawn", "reinstated", "deleted", "merged", "source", "other"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of what a change-set did, for people: a fact before and after, or words about an entity or document."""

    kind: LineKind
    text: str
    before: Fact | None = None
    after: Fact | None = None


@dataclass(frozen=True, slots=True)
class Left:
    """What an undo or redo left as it is, since somebody changed it afterwards: what it is, and why."""

    kind: Literal["entity", "fact", "episode", "document", "record", "link"]
    key: str
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Undone:
    """What came of an undo or a redo: how many records were put back or taken away, and what was left."""

    restored: int
    left: tuple[Left, ...] = ()

    @property
    def works(self) -> bool:
        """False where all of it stays as it is."""
        return bool(self.restored) or not self.left

    def document(self) -> dict[str, Any]:
        """For JSON."""
        left = [{"kind": one.kind, "key": one.key, "name": one.name, "reason": one.reason} for one in self.left]
        return {"restored": self.restored, "left": left}
