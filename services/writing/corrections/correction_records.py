"""What a change by hand is made of."""

from dataclasses import dataclass
from datetime import datetime

from services.core.models import Entity, Episode, Fact, Precision
from services.writing.edits import Edit, Line


@dataclass(frozen=True, slots=True)
class Correction:
    """A change by hand, ready to be applied: its title, what it does to the graph, and the same in words."""

    title: str
    edit: Edit
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class FactChanges:
    """A fact as it should be. `source` and `target` are names; `None` of an instant is not known.

    With `ended_unknown` it has ended, by `invalid_at` where that is given.
    """

    source: str
    relation: str
    target: str
    text: str
    valid_at: datetime | None
    invalid_at: datetime | None
    valid_at_precision: Precision = "instant"
    invalid_at_precision: Precision = "instant"
    ended_unknown: bool = False


@dataclass(frozen=True, slots=True)
class EntityChanges:
    """An entity as it should be."""

    name: str
    types: tuple[str, ...]
    summary: str


@dataclass(frozen=True, slots=True)
class DeletionScope:
    """What a deletion takes with it.

    `documents` are ids. `facts_kept` have another source and stand on, without the one that goes. `facts_touched` lose
    the name of what ended them; of these `facts_ended` would hold still but for what goes, and can be reinstated.
    `entities` are in nothing that is left.
    """

    documents: tuple[str, ...] = ()
    episodes: tuple[Episode, ...] = ()
    facts: tuple[Fact, ...] = ()
    facts_kept: tuple[Fact, ...] = ()
    facts_touched: tuple[Fact, ...] = ()
    facts_ended: tuple[Fact, ...] = ()
    entities: tuple[Entity, ...] = ()

    @property
    def keys(self) -> tuple[frozenset[str], ...]:
        """What tells two of them apart: the names of all records, kind by kind."""
        return (
            frozenset(self.documents),
            *(
                frozenset(record.uuid for record in records)
                for records in (
                    self.episodes,
                    self.facts,
                    self.facts_kept,
                    self.facts_touched,
                    self.facts_ended,
                    self.entities,
                )
            ),
        )
