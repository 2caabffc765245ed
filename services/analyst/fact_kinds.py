"""What was selected for a plan, and by which row of the table of decision 0009."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from services.analyst.query_plan import QueryPlan
from services.core.models import Fact, Instants
from services.tools.toolbox import Called

_OF_INTENT = {
    "how_long": "when",
    "times": "times",
    "former": "former",
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
    or the bar named the instant. `kind` is the row of the table that was taken. `denied` tells that the facts are what
    held at another time, since nothing holds that was asked for.
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
    denied: bool = False

    def only(self, is_meant: Callable[[Fact], bool]) -> "FactSelection":
        """Return the selection with those of its facts alone, dated or not, of which something is so."""
        facts, undated = (tuple(filter(is_meant, found)) for found in (self.facts, self.undated))
        return replace(self, facts=facts, undated=undated)


def is_by_then(plan: QueryPlan) -> bool:
    """True for what had been by a date: "had she led it by 2010?"."""
    return plan.when.way == "at" and plan.when.up_to and plan.perfect and plan.tense == "past"


def kind_of(plan: QueryPlan) -> str:
    """The row of the table of decision 0009 that a plan asks by."""
    intent, way = plan.intent, plan.when.way
    is_so_far = way == "none" or (way == "at" and (plan.when.up_to or plan.perfect))
    if plan.change and not (plan.change == "begins" and is_so_far):
        return "changed"
    is_of_all = intent in ("count", "is")
    if is_of_all and (way == "after" or (way == "before" and not plan.when.up_to) or is_by_then(plan)):
        return "period"
    if intent == "count" and way in ("period", "since"):
        return "period"
    if intent == "compare" and way == "period" and plan.when.second is not None:
        return "compare"
    if intent in _OF_INTENT:
        return _OF_INTENT[intent]
    if intent in ("before", "after") and way != "pair" and (plan.value or way in ("none", "at")):
        return intent
    if way == "before":
        return _kind_before(plan)
    if way in _OF_WAY or intent != "history":
        return _OF_WAY.get(way, "at")
    return "ever" if plan.value else "history"


def _kind_before(plan: QueryPlan) -> str:
    if plan.intent == "history" or (plan.when.up_to and plan.perfect):
        return "history"
    if plan.perfect:
        return "period"
    return "until_date" if plan.when.up_to else "before_date"
