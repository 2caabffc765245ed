"""Which facts answer a plan, by the table of decision 0009; the tools are asked, the clock decides."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from services.analyst.conditional_facts import all_but, meeting, meeting_then
from services.analyst.dated_parts import DatingMoment, moment_of
from services.analyst.durations import longest
from services.analyst.fact_kinds import FactSelection, is_by_then, kind_of
from services.analyst.fact_lookup import TICK, FactLookup
from services.analyst.fact_order import (
    beside,
    changed_in,
    ended,
    facts_of,
    former,
    numbered,
    ranked,
    start_of,
)
from services.analyst.path_facts import path_between
from services.analyst.query_plan import Condition, DatingEvent, QueryPlan
from services.analyst.ranking_results import begun, everyone, having_most, of_extreme, of_longest
from services.analyst.vocabulary import other
from services.core import clock, time_rule
from services.core.fact_periods import as_one, overlaps, spells_of
from services.core.models import Fact, Instants
from services.tools.toolbox import Toolbox


class FactSelector:
    """Asks the tools of one turn for what a plan wants."""

    def __init__(self, toolbox: Toolbox, plan: QueryPlan) -> None:
        self._lookup = FactLookup(toolbox, plan, clock.now())

    def select(self) -> FactSelection:
        """Return the facts that answer. Raises what the tools raise."""
        plan, event = self._lookup.plan, None
        if plan.event is not None:
            event = self._lookup.event(plan.event)
            moment = None if event is None else self._moment(plan.event, event)
            if event is None or moment is None:
                return FactSelection("event", self._lookup.at(self._lookup.asked))
            self._lookup = replace(self._lookup, plan=replace(plan, when=moment.of(plan.when)))
            if moment.has_no_order(plan.when.way) and (turned := self._turned_within(moment, plan.event)):
                return FactSelection("open", self._lookup.at(moment.first), turned, event=event, asked_at=True)
        selection = self._by_kind(self._lookup.plan)
        if plan.intent == "is" and plan.value:
            selection = self._whether(selection)
        return replace(selection, event=event, asked_at=self._lookup.date is not None)

    def _moment(self, asked: DatingEvent, event: Fact) -> DatingMoment | None:
        """Return when the event was by which a plan is dated; its start where no end is recorded."""
        ends = asked.ends and event.invalid_at is not None
        return moment_of(event, ends=ends, lasts=self._lookup.plan.when.way == "period")

    def _turned_within(self, moment: DatingMoment, asked: DatingEvent) -> tuple[Fact, ...]:
        """Return what began or ended in the year or month of an event: nobody knows which was first.

        Of the event's own relation the facts follow each other anyway, and of one value something else may be sure.
        """
        plan = self._lookup.plan
        known = [fact for subject in plan.subjects for fact in self._lookup.history(None, subject)]
        if plan.value:
            known = [fact for fact in known if self._lookup.has_value(fact)]
        is_sure = plan.value and any(moment.is_sure(fact, plan.when.way) for fact in known)
        return () if plan.relation == asked.relation or is_sure else tuple(filter(moment.is_of, known))

    def _by_kind(self, plan: QueryPlan) -> FactSelection:
        if plan.intent == "path":
            return path_between(self._lookup)
        if plan.intent == "all":
            return everyone(self._lookup)
        if plan.intent == "events":
            return begun(self._lookup)
        if plan.intent == "most":
            return having_most(self._lookup) if plan.most else of_extreme(self._lookup)
        if plan.intent == "longest" and not plan.subjects:
            return of_longest(self._lookup)
        kind = kind_of(plan)
        if kind in ("at", "count") and not plan.value and self._asks_for_past:
            return self._so_far(kind)
        if kind in ("at", "count"):
            return self._holding(kind)
        return self._compared() if kind == "compare" else self._of_history(kind)

    @property
    def _asks_for_past(self) -> bool:
        """True for what has been so far, and for what was at a time that neither question nor bar names."""
        plan = self._lookup.plan
        if plan.when.first or plan.when.known_at or plan.intent not in ("value", "count"):
            return False
        return plan.perfect or (plan.tense == "past" and self._lookup.date is None and not plan.conditions)

    def _whether(self, selection: FactSelection) -> FactSelection:
        """Select what proves or denies: of a past without a date what ever was; where nothing holds, when it did."""
        plan = self._lookup.plan
        own = tuple(fact for fact in (*selection.facts, *selection.undated) if self._lookup.has_value(fact))
        if own or selection.kind == "compare":
            is_up_to = selection.kind == "period" and (plan.when.way in ("before", "after") or is_by_then(plan))
            return replace(selection, facts=own) if selection.kind == "changed" or is_up_to else selection
        if is_by_then(plan):
            at = self._lookup.at(self._lookup.asked)
            standing = tuple(fact for fact in selection.facts if time_rule.true_at(fact, at))
            selection = replace(selection, facts=standing or selection.facts)
        is_past = (plan.tense == "past" or plan.perfect) and self._lookup.date is None
        if selection.facts and not is_past and selection.kind != "changed":
            return selection
        ever = tuple(
            f for subject in plan.subjects for f in self._lookup.history(None, subject) if self._lookup.has_value(f)
        )
        if is_past and selection.kind == "at" and ever:
            return replace(selection, kind="ever", facts=ever, undated=())
        return replace(selection, facts=ever or selection.facts, denied=bool(ever))

    def _holding(self, kind: str) -> FactSelection:
        plan, at, held, called = self._lookup.plan, self._lookup.at(self._lookup.asked), dict[str, Fact](), None
        for subject in plan.subjects:
            called = self._lookup.facts_at(subject, plan.relation, "source" if plan.symmetric else plan.side)
            held |= {fact.uuid: fact for fact in facts_of(called) if self._lookup.fits(fact, subject)}
        if plan.negated:
            held = {
                fact.uuid: fact for fact in all_but(self._lookup, Condition(plan.relation, plan.side, plan.subjects[0]))
            }
        found = meeting(self._lookup, list(held.values()))
        holding = sorted(
            (f for f in found if time_rule.true_at(f, at)), key=lambda f: (start_of(f), f.source, f.target)
        )
        undated = [f for f in found if f.valid_at is None] if self._lookup.date is None else []
        subjects = () if holding or undated else plan.subjects
        known = tuple(f for subject in subjects for f in self._lookup.history(None, subject))
        if known and self._is_over(subjects):
            return FactSelection("history", at, known, known=known)
        return FactSelection(kind, at, tuple(holding), tuple(undated), call=called, known=known)

    def _is_over(self, subjects: Sequence[str]) -> bool:
        """True where nothing at all holds any more of what is asked about, so that only its past can be meant."""
        plan = self._lookup.plan
        is_open = plan.or_past and plan.intent == "value" and plan.when.way == "none" and not plan.conditions
        if not is_open or self._lookup.date is not None:
            return False
        every = [fact for subject in subjects for fact in self._lookup.known_of(subject)]
        return all(fact.invalid_at is not None and fact.invalid_at <= self._lookup.now for fact in every)

    def _so_far(self, kind: str) -> FactSelection:
        """ "Where has she lived?": all of it, where anything of it is over; else what holds. Undated facts too."""
        holding, history = self._holding(kind), self._of_history("history")
        if all(f.invalid_at is None for f in history.facts):
            return holding
        return history if self._lookup.date else replace(history, undated=holding.undated)

    def _compared(self) -> FactSelection:
        plan = self._lookup.plan
        first, second = plan.when.first, plan.when.second
        assert first is not None
        assert second is not None, "a comparison has two dates"
        found: dict[str, Fact] = {}
        for subject in plan.subjects:
            called = self._lookup.call(
                "compare_times", None, first=clock.spell(first), second=clock.spell(second), entity=subject
            )
            found |= {f.uuid: f for f in facts_of(called) if self._lookup.fits(f, subject)}
        at, until = self._lookup.at(first), self._lookup.at(second)
        true = [f for f in found.values() if time_rule.true_at(f, at) or time_rule.true_at(f, until)]
        return FactSelection("compare", at, tuple(sorted(true, key=lambda f: (start_of(f), f.uuid))), until=second)

    def _of_history(self, kind: str) -> FactSelection:
        """Select from whole histories, one subject after the other."""
        found, known, called = dict[str, Fact](), list[Fact](), None
        for subject in self._lookup.plan.subjects:
            called, history = self._lookup.looked_up(self._until(kind), subject)
            chosen = self._by_rule(kind, history)
            found |= {f.uuid: f for f in (chosen if kind == "changed" else meeting_then(self._lookup, kind, chosen))}
            known += history
        until = self._lookup.end if kind == "period" or (kind == "changed" and self._lookup.date) else None
        if kind == "after_date":
            until = min(map(start_of, found.values()), default=None)
        at, facts = self._lookup.at(self._lookup.asked), tuple(found.values())
        return FactSelection(kind, at, facts, until=until, known=tuple(known), call=called)

    def _until(self, kind: str) -> datetime | None:
        """Return the instant at which the histories end that a kind is told from."""
        if kind == "after_date":
            return None
        when = self._lookup.plan.when
        is_up_to = when.way == "before" and when.up_to
        if kind in ("period", "changed") or when.way == "period" or is_up_to:
            return self._lookup.end - TICK
        return self._lookup.asked - TICK if when.way == "before" else self._lookup.asked

    def _by_rule(self, kind: str, known: list[Fact]) -> list[Fact]:
        """Return the facts of one subject, of all that is known of it."""
        at = self._lookup.at(self._lookup.asked)
        first, last = self._lookup.interval
        if kind == "period":
            return self._during(known, first, last)
        if kind == "changed":
            return meeting(self._lookup, changed_in(known, self._lookup.plan.change, first, last), begun=True)
        if kind == "until_date":
            lasting = [f for f in known if start_of(f) < at.as_of and overlaps(f, last - TICK, last)]
            return changed_in(known, "ends", at.as_of, last) or lasting
        if kind == "after_date":
            return beside("after", known, [f for f in known if time_rule.true_at(f, at)])
        if kind == "before_date":
            return [f for f in known if time_rule.true_at(f, self._lookup.at(at.as_of - TICK))] or self._over(known)
        return self._chosen(kind, known, self._lookup.at(self._until(kind) or self._lookup.now))

    def _over(self, known: list[Fact]) -> list[Fact]:
        """Return what of the past was over before a date, where the past is asked for and nothing held just before."""
        is_past = self._lookup.plan.tense == "past" and self._lookup.plan.intent == "value"
        return [f for f in known if is_past and start_of(f) < self._lookup.asked]

    def _during(self, known: list[Fact], first: datetime, last: datetime) -> list[Fact]:
        """Return what held in a period; of what changed about an entity as a whole, what began or ended in it."""
        held = [f for f in known if overlaps(f, first, last)]
        if self._lookup.plan.intent != "history" or self._lookup.plan.relation:
            return held
        moments = ((f, moment) for f in known for moment in (f.valid_at, f.invalid_at))
        turned = {f.uuid: f for f, moment in moments if moment and first <= moment < last}
        return list(turned.values()) or held

    def _chosen(self, kind: str, known: list[Fact], at: Instants) -> list[Fact]:
        plan, when = self._lookup.plan, self._lookup.plan.when
        named = [f for f in known if self._lookup.has_value(f)]
        if when.way == "period" and when.first is not None:
            named = [f for f in named if when.first <= start_of(f)] or named
        if kind in ("history", "ever"):
            return (kind == "ever" and named) or known
        if kind == "times":
            return named
        if kind in ("first", "last"):
            return ranked(named, kind)
        if kind == "longest":
            return longest(named, other(plan.side), at.as_of, shortest=plan.rank == "shortest")
        return self._of_rank(kind, known, named, at)

    def _of_rank(self, kind: str, known: list[Fact], named: list[Fact], at: Instants) -> list[Fact]:
        plan = self._lookup.plan
        if kind == "former":
            return former(named, at, other(plan.side))
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
