"""Spells of facts: which of them hold at any time of a period, and which follow each other without a gap."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from services.core import clock
from services.core.models import Fact
from services.core.precision import is_imprecise, period_of

_NO_GAP = timedelta(days=1)

Spell = tuple[Fact, ...]
"""Facts that say the same, each of which begins where the one before ends."""


def overlaps(fact: Fact, first: datetime, last: datetime) -> bool:
    """True for a fact that holds at any instant from `first` to before `last`, maybe within the year of its end."""
    return fact.valid_at is not None and fact.valid_at < last and (fact.invalid_at is None or _over_by(fact) > first)


def held_at_once(one: Fact, two: Fact) -> bool:
    """True for facts with a known start that held at the same time."""
    return two.valid_at is not None and overlaps(one, two.valid_at, two.invalid_at or clock.LATEST)


def spells_of(facts: Iterable[Fact]) -> list[Spell]:
    """Return facts in the order of their starts, those that follow each other as one spell."""
    found: list[Spell] = []
    for fact in sorted((f for f in facts if f.valid_at), key=lambda f: (f.source, f.relation, f.target, _start(f))):
        if found and _follows(found[-1][-1], fact):
            found[-1] = (*found[-1], fact)
        else:
            found.append((fact,))
    return sorted(found, key=lambda spell: _start(spell[0]))


def as_one(spell: Spell) -> Fact:
    """Return a spell as one fact, from its first start to its last end."""
    last = spell[-1]
    return replace(
        spell[0],
        invalid_at=last.invalid_at,
        invalid_at_precision=last.invalid_at_precision,
        expired_at=last.expired_at,
        ended_unknown=last.ended_unknown,
    )


def _follows(one: Fact, two: Fact) -> bool:
    is_same = (one.source, one.relation, one.target) == (two.source, two.relation, two.target)
    return is_same and one.invalid_at is not None and _start(two) <= _over_by(one) + _NO_GAP


def _over_by(fact: Fact) -> datetime:
    """Return the instant at which a fact is over: that of an end in a year or a month may be its last."""
    assert fact.invalid_at is not None, "a fact that has an end"
    if not is_imprecise(fact.invalid_at_precision):
        return fact.invalid_at
    return period_of(fact.invalid_at, fact.invalid_at_precision)[1]


def _start(fact: Fact) -> datetime:
    return fact.valid_at or clock.EARLIEST
