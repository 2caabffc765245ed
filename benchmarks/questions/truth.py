"""What a right answer cites, computed from a graph's facts by the time rule and by nothing else.

A `Wanted` says in data what a question asks for; `cited` follows the table of docs/decisions/0009.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from services.core import clock, time_rule
from services.core.models import Fact, Instants

Kind = Literal[
    "at",
    "when",
    "ended",
    "history",
    "before",
    "after",
    "first",
    "last",
    "period",
    "range",
    "compare",
    "count",
    "path",
    "unanswerable",
]
Side = Literal["source", "target"]
_TICK = timedelta(microseconds=1)
_MOST_HOPS = 3


def _spelled(value: object) -> object:
    return clock.parse_instant(value) if isinstance(value, str) else value


Moment = Annotated[datetime, BeforeValidator(_spelled), AfterValidator(clock.instant)]


class Event(BaseModel):
    """A fact whose start is the date of a question: "when PEP 484 became Final"."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    entity: str
    relation: str
    value: str
    side: Side = "source"


class Wanted(BaseModel):
    """What is asked for: the facts of `relation` that have `entity` on `side`, at the instants.

    `value` is the name on the other side; `until` the end of a period, the last day of a range, or the second date of a
    comparison; `other` the far end of a path. Without `at` and `event` the time bar's instant holds, else now; the same
    for `known_at`.
    An `event` stands for `at`. Of an `unanswerable` question `why` says what is wrong with it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    kind: Kind = Field(alias="class")
    entity: str = ""
    side: Side = "source"
    relation: str = ""
    value: str = ""
    at: Moment | None = None
    until: Moment | None = None
    known_at: Moment | None = None
    event: Event | None = None
    other: str = ""
    why: str = ""


class AmbiguousTruth(ValueError):
    """The facts do not give the question one answer."""


class Facts:
    """A graph's facts, by the entity on either side."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self.all = tuple(facts)
        self._by: dict[tuple[Side, str, str], list[Fact]] = defaultdict(list)
        for fact in self.all:
            self._by["source", fact.source, fact.relation].append(fact)
            self._by["target", fact.target, fact.relation].append(fact)

    def of(self, wanted: Wanted | Event) -> Sequence[Fact]:
        """Every record of the relation with the entity on its side, whatever its times."""
        return self._by.get((wanted.side, wanted.entity, wanted.relation), ())


def cited(facts: Facts, wanted: Wanted, bar: datetime | None, known_bar: datetime | None, now: datetime) -> set[str]:
    """The uuids of the facts that a right answer cites; none where it has to decline.

    Raises `AmbiguousTruth` where a name that should have one record has none or several.
    """
    if wanted.kind == "unanswerable":
        return set()
    known_at = wanted.known_at or known_bar or now
    at = Instants(_asked_at(facts, wanted, known_at) or bar or now, known_at)
    dated = wanted.at is not None or wanted.event is not None or bar is not None
    if wanted.kind == "path":
        return {fact.uuid for fact in path(facts, wanted, at)}
    recorded = [fact for fact in facts.of(wanted) if time_rule.recorded(fact, known_at)]
    if wanted.kind == "at" or wanted.kind == "count":
        found = [f for f in recorded if time_rule.true_at(f, at) or (not dated and time_rule.undated(f, at))]
    else:
        found = _RULES[wanted.kind](recorded, wanted, at)
    return {fact.uuid for fact in found}


def _asked_at(facts: Facts, wanted: Wanted, known_at: datetime) -> datetime | None:
    """The instant that the question itself names."""
    if wanted.event is None:
        return wanted.at
    named = [f for f in facts.of(wanted.event) if time_rule.recorded(f, known_at)]
    return _start(_only(named, wanted.event.value, wanted.event.side))


def _start(fact: Fact) -> datetime:
    if fact.valid_at is None:
        raise AmbiguousTruth(f"nobody knows when {fact.source} {fact.relation} {fact.target} began")
    return fact.valid_at


def _only(found: Iterable[Fact], value: str, side: Side) -> Fact:
    """The one record with `value` on the other side."""
    named = [f for f in found if (f.target if side == "source" else f.source) == value]
    if len(named) != 1:
        raise AmbiguousTruth(f"{len(named)} records of “{value}”")
    return named[0]


def _begun(recorded: Iterable[Fact], at: Instants) -> list[Fact]:
    """Those that began at or before the instant, earliest first."""
    dated = ((f.valid_at, f) for f in recorded if f.valid_at is not None and f.valid_at <= at.as_of)
    return [fact for _, fact in sorted(dated, key=lambda pair: pair[0])]


