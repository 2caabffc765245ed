"""The lines of an answer before they have their places, and those that tell of one thing by several facts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from services.analyst import phrasing
from services.analyst.fact_kinds import FactSelection
from services.analyst.fact_order import name_on
from services.analyst.query_plan import QueryPlan
from services.core.models import Fact


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """A sentence before it has its place, with the facts, or the result, that bear it out; or what leads in to some.

    One of several facts can be an item of a list as well: what they tell of one thing.
    """

    text: str
    facts: tuple[Fact, ...] = ()
    result: bool = False
    undated: bool = False
    leads: bool = False
    of_one_thing: bool = False

    @property
    def is_item(self) -> bool:
        """True for a line of a list, where there are many."""
        return len(self.facts) == 1 or self.of_one_thing


def crossed(plan: QueryPlan, selection: FactSelection, spelled: Callable[[datetime], str]) -> Iterator[AnswerLine]:
    """Tell of each thing that meets all conditions in one line: "PEP 8 is authored by Ada and has status Final."."""
    facts = (*selection.facts, *selection.undated)
    things = dict.fromkeys(listed_name(plan, fact) for fact in facts if is_of_subject(plan, fact))
    for fact in facts:
        if not {fact.source, fact.target} & things.keys():
            yield AnswerLine(phrasing.sentence(fact, spelled), (fact,), undated=fact in selection.undated)
    for thing in things:
        own = sorted(
            (fact for fact in facts if thing in (fact.source, fact.target)), key=lambda f: not is_of_subject(plan, f)
        )
        sentences = [phrasing.sentence(fact, spelled).removesuffix(".") for fact in own]
        rest = [words.removeprefix(f"{thing} ") for words in sentences[1:]]
        undated = all(fact in selection.undated for fact in own)
        yield AnswerLine(f"{', and '.join([*sentences[:1], *rest])}.", tuple(own), undated=undated, of_one_thing=True)


def listed_name(plan: QueryPlan, fact: Fact) -> str:
    """The name on the other side than the subject's."""
    return fact.target if plan.side == "source" else fact.source


def listed_uuid(plan: QueryPlan, fact: Fact) -> str:
    """The entity of that name."""
    return fact.target_uuid if plan.side == "source" else fact.source_uuid


def is_of_subject(plan: QueryPlan, fact: Fact) -> bool:
    """True for a fact of the plan's subject; others show that a condition is met."""
    return fact.relation == plan.relation and name_on(fact, plan.side) in plan.subjects


def proves(plan: QueryPlan, selection: FactSelection) -> bool:
    """True where what was selected says yes of all subjects."""
    having = {name_on(fact, plan.side) for fact in (*selection.facts, *selection.undated) if _has(plan, fact)}
    return bool(having) and (plan.symmetric or having >= set(plan.subjects))


def _has(plan: QueryPlan, fact: Fact) -> bool:
    return plan.value in ((fact.source, fact.target) if plan.symmetric else (listed_name(plan, fact),))
