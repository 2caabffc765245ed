"""What the facts of a text say of each other: who was succeeded, which state came after which, when a version came."""

from dataclasses import replace
from datetime import datetime

from services.extraction.rules.findings import NO_TIMES, Finding, merged
from services.extraction.rules.times import Times

_OPEN = ("LEADS", "HAS_ROLE")


def concluded(found: list[tuple[Finding, int]]) -> list[tuple[Finding, int]]:
    """The findings of a text, one for each statement, with the dates that they give each other."""
    return _of_versions(_followed(_in_turn(_succeeded(merged(found)))))


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


def _followed(found: list[tuple[Finding, int]]) -> list[tuple[Finding, int]]:
    """ "No longer uses Evernote; switched to Obsidian last month": the one ended when the other began."""
    begun = {(one.source.name, one.relation): one.times.valid_at for one, _ in found if one.times.valid_at}
    followed = []
    for one, place in found:
        day = begun.get((one.source.name, one.relation))
        if one.times.is_guessed and day is not None and one.times.valid_at is None:
            one = replace(one, times=Times(None, day, True))
        followed.append((one, place))
    return followed


def _of_versions(found: list[tuple[Finding, int]]) -> list[tuple[Finding, int]]:
    """What a version adds and removes is so from the day of its release."""
    days = {}
    for one, _ in found:
        if one.relation == "HAS_VERSION" and one.times.valid_at:
            days[f"{one.source.name} {one.target.name}"] = days[one.target.name] = one.times.valid_at
    return [
        (replace(one, times=Times(days[one.source.name])), place)
        if one.relation in ("INTRODUCES", "REMOVES") and one.source.name in days and one.times == NO_TIMES
        else (one, place)
        for one, place in found
    ]


def _in_turn(found: list[tuple[Finding, int]]) -> list[tuple[Finding, int]]:
    """A thing has one status at a time: a dated one ends the one before it."""
    starts: dict[str, list[Finding]] = {}
    for one, _ in found:
        if one.relation == "HAS_STATUS" and one.times.valid_at:
            starts.setdefault(one.source.name, []).append(one)
    ended = []
    for one, place in found:
        later = [
            o.times.valid_at
            for o in starts.get(one.source.name, ())
            if one.relation == "HAS_STATUS"
            and one.times.valid_at
            and o.times.valid_at
            and o.times.valid_at > one.times.valid_at
        ]
        if later and one.times.invalid_at is None:
            one = replace(one, times=Times(one.times.valid_at, min(later), True))
        ended.append((one, place))
    return ended
