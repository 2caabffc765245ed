"""What an analyst may want to mend: records of what Health finds, and why it is worth a look.

Nothing here is an error for certain; what is as it should be is dismissed, and found no more.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from services.core import clock, time_rule
from services.core.models import Cause, Entity, Fact, Precision

FindingKind = Literal[
    "retirement", "contradiction", "same entity", "same fact", "orphan", "residue", "undated", "dates"
]


@dataclass(frozen=True, slots=True)
class FindingPage[T]:
    """The first of what was found, and how many there are."""

    items: tuple[T, ...] = ()
    total: int = 0


@dataclass(frozen=True, slots=True)
class DatesRead:
    """The dates that a fact's text says, where those of its record differ.

    `recorded_end` is the end that the record had when the text was read.
    """

    fact_uuid: str
    valid_at: datetime | None
    invalid_at: datetime | None
    valid_at_precision: Precision = "instant"
    invalid_at_precision: Precision = "instant"
    ended_unknown: bool = False
    recorded_end: datetime | None = None

    def is_of(self, fact: Fact) -> bool:
        """Say whether the fact stands as it did when its text was read: not withdrawn, and with the same end."""
        return fact.withdrawn_at is None and time_rule.end(fact, clock.LATEST) == self.recorded_end

    @property
    def key(self) -> str:
        """What names it among what was seen as right: the fact and its dates, so that others are looked at again."""
        dates = (self.valid_at, self.valid_at_precision, self.invalid_at, self.invalid_at_precision, self.ended_unknown)
        return " ".join((self.fact_uuid, *map(str, dates)))


Suspicion = Literal["subject", "relation", "silent", "many", "backwards"]
SUSPICIONS: dict[Suspicion, str] = {
    "subject": "retired because of a fact about another entity",
    "relation": "retired because of a fact with a different relation",
    "silent": "retired because of a source that does not mention it",
    "many": "retired at the same time as many other facts",
    "backwards": "ends before it starts",
}


@dataclass(frozen=True, slots=True)
class ManualChange:
    """A change by hand: the id of its change-set, the instant that is on the records it retired, and what it was."""

    id: str
    at: datetime
    words: str


@dataclass(frozen=True, slots=True)
class Retirement:
    """A fact that was ended or withdrawn on the graph's clock, when, and by what. `reasons` make it suspicious."""

    fact: Fact
    at: datetime
    cause: Cause
    reasons: tuple[Suspicion, ...] = ()

    @property
    def key(self) -> str:
        """What it is dismissed by."""
        return self.fact.uuid


@dataclass(frozen=True, slots=True)
class RetiredTogether:
    """Facts that one source retired at one instant: the first of them, and how many there are."""

    source: Cause
    at: datetime
    facts: tuple[Fact, ...]
    total: int


@dataclass(frozen=True, slots=True)
class SameEntity:
    """Two entities that may be one. `kept` has more facts. `score` is from 0 to 1, `reasons` say why in words."""

    kept: Entity
    gone: Entity
    score: float
    reasons: tuple[str, ...]

    @property
    def key(self) -> str:
        """What it is dismissed by."""
        return pair_key(self.kept.uuid, self.gone.uuid)


@dataclass(frozen=True, slots=True)
class SameFact:
    """Facts that say the same of the same entities, oldest first."""

    facts: tuple[Fact, ...]

    @property
    def key(self) -> str:
        """What it is dismissed by."""
        return pair_key(*(fact.uuid for fact in self.facts))


ResidueKind = Literal["source", "cause", "episode", "mention", "backwards", "document", "section"]
RESIDUES: dict[ResidueKind, tuple[str, str]] = {
    "source": ("refers to a source that does not exist", "Asof removes the reference from the fact."),
    "cause": (
        "ended because of a record that does not exist",
        "The fact stays ended. Asof removes the reference to that record.",
    ),
    "episode": ("is not the source of any fact", "Asof deletes the source."),
    "mention": ("does not mention both entities of its fact", "Asof links the source to both entities."),
    "backwards": ("ends on or before its start, so it is never valid", "Asof withdraws the fact."),
    "document": ("no longer has any text", "Asof deletes the document with its passages."),
    "section": ("has passages under a heading that does not exist", ""),
}
"""For each kind what is wrong with the record, and what a clean-up does about it; nothing where nothing can be done."""


@dataclass(frozen=True, slots=True)
class Residue:
    """A record that refers to what is not there, or that nothing refers to. `key` is its uuid, a document's its id."""

    kind: ResidueKind
    key: str
    name: str
    date: datetime | None = None

    @property
    def dismissal(self) -> str:
        """What it is dismissed by."""
        return f"{self.kind} {self.key}"


@dataclass(frozen=True, slots=True)
class FutureRecord:
    """A record with an instant on the graph's clock that is still to come, the latest of them.

    `key` is that of its element: label and uuid, a document's id.
    """

    key: str
    name: str
    at: datetime


def pair_key(*uuids: str) -> str:
    """What two or more records are dismissed by together, in whatever order they are named."""
    return " ".join(sorted(uuids))
