"""Which facts of a text have other dates than a reader finds in it by now: the same triple, from the same source."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from services.core import clock, time_rule
from services.core.health_records import DatesRead
from services.core.models import Fact, Precision
from services.core.precision import is_imprecise
from services.proposals.preselection import is_sure
from services.proposals.proposal_records import Proposal, ProposedFact
from services.proposals.rows import end_of, end_precision_of, is_over_unknown, is_possible

_Triple = tuple[str | None, str, str | None]


def dates_read_otherwise(proposal: Proposal, stored: Sequence[Fact]) -> tuple[DatesRead, ...]:
    """Return what the reader of a proposal finds of the dates of facts that only its text states, where they differ.

    `stored` are all records that cite the text. Only what the reader is sure of counts, and only where one of the
    stored facts is meant: of several with the same ends and relation those that begin at the same time are one. A
    record that took the place of another one is what somebody made of it, and is left alone.
    """
    own, read = defaultdict[_Triple, list[Fact]](list), defaultdict[_Triple, list[ProposedFact]](list)
    corrected = {fact.withdrawn_at for fact in stored}
    for fact in stored:
        is_own = fact.withdrawn_at is None and fact.episodes == (proposal.episode_uuid,)
        if is_own and (fact.created_at is None or fact.created_at not in corrected):
            own[fact.source_uuid, fact.relation, fact.target_uuid].append(fact)
    for one in proposal.facts:
        if is_sure(one.draft) and is_possible(one):
            read[one.source.uuid, one.draft.relation, one.target.uuid].append(replace(one, repeats=None))
    by_uuid = {fact.uuid: fact for fact in stored}
    pairs = (pair for triple, facts in own.items() for pair in _paired(facts, read[triple]))
    found = ((fact, _read(fact, one, by_uuid, proposal.episode_uuid)) for fact, one in pairs)
    return tuple(dates for fact, dates in found if differs(fact, dates))


def _paired(facts: Sequence[Fact], read: Sequence[ProposedFact]) -> Iterator[tuple[Fact, ProposedFact]]:
    """The stored facts of a triple, each with the one that the reader finds in its place."""
    left = list(read)
    alone = []
    for fact in facts:
        same = [one for one in left if one.draft.valid_at == fact.valid_at]
        if len(same) == 1:
            left.remove(same[0])
            yield fact, same[0]
        else:
            alone.append(fact)
    if len(alone) == len(left) == 1:
        yield alone[0], left[0]


def _read(fact: Fact, one: ProposedFact, by_uuid: dict[str, Fact], episode_uuid: str) -> DatesRead:
    """Return the dates as they are read; an end that the fact got later, from another source or by hand, stays."""
    known = time_rule.as_known(fact, clock.LATEST)
    end, precision, unknown = end_of(one), end_precision_of(one), is_over_unknown(one)
    by = by_uuid.get(fact.ended_by or "")
    ended_later = fact.ended_by is None and fact.expired_at not in (None, fact.created_at)
    if ended_later or (fact.ended_by not in (None, episode_uuid) and by is None):
        end, precision, unknown = known.invalid_at, known.invalid_at_precision, known.ended_unknown
    start = one.draft.valid_at
    return DatesRead(
        fact.uuid,
        start,
        end,
        one.draft.valid_at_precision if start else "instant",
        precision if end else "instant",
        unknown,
        known.invalid_at,
    )


def differs(fact: Fact, read: DatesRead) -> bool:
    """True where a fact's dates are said in other words than those that are read; a day is as good as its instant."""
    known = time_rule.as_known(fact, clock.LATEST)
    if known.ended_unknown != read.ended_unknown:
        return True
    if _shown_date(fact.valid_at, fact.valid_at_precision) != _shown_date(read.valid_at, read.valid_at_precision):
        return True
    ends = (
        _shown_date(known.invalid_at, known.invalid_at_precision),
        _shown_date(read.invalid_at, read.invalid_at_precision),
    )
    return not read.ended_unknown and ends[0] != ends[1]


def _shown_date(at: datetime | None, precision: Precision) -> tuple[datetime | None, str]:
    return at, precision if is_imprecise(precision) else ""
