"""Which facts answer a plan, by the table of decision 0009; the tools are asked, the clock decides."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from services.analyst.plan import Condition, Event, Plan
from services.analyst.vocabulary import Side, other
from services.core import clock
from services.core.models import Fact, Instants
from services.tools.toolbox import Called, Toolbox

_TICK = timedelta(microseconds=1)
_MOST_HOPS = 3


@dataclass(frozen=True, slots=True)
class Story:
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


class Teller:
    """Asks the tools of one turn for what a plan wants."""

    def __init__(self, toolbox: Toolbox, plan: Plan) -> None:
        self._toolbox = toolbox
        self._plan = plan
        now = clock.now()
        context = toolbox.context
        self._known_at = plan.when.known_at or context.known_at or now
        self._bar = context.as_of
        self._now = now

    def story(self) -> Story:
        """The facts that answer. Raises what the tools raise."""
        plan, event = self._plan, None
        if plan.event is not None:
            event = self._event(plan.event)
            if event is None:
                return Story("event", self._at(self._bar or self._now))
            start = event.invalid_at if plan.event.ends and event.invalid_at else event.valid_at
            plan = replace(plan, when=replace(plan.when, first=start, last=start))
            self._plan = plan
        told = self._told(plan)
        return replace(told, event=event, asked_at=plan.when.first is not None or self._bar is not None)

    def _told(self, plan: Plan) -> Story:
        if plan.intent == "path":
            return self._path()
        kind = kind_of(plan)
        if kind == "at" and plan.perfect and not plan.value and plan.intent == "value":
            return self._so_far()
        if kind in ("at", "count"):
            return self._holding(kind)
        if kind == "compare":
            return self._compared()
        return self._of_history(kind)

    # -- instants

    def _at(self, as_of: datetime) -> Instants:
        return Instants(as_of, self._known_at)

    @property
    def _asked(self) -> datetime:
        """The instant that the question asks about: its own date, else the bar's, else now."""
        return self._plan.when.first or self._bar or self._now

    def _call(self, tool: str, as_of: datetime | None, **given: object) -> Called:
        context = replace(
            self._toolbox.context, as_of=as_of, known_at=self._plan.when.known_at or self._toolbox.context.known_at
        )
        return self._toolbox.call(tool, {key: value for key, value in given.items() if value}, context=context)

    # -- what the tools give

    def _event(self, event: Event) -> Fact | None:
        """The fact that stands for a date; the first, where there are several."""
        found = _facts(self._call("get_entity_history", None, entity_name=event.entity))
        told = [
            f
            for f in found
            if f.relation == event.relation
            and _name(f, event.side) == event.entity
            and _name(f, other(event.side)) == event.value
            and f.valid_at is not None
        ]
        return min(told, key=_start, default=None)

    def _history(self, until: datetime | None, subject: str) -> list[Fact]:
        """Every dated fact of the subject's relation that began at or before an instant, in order."""
        found = _facts(self._call("get_entity_history", until, entity_name=subject))
        dated = [
            f
            for f in found
            if self._fits(f, subject) and f.valid_at is not None and (until is None or f.valid_at <= until)
        ]
        return sorted(dated, key=lambda f: (_start(f), f.invalid_at or clock.LATEST, f.uuid))

    def _fits(self, fact: Fact, subject: str) -> bool:
        plan = self._plan
        if plan.relation and fact.relation != plan.relation:
            return False
        if plan.symmetric or not plan.relation:
            return subject in (fact.source, fact.target)
        return _name(fact, plan.side) == subject

    def _path(self) -> Story:
        plan, dated = self._plan, self._plan.when.first is not None or self._bar is not None
        called = self._call(
            "find_path", plan.when.first or self._bar, source=plan.subjects[0], target=plan.other, max_hops=_MOST_HOPS
        )
        paths = called.result.rows
        if not dated and (direct := self._undated_between()) and (not paths or len(paths[0]["facts"]) > 1):
            return Story("path", self._at(self._asked), undated=direct)
        wanted = {row["uuid"] for path in paths[:1] for row in path["facts"]}
        facts = {f.uuid: f for f in _facts(called) if f.uuid in wanted}
        return Story("path", self._at(self._asked), tuple(facts.values()), call=called)

    def _undated_between(self) -> tuple[Fact, ...]:
        """The undated facts that join the ends of a path, which no path at an instant can have."""
        ends = {self._plan.subjects[0], self._plan.other}
        found = _facts(self._facts_at(self._plan.subjects[0], "", "source", both=True))
        return tuple(f for f in found if f.valid_at is None and {f.source, f.target} == ends)

    def _holding(self, kind: str) -> Story:
        at = self._at(self._asked)
        dated = self._plan.when.first is not None or self._bar is not None
        held: dict[str, Fact] = {}
        called = None
        for subject in self._plan.subjects:
            called = self._facts_at(subject, self._plan.relation, self._plan.side, self._plan.symmetric)
            held |= {fact.uuid: fact for fact in _facts(called) if self._fits(fact, subject)}
        kept, more = self._meeting(list(held.values()))
        holding = sorted(
            (f for f in (*kept, *more) if clock.true_at(f, at)), key=lambda f: (_start(f), f.source, f.target)
        )
        undated = [] if dated else [f for f in (*kept, *more) if f.valid_at is None]
        found = holding or undated
        known = () if found else tuple(f for subject in self._plan.subjects for f in self._history(None, subject))
        return Story(kind, at, tuple(holding), tuple(undated), call=called, known=known)

    def _so_far(self) -> Story:
        """ "Where has she lived?": all of it, where anything of it is over; else what holds, undated facts too."""
        history = self._of_history("history")
        dated = self._plan.when.first is not None
        return self._holding("at") if dated or all(f.invalid_at is None for f in history.facts) else history

    def _facts_at(self, name: str, relation: str, side: Side, both: bool = False) -> Called:
        as_of = self._plan.when.first or self._bar
        if side == "target" and not both:
            return self._call("facts_at", as_of, relation=relation, target=name)
        return self._call("facts_at", as_of, relation=relation, entity=name)

    def _meeting(self, facts: list[Fact]) -> tuple[list[Fact], list[Fact]]:
        """Those facts whose listed entity meets the plan's conditions, and the facts by which it does."""
        side = other(self._plan.side)
        more: dict[str, Fact] = {}
        for condition in self._plan.conditions:
            found = self._conditional(condition)
            names = {_name(fact, other(condition.side)) for fact in found}
            facts = [fact for fact in facts if _name(fact, side) in names]
            kept = {_name(fact, side) for fact in facts}
            more |= {f.uuid: f for f in found if _name(f, other(condition.side)) in kept}
        return facts, list(more.values())

    def _conditional(self, condition: Condition) -> list[Fact]:
        called = self._facts_at(condition.name, condition.relation, condition.side)
        return [
            f for f in _facts(called) if f.relation == condition.relation and _name(f, condition.side) == condition.name
        ]

    def _compared(self) -> Story:
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
        true = [f for f in found.values() if clock.true_at(f, at) or clock.true_at(f, until)]
        return Story("compare", at, tuple(sorted(true, key=_order)), until=second)

    def _of_history(self, kind: str) -> Story:
        """The kinds that are told from a whole history: one after the other, subject by subject."""
        found: list[Fact] = []
        known: list[Fact] = []
        for subject in self._plan.subjects:
            told, everything = self._by_rule(kind, subject)
            found += told
            known += everything
        at, until = self._instants(kind, found)
        return Story(kind, at, tuple({f.uuid: f for f in found}.values()), until=until, known=tuple(known))

    def _instants(self, kind: str, found: Sequence[Fact]) -> tuple[Instants, datetime | None]:
        if kind in ("period", "begun"):
            return self._at(self._asked), self._end
        return self._at(self._asked), self._next(found) if kind == "after_date" else None

    @staticmethod
    def _next(found: Sequence[Fact]) -> datetime | None:
        return min(map(_start, found), default=None)

    def _by_rule(self, kind: str, subject: str) -> tuple[list[Fact], list[Fact]]:
        """The facts of one subject, and all that were looked at."""
        at, when = self._at(self._asked), self._plan.when
        if kind in ("period", "begun"):
            end = self._end
            known = self._history(end, subject)
            if kind == "begun":
                return self._begun([f for f in known if at.as_of <= _start(f) < end]), known
            return [f for f in known if _within(f, at, end)], known
        if kind == "after_date":
            known = self._history(None, subject)
            return _following(known, [f for f in known if clock.true_at(f, at)]), known
        if kind == "before_date":
            known = self._history(at.as_of, subject)
            return [f for f in known if clock.true_at(f, self._at(at.as_of - _TICK))], known
        until = when.last if when.way == "period" and when.last else at.as_of
        known = self._history(until, subject)
        return self._chosen(kind, known, self._at(until)), known

    @property
    def _end(self) -> datetime:
        """The end of the period that the question asks about."""
        end = self._now if self._plan.when.way == "since" else self._plan.when.last
        assert end is not None, "a period has an end"
        return end

    def _begun(self, facts: list[Fact]) -> list[Fact]:
        """Those facts whose listed entity met the plan's conditions when they began, and the facts by which it did."""
        side, more = other(self._plan.side), dict[str, Fact]()
        for condition in self._plan.conditions:
            found = [
                f
                for f in _facts(self._call("get_entity_history", self._end, entity_name=condition.name))
                if f.relation == condition.relation and _name(f, condition.side) == condition.name
            ]
            met = {
                fact.uuid: [
                    f
                    for f in found
                    if _name(f, other(condition.side)) == _name(fact, side) and clock.true_at(f, self._at(_start(fact)))
                ]
                for fact in facts
            }
            facts = [fact for fact in facts if met[fact.uuid]]
            more |= {f.uuid: f for fact in facts for f in met[fact.uuid]}
        return [*facts, *more.values()]

    def _chosen(self, kind: str, known: list[Fact], at: Instants) -> list[Fact]:
        named = [f for f in known if self._has_value(f)]
        when = self._plan.when
        if when.way == "period" and when.first is not None:
            within = [f for f in named if when.first <= _start(f)]
            named = within or named
        if kind == "history":
            return known
        if kind == "ever":
            return named or known
        if kind == "first":
            return _earliest(named)
        if kind == "last":
            return _latest(named)
        if kind == "when":
            return self._when(named, known, at)
        if kind == "ended":
            return self._ended(named, at)
        return self._beside(kind, known, named, at)

    def _when(self, named: list[Fact], known: list[Fact], at: Instants) -> list[Fact]:
        if self._plan.value:
            return _ranked(named, self._plan.rank)
        if self._plan.rank:
            return _ranked(known, self._plan.rank)
        return [f for f in named if clock.true_at(f, at)] or _latest(named)

    def _ended(self, named: list[Fact], at: Instants) -> list[Fact]:
        over = [f for f in named if f.invalid_at is not None and f.invalid_at <= at.as_of]
        if self._plan.value:
            return _ranked(over, self._plan.rank) or named
        last = max((f.invalid_at for f in over if f.invalid_at), default=None)
        return [f for f in over if f.invalid_at == last]

    def _beside(self, kind: str, known: list[Fact], named: list[Fact], at: Instants) -> list[Fact]:
        """Just before or after the value that is named, or the one that holds."""
        if kind == "after":
            anchors = named if self._plan.value else [f for f in known if clock.true_at(f, at)]
            return _following(known, anchors[-1:])
        anchors = named if self._plan.value else [f for f in known if clock.true_at(f, at)]
        if not anchors:
            return []
        start = min(map(_start, anchors[-1:]))
        return _latest(f for f in known if _start(f) < start)

    def _has_value(self, fact: Fact) -> bool:
        plan = self._plan
        if not plan.value:
            return True
        if plan.symmetric:
            return plan.value in (fact.source, fact.target)
        return _name(fact, other(plan.side)) == plan.value


