"""How often dates like those of a fact were right: of its start and of its end, given or missing, each apart."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from math import exp, log
from pathlib import Path
from typing import Literal

from services.core.draft_records import SURE_DATE, Draft
from services.extraction.learned.dates import DateEdge
from services.extraction.rules.clause_dates import Times
from services.extraction.rules.date_expressions import DateExpression
from services.extraction.rules.dates_beside_nouns import STANDING
from services.extraction.rules.dates_between_names import EVENTS, LASTING

Side = Literal["start", "end"]
Features = Mapping[str, float]

WEIGHTS_FILE = Path(__file__).parent / "date_confidence.json"
"""Of four logistic regressions over `features`, fitted by training.calibrate_dates."""

_DISPUTED = 0.6
"""At most as sure as this is a date that rules read otherwise, so that it is offered beside its fact."""


@dataclass(frozen=True, slots=True)
class DateEvidence:
    """What speaks for the dates of a fact, and against them.

    `share` is how often facts like it were right, `is_ruled` whether a rule found it, `beside` are the dates of its
    sentence, `seen` those that the network saw with it. `begun` and `ended` are the days of what the text says to begin
    or end it, None where that has no date. `disputed` are the sides that rules read otherwise.
    """

    relation: str
    times: Times
    share: float
    is_ruled: bool
    beside: tuple[DateExpression, ...] = ()
    seen: tuple[DateEdge, ...] = ()
    begun: tuple[datetime | None, ...] = ()
    ended: tuple[datetime | None, ...] = ()
    disputed: tuple[Side, ...] = ()


def with_date_confidence(draft: Draft, evidence: DateEvidence) -> Draft:
    """The draft with how sure its dates are; one that is not sure is offered beside it."""
    start, end = _confidence(evidence, "start"), _confidence(evidence, "end")
    draft = replace(draft, valid_at_confidence=round(start, 3), invalid_at_confidence=round(end, 3))
    if start < SURE_DATE:
        draft = replace(draft, valid_at=None, unsure_valid_at=draft.valid_at)
    if end < SURE_DATE:
        draft = replace(draft, invalid_at=None, unsure_invalid_at=draft.invalid_at)
    return draft


def _confidence(evidence: DateEvidence, side: Side) -> float:
    share = share_right(evidence, side)
    return min(share, _DISPUTED) if side in evidence.disputed else share


def share_right(evidence: DateEvidence, side: Side) -> float:
    """How often a start or an end like this one was right, or right to be missing."""
    return share_by(_weights(), evidence, side)


def share_by(weights: Mapping[str, Features], evidence: DateEvidence, side: Side) -> float:
    """The same by other weights."""
    of = weights[f"{side} {'given' if _own(evidence, side) else 'missing'}"]
    return 1 / (1 + exp(-sum(of[name] * value for name, value in features(evidence, side).items())))


@cache
def _weights() -> Mapping[str, Features]:
    weights: Mapping[str, Features] = json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))
    return weights


def features(evidence: DateEvidence, side: Side) -> Features:
    """What the regressions are over; other features for a date that is given than for one that is missing."""
    of = _of_given if _own(evidence, side) else _of_missing
    return {"always": 1.0, "is ruled": float(evidence.is_ruled), **of(evidence, side)}


def _of_given(evidence: DateEvidence, side: Side) -> Features:
    own, other = _own(evidence, side), _own(evidence, _OTHER[side])
    beside = [one for one in evidence.beside if _names(one, own)]
    seen = [one for one in evidence.seen if _names(one.when, own)]
    return {
        "network": _logit(max((_probability(one, side) for one in seen), default=0.5)),
        "network, other side": _logit(max((_probability(one, _OTHER[side]) for one in seen), default=0.5)),
        "share": _logit(evidence.share),
        "in its sentence": float(bool(beside)),
        "other side given": float(other is not None),
        "by a change": float(own in _changes(evidence, side)),
        "event": float(evidence.relation in EVENTS),
    }


def _of_missing(evidence: DateEvidence, side: Side) -> Features:
    other = _own(evidence, _OTHER[side])
    unused = [one for one in evidence.beside if not _names(one, other)]
    apart = [_probability(one, side) for one in evidence.seen if not _names(one.when, other)]
    used = [_probability(one, side) for one in evidence.seen if _names(one.when, other)]
    return {
        "network": _logit(max(apart, default=0.0)),
        "network, of the other side's": _logit(max(used, default=0.0)),
        "dates": float(bool(evidence.seen)),
        "several dates": float(len(evidence.seen) > 1),
        "changes": float(bool(_changes(evidence, side))),
        "unused since": float(any(one.kind == "since" for one in unused)),
        "unused of a state": float(bool(unused) and evidence.relation in STANDING),
        "event": float(evidence.relation in EVENTS),
        "lasting": float(evidence.relation in LASTING),
    }


_OTHER: Mapping[Side, Side] = {"start": "end", "end": "start"}


def _own(evidence: DateEvidence, side: Side) -> datetime | None:
    return evidence.times.valid_at if side == "start" else evidence.times.invalid_at


def is_by_change(evidence: DateEvidence, side: Side) -> bool:
    """True for a date that rules read from what the text says to begin or end the fact."""
    return evidence.is_ruled and _own(evidence, side) in set(_changes(evidence, side)) - {None}


def _changes(evidence: DateEvidence, side: Side) -> tuple[datetime | None, ...]:
    return evidence.begun if side == "start" else evidence.ended


def _probability(one: DateEdge, side: Side) -> float:
    return one.starts if side == "start" else one.ends


def _names(when: DateExpression, day: datetime | None) -> bool:
    """True for the expression that a start or an end was read from."""
    return day is not None and day in (when.first, when.last, when.ahead)


def _logit(probability: float) -> float:
    kept = min(max(probability, 0.01), 0.99)
    return log(kept / (1 - kept))
