"""The time that one question tells for another: "when A became a judge", "on the same day as A"."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from services.analyst.fact_kinds import FactSelection
from services.analyst.query_plan import QueryPlan
from services.analyst.time_frame import TimeFrame
from services.core import clock
from services.core.models import Fact

_DAY = timedelta(days=1)
_DATES = {"month": "%Y-%m", "year": "%Y"}


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
    """Return the time that the facts of a "when" tell; None where they tell several, or none that is sure."""
    moments = {_moment(plan, fact) for fact in selection.facts}
    moment = moments.pop() if len(moments) == 1 else None
    is_open = not plan.value and len({fact.valid_at for fact in selection.known}) > 1
    if moment is None or selection.undated or is_open:
        return None
    if joint in _DATES:
        return DatingMoment(moment, moment, clock.instant(moment).strftime(_DATES[joint]), is_exact=False)
    day = clock.instant(moment).date().isoformat()
    if joint == "when":
        return DatingMoment(moment, moment + timedelta(microseconds=1), day, is_exact=True)
    if joint == "while":
        ends = {fact.invalid_at or clock.now() for fact in selection.facts}
        return DatingMoment(moment, max(ends), day, is_exact=False)
    start = clock.instant(moment).replace(hour=0, minute=0, second=0, microsecond=0)
    return DatingMoment(start, start + _DAY, day, is_exact=False)


def _moment(plan: QueryPlan, fact: Fact) -> datetime | None:
    return fact.invalid_at if plan.intent == "ended" else fact.valid_at
