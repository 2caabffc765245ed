"""How far a record that was found can be relied on, by a fixed formula."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from services.core.memory_records import Properties, RecordType
from services.memory.record_fields import REQUIRED, time_of

PARTIAL, OLD, INCOMPLETE = 0.8, 0.9, 0.9
OLD_DAYS = 30


@dataclass(frozen=True, slots=True)
class Confidence:
    """How far a record can be relied on, between 0 and 1, and what takes away from that, in words."""

    value: float
    reasons: tuple[str, ...] = ()


def confidence_of(
    type: RecordType, properties: Properties, known_at: datetime, keywords: Sequence[str] = ()
) -> Confidence:
    """Return the confidence in one record.

    It is 1, times 0.8 where its topic has some of several keywords, times 0.9 where it was older than 30 days at
    `known_at`, times 0.9 where it lacks a field that its type needs. A record without a time is not taken for old.
    """
    factors: list[tuple[float, str]] = []
    topic = str(properties.get("topic") or "").casefold()
    if missed := [keyword for keyword in keywords if keyword.casefold() not in topic]:
        factors.append((PARTIAL, f"partial match, without {', '.join(missed)}"))
    at = time_of(type, properties)
    if at is not None and (days := (known_at - at).days) > OLD_DAYS:
        factors.append((OLD, f"{days:,} days old"))
    if lacking := [name for name in REQUIRED[type] if properties.get(name) in (None, "", [])]:
        factors.append((INCOMPLETE, f"incomplete, without {', '.join(lacking)}"))
    value = 1.0
    for factor, _ in factors:
        value *= factor
    return Confidence(value, tuple(f"× {factor} ({reason})" for factor, reason in factors))
