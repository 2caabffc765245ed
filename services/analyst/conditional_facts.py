"""Facts whose listed entity meets further conditions, and the facts by which it does."""

from collections import defaultdict

from services.analyst.fact_lookup import TICK, FactLookup
from services.analyst.fact_order import facts_of, name_on, of_relation, share_time, start_of
from services.analyst.query_plan import Condition
from services.analyst.vocabulary import other
from services.core import clock, time_rule
from services.core.models import Fact


def meeting(lookup: FactLookup, facts: list[Fact], begun: bool = False) -> list[Fact]:
    """Return the facts whose listed entity meets the plan's conditions, and the facts by which it does.

    Of what began it has to have met them then.
    """
    side, more = other(lookup.plan.side), dict[str, Fact]()
    for condition in lookup.plan.conditions:
        by_name = defaultdict(list)
        for fact in _conditional(lookup, condition, begun):
            by_name[name_on(fact, other(condition.side))].append(fact)
        met = [
            [f for f in by_name[name_on(fact, side)] if not begun or time_rule.true_at(f, lookup.at(start_of(fact)))]
            for fact in facts
        ]
        facts = [fact for fact, proofs in zip(facts, met, strict=True) if proofs]
        more |= {f.uuid: f for proofs in met for f in proofs}
    return [*facts, *more.values()]


def meeting_then(lookup: FactLookup, kind: str, facts: list[Fact]) -> list[Fact]:
    """Return past facts whose listed entity met the plan's conditions then, in the period that is asked about, and
    those by which it did."""
    side, more = other(lookup.plan.side), dict[str, Fact]()
    period = (lookup.at(lookup.asked).as_of, lookup.end) if kind == "period" else (clock.EARLIEST, lookup.asked + TICK)
    for condition in lookup.plan.conditions:
        proofs = of_relation(lookup.known_of(condition.name), condition.relation, condition.side, condition.name)
        met = {
            fact.uuid: [
                proof
                for proof in proofs
                if name_on(proof, other(condition.side)) == name_on(fact, side)
                and (share_time(fact, proof, *period) or (lookup.date is None and proof.valid_at is None))
            ]
            for fact in facts
        }
        facts = [fact for fact in facts if met[fact.uuid]]
        more |= {p.uuid: p for fact in facts for p in met[fact.uuid]}
    return [*facts, *more.values()]


def _conditional(lookup: FactLookup, condition: Condition, begun: bool) -> list[Fact]:
    if condition.negated:
        return all_but(lookup, condition)
    if begun:
        called = lookup.call("get_entity_history", lookup.end, entity_name=condition.name)
    else:
        called = lookup.facts_at(condition.name, condition.relation, condition.side)
    return of_relation(facts_of(called), condition.relation, condition.side, condition.name)


def all_but(lookup: FactLookup, denied: Condition) -> list[Fact]:
    """Return the facts of a relation with other names on its side, of entities that have none with its name."""
    found = lookup.every_of(denied.relation)
    having = {name_on(fact, other(denied.side)) for fact in found if name_on(fact, denied.side) == denied.name}
    return [fact for fact in found if name_on(fact, other(denied.side)) not in having]
