"""What the tools of one turn give for a plan, at the instants that it asks about."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property

from services.analyst.fact_kinds import is_by_then
from services.analyst.fact_order import facts_of, name_on, of_relation, start_of
from services.analyst.query_plan import DatingEvent, QueryPlan
from services.analyst.vocabulary import Side, other
from services.core import clock, time_rule
from services.core.errors import BadInput
from services.core.models import Fact, Instants
from services.language.relation_names import relation_words
from services.tools.toolbox import Called, Toolbox

TICK = timedelta(microseconds=1)


@dataclass(frozen=True)
class FactLookup:
    """Asks the tools of one turn for what a plan wants."""

    toolbox: Toolbox
    plan: QueryPlan
    now: datetime

    @cached_property
    def _known_at(self) -> datetime:
        return self.plan.when.known_at or self.toolbox.context.known_at or self.now

    def at(self, as_of: datetime) -> Instants:
        """Return an instant of the world, as it was known when the question asks."""
        return Instants(as_of, self._known_at)

    @property
    def date(self) -> datetime | None:
        """The instant that the question names, else the bar's."""
        return self.plan.when.first or self.toolbox.context.as_of

    @property
    def asked(self) -> datetime:
        """That instant, else now."""
        return self.date or self.now

    @property
    def interval(self) -> tuple[datetime, datetime]:
        """The time that the question asks about: from an instant to before another."""
        when = self.plan.when
        first, last = when.first or clock.EARLIEST, when.last or clock.EARLIEST
        if when.way == "none":
            return clock.EARLIEST, self.asked + TICK
        if when.way == "before":
            return clock.EARLIEST, last if when.up_to else first
        if is_by_then(self.plan):
            return clock.EARLIEST, first + TICK
        if when.way in ("since", "after"):
            return first, self.now if first <= self.now else clock.LATEST
        return first, max(last, first + TICK)

    @property
    def end(self) -> datetime:
        """The end of the time that the question asks about."""
        return self.interval[1]

    def call(self, tool: str, as_of: datetime | None, **given: object) -> Called:
        """Call a tool at an instant. Raises what the tool raises."""
        context = replace(
            self.toolbox.context, as_of=as_of, known_at=self.plan.when.known_at or self.toolbox.context.known_at
        )
        return self.toolbox.call(tool, {key: value for key, value in given.items() if value}, context=context)

    def facts_at(self, name: str, relation: str, side: Side) -> Called:
        """Call for what holds of an entity on a side of a relation."""
        given = {"target": name} if side == "target" else {"entity": name}
        return self.call("facts_at", self.date, relation=relation, **given)

    def event(self, event: DatingEvent) -> Fact | None:
        """Return the fact that stands for a date; the first, where there are several."""
        found = of_relation(self.known_of(event.entity), event.relation, event.side, event.entity)
        own = [f for f in found if f.valid_at]
        own = [f for f in own if event.value in ("", name_on(f, other(event.side)))]
        return min(own, key=start_of, default=None) if event.value or len(own) == 1 else None

    def history(self, until: datetime | None, subject: str) -> list[Fact]:
        """Return every dated fact of the subject's relation that began at or before an instant, in order."""
        return self.looked_up(until, subject)[1]

    def looked_up(self, until: datetime | None, subject: str) -> tuple[Called, list[Fact]]:
        """The same with the call that gave them; of what ended also facts whose start is not recorded."""
        called, last = self.call("get_entity_history", until, entity_name=subject), until or clock.LATEST
        own = [f for f in facts_of(called) if self.fits(f, subject) and start_of(f) <= last]
        dated = [f for f in own if f.valid_at or (self.plan.intent == "ended" and f.invalid_at)]
        return called, sorted(dated, key=lambda f: (start_of(f), f.invalid_at or clock.LATEST, f.uuid))

    def fits(self, fact: Fact, subject: str) -> bool:
        """True for a fact of the plan's relation that has a subject on the plan's side."""
        plan = self.plan
        if plan.relation and fact.relation != plan.relation:
            return False
        if plan.symmetric or not plan.relation:
            return subject in (fact.source, fact.target)
        is_among = not plan.among or name_on(fact, other(plan.side)) in plan.among
        return name_on(fact, plan.side) == subject and is_among

    def has_value(self, fact: Fact) -> bool:
        """True for a fact with the plan's value, and for any where it has none."""
        plan = self.plan
        if plan.symmetric and plan.value:
            return plan.value in (fact.source, fact.target)
        return plan.value in ("", name_on(fact, other(plan.side)))

    def every_of(self, relation: str) -> list[Fact]:
        """Return every fact of a relation that holds, and where no date is asked the undated ones.

        Raises `BadInput` where there are more than a call lists.
        """
        called = self.call("facts_at", self.date, relation=relation)
        if called.result.total > len(called.result.rows):
            words = " ".join(relation_words(relation))
            raise BadInput(
                f"The graph has {called.result.total:,} “{words}” facts, too many to compare.",
                "Name one of the entities.",
            )
        return self.now_held(facts_of(called))

    def now_held(self, facts: Iterable[Fact]) -> list[Fact]:
        """Keep what holds when the question asks, and where no date is asked the undated ones."""
        at, undated = self.at(self.asked), self.date is None
        return [fact for fact in facts if time_rule.true_at(fact, at) or (undated and fact.valid_at is None)]

    def known_of(self, name: str) -> list[Fact]:
        """Return every fact of an entity that is recorded, of whatever relation."""
        return facts_of(self.call("get_entity_history", None, entity_name=name))
