"""What an analyst should look at: facts that contradict each other, and facts that were recorded late.

Nothing here is an error by itself. A relation counts as one-valued by the data: its facts follow one another.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from services.core import clock, time_rule
from services.core.models import Fact

LATE = timedelta(days=30)
"""A fact that was recorded longer than this after it began counts as recorded late."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two facts of a relation with one value at a time that hold at once, in `[start, stop)`; None is still so."""

    first: Fact
    second: Fact
    start: datetime
    stop: datetime | None


@dataclass(frozen=True, slots=True)
class Attention:
    """The first contradictions and late records of a workspace, and how many there are of each."""

    contradictions: tuple[Overlap, ...]
    contradictions_total: int
    late: tuple[Fact, ...]
    late_total: int


def overlaps(facts: Iterable[Fact], known_at: datetime, one_valued_relations: Collection[str]) -> tuple[Overlap, ...]:
    """Overlaps between different values of one source and relation, as known at `known_at`, in order of time.

    Looked for in `one_valued_relations` alone: elsewhere several values at once are as it should be.
    """
    asked = [f for f in facts if f.relation in one_valued_relations]
    found = (_overlap(a, b, known_at) for series in _series(asked, known_at) for a, b in pairwise(series))
    return tuple(sorted((o for o in found if o is not None), key=lambda o: o.start))


def one_valued(facts: Iterable[Fact], known_at: datetime) -> bool:
    """True when no two facts of the same source hold at once."""
    return all(_overlap(a, b, known_at) is None for s in _series(facts, known_at) for a, b in pairwise(s))


def _series(facts: Iterable[Fact], known_at: datetime) -> Iterable[Sequence[Fact]]:
    """The dated, recorded facts of each source and relation, by their start."""
    series: dict[tuple[str, str], list[Fact]] = defaultdict(list)
    for fact in facts:
        stop = time_rule.end(fact, known_at)  # one that ends no later than it begins stands between no two others
        has_span = fact.valid_at is not None and (stop is None or stop > fact.valid_at)
        if has_span and time_rule.recorded(fact, known_at):
            series[fact.source_uuid, fact.relation].append(fact)
    for group in series.values():
        yield sorted(group, key=lambda f: (f.valid_at or clock.EARLIEST, f.uuid))


def _overlap(first: Fact, second: Fact, known_at: datetime) -> Overlap | None:
    start = second.valid_at
    stop = time_rule.end(first, known_at)
    if start is None or first.target_uuid == second.target_uuid or (stop is not None and stop <= start):
        return None
    ends = [end for end in (stop, time_rule.end(second, known_at)) if end is not None]
    until = min(ends, default=None)
    return Overlap(first, second, start, until) if until is None or until > start else None
