"""Facts in the order in which they began: first and last ones, those beside others, those that share a time."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from services.analyst.vocabulary import Side
from services.core import clock, time_rule
from services.core.models import Fact, Instants


def name_on(fact: Fact, side: Side) -> str:
    """Return the name on a side of a fact."""
    return fact.source if side == "source" else fact.target


def start_of(fact: Fact) -> datetime:
    """Return when a fact began; before everything where nobody wrote it down."""
    return fact.valid_at or clock.EARLIEST


def share_time(one: Fact, two: Fact, first: datetime, last: datetime) -> bool:
    """True where two facts hold at the same time within a period."""
    ends = [f.invalid_at or clock.LATEST for f in (one, two)]
    return max(start_of(one), start_of(two), first) < min(*ends, last)


def is_within(fact: Fact, at: Instants, end: datetime) -> bool:
    """True for what holds at the first instant of a period, or begins or ends in it."""
    moments = (fact.valid_at, fact.invalid_at)
    return time_rule.true_at(fact, at) or any(m is not None and at.as_of <= m < end for m in moments)


def ranked(facts: Iterable[Fact], rank: str) -> list[Fact]:
    """Return those that began first, or last; all of them without a rank."""
    kept = list(facts)
    if rank and kept:
        start = (min if rank == "first" else max)(map(start_of, kept))
        return [fact for fact in kept if start_of(fact) == start]
    return kept


def numbered(facts: Sequence[Fact], number: int, side: Side) -> list[Fact]:
    """Return those that began as the second, third, …; none where one of those before came again or with another."""
    starts = [start_of(fact) for fact in facts[: number + 1]]
    names = [name_on(fact, side) for fact in facts[:number]]
    sure = len(names) == number and len(set(names)) == number and len(set(starts)) == len(starts)
    return [facts[number - 1]] if sure else []


def longest(facts: Sequence[Fact], side: Side, until: datetime, *, shortest: bool) -> list[Fact]:
    """Return the facts of the name on a side that they hold longest for in all, or shortest; none where two tie."""
    lengths: defaultdict[str, timedelta] = defaultdict(timedelta)
    for fact in facts:
        lengths[name_on(fact, side)] += min(fact.invalid_at or until, until) - start_of(fact)
    ordered = sorted(lengths, key=lengths.__getitem__, reverse=not shortest)
    tied = len(ordered) > 1 and lengths[ordered[0]] == lengths[ordered[1]]
    return [] if tied else [fact for fact in facts if name_on(fact, side) in ordered[:1]]


def beside(kind: str, known: Sequence[Fact], anchors: Sequence[Fact]) -> list[Fact]:
    """Return what began just before, or after, the last of the anchors did."""
    start = max(map(start_of, anchors), default=None)
    if start is None:
        return []
    if kind == "before":
        return ranked((f for f in known if start_of(f) < start), "last")
    return ranked((f for f in known if start_of(f) > start), "first")
