"""Whether a sentence that its facts bear out answers what was asked: of its entities, its relation and its period."""

from collections.abc import Sequence
from datetime import datetime

from services.language.inflection import stem
from services.verification.evidence_index import IndexedFact, TurnInstants
from services.verification.sentence_reading import plain, read
from services.verification.word_classes import FUNCTION, is_negator, meanings

_ORDERS = frozenset(("=succeed",))
"""What a question means that asks for whatever came before or after."""


class AskedQuestion:
    """A question as the check reads it, among the facts that were looked up for it.

    `entities` are the names in it, with those that answers led to, `relations` the relations that it speaks of; either
    is empty where it tells none, as "What happened?" does, and asks for anything then.
    """

    def __init__(self, text: str, facts: Sequence[IndexedFact], turn: TurnInstants) -> None:
        names = {name.key: name for fact in facts for name in (fact.source, fact.target)}
        self._reading = read(plain(text), list(names.values()))
        self.entities = {word.name for word in self._reading.names}
        self._stems = {stem(word) for word in text.lower().replace("?", " ").split()}
        words = [word.lower for word in self._reading.words if not word.name and word.lower not in FUNCTION]
        self._meant = frozenset(meaning for word in words for meaning, _ in meanings(word))
        self.relations = {fact.relation for fact in facts if self._meant & fact.meanings}
        self._turn = turn
        self._has_other_times = False

    def allow_other_times(self) -> None:
        """What follows a "no" may tell when it was so."""
        self._has_other_times = True

    def is_beside(self, text: str, cited: Sequence[IndexedFact]) -> str:
        """Return what a sentence tells of that was not asked for; "" for an answer, whose names are then spoken of."""
        words = plain(text).lower().split()
        if not cited or any(is_negator(word) or word.endswith("n't") for word in words):
            return ""
        ends = {name.key for fact in cited for name in (fact.source, fact.target)}
        if self.entities and not ends & self.entities and not self._names_part(ends):
            return f"the fact is about {cited[0].fact.source}"
        if self.relations and not any(self._is_asked_of(fact) for fact in cited):
            return f"the fact says “{' '.join(cited[0].relation)}”"
        if (period := self._period()) and not any(self._is_in(period, fact) for fact in cited):
            return "the fact is about another time"
        self.entities |= ends if self.entities else set()
        return ""

    def _is_asked_of(self, fact: IndexedFact) -> bool:
        return fact.relation in self.relations or bool(self._meant & (fact.of_target | _ORDERS))

    def _names_part(self, names: set[str]) -> bool:
        """True for the "foxes" that the question calls the Ridge City Foxes."""
        return bool({stem(word) for name in names for word in name.split()} & self._stems)

    def _period(self) -> tuple[datetime, datetime] | None:
        """The one period that a question names; None for "before 2010", and where it names several."""
        dates = self._reading.dates
        if (
            self._has_other_times
            or len(dates) != 1
            or "know" in self._stems
            or dates[0].role not in ("at", "from", "between")
        ):
            return None
        return dates[0].first, (dates[0].to or dates[0]).last

    def _is_in(self, period: tuple[datetime, datetime], fact: IndexedFact) -> bool:
        undated = fact.start() is None and fact.end(self._turn) is None
        return undated or fact.start() is None or fact.holds(*period, self._turn)
