"""Importing into a graph that is only what the plans made of it, and asking it."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from services.core import clock, time_rule
from services.core.import_rows import Row
from services.core.models import STATEMENTS, Entity, Episode, Fact, GraphWrite, Instants
from services.writing.fact_revisions import Verdict
from services.writing.import_plan import plan_import

NOW = datetime(2031, 1, 1, tzinfo=UTC)


def year(number: int) -> datetime:
    return datetime(number, 1, 1, tzinfo=UTC)


def row(said: int | None, end: int | None = None, *, start: int | None = 2005, number: int = 1, **more: Any) -> Row:
    """Ann works at Acme, as a file says in the year `said`."""
    given = {"source": "Ann", "relation": "WORKS_AT", "target": "Acme", **more}
    dates = {
        "valid_at": start and year(start),
        "invalid_at": end and year(end),
        "created_at": said and year(said),
    }
    return Row(number=number, **{**dates, **given})


class Graph:
    """What is stored after imports."""

    def __init__(self) -> None:
        self.entities: dict[str, Entity] = {}
        self.records: dict[str, Fact] = {}
        self.episodes: dict[str, Episode] = {}

    def take(self, *rows: Row, now: datetime = NOW) -> list[Verdict]:
        """Import one file; tells what each row did."""
        stored = GraphWrite(*(tuple(kind.values()) for kind in (self.entities, self.records, self.episodes)))
        plan = plan_import("w", rows, stored, now)
        self.entities |= {e.uuid: e for e in plan.write.entities}
        self.records |= {f.uuid: f for f in plan.write.facts}
        self.episodes |= {e.uuid: e for e in plan.write.episodes}
        return list(plan.verdicts)

    @property
    def facts(self) -> list[Fact]:
        return sorted(self.records.values(), key=lambda f: (f.created_at or clock.EARLIEST, f.uuid))

    @property
    def fact(self) -> Fact:
        """The only fact."""
        (fact,) = self.facts
        return fact

    def content(self) -> tuple[dict[str, Any], ...]:
        return dict(self.entities), dict(self.records), dict(self.episodes)

    def ends(self, known: int) -> list[datetime | None]:
        """The ends of what was recorded in the year `known`, as believed then."""
        return [time_rule.end(f, year(known)) for f in self.facts if time_rule.recorded(f, year(known))]

    def answers(self, years: Sequence[int]) -> dict[tuple[int, int], list[Any]]:
        """Everything that holds, at every pair of instants."""
        return {(t, k): self._answer(Instants(year(t), year(k))) for t in years for k in years}

    def _answer(self, at: Instants) -> list[Any]:
        holding = [time_rule.as_known(f, at.known_at) for f in self.records.values() if time_rule.true_at(f, at)]
        return sorted((f.source, f.target, f.invalid_at or clock.LATEST, attributes(f), exactness(f)) for f in holding)


def attributes(fact: Fact) -> list[tuple[str, Any]]:
    """The attributes that a file gave."""
    return sorted((name, value) for name, value in fact.attributes.items() if name != STATEMENTS)


def exactness(fact: Fact) -> tuple[str, str, bool]:
    """How exactly its dates are known."""
    return fact.valid_at_precision, fact.invalid_at_precision, fact.ended_unknown
