"""The time that one question tells for another: "when A became a judge", "on the same day as A"."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from services.analyst.fact_kinds import FactSelection
from services.analyst.fact_lookup import TICK
from services.analyst.query_plan import QueryPlan
from services.analyst.time_frame import TimeFrame
from services.core import clock
from services.core.models import Fact, Precision
from services.core.precision import coarser, is_imprecise, period_of

_UNITS: Mapping[str, Precision] = {"month": "month", "year": "year"}
_DATES: Mapping[Precision, str] = {"day": "%Y-%m-%d", "month": "%Y-%m", "year": "%Y"}


@dataclass(frozen=True, slots=True)
class DatingMoment:
    """When something was: from one instant to before another, and the words for that in a question."""

    first: datetime
    last: datetime
    spelled: str
    is_exact: bool

    def of(self, when: TimeFrame) -> TimeFrame:
        """Return a question's time with this one in the place of the day that its words say."""
        if when.way == "period" or (self.is_exact and when.way != "at"):
            return when
        if self.is_exact:
            return replace(when, first=self.first, last=self.last)
        return TimeFrame("period", self.first, self.last, when.known_at, when.phrase)


def dated_by(plan: QueryPlan, selection: FactSelection, joint: str) -> DatingMoment | None:
    """Return the time that the facts of a "when" tell; None where they tell several, or none that is sure.

    A year or a month is the whole of it, and tells no day or month of its own.
    """
    moments = {_moment(plan, fact) for fact in selection.facts}
    moment, precision = moments.pop() if len(moments) == 1 else (None, "instant")
    is_open = not plan.value and len({fact.valid_at for fact in selection.known}) > 1
    if moment is None or selection.undated or is_open:
        return None
    if joint == "while":
        ends = {fact.invalid_at or clock.now() for fact in selection.facts}
        return DatingMoment(moment, max(ends), clock.instant(moment).date().isoformat(), is_exact=False)
    if joint == "when" and not is_imprecise(precision):
        day = clock.instant(moment).date().isoformat()
        return DatingMoment(moment, moment + TICK, day, is_exact=True)
    unit: Precision = _UNITS.get(joint, precision if joint == "when" else "day")
    if coarser(unit, precision) != unit:
        return None
    return DatingMoment(*period_of(moment, unit), clock.instant(moment).strftime(_DATES[unit]), is_exact=False)


def _moment(plan: QueryPlan, fact: Fact) -> tuple[datetime | None, Precision]:
    if plan.intent == "ended":
        return fact.invalid_at, fact.invalid_at_precision
    return fact.valid_at, fact.valid_at_precision
