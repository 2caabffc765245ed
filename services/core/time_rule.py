"""The one rule of time: what was true at T, as the graph knew it at K.

This is the reference. The mirror's SQL macro (`services/mirror/time_rule.sql`) and each database's Cypher fragment
(`services/graph/`) say the same thing, and property tests hold them to this module.
"""

from dataclasses import replace
from datetime import datetime

from services.core.models import Fact, Instants


def recorded(fact: Fact, known_at: datetime) -> bool:
    """True when the graph held this record at `known_at`; a missing `created_at` counts as always."""
    return (fact.created_at is None or fact.created_at <= known_at) and (
        fact.withdrawn_at is None or fact.withdrawn_at > known_at
    )


def end(fact: Fact, known_at: datetime) -> datetime | None:
    """When the fact stops being true, as believed at `known_at`; None while no end is known."""
    if fact.expired_at is None:
        return fact.invalid_at
    if fact.expired_at <= known_at:
        return fact.invalid_at or fact.expired_at
    return fact.believed_invalid_at


def true_at(fact: Fact, at: Instants) -> bool:
    """True when the fact holds at `at.as_of` as known at `at.known_at`; one without a start never does."""
    return fact.valid_at is not None and fact.valid_at <= at.as_of and _open(fact, at)


def undated(fact: Fact, at: Instants) -> bool:
    """True when the fact is recorded and not ended, but nobody knows when it began."""
    return fact.valid_at is None and _open(fact, at)


def _open(fact: Fact, at: Instants) -> bool:
    if not recorded(fact, at.known_at):
        return False
    stop = end(fact, at.known_at)
    return stop is None or stop > at.as_of


def as_known(fact: Fact, known_at: datetime) -> Fact:
    """The fact as the graph showed it at `known_at`: its end as believed then, and nothing that was learned later.

    Another end than `invalid_at` is an instant, however it was given.
    """
    learned_end = fact.expired_at is not None and fact.expired_at <= known_at
    stop = end(fact, known_at)
    is_latest = learned_end or stop == fact.invalid_at
    return replace(
        fact,
        invalid_at=stop,
        invalid_at_precision=fact.invalid_at_precision if stop == fact.invalid_at else "instant",
        ended_unknown=fact.ended_unknown and is_latest and stop is not None,
        expired_at=fact.expired_at if learned_end else None,
        believed_invalid_at=fact.believed_invalid_at if learned_end else None,
        ended_by=fact.ended_by if learned_end or fact.expired_at is None else None,
        withdrawn_at=fact.withdrawn_at if fact.withdrawn_at and fact.withdrawn_at <= known_at else None,
    )