def kind_of(plan: Plan) -> str:
    """The row of the table of decision 0009 that a plan asks by."""
    intent, way = plan.intent, plan.when.way
    if plan.begins and intent in ("value", "count"):
        return "begun"
    if intent in ("how_long", "when"):
        return "when"
    if intent in ("count", "ended", "first", "last"):
        return intent
    if way == "pair":
        return "compare"
    if intent in ("before", "after") and (plan.value or way in ("none", "at")):
        return intent
    if way == "before":
        return "history" if intent == "history" or (plan.when.up_to and plan.perfect) else "before_date"
    if way == "after":
        return "after_date"
    if way in ("period", "since"):
        return "period"
    if intent == "history":
        return "ever" if plan.value else "history"
    return "at"


def _facts(called: Called) -> list[Fact]:
    return list({item.fact.uuid: item.fact for item in called.result.items if item.fact is not None}.values())


def _name(fact: Fact, side: Side) -> str:
    return fact.source if side == "source" else fact.target


def _start(fact: Fact) -> datetime:
    return fact.valid_at or clock.EARLIEST


def _order(fact: Fact) -> tuple[datetime, str]:
    return _start(fact), fact.uuid


def _within(fact: Fact, at: Instants, end: datetime) -> bool:
    """True for what holds at the first instant of a period, or begins or ends in it."""
    moments = (fact.valid_at, fact.invalid_at)
    return clock.true_at(fact, at) or any(m is not None and at.as_of <= m < end for m in moments)


def _earliest(facts: Iterable[Fact]) -> list[Fact]:
    kept = list(facts)
    first = min(map(_start, kept), default=None)
    return [fact for fact in kept if fact.valid_at == first]


def _latest(facts: Iterable[Fact]) -> list[Fact]:
    kept = list(facts)
    last = max(map(_start, kept), default=None)
    return [fact for fact in kept if fact.valid_at == last]


def _ranked(facts: list[Fact], rank: str) -> list[Fact]:
    return _earliest(facts) if rank == "first" else _latest(facts) if rank == "last" else facts


def _following(known: Sequence[Fact], anchors: Sequence[Fact]) -> list[Fact]:
    """What begins first after the last of the anchors began."""
    if not anchors:
        return []
    start = max(map(_start, anchors))
    return _earliest(f for f in known if _start(f) > start)
