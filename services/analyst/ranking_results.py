"""Facts of those that have the most of them in the whole graph, and those that lead to the greatest figure."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from services.analyst.durations import extreme_of, held_for
from services.analyst.fact_kinds import FactSelection
from services.analyst.fact_lookup import FactLookup
from services.analyst.fact_order import changed_in, dated_and_undated, facts_of, former, name_on, of_relation, start_of
from services.analyst.figures import extreme
from services.analyst.query_plan import QueryPlan
from services.analyst.vocabulary import Side, other
from services.core.errors import BadInput
from services.core.fact_periods import overlaps, spells_of
from services.core.models import Fact
from services.language.relation_names import relation_words

_MOST_FIRST = 3
"""Where more than these have equally many, none of them is said to have the most."""
_MOST_WITH = 25
"""More than these with at least so many are no answer."""
_MOST_ASKED = 60
"""So many names are looked up at most."""


def having_most(lookup: FactLookup) -> FactSelection:
    """Select the facts of those that have most of them, or at least so many; none where many do. Those who ever had
    enough are asked, until nobody else can have as many. Raises `BadInput` where too many would have to be asked."""
    least, limit = lookup.plan.least, _MOST_WITH if lookup.plan.least else _MOST_FIRST
    first, best, is_often = list[list[Fact]](), least or 1, lookup.plan.rank == "often"
    for asked, (name, bound) in enumerate(lookup.plan.most):
        if not is_often and (bound < best or (len(first) > limit and (least or bound == best))):
            break
        if asked == _MOST_ASKED:
            raise BadInput(
                f"The question compares more than {_MOST_ASKED} entities, too many to look up.",
                "Name the entities to compare.",
            )
        for facts in _held_by(lookup, name):
            number = _number(facts, lookup.plan, is_often=is_often)
            if number > best and not least:
                first, best = [], number
            if number >= best:
                first.append(facts)
    most = [fact for own in first for fact in own] if len(first) <= limit else []
    return FactSelection("most", lookup.at(lookup.asked), *dated_and_undated(most))


def _number(facts: Sequence[Fact], plan: QueryPlan, *, is_often: bool) -> int:
    """Return how many things are had, or how often any was: each time after a break."""
    return len(spells_of(facts)) if is_often else len({_uuid_on(fact, other(plan.side)) for fact in facts})


def _held_by(lookup: FactLookup, name: str) -> Iterable[list[Fact]]:
    """Return what each entity of a name has."""
    plan = lookup.plan
    if plan.perfect:
        known = of_relation(lookup.known_of(name), plan.relation, plan.side, name)
        facts = [fact for fact in known if start_of(fact) <= lookup.asked]
    else:
        called = lookup.facts_at(name, plan.relation, plan.side)
        facts = lookup.now_held(f for f in facts_of(called) if name_on(f, plan.side) == name)
    by_entity: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        by_entity[_uuid_on(fact, plan.side)].append(fact)
    return by_entity.values()


def _uuid_on(fact: Fact, side: Side) -> str:
    return fact.source_uuid if side == "source" else fact.target_uuid


def begun(lookup: FactLookup) -> FactSelection:
    """Select the facts of a relation that began in the time that is asked about, whoever has them. Raises `BadInput`
    where too many would have to be asked, or there are none."""
    plan = lookup.plan
    _check_number(plan)
    facts = {f.uuid: f for own in _known(lookup) for f in changed_in(own, "begins", *lookup.interval)}
    if not facts:
        raise BadInput(f"No “{_words(plan)}” fact in the graph started {plan.when.phrase}.")
    return FactSelection("changed", lookup.at(lookup.asked), tuple(sorted(facts.values(), key=start_of)))


def everyone(lookup: FactLookup) -> FactSelection:
    """Select the facts of a relation, whoever has them: those that hold when the question asks, that held in its
    period, or ever. Raises `BadInput` where too many would have to be asked."""
    plan = lookup.plan
    _check_number(plan)
    if plan.when.way in ("none", "at") and not plan.perfect:
        facts = lookup.every_of(plan.relation)
        return FactSelection("at", lookup.at(lookup.asked), *dated_and_undated(sorted(facts, key=start_of)))
    first, last = lookup.interval
    facts = [fact for own in _known(lookup) for fact in own if plan.when.way == "none" or overlaps(fact, first, last)]
    if plan.is_over and plan.change == "ends":
        facts = former(facts, lookup.at(lookup.asked), plan.side)
    if plan.is_over:
        facts = [fact for fact in facts if fact.invalid_at is not None and fact.invalid_at <= lookup.asked]
    return FactSelection("history", lookup.at(lookup.asked), *dated_and_undated(sorted(facts, key=start_of)))


def _check_number(plan: QueryPlan) -> None:
    if len(plan.most) > _MOST_ASKED:
        raise BadInput(
            f"More than {_MOST_ASKED} entities have “{_words(plan)}” facts, too many to look up.",
            "Name one of the entities.",
        )


def _words(plan: QueryPlan) -> str:
    return " ".join(relation_words(plan.relation))


def _known(lookup: FactLookup) -> Iterator[Sequence[Fact]]:
    """Yield the facts of the relation that each of those who may have it ever had."""
    plan = lookup.plan
    return (of_relation(lookup.known_of(name), plan.relation, plan.side, name) for name, _ in plan.most)


def of_extreme(lookup: FactLookup) -> FactSelection:
    """Select the facts of a relation that lead to the greatest figure, or to the smallest. Raises `BadInput` where
    they are too many or cannot be compared."""
    facts = extreme(lookup.every_of(lookup.plan.relation), highest=lookup.plan.rank == "highest")
    return FactSelection("at", lookup.at(lookup.asked), *dated_and_undated(facts))


def of_longest(lookup: FactLookup) -> FactSelection:
    """Select what held longest of all, or shortest: in one term, or in all terms of the same two names.

    Nothing where these differ and the question does not say which is meant. Raises `BadInput` where too many would have
    to be asked.
    """
    plan = lookup.plan
    _check_number(plan)
    known = ([fact for fact in own if start_of(fact) <= lookup.asked] for own in _known(lookup))
    spells = [spell for own in known for spell in spells_of(own)]
    terms: defaultdict[tuple[str, ...], list[Fact]] = defaultdict(list)
    for spell in spells:
        terms[spell[0].source_uuid, spell[0].target_uuid] += spell
    is_shortest = plan.rank.startswith("shortest")
    one = _held_most(dict(enumerate(spells)), lookup, greatest=not is_shortest)
    every = _held_most(terms, lookup, greatest=not is_shortest)
    agree = bool(one) and {fact.uuid for fact in one} <= {fact.uuid for fact in every}
    facts = one if plan.rank.endswith("term") else every if agree else []
    return FactSelection("longest", lookup.at(lookup.asked), tuple(facts))


def _held_most[K](facts: Mapping[K, Sequence[Fact]], lookup: FactLookup, *, greatest: bool) -> Sequence[Fact]:
    lengths = {key: held_for(own, lookup.asked) for key, own in facts.items()}
    best = extreme_of(lengths, greatest=greatest)
    return facts[best[0]] if len(best) == 1 else []
