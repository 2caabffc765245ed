"""Two facts by when they began: yes, no, or None where their dates, as they are recorded, leave that open.

A year or a month is a date at any instant of it, and a fact without a date began at any time.
"""

from datetime import datetime

from services.analyst.compositions import UNITS
from services.analyst.durations import start_between
from services.analyst.fact_lookup import TICK
from services.core.models import Fact


def began_in_one(unit: str, one: Fact, other: Fact) -> bool | None:
    """Tell whether two facts began on one day, or in one month or year."""
    first, second = _units(one, unit), _units(other, unit)
    if first is None or second is None:
        return None
    if first[0] == first[1] == second[0] == second[1]:
        return True
    return False if first[1] < second[0] or second[1] < first[0] else None


def began_later(one: Fact, other: Fact) -> bool | None:
    """Tell whether a fact began later than another."""
    if one.valid_at is None or other.valid_at is None:
        return None
    (first, last), (other_first, other_last) = _between(one), _between(other)
    if first > other_last:
        return True
    return False if last <= other_first else None


def _between(fact: Fact) -> tuple[datetime, datetime]:
    """Return the first and the last instant at which a fact may have begun."""
    first, after = start_between(fact)
    return first, max(first, after - TICK)


def _units(fact: Fact, unit: str) -> tuple[str, str] | None:
    """Return the first and the last day, month or year, as text, in which a fact may have begun."""
    if fact.valid_at is None:
        return None
    first, last = (at.date().isoformat()[: UNITS[unit]] for at in _between(fact))
    return first, last
