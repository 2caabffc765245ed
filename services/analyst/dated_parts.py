"""The time that one question tells for another: "when A became a judge", "on the same day as A"."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from services.analyst.fact_kinds import FactSelection
from services.analyst.fact_lookup import TICK
from services.analyst.query_plan import QueryPlan
from services.analyst.time_frame import TimeFrame, Way
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
        """Return a question's time with this one in it: before its first instant, after its last one, or at any."""
        if when.way == "pair":
            return when
        if when.way == "after":
            return replace(when, first=self.last - TICK, last=self.last)
        if when.way in ("before", "since") or self.is_exact:
            return replace(when, first=self.first, last=self.last)
        return TimeFrame("period", self.first, self.last, when.known_at, when.phrase)

    def has_no_order(self, way: Way) -> bool:
        """True for before or after a year or month, in which other things may have happened as well."""
        return not self.is_exact and way in ("before", "after")

    def is_of(self, fact: Fact) -> bool:
        """True where a fact began in it, or ended in it and not just before it."""
        began = fact.valid_at is not None and self.first <= fact.valid_at < self.last
        return began or (fact.invalid_at is not None and self.first < fact.invalid_at < self.last)

    def is_sure(self, fact: Fact, way: Way) -> bool:
        """True where a fact held before all of it, or after."""
        if way == "before":
            return fact.valid_at is not None and fact.valid_at < self.first
        return fact.valid_at is not None and (fact.invalid_at is None or fact.invalid_at > self.last)


def moment_of(fact: Fact, *, ends: bool = False, lasts: bool = False) -> DatingMoment | None:
    """Return when a fact began, or ended, or the time for which it lasts; None where nobody wrote it down."""
    at, precision = _moment(fact, ends=ends)
    if at is None:
        return None
    if lasts:
        return DatingMoment(at, max(fact.invalid_at or clock.now(), at + TICK), _spelled(at, "day"), is_exact=False)
    if not is_imprecise(precision):
        return DatingMoment(at, at + TICK, _spelled(at, "day"), is_exact=True)
    return _within(at, precision)


def dated_by(plan: QueryPlan, selection: FactSelection, joint: str) -> DatingMoment | None:
    """Return the time that the facts of a "when" tell; None where they tell several, or none that is sure.

    A year or a month is the whole of it, and tells no day or month of its own.
    """
    ends = plan.intent == "ended"
    moments = {_moment(fact, ends=ends) for fact in selection.facts}
    is_open = not plan.value and len({fact.valid_at for fact in selection.known}) > 1
    if len(moments) != 1 or selection.undated or is_open:
        return None
    ((at, precision),) = moments
    if joint in ("when", "while") or at is None:
        longest = max(selection.facts, key=lambda fact: fact.invalid_at or clock.LATEST)
        return moment_of(longest, ends=ends, lasts=joint == "while")
    unit = _UNITS.get(joint, "day")
    return _within(at, unit) if coarser(unit, precision) == unit else None


def _moment(fact: Fact, *, ends: bool) -> tuple[datetime | None, Precision]:
    """Return when a fact began, or ended, and how exactly that is known."""
    if ends:
        return fact.invalid_at, fact.invalid_at_precision
    return fact.valid_at, fact.valid_at_precision


def _within(at: datetime, unit: Precision) -> DatingMoment:
    return DatingMoment(*period_of(at, unit), _spelled(at, unit), is_exact=False)


def _spelled(at: datetime, unit: Precision) -> str:
    return clock.instant(at).strftime(_DATES[unit])
