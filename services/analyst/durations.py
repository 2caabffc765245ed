"""How long facts held in all: overlapping terms count once, and within a year or a month that is a date it is open."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from services.analyst.fact_order import name_on
from services.analyst.vocabulary import Side
from services.core import clock
from services.core.models import Fact, Precision
from services.core.precision import is_imprecise, period_of

Between = tuple[datetime, datetime]


@dataclass(frozen=True, slots=True)
class Range:
    """What lies between two values; they are the same where it is known exactly."""

    least: float
    most: float

    def is_above(self, other: "Range") -> bool:
        """True where it is more than another, whatever either is exactly."""
        return self.least > other.most


def start_range(fact: Fact) -> Range:
    """Return between which instants a fact began, in seconds."""
    first, after = start_between(fact)
    return Range(first.timestamp(), after.timestamp())


def held_for(facts: Iterable[Fact], until: datetime) -> Range:
    """Return between how many seconds the facts held in all by an instant."""
    spans = [(start_between(fact), _end(fact, until)) for fact in facts if fact.valid_at is not None]
    surely = _length((start[1], end[0]) for start, end in spans)
    at_most = _length((start[0], end[1]) for start, end in spans)
    return Range(surely.total_seconds(), at_most.total_seconds())


def longest(facts: Sequence[Fact], side: Side, until: datetime, *, shortest: bool) -> list[Fact]:
    """Return the facts of the name on a side that they held longest for in all, or shortest; none where two may."""
    own: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        own[name_on(fact, side)].append(fact)
    lengths = {name: held_for(held, until) for name, held in own.items()}
    best = extreme_of(lengths, greatest=not shortest)
    return own[best[0]] if len(best) == 1 else []


def extreme_of[K](ranges: dict[K, Range], *, greatest: bool) -> list[K]:
    """Return whose value is greater than all others, or less; all of those that have the same known one; none where
    that is open."""
    if not ranges:
        return []
    best = (max if greatest else min)(ranges.values(), key=lambda one: one.least if greatest else one.most)
    first = [key for key, one in ranges.items() if one == best]
    others = [one for one in ranges.values() if one != best]
    is_first = all(best.is_above(one) if greatest else one.is_above(best) for one in others)
    is_known = len(first) == 1 or best.least == best.most
    return first if is_first and is_known else []


def start_between(fact: Fact) -> Between:
    """Return from which instant to before which a fact that began may have done so; twice the same if it is known."""
    assert fact.valid_at is not None, "a fact that began"
    return _period(fact.valid_at, fact.valid_at_precision)


def _end(fact: Fact, until: datetime) -> Between:
    if fact.ended_unknown:
        return start_between(fact)[0], min(fact.expired_at or until, until)
    if fact.invalid_at is None:
        return until, until
    first, last = _period(fact.invalid_at, fact.invalid_at_precision)
    return min(first, until), min(last, until)


def _period(at: datetime, precision: Precision) -> Between:
    return period_of(at, precision) if is_imprecise(precision) else (at, at)


def _length(spans: Iterable[Between]) -> timedelta:
    total, reached = timedelta(), clock.EARLIEST
    for start, end in sorted(spans):
        begin = max(start, reached)
        if end > begin:
            total, reached = total + (end - begin), end
    return total
