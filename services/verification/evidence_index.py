"""What the records of a turn hold, read once, so that each sentence can be held against it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from services.core import time_rule
from services.core.answer_records import Evidence
from services.core.models import Fact, Instants
from services.language.inflection import stem
from services.language.names import without_accents
from services.language.quantities import Quantity, quantities
from services.language.relation_names import relation_words
from services.retrieval.tokens import tokens
from services.verification.agent_roles import Agents, agents_of_fact
from services.verification.sentence_reading import Name, plain
from services.verification.stated_dates import StatedDate, stated_dates
from services.verification.word_classes import is_symmetric, meanings


@dataclass(frozen=True, slots=True)
class TurnInstants:
    """The instants of an answer: `as_of_2` is the second of a comparison or the end of a period."""

    at: Instants
    as_of_2: datetime | None = None

    @property
    def horizon(self) -> datetime:
        """What begins after this has not happened for the answer."""
        return max(self.at.as_of, self.as_of_2 or self.at.as_of)

    def is_its_own(self, date: StatedDate) -> bool:
        """True for a date that is the answer's own instant, or the second one."""
        return any(at is not None and date.holds(at) and date.is_day for at in (self.at.as_of, self.as_of_2))


def stems_in(text: str) -> frozenset[str]:
    """The stems of all words of a text, and what stands between its spaces: "3.0" is more than "3" and "0"."""
    bare = without_accents(text)
    whole = (word.strip(".,;:!?()[]\"'").lower() for word in bare.split())
    return frozenset((*(stem(word) for word in tokens(bare)), *whole))


class IndexedFact:
    """A fact as the check asks it."""

    def __init__(self, evidence: Evidence, fact: Fact) -> None:
        self.n = evidence.n
        self.fact = fact
        self.at = evidence.at
        self.source = Name(fact.source)
        self.target = Name(fact.target)
        self.relation = relation_words(fact.relation)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The stems of all that the record says."""
        fact = self.fact
        text = " ".join((fact.source, fact.target, fact.text, *self.relation, *_spelt(fact.attributes)))
        return stems_in(plain(text)) | stems_in(text)

    @cached_property
    def known(self) -> frozenset[str]:
        """The same with what its words mean."""
        return self.vocabulary | {meaning for meaning in self.meanings if meaning.startswith("=")}

    @cached_property
    def meanings(self) -> frozenset[str]:
        """What the words of the relation and the text mean."""
        words = (*self.relation, *(word.lower() for word in tokens(plain(self.fact.text))))
        names = stems_in(f"{self.fact.source} {self.fact.target}")
        return frozenset(meaning for word in words if stem(word) not in names for meaning, _ in meanings(word))

    @cached_property
    def of_target(self) -> frozenset[str]:
        """What the words of its target mean: of "Completed", that something is finished."""
        return frozenset(meaning for word in tokens(self.fact.target) for meaning, _ in meanings(word.lower()))

    @cached_property
    def agents(self) -> Agents:
        """Which end does what the relation says; nothing where it holds both ways round."""
        fact = self.fact
        if is_symmetric(self.relation):
            return {}
        return agents_of_fact(fact.source, fact.relation, fact.target, fact.text)

    @cached_property
    def numbers(self) -> tuple[Quantity, ...]:
        """The numbers that the record states."""
        fact = self.fact
        return tuple(quantities(" ; ".join((fact.target, fact.source, fact.text, *_spelt(fact.attributes)))))

    @cached_property
    def dates(self) -> tuple[StatedDate, ...]:
        """The dates that the record states in words, beside when it began and ended."""
        fact = self.fact
        return tuple(stated_dates(" ; ".join((fact.target, fact.text, *_spelt(fact.attributes)))))

    def start(self) -> datetime | None:
        """When it began to be true."""
        return self.fact.valid_at

    def end(self, turn: TurnInstants) -> datetime | None:
        """When it stopped being true, as known in this turn."""
        return time_rule.end(self.fact, turn.at.known_at)

    def holds(self, first: datetime, last: datetime, turn: TurnInstants) -> bool:
        """True when it was true at some time from `first` to before `last`; an undated one never was."""
        start, end = self.start(), self.end(turn)
        return start is not None and start < last and (end is None or end > first)

    def has_ended(self, turn: TurnInstants) -> bool:
        """True when it had ended at each of the instants that it was returned for."""
        end = self.end(turn)
        return end is not None and all(end <= at.as_of for at in self.at or (turn.at,))

    def days(self, turn: TurnInstants) -> list[float]:
        """How many days it was true; one that goes on, until the answer's instant."""
        start, end = self.start(), self.end(turn)
        if start is None:
            return []
        until = [turn.horizon] if end is None or end > turn.horizon else [end]
        return [(moment - start) / timedelta(days=1) for moment in until]


def _spelt(attributes: Mapping[str, Any]) -> Sequence[str]:
    return [f"{value}" for value in attributes.values() if isinstance(value, str | int | float)]
