"""Which facts answer a plan, by the table of decision 0009; the tools are asked, the clock decides."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from services.analyst.fact_order import beside, is_within, longest, name_on, numbered, ranked, share_time, start_of
from services.analyst.query_plan import Condition, DatingEvent, QueryPlan
from services.analyst.vocabulary import Side, other
from services.core import clock, time_rule
from services.core.models import Fact, Instants
from services.tools.toolbox import Called, Toolbox

_TICK = timedelta(microseconds=1)
_MOST_HOPS = 3
_MOST_FIRST = 3
"""Where more than these have equally many, none of them is said to have the most."""
_OF_INTENT = {
    "how_long": "when",
    "longest": "longest",
    "when": "when",
    "count": "count",
    "ended": "ended",
    "nth": "nth",
    "first": "first",
    "last": "last",
}
_OF_WAY = {"pair": "compare", "after": "after_date", "period": "period", "since": "period"}
"""Rows of the table of decision 0009 that an intent alone tells, or else the dates."""


@dataclass(frozen=True, slots=True)
class FactSelection:
    """The facts that answer, in the order in which they are told, and the instants that they hold at.

    `undated` have no start; `call` is the result that a count or a path is cited by; `asked_at` tells that the question
    or the bar named the instant. `kind` is the row of the table that was taken.
    """

    kind: str
    at: Instants
    facts: tuple[Fact, ...] = ()
    undated: tuple[Fact, ...] = ()
    until: datetime | None = None
    asked_at: bool = False
    call: Called | None = None
    event: Fact | None = None
    known: tuple[Fact, ...] = ()


class FactSelector:
    """Asks the tools of one turn for what a plan wants."""

    def __init__(self, toolbox: Toolbox, plan: QueryPlan) -> None:
        self._toolbox, self._plan, self._now = toolbox, plan, clock.now()
        self._known_at = plan.when.known_at or toolbox.context.known_at or self._now

    def select(self) -> FactSelection:
        """Return the facts that answer. Raises what the tools raise."""
        plan, event = self._plan, None
        if plan.event is not None:
            event = self._event(plan.event)
            if event is None:
                return FactSelection("event", self._at(self._asked))
            start = event.invalid_at if plan.event.ends and event.invalid_at else event.valid_at
            self._plan = replace(plan, when=replace(plan.when, first=start, last=start))
        return replace(self._by_kind(self._plan), event=event, asked_at=self._date is not None)

    def _by_kind(self, plan: QueryPlan) -> FactSelection:
        if plan.intent == "path":
            return self._path()
        if plan.intent == "most":
            return self._most()
        kind = kind_of(plan)
        if kind == "at" and plan.perfect and not plan.value and plan.intent == "value":
            return self._so_far()
        if kind in ("at", "count"):
            return self._holding(kind)
        return self._compared() if kind == "compare" else self._of_history(kind)

    # -- instants

    def _at(self, as_of: datetime) -> Instants:
        return Instants(as_of, self._known_at)

    @property
    def _date(self) -> datetime | None:
        """The instant that the question names, else the bar's."""
        return self._plan.when.first or self._toolbox.context.as_of

    @property
    def _asked(self) -> datetime:
        """The instant that the question asks about: its own date, else the bar's, else now."""
        return self._date or self._now

    @property
    def _end(self) -> datetime:
        """The end of the period that the question asks about."""
        end = self._now if self._plan.when.way == "since" else self._plan.when.last
        assert end is not None, "a period has an end"
        return end

    # -- what the tools give

    def _call(self, tool: str, as_of: datetime | None, **given: object) -> Called:
        context = replace(
            self._toolbox.context, as_of=as_of, known_at=self._plan.when.known_at or self._toolbox.context.known_at
        )
        return self._toolbox.call(tool, {key: value for key, value in given.items() if value}, context=context)

    def _facts_at(self, name: str, relation: str, side: Side) -> Called:
        given = {"target": name} if side == "target" else {"entity": name}
        return self._call("facts_at", self._date, relation=relation, **given)

    def _event(self, event: DatingEvent) -> Fact | None:
        """Return the fact that stands for a date; the first, where there are several."""
        found = _facts(self._call("get_entity_history", None, entity_name=event.entity))
        own = [f for f in _of(found, event.relation, event.side, event.entity) if f.valid_at]
        return min((f for f in own if name_on(f, other(event.side)) == event.value), key=start_of, default=None)

    def _history(self, until: datetime | None, subject: str) -> list[Fact]:
        """Return every dated fact of the subject's relation that began at or before an instant, in order."""
        found = _facts(self._call("get_entity_history", until, entity_name=subject))
        dated = [f for f in found if self._fits(f, subject) and f.valid_at and (until is None or f.valid_at <= until)]
        return sorted(dated, key=lambda f: (start_of(f), f.invalid_at or clock.LATEST, f.uuid))

    def _fits(self, fact: Fact, subject: str) -> bool:
        plan = self._plan
        if plan.relation and fact.relation != plan.relation:
            return False
        if plan.symmetric or not plan.relation:
            return subject in (fact.source, fact.target)
        return name_on(fact, plan.side) == subject

    def _meeting(self, facts: list[Fact], begun: bool = False) -> list[Fact]:
        """Return the facts whose listed entity meets the plan's conditions, and the facts by which it does.

        Of what began it has to have met them then.
        """
        side, more = other(self._plan.side), dict[str, Fact]()
        for condition in self._plan.conditions:
            by_name = defaultdict(list)
            for fact in self._conditional(condition, begun):
                by_name[name_on(fact, other(condition.side))].append(fact)
            met = [
                [f for f in by_name[name_on(fact, side)] if not begun or time_rule.true_at(f, self._at(start_of(fact)))]
                for fact in facts
            ]
            facts = [fact for fact, proofs in zip(facts, met, strict=True) if proofs]
            more |= {f.uuid: f for proofs in met for f in proofs}
        return [*facts, *more.values()]

    def _meeting_then(self, kind: str, facts: list[Fact]) -> list[Fact]:
        """Return past facts whose listed entity met the plan's conditions at the same time, and those by which it did;
        in the period, where one is asked about.
        """
        side, more = other(self._plan.side), dict[str, Fact]()
        period = (self._at(self._asked).as_of, self._end) if kind == "period" else (clock.EARLIEST, clock.LATEST)
        for condition in self._plan.conditions:
            called = self._call("get_entity_history", None, entity_name=condition.name)
            proofs = _of(_facts(called), condition.relation, condition.side, condition.name)
            met = {
                fact.uuid: [
                    proof
                    for proof in proofs
                    if name_on(proof, other(condition.side)) == name_on(fact, side) and share_time(fact, proof, *period)
                ]
                for fact in facts
            }
            facts = [fact for fact in facts if met[fact.uuid]]
            more |= {p.uuid: p for fact in facts for p in met[fact.uuid]}
        return [*facts, *more.values()]

    def _conditional(self, condition: Condition, begun: bool) -> list[Fact]:
        if condition.negated:
            return self._all_but(condition)
        if begun:
            called = self._call("get_entity_history", self._end, entity_name=condition.name)
        else:
            called = self._facts_at(condition.name, condition.relation, condition.side)
        return _of(_facts(called), condition.relation, condition.side, condition.name)

    def _all_but(self, denied: Condition) -> list[Fact]:
        """Return the facts of a relation with other names on its side, of entities that have none with its name."""
        found = self._of_relation(denied.relation)
        having = {name_on(fact, other(denied.side)) for fact in found if name_on(fact, denied.side) == denied.name}
        return [fact for fact in found if name_on(fact, other(denied.side)) not in having]

    def _of_relation(self, relation: str) -> list[Fact]:
        """Return every fact of a relation that holds, and where no date is asked the undated ones."""
        return self._now_held(_facts(self._call("facts_at", self._date, relation=relation)))

    def _now_held(self, facts: Iterable[Fact]) -> list[Fact]:
        at, undated = self._at(self._asked), self._date is None
        return [fact for fact in facts if time_rule.true_at(fact, at) or (undated and fact.valid_at is None)]

    # -- one kind each

    def _most(self) -> FactSelection:
        """Select the facts of those that have most of them; none where many have as many.

        Each of those who ever had enough is asked, until nobody else can have as many.
        """
        first, best = dict[str, list[Fact]](), 1
        for name, bound in self._plan.most:
            if bound < best or len(first) > _MOST_FIRST:
                break
            facts = self._held_by(name)
            number = len({name_on(fact, other(self._plan.side)) for fact in facts})
            if number > best:
                first, best = {}, number
            if number == best:
                first[name] = facts
        facts = [fact for own in first.values() for fact in own] if len(first) <= _MOST_FIRST else []
        dated, undated = ([f for f in facts if (f.valid_at is None) == bare] for bare in (False, True))
        return FactSelection("most", self._at(self._asked), tuple(dated), tuple(undated))

    def _held_by(self, name: str) -> list[Fact]:
        called = self._facts_at(name, self._plan.relation, self._plan.side)
        return self._now_held(f for f in _facts(called) if name_on(f, self._plan.side) == name)

    def _path(self) -> FactSelection:
        plan, at = self._plan, self._at(self._asked)
        called = self._call("find_path", self._date, source=plan.subjects[0], target=plan.other, max_hops=_MOST_HOPS)
        paths = called.result.rows
        if self._date is None and (not paths or len(paths[0]["facts"]) > 1) and (direct := self._undated_between()):
            return FactSelection("path", at, undated=direct)
        wanted = {row["uuid"] for path in paths[:1] for row in path["facts"]}
        return FactSelection("path", at, tuple(f for f in _facts(called) if f.uuid in wanted), call=called)

    def _undated_between(self) -> tuple[Fact, ...]:
        """Return the undated facts that join the ends of a path, which no path at an instant can have."""
        ends = {self._plan.subjects[0], self._plan.other}
        found = _facts(self._facts_at(self._plan.subjects[0], "", "source"))
        return tuple(f for f in found if f.valid_at is None and {f.source, f.target} == ends)

    def _holding(self, kind: str) -> FactSelection:
        plan, at, held, called = self._plan, self._at(self._asked), dict[str, Fact](), None
        for subject in plan.subjects:
            called = self._facts_at(subject, plan.relation, "source" if plan.symmetric else plan.side)
            held |= {fact.uuid: fact for fact in _facts(called) if self._fits(fact, subject)}
        if plan.negated:
            held = {fact.uuid: fact for fact in self._all_but(Condition(plan.relation, plan.side, plan.subjects[0]))}
        found = self._meeting(list(held.values()))
        holding = sorted(
            (f for f in found if time_rule.true_at(f, at)), key=lambda f: (start_of(f), f.source, f.target)
        )
        undated = [f for f in found if f.valid_at is None] if self._date is None else []
        subjects = () if holding or undated else plan.subjects
        known = tuple(f for subject in subjects for f in self._history(None, subject))
        return FactSelection(kind, at, tuple(holding), tuple(undated), call=called, known=known)

    def _so_far(self) -> FactSelection:
        """ "Where has she lived?": all of it, where anything of it is over; else what holds, undated facts too."""
        history = self._of_history("history")
        dated = self._plan.when.first is not None
        return self._holding("at") if dated or all(f.invalid_at is None for f in history.facts) else history

    def _compared(self) -> FactSelection:
        plan = self._plan
        first, second = plan.when.first, plan.when.second
        assert first is not None
        assert second is not None, "a comparison has two dates"
        found: dict[str, Fact] = {}
        for subject in plan.subjects:
            called = self._call(
                "compare_times", None, first=clock.spell(first), second=clock.spell(second), entity=subject
            )
            found |= {f.uuid: f for f in _facts(called) if self._fits(f, subject)}
        at, until = self._at(first), self._at(second)
        true = [f for f in found.values() if time_rule.true_at(f, at) or time_rule.true_at(f, until)]
        return FactSelection("compare", at, tuple(sorted(true, key=lambda f: (start_of(f), f.uuid))), until=second)

    def _of_history(self, kind: str) -> FactSelection:
        """Select from whole histories, one subject after the other."""
        found, known = dict[str, Fact](), list[Fact]()
        for subject in self._plan.subjects:
            history = self._history(self._until(kind), subject)
            chosen = self._by_rule(kind, history)
            found |= {f.uuid: f for f in (chosen if kind == "begun" else self._meeting_then(kind, chosen))}
            known += history
        until = self._end if kind in ("period", "begun") else None
        if kind == "after_date":
            until = min(map(start_of, found.values()), default=None)
        return FactSelection(kind, self._at(self._asked), tuple(found.values()), until=until, known=tuple(known))

    def _until(self, kind: str) -> datetime | None:
        """Return the instant at which the histories end that a kind is told from."""
        if kind == "after_date":
            return None
        when = self._plan.when
        return self._end if kind in ("period", "begun") or when.way == "period" else self._asked

    def _by_rule(self, kind: str, known: list[Fact]) -> list[Fact]:
        """Return the facts of one subject, of all that is known of it."""
        at = self._at(self._asked)
        if kind == "period":
            return [f for f in known if is_within(f, at, self._end)]
        if kind == "begun":
            return self._meeting([f for f in known if at.as_of <= start_of(f) < self._end], begun=True)
        if kind == "after_date":
            return beside("after", known, [f for f in known if time_rule.true_at(f, at)])
        if kind == "before_date":
            return [f for f in known if time_rule.true_at(f, self._at(at.as_of - _TICK))]
        return self._chosen(kind, known, self._at(self._until(kind) or self._now))

    def _chosen(self, kind: str, known: list[Fact], at: Instants) -> list[Fact]:
        plan, when = self._plan, self._plan.when
        named = [f for f in known if self._has_value(f)]
        if when.way == "period" and when.first is not None:
            named = [f for f in named if when.first <= start_of(f)] or named
        if kind in ("history", "ever"):
            return (kind == "ever" and named) or known
        if kind in ("first", "last"):
            return ranked(named, kind)
        if kind == "longest":
            return longest(named, other(plan.side), at.as_of, shortest=plan.rank == "shortest")
        if kind == "nth":
            return numbered(named, int(plan.rank), other(plan.side))
        if kind == "ended":
            return self._ended(named, at)
        if kind == "when" and (plan.value or plan.rank):
            return ranked(named, plan.rank)
        if kind == "when":
            return [f for f in named if time_rule.true_at(f, at)] or ranked(named, "last")
        return beside(kind, known, named if plan.value else [f for f in known if time_rule.true_at(f, at)])

    def _ended(self, named: list[Fact], at: Instants) -> list[Fact]:
        over = [f for f in named if f.invalid_at is not None and f.invalid_at <= at.as_of]
        if self._plan.value:
            return ranked(over, self._plan.rank) or named
        last = max((f.invalid_at for f in over if f.invalid_at), default=None)
        return [f for f in over if f.invalid_at == last]

    def _has_value(self, fact: Fact) -> bool:
        plan = self._plan
        if plan.symmetric and plan.value:
            return plan.value in (fact.source, fact.target)
        return plan.value in ("", name_on(fact, other(plan.side)))


def kind_of(plan: QueryPlan) -> str:
    """The row of the table of decision 0009 that a plan asks by."""
    intent, way = plan.intent, plan.when.way
    if plan.begins and intent in ("value", "count"):
        return "begun"
    if intent in _OF_INTENT:
        return _OF_INTENT[intent]
    if intent in ("before", "after") and way != "pair" and (plan.value or way in ("none", "at")):
        return intent
    if way == "before":
        return "history" if intent == "history" or (plan.when.up_to and plan.perfect) else "before_date"
    if way in _OF_WAY or intent != "history":
        return _OF_WAY.get(way, "at")
    return "ever" if plan.value else "history"


def _facts(called: Called) -> list[Fact]:
    return list({item.fact.uuid: item.fact for item in called.result.items if item.fact is not None}.values())


def _of(facts: Iterable[Fact], relation: str, side: Side, name: str) -> list[Fact]:
    return [fact for fact in facts if fact.relation == relation and name_on(fact, side) == name]
