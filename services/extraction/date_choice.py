"""Which dates a fact is given where rules and network read different ones."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from itertools import product

from services.extraction.date_confidence import DateEvidence, Side, is_by_change, share_right
from services.extraction.learned.dates import likeliest
from services.extraction.rules.clause_dates import Times

_MARGIN = 0.2
"""How much likelier the network's dates have to be for those of the rules to be given up."""
_SIDES: tuple[Side, ...] = ("start", "end")


def settled(evidence: DateEvidence) -> DateEvidence:
    """The evidence with the network's start or end, or both, where that is likelier than what the rules read."""
    best = max(_rivals(evidence), key=_likelihood, default=evidence)
    return best if _likelihood(best) > _likelihood(evidence) + _MARGIN else evidence


def _rivals(evidence: DateEvidence) -> Iterator[DateEvidence]:
    """What is known of the fact with other dates."""
    own, seen = (evidence.times.valid_at, evidence.times.invalid_at), likeliest(evidence.seen)
    for start, end in product((own[0], seen[0]), (own[1], seen[1])):
        disputed = tuple(side for side, day, other in zip(_SIDES, own, (start, end), strict=True) if day != other)
        if disputed and _may_be(evidence, start, end) and not any(is_by_change(evidence, side) for side in disputed):
            is_over = end is not None or (evidence.times.is_over and own[1] is None)
            yield replace(evidence, times=Times(start, end, is_over), disputed=disputed)


def _may_be(evidence: DateEvidence, start: datetime | None, end: datetime | None) -> bool:
    """False for an end that is not after the start, and where the end that rules read would become the start."""
    is_turned = start is not None and start == evidence.times.invalid_at
    return not is_turned and (start is None or end is None or start < end)


def _likelihood(evidence: DateEvidence) -> float:
    return share_right(evidence, "start") * share_right(evidence, "end")
