"""What an extractor gets and gives: a text, a schema to look for, and drafts of facts for an analyst to review."""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from services.core.errors import Cancelled
from services.core.models import Precision


@dataclass(frozen=True, slots=True)
class EntityKind:
    """A type of entities to look for, and what it stands for in words."""

    name: str
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class RelationKind:
    """A relation to look for. Empty `sources` or `targets` are any type. `one_at_a_time`: a new one ends the old."""

    name: str
    meaning: str = ""
    sources: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    one_at_a_time: bool = False


@dataclass(frozen=True, slots=True)
class Schema:
    """Which types and relations to look for in texts."""

    types: tuple[EntityKind, ...]
    relations: tuple[RelationKind, ...]


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text to read facts from.

    `id` and `title` are its document's; `reference_time` is its own date, against which "last March" is read: of a text
    without one such dates are unknown. `before` are the texts of its thread that came before it, oldest first, for
    whoever "she" is.
    """

    id: str
    text: str
    title: str = ""
    reference_time: datetime | None = None
    before: tuple[str, ...] = ()


SURE_DATE = 0.85
"""The confidence from which on a start or an end is sure: where both are, about 1 draft in 100 has a false one."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A fact as a text states it, not yet in the graph.

    The sentence that says so stands from `start` to `end` in the text, in characters. `is_over` says that the fact has
    ended, which no date may tell. `same_source` and `same_target` are uuids of entities of the graph that the extractor
    took them for.

    `confidence` is from 0 to 1: how often facts like this one were right, whatever their dates. `valid_at_confidence`
    and `invalid_at_confidence` say the same of its start and its end, of a missing one that the text tells none. A date
    that is not sure is no part of the fact: it is offered beside it, as `unsure_valid_at` or `unsure_invalid_at`. The
    precisions say how its dates were given, sure or not.
    """

    source: str
    relation: str
    target: str
    source_type: str = ""
    target_type: str = ""
    fact: str = ""
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    is_over: bool = False
    confidence: float = 1.0
    start: int = 0
    end: int = 0
    same_source: str | None = None
    same_target: str | None = None
    valid_at_confidence: float = 1.0
    invalid_at_confidence: float = 1.0
    unsure_valid_at: datetime | None = None
    unsure_invalid_at: datetime | None = None
    valid_at_precision: Precision = "instant"
    invalid_at_precision: Precision = "instant"


@dataclass(frozen=True, slots=True)
class Ending:
    """A fact of the graph that an extractor took for ended. `by` is the place, among the drafts, of what ended it."""

    fact_uuid: str
    invalid_at: datetime | None
    by: int | None = None
    invalid_at_precision: Precision = "instant"


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one text gave. Without a model there are no tokens; `problem` says why a text gave nothing."""

    drafts: tuple[Draft, ...] = ()
    endings: tuple[Ending, ...] = ()
    input_tokens: int = 0
    output_tokens: int = 0
    problem: str = ""
    hint: str = ""


READ_BY_RULES = 0.3
"""Which share of reading a text without a model the rules take; the network takes the rest."""


def _nobody(_text_id: str, _share: float) -> None:
    """How far it is, where nobody asks."""


@dataclass(frozen=True, slots=True)
class Watch:
    """By what whoever waits for an extraction has it stopped, and hears how much of the text at hand is read.

    `report` is called with the id of the text, and a share from 0 to 1.
    """

    cancel: threading.Event = field(default_factory=threading.Event)
    report: Callable[[str, float], None] = _nobody

    def went(self, text: SourceText, share: float) -> None:
        """Tell how much of a text is read. Raises `Cancelled` once `cancel` is set."""
        if self.cancel.is_set():
            raise Cancelled("Extraction stopped early.")
        self.report(text.id, share)


class Extractor(Protocol):
    """Reads facts from texts."""

    @property
    def name(self) -> str:
        """A model's name, or "rules"."""

    def extract(self, sources: Sequence[SourceText], schema: Schema, watch: Watch) -> Iterator[Extraction]:
        """One extraction for each text, in order, as each is ready. A text that fails has a `problem`.

        Raises `Cancelled` once `watch.cancel` is set, and `ExtractorUnavailable` where it cannot work at all.
        """
