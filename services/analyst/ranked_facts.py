"""Facts of those that have the most of them in the whole graph, and those that lead to the greatest figure."""

from services.analyst.fact_kinds import FactSelection
from services.analyst.fact_lookup import FactLookup
from services.analyst.fact_order import dated_and_undated, extreme, facts_of, name_on, of_relation
from services.analyst.vocabulary import other
from services.core.models import Fact

_MOST_FIRST = 3
"""Where more than these have equally many, none of them is said to have the most."""
_MOST_WITH = 25
"""More than these with at least so many are no answer."""


def having_most(lookup: FactLookup) -> FactSelection:
    """Select the facts of those that have most of them, or at least so many; none where many do. Those who ever had
    enough are asked, until nobody else can have as many."""
    least, limit = lookup.plan.least, _MOST_WITH if lookup.plan.least else _MOST_FIRST
    first, best = dict[str, list[Fact]](), least or 1
    for name, bound in lookup.plan.most:
        if bound < best or (bound == best and len(first) > limit):
            break
        facts = _held_by(lookup, name)
        number = len({name_on(fact, other(lookup.plan.side)) for fact in facts})
        if number > best and not least:
            first, best = {}, number
        if number >= best:
            first[name] = facts
    most = [fact for own in first.values() for fact in own] if len(first) <= limit else []
    return FactSelection("most", lookup.at(lookup.asked), *dated_and_undated(most))


def _held_by(lookup: FactLookup, name: str) -> list[Fact]:
    plan = lookup.plan
    if plan.perfect:
        return of_relation(lookup.known_of(name), plan.relation, plan.side, name)
    called = lookup.facts_at(name, plan.relation, plan.side)
    return lookup.now_held(f for f in facts_of(called) if name_on(f, plan.side) == name)


def of_extreme(lookup: FactLookup) -> FactSelection:
    """Select the facts of a relation that lead to the greatest figure, or to the smallest."""
    facts = extreme(lookup.every_of(lookup.plan.relation), highest=lookup.plan.rank == "highest")
    return FactSelection("at", lookup.at(lookup.asked), *dated_and_undated(facts))
