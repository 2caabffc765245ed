"""What fills a phrase: facts, names and dates of a graph, taken by a chance that is the same at every run."""

import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from benchmarks.questions.spelling import day_of
from benchmarks.questions.truth import Facts, Side, Wanted
from services.core.models import Fact

DAY = timedelta(days=1)
_PLAIN, _CROWDED = re.compile(r"[\w .'&-]+"), 5
_SEEN = 3
_SOME_DAYS = 3 * DAY


@dataclass(frozen=True)
class PhraseTemplate:
    """A way to ask, with places for what is asked about."""

    kind: str
    relation: str
    side: Side
    text: str


@dataclass(frozen=True)
class FilledPhrase:
    """A phrase's fills and what is asked for; `as_of` and `known_at` are the bar's."""

    fills: dict[str, str]
    wanted: Wanted
    as_of: str = ""
    known_at: str = ""


def subject(fact: Fact, side: Side) -> str:
    """The name on the side."""
    return fact.source if side == "source" else fact.target


def value(fact: Fact, side: Side) -> str:
    """The name on the other side."""
    return fact.target if side == "source" else fact.source


class Maker:
    """A graph's facts to make questions from. Dates are taken up to `latest`, when the graph last learned something."""

    def __init__(self, graph: str, facts: Facts, now: datetime) -> None:
        self.graph, self.facts, self.now = graph, facts, now
        self.chance = random.Random(f"asof {graph}")
        self.latest = min(now, max((f.created_at for f in facts.all if f.created_at), default=now))
        self.usable = _usable(facts)
        self.names = {name for fact in facts.all for name in (fact.source, fact.target)}

    def fact(self, phrase: PhraseTemplate, fits: Callable[[Fact], object] = lambda _: True) -> Fact | None:
        """A fact of the phrase's relation, by chance."""
        found = [fact for fact in self.usable if fact.relation == phrase.relation and fits(fact)]
        return self.chance.choice(found) if found else None

    def wanted(self, kind: str, phrase: PhraseTemplate, fact: Fact, **rest: Any) -> Wanted:
        """What the phrase asks for about a fact's entity."""
        known = {"class": kind, "entity": subject(fact, phrase.side), "side": phrase.side, "relation": phrase.relation}
        return Wanted.model_validate(known | rest)

    def records(self, phrase: PhraseTemplate, fact: Fact) -> list[Fact]:
        """Every record of the phrase's relation with the same entity."""
        return list(self.facts.of(self.wanted("at", phrase, fact)))

    def lasting(self, phrase: PhraseTemplate) -> tuple[Fact, datetime] | None:
        """A fact that held for some days, and the start of one of them."""
        fact = self.fact(phrase, lambda f: f.valid_at and (f.invalid_at or self.latest) - f.valid_at > _SOME_DAYS)
        if fact is None or fact.valid_at is None:
            return None
        first, last = fact.valid_at + DAY, min(fact.invalid_at or self.latest, self.latest)
        return fact, day_of(first + (last - first) * self.chance.random())


def _usable(facts: Facts) -> list[Fact]:
    """Facts whose names people would say: no addresses, and of a relation with few values only those seen often."""
    ordered = sorted(facts.all, key=lambda f: (f.source, f.relation, f.target, str(f.valid_at), str(f.created_at)))
    seen = Counter((fact.relation, fact.target) for fact in ordered)
    values = Counter(relation for relation, _ in seen)
    sizes = Counter(fact.relation for fact in ordered)
    crowded = {relation for relation, size in sizes.items() if size > _CROWDED * values[relation]}
    plain = (fact for fact in ordered if _PLAIN.fullmatch(fact.target) and _PLAIN.fullmatch(fact.source))
    return [fact for fact in plain if fact.relation not in crowded or seen[fact.relation, fact.target] >= _SEEN]
