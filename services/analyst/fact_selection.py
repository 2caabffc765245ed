"""Which facts answer a plan, by the table of decision 0009; the tools are asked, the clock decides."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from services.analyst.fact_kinds import FactSelection, kind_of
from services.analyst.fact_order import (
    beside,
    changed_in,
    dated_and_undated,
    ended,
    extreme,
    facts_of,
    joined_at_once,
    longest,
    name_on,
    numbered,
    of_relation,
    ranked,
    share_time,
    start_of,
)
from services.analyst.query_plan import Condition, DatingEvent, QueryPlan
from services.analyst.vocabulary import Side, other
from services.core import clock, time_rule
from services.core.models import Fact, Instants
from services.core.spells import as_one, overlaps, spells_of
from services.tools.toolbox import Called, Toolbox

_TICK = timedelta(microseconds=1)
_MOST_HOPS = 3
_MOST_FIRST = 3
"""Where more than these have equally many, none of them is said to have the most."""
_MOST_WITH = 25
"""More than these with at least so many are no answer."""


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
        selection = self._by_kind(self._plan)
        if plan.intent == "is" and plan.value:
            selection = self._whether(selection)
        return replace(selection, event=event, asked_at=self._date is not None)

    def _by_kind(self, plan: QueryPlan) -> FactSelection:
        if plan.intent == "path":
            return self._path()
        if plan.intent == "most":
            return self._most() if plan.most else self._extreme()
        kind = kind_of(plan)
        if kind in ("at", "count") and not plan.value and self._asks_for_past:
            return self._so_far(kind)
        if kind in ("at", "count"):
            return self._holding(kind)
        return self._compared() if kind == "compare" else self._of_history(kind)

    @property
    def _asks_for_past(self) -> bool:
        """True for what has been so far, and for what was at a time that neither question nor bar names."""
        plan = self._plan
        if plan.when.first or plan.when.known_at or plan.intent not in ("value", "count"):
            return False
        return plan.perfect or (plan.tense == "past" and self._date is None and not plan.conditions)

    # -- instants

    def _at(self, as_of: datetime) -> Instants:
        return Instants(as_of, self._known_at)

    @property
    def _date(self) -> datetime | None:
        """The instant that the question names, else the bar's."""
        return self._plan.when.first or self._toolbox.context.as_of

    @property
    def _asked(self) -> datetime:
        """That instant, else now."""
        return self._date or self._now

    @property
    def _interval(self) -> tuple[datetime, datetime]:
        """The time that the question asks about: from an instant to before another."""
        when = self._plan.when
        first, last = when.first or clock.EARLIEST, when.last or clock.EARLIEST
        if when.way == "none":
            return clock.EARLIEST, self._asked + _TICK
        if when.way == "before":
            return clock.EARLIEST, last if when.up_to else first
        if when.way in ("since", "after"):
            return first, self._now
        return first, max(last, first + _TICK)

    @property
    def _end(self) -> datetime:
        """The end of the time that the question asks about."""
        return self._interval[1]

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
        found = of_relation(self._known_of(event.entity), event.relation, event.side, event.entity)
        own = [f for f in found if f.valid_at]
        return min((f for f in own if name_on(f, other(event.side)) == event.value), key=start_of, default=None)

    def _history(self, until: datetime | None, subject: str) -> list[Fact]:
        """Return every dated fact of the subject's relation that began at or before an instant, in order."""
        return self._looked_up(until, subject)[1]

    def _looked_up(self, until: datetime | None, subject: str) -> tuple[Called, list[Fact]]:
        """The same with the call that gave them."""
        called, last = self._call("get_entity_history", until, entity_name=subject), until or clock.LATEST
        dated = [f for f in facts_of(called) if self._fits(f, subject) and f.valid_at and f.valid_at <= last]
        return called, sorted(dated, key=lambda f: (start_of(f), f.invalid_at or clock.LATEST, f.uuid))

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
        """Return past facts whose listed entity met the plan's conditions then, in the period that is asked about, and
        those by which it did."""
        side, more = other(self._plan.side), dict[str, Fact]()
        period = (self._at(self._asked).as_of, self._end) if kind == "period" else (clock.EARLIEST, self._asked + _TICK)
        for condition in self._plan.conditions:
            proofs = of_relation(self._known_of(condition.name), condition.relation, condition.side, condition.name)
            met = {
                fact.uuid: [
                    proof
                    for proof in proofs
                    if name_on(proof, other(condition.side)) == name_on(fact, side)
                    and (share_time(fact, proof, *period) or (self._date is None and proof.valid_at is None))
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
        return of_relation(facts_of(called), condition.relation, condition.side, condition.name)

    def _all_but(self, denied: Condition) -> list[Fact]:
        """Return the facts of a relation with other names on its side, of entities that have none with its name."""
        found = self._of_relation(denied.relation)
        having = {name_on(fact, other(denied.side)) for fact in found if name_on(fact, denied.side) == denied.name}
        return [fact for fact in found if name_on(fact, other(denied.side)) not in having]

    def _of_relation(self, relation: str) -> list[Fact]:
        """Return every fact of a relation that holds, and where no date is asked the undated ones."""
        return self._now_held(facts_of(self._call("facts_at", self._date, relation=relation)))

    def _now_held(self, facts: Iterable[Fact]) -> list[Fact]:
        at, undated = self._at(self._asked), self._date is None
        return [fact for fact in facts if time_rule.true_at(fact, at) or (undated and fact.valid_at is None)]

    # -- one kind each

    def _most(self) -> FactSelection:
        """Select the facts of those that have most of them, or at least so many; none where many do. Those who ever had
        enough are asked, until nobody else can have as many."""
        least, limit = self._plan.least, _MOST_WITH if self._plan.least else _MOST_FIRST
        first, best = dict[str, list[Fact]](), least or 1
        for name, bound in self._plan.most:
            if bound < best or (bound == best and len(first) > limit):
                break
            facts = self._held_by(name)
            number = len({name_on(fact, other(self._plan.side)) for fact in facts})
            if number > best and not least:
                first, best = {}, number
            if number >= best:
                first[name] = facts
        most = [fact for own in first.values() for fact in own] if len(first) <= limit else []
        return FactSelection("most", self._at(self._asked), *dated_and_undated(most))

    def _held_by(self, name: str) -> list[Fact]:
        plan = self._plan
        if plan.perfect:
            return of_relation(self._known_of(name), plan.relation, plan.side, name)
        called = self._facts_at(name, plan.relation, plan.side)
        return self._now_held(f for f in facts_of(called) if name_on(f, plan.side) == name)

    def _extreme(self) -> FactSelection:
        """Select the facts of a relation that lead to the greatest figure, or to the smallest."""
        facts = extreme(self._of_relation(self._plan.relation), highest=self._plan.rank == "highest")
        return FactSelection("at", self._at(self._asked), *dated_and_undated(facts))

    def _path(self) -> FactSelection:
        plan, at = self._plan, self._at(self._asked)
        called = self._call("find_path", self._date, source=plan.subjects[0], target=plan.other, max_hops=_MOST_HOPS)
        paths = called.result.rows
        if self._date is None and (not paths or len(paths[0]["facts"]) > 1) and (direct := self._undated_between()):
            return FactSelection("path", at, undated=direct)
        if not paths and (ended := self._ended_path()):
            return FactSelection(
                "path", at, ended[:1] if len(ended) == 1 else (), call=called, known=ended, denied=True
            )
        wanted = {row["uuid"] for path in paths[:1] for row in path["facts"]}
        return FactSelection("path", at, tuple(f for f in facts_of(called) if f.uuid in wanted), call=called)

    def _undated_between(self) -> tuple[Fact, ...]:
        """Return the undated facts that join the ends of a path, which no path at an instant can have."""
        ends = {self._plan.subjects[0], self._plan.other}
        found = facts_of(self._facts_at(self._plan.subjects[0], "", "source"))
        return tuple(f for f in found if f.valid_at is None and {f.source, f.target} == ends)

    def _ended_path(self) -> tuple[Fact, ...]:
        """Return facts that joined the ends of a path at another time: the last one, else the last two at once."""
        one, two = (
            {f.uuid: f for f in self._known_of(end) if f.valid_at} for end in (self._plan.subjects[0], self._plan.other)
        )
        if direct := [fact for uuid, fact in one.items() if uuid in two]:
            return (max(direct, key=start_of),)
        return joined_at_once(one.values(), two.values(), self._plan.subjects[0], self._plan.other)

    def _known_of(self, name: str) -> list[Fact]:
        """Return every fact of an entity that is recorded, of whatever relation."""
        return facts_of(self._call("get_entity_history", None, entity_name=name))

    def _whether(self, selection: FactSelection) -> FactSelection:
        """Select what proves or denies: of a past without a date what ever was; where nothing holds, when it did."""
        plan = self._plan
        own = tuple(fact for fact in (*selection.facts, *selection.undated) if self._has_value(fact))
        if own or selection.kind == "compare":
            is_change = selection.kind == "changed"
            return replace(selection, facts=own) if is_change else selection
        is_past = plan.tense == "past" and self._date is None
        if selection.facts and not is_past and selection.kind != "changed":
            return selection
        ever = tuple(f for subject in plan.subjects for f in self._history(None, subject) if self._has_value(f))
        if is_past and selection.kind == "at" and ever:
            return replace(selection, kind="ever", facts=ever, undated=())
        return replace(selection, facts=ever or selection.facts, denied=bool(ever))

    def _holding(self, kind: str) -> FactSelection:
        plan, at, held, called = self._plan, self._at(self._asked), dict[str, Fact](), None
        for subject in plan.subjects:
            called = self._facts_at(subject, plan.relation, "source" if plan.symmetric else plan.side)
            held |= {fact.uuid: fact for fact in facts_of(called) if self._fits(fact, subject)}
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

    def _so_far(self, kind: str) -> FactSelection:
        """ "Where has she lived?": all of it, where anything of it is over; else what holds. Undated facts too."""
        holding, history = self._holding(kind), self._of_history("history")
        if all(f.invalid_at is None for f in history.facts):
            return holding
        return history if self._date else replace(history, undated=holding.undated)

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
            found |= {f.uuid: f for f in facts_of(called) if self._fits(f, subject)}
        at, until = self._at(first), self._at(second)
        true = [f for f in found.values() if time_rule.true_at(f, at) or time_rule.true_at(f, until)]
        return FactSelection("compare", at, tuple(sorted(true, key=lambda f: (start_of(f), f.uuid))), until=second)

    def _of_history(self, kind: str) -> FactSelection:
        """Select from whole histories, one subject after the other."""
        found, known, called = dict[str, Fact](), list[Fact](), None
        for subject in self._plan.subjects:
            called, history = self._looked_up(self._until(kind), subject)
            chosen = self._by_rule(kind, history)
            found |= {f.uuid: f for f in (chosen if kind == "changed" else self._meeting_then(kind, chosen))}
            known += history
        until = self._end if kind == "period" or (kind == "changed" and self._date) else None
        if kind == "after_date":
            until = min(map(start_of, found.values()), default=None)
        at, facts = self._at(self._asked), tuple(found.values())
        return FactSelection(kind, at, facts, until=until, known=tuple(known), call=called)

    def _until(self, kind: str) -> datetime | None:
        """Return the instant at which the histories end that a kind is told from."""
        if kind == "after_date":
            return None
        when = self._plan.when
        is_up_to = when.way == "before" and when.up_to
        return self._end - _TICK if kind in ("period", "changed") or when.way == "period" or is_up_to else self._asked

    def _by_rule(self, kind: str, known: list[Fact]) -> list[Fact]:
        """Return the facts of one subject, of all that is known of it."""
        at = self._at(self._asked)
        first, last = self._interval
        if kind == "period":
            return self._during(known, first, last)
        if kind == "changed":
            return self._meeting(changed_in(known, self._plan.change, first, last), begun=True)
        if kind == "until_date":
            return changed_in(known, "ends", at.as_of, last) or [f for f in known if overlaps(f, last - _TICK, last)]
        if kind == "after_date":
            return beside("after", known, [f for f in known if time_rule.true_at(f, at)])
        if kind == "before_date":
            return [f for f in known if time_rule.true_at(f, self._at(at.as_of - _TICK))]
        return self._chosen(kind, known, self._at(self._until(kind) or self._now))

    def _during(self, known: list[Fact], first: datetime, last: datetime) -> list[Fact]:
        """Return what held in a period; of what changed about an entity as a whole, what began or ended in it."""
        held = [f for f in known if overlaps(f, first, last)]
        if self._plan.intent != "history" or self._plan.relation:
            return held
        moments = ((f, moment) for f in known for moment in (f.valid_at, f.invalid_at))
        turned = {f.uuid: f for f, moment in moments if moment and first <= moment < last}
        return list(turned.values()) or held

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
            return ended(named, at.as_of, plan.rank, to_come=plan.tense == "future", latest=not plan.value)
        if kind == "when" and (plan.value or plan.rank):
            now = [f for spell in spells_of(named) if time_rule.true_at(as_one(spell), at) for f in spell]
            return (plan.tense == "present" and not plan.rank and now) or ranked(named, plan.rank)
        if kind == "when":
            return [f for f in named if time_rule.true_at(f, at)] or ranked(named, "last")
        return beside(kind, known, named if plan.value else [f for f in known if time_rule.true_at(f, at)])

    def _has_value(self, fact: Fact) -> bool:
        plan = self._plan
        if plan.symmetric and plan.value:
            return plan.value in (fact.source, fact.target)
        return plan.value in ("", name_on(fact, other(plan.side)))
