"""The groups that the facts of an answer are told in, each under a line that claims nothing."""

import re
from collections import defaultdict

from services.analyst import phrasing
from services.analyst.fact_selection import FactSelection
from services.analyst.query_plan import QueryPlan
from services.core import clock
from services.core.models import Fact, Instants

_FEW = 12
"""So few facts of an entity need no groups."""
_ORDER = ("At the start of the period:", "Began in the period:", "Began:", "Ended:", "Unchanged:")


def groups(plan: QueryPlan, selection: FactSelection) -> list[tuple[str, list[Fact]]]:
    """The facts of a selection under what leads in to them; all under an empty line, where that would be one group."""
    facts = [*selection.facts, *selection.undated]
    found: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        found[_lead(plan, selection, fact)].append(fact)
    if len(found) < 2:
        return [("", facts)]
    ordered = [lead for lead in _ORDER if lead in found]
    return [(lead, found[lead]) for lead in ordered or found]


def _lead(plan: QueryPlan, selection: FactSelection, fact: Fact) -> str:
    if selection.kind == "period":
        return _ORDER[0] if clock.true_at(fact, selection.at) else _ORDER[1]
    if selection.kind == "compare" and selection.until is not None:
        before = clock.true_at(fact, selection.at)
        after = clock.true_at(fact, Instants(selection.until, selection.at.known_at))
        return "Unchanged:" if before and after else "Ended:" if before else "Began:"
    if plan.intent == "overview" and selection.kind == "at" and len(selection.facts) + len(selection.undated) > _FEW:
        return _of_relation(plan.subjects[0], fact)
    return ""


def _of_relation(subject: str, fact: Fact) -> str:
    """What joins an entity to others: "Has status:", "Authored by Guido van Rossum:"; figures would claim."""
    words = phrasing.relation_words(fact.relation).removeprefix("is ")
    lead = words if fact.source == subject else f"{words} {'it' if re.search(r'[0-9]', subject) else subject}"
    lead = re.sub(r"[0-9]+", "…", lead)
    return f"{lead[:1].upper()}{lead[1:]}:"
