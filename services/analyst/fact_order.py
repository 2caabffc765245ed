"""Facts in the order in which they began: first and last ones, those beside others, those that share a time."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from services.analyst.tense_and_change import Change
from services.analyst.vocabulary import Side
from services.core import clock, time_rule
from services.core.fact_periods import held_at_once, spells_of
from services.core.models import Fact, Instants
from services.tools.toolbox import Called


def name_on(fact: Fact, side: Side) -> str:
    """Return the name on a side of a fact."""
    return fact.source if side == "source" else fact.target


def start_of(fact: Fact) -> datetime:
    """Return when a fact began; before everything where nobody wrote it down."""
    return fact.valid_at or clock.EARLIEST


def share_time(one: Fact, two: Fact, first: datetime, last: datetime) -> bool:
    """True where two facts hold at the same time within a period; the second has to be dated."""
    if two.valid_at is None:
        return False
    ends = [f.invalid_at or clock.LATEST for f in (one, two)]
    return max(start_of(one), start_of(two), first) < min(*ends, last)


def dated_and_undated(facts: Iterable[Fact]) -> tuple[tuple[Fact, ...], tuple[Fact, ...]]:
    """Return the facts that have a start, and those that have none."""
    every = tuple(facts)
    return tuple(f for f in every if f.valid_at), tuple(f for f in every if f.valid_at is None)


def ended(facts: Sequence[Fact], at: datetime, rank: str, *, to_come: bool, latest: bool) -> list[Fact]:
    """Return what has ended, or of the future what is to end; a term that another one continues has not."""
    last = [*(f for f in facts if f.valid_at is None), *(spell[-1] for spell in spells_of(facts))]
    if to_come:
        return [f for f in last if f.invalid_at is not None and f.invalid_at > at] or last[-1:]
    over = [f for f in last if f.invalid_at is not None and f.invalid_at <= at]
    if not latest:
        return ranked(over, rank) or last
    end = max((f.invalid_at for f in over if f.invalid_at), default=None)
    return [f for f in over if f.invalid_at == end]


def former(facts: Sequence[Fact], at: Instants, side: Side) -> list[Fact]:
    """Return what is over of those on a side who have nothing of it any more."""
    still = {name_on(fact, side) for fact in facts if time_rule.true_at(fact, at)}
    return [fact for fact in facts if name_on(fact, side) not in still]


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


def beside(kind: str, known: Sequence[Fact], anchors: Sequence[Fact]) -> list[Fact]:
    """Return what began just before, or after, the last of the anchors did."""
    start = max(map(start_of, anchors), default=None)
    if start is None:
        return []
    if kind == "before":
        return ranked((f for f in known if start_of(f) < start), "last")
    return ranked((f for f in known if start_of(f) > start), "first")


def facts_of(called: Called) -> list[Fact]:
    """Return the facts of a result, each once."""
    return list({item.fact.uuid: item.fact for item in called.result.items if item.fact is not None}.values())


def of_relation(facts: Iterable[Fact], relation: str, side: Side, name: str) -> list[Fact]:
    """Return the facts of a relation that have a name on a side."""
    return [fact for fact in facts if fact.relation == relation and name_on(fact, side) == name]


def changed_in(facts: Sequence[Fact], change: Change, first: datetime, last: datetime) -> list[Fact]:
    """Return the facts that began, or ended, from `first` to before `last`: no term that another one continues."""
    turning = [spell[0] if change == "begins" else spell[-1] for spell in spells_of(facts)]
    moments = ((fact, fact.valid_at if change == "begins" else fact.invalid_at) for fact in turning)
    return [fact for fact, moment in moments if moment is not None and first <= moment < last]


def _far_end(fact: Fact, name: str) -> str:
    return fact.target if fact.source == name else fact.source


def joined_at_once(one: Iterable[Fact], two: Iterable[Fact], first: str, last: str) -> tuple[Fact, ...]:
    """Return the two facts that joined two entities over a third at one time, the latest ones; none where none did."""
    by_end: dict[str, list[Fact]] = defaultdict(list)
    for fact in two:
        by_end[_far_end(fact, last)].append(fact)
    pairs = [(fact, to) for fact in one for to in by_end.get(_far_end(fact, first), ()) if held_at_once(fact, to)]
    return max(pairs, key=lambda pair: max(map(start_of, pair)), default=())
