"""What the facts of a text say of each other: whoever was succeeded on a day held the office until then."""

from dataclasses import replace
from datetime import datetime

from services.extraction.rules.clause_dates import Times
from services.extraction.rules.findings import Finding, merged

_OPEN = ("LEADS", "HAS_ROLE")


def concluded(found: list[tuple[Finding, int]]) -> list[tuple[Finding, int]]:
    """The findings of a text, one for each statement, with the dates that they give each other."""
    return _succeeded(merged(found))


def _succeeded(found: list[tuple[Finding, int]]) -> list[tuple[Finding, int]]:
    """Whoever was succeeded on a day held the office until then."""
    days = {
        one.target.name: one.times.valid_at for one, _ in found if one.relation == "SUCCEEDED" and one.times.valid_at
    }
    return [(_until(one, days.get(one.source.name)), place) for one, place in found]


def _until(one: Finding, day: datetime | None) -> Finding:
    """An office that ends on a day, unless it began then or later, or has an end that is told."""
    times = one.times
    if one.relation not in _OPEN or day is None or times.invalid_at or (times.valid_at and times.valid_at >= day):
        return one
    return replace(one, times=Times(times.valid_at, day, True))