def _when(recorded: Sequence[Fact], wanted: Wanted, at: Instants) -> list[Fact]:
    if wanted.value:
        return [_only(_begun(recorded, at), wanted.value, wanted.side)]
    return [fact for fact in recorded if time_rule.true_at(fact, at)]


def _ended(recorded: Sequence[Fact], wanted: Wanted, at: Instants) -> list[Fact]:
    """What ended last, or the one named."""
    ends = [(end, f) for f in _begun(recorded, at) if (end := time_rule.end(f, at.known_at)) and end <= at.as_of]
    if wanted.value:
        return [_only((f for _, f in ends), wanted.value, wanted.side)]
    latest = max((end for end, _ in ends), default=None)
    return [fact for end, fact in ends if end == latest]


def _before(recorded: Sequence[Fact], wanted: Wanted, at: Instants) -> list[Fact]:
    if not wanted.value:
        return [f for f in recorded if time_rule.true_at(f, Instants(at.as_of - _TICK, at.known_at))]
    anchor = _start(_only(_begun(recorded, at), wanted.value, wanted.side))
    return _latest(f for f in _begun(recorded, at) if _start(f) < anchor)


def _after(recorded: Sequence[Fact], wanted: Wanted, at: Instants) -> list[Fact]:
    """What follows the one named, or the one that held at the question's own date."""
    if wanted.value:
        begun = _begun(recorded, at)
        anchor = _start(_only(begun, wanted.value, wanted.side))
    else:
        held = [f for f in recorded if time_rule.true_at(f, at)]
        if len(held) != 1:
            raise AmbiguousTruth(f"{len(held)} facts held")
        begun, anchor = _begun(recorded, Instants(clock.LATEST, at.known_at)), _start(held[0])
    return _earliest(f for f in begun if _start(f) > anchor)


def _earliest(found: Iterable[Fact]) -> list[Fact]:
    kept = list(found)
    first = min(map(_start, kept), default=None)
    return [fact for fact in kept if fact.valid_at == first]


def _latest(found: Iterable[Fact]) -> list[Fact]:
    kept = list(found)
    last = max(map(_start, kept), default=None)
    return [fact for fact in kept if fact.valid_at == last]


def _period(recorded: Sequence[Fact], wanted: Wanted, at: Instants) -> list[Fact]:
    """What held at any time from the first instant to before the last."""
    last = wanted.until
    assert last is not None, "a period has an end"

    def belongs(fact: Fact) -> bool:
        end = time_rule.end(fact, at.known_at)
        return fact.valid_at is not None and fact.valid_at < last and (end is None or end > at.as_of)

    return [fact for fact in recorded if belongs(fact)]


def _range(recorded: Sequence[Fact], wanted: Wanted, at: Instants) -> list[Fact]:
    """What held at any time from the first day through the last."""
    assert wanted.until is not None, "a range has two ends"
    return _period(recorded, wanted.model_copy(update={"until": wanted.until + timedelta(days=1)}), at)


def _compare(recorded: Sequence[Fact], wanted: Wanted, at: Instants) -> list[Fact]:
    assert wanted.until is not None, "a comparison has two dates"
    second = Instants(wanted.until, at.known_at)
    return [fact for fact in recorded if time_rule.true_at(fact, at) or time_rule.true_at(fact, second)]


_RULES: Mapping[Kind, Callable[[Sequence[Fact], Wanted, Instants], list[Fact]]] = {
    "when": _when,
    "ended": _ended,
    "history": lambda recorded, _, at: _begun(recorded, at),
    "before": _before,
    "after": _after,
    "first": lambda recorded, _, at: _earliest(_begun(recorded, at)),
    "last": lambda recorded, _, at: _latest(_begun(recorded, at)),
    "period": _period,
    "range": _range,
    "compare": _compare,
}


def path(facts: Facts, wanted: Wanted, at: Instants) -> tuple[Fact, ...]:
    """Find the shortest chain of true facts between `entity` and `other`. Raises `AmbiguousTruth` without just one."""
    beside: dict[str, list[tuple[str, Fact]]] = defaultdict(list)
    for fact in facts.all:
        if time_rule.true_at(fact, at) or time_rule.undated(fact, at):
            beside[fact.source].append((fact.target, fact))
            beside[fact.target].append((fact.source, fact))
    seen, chains = {wanted.entity}, [(wanted.entity, tuple[Fact, ...]())]
    for _ in range(_MOST_HOPS):
        longer = [(to, (*chain, f)) for end, chain in chains for to, f in beside[end] if to not in seen]
        arrived = [chain for to, chain in longer if to == wanted.other]
        if arrived:
            if len(arrived) > 1:
                raise AmbiguousTruth(f"{len(arrived)} paths are the shortest")
            return arrived[0]
        chains = longer
        seen |= {to for to, _ in longer}
    raise AmbiguousTruth("no short path")
