"""How often starts and ends were right on the texts kept out: python -m training.calibrate_dates

Fits the weights of `services.extraction.date_confidence` on what the network has not learned from and on the texts to
develop rules on, and prints, fitted on four fifths and measured on the other, how good ticked drafts are by the least
confidence of triples and dates.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from sklearn.linear_model import LogisticRegression

from benchmarks.ingest import Label, are_dates_right, has_false_date, is_date, outcome, sources
from services.core.draft_records import Draft, Watch
from services.extraction import date_confidence
from services.extraction.date_confidence import WEIGHTS_FILE, DateEvidence, Side, features
from services.extraction.offline import confidence_of, evidence_of
from services.extraction.rules.read_texts import read_texts
from services.extraction.schemas import DEFAULT_SCHEMA
from services.extraction.weighing import identity, weighed
from training.examples import Row, unseen_rows

SIDES: tuple[Side, ...] = ("start", "end")
KINDS = tuple(f"{side} {kind}" for side in SIDES for kind in ("given", "missing"))
PARTS = 5
_STRENGTH = 0.5
"""How freely weights may grow: the inverse of the regressions' penalty."""
_TRIPLES, _DATES = (0.9, 0.92, 0.93, 0.94, 0.95, 0.96, 0.97), (0.0, 0.8, 0.85, 0.88, 0.9)


@dataclass(frozen=True, slots=True)
class DatedDraft:
    """A draft that says what a label does, with the evidence of its dates; of a wrong one there is no label."""

    part: int
    draft: Draft
    evidence: DateEvidence
    label: Label | None = None


def main() -> None:
    """Fit, measure and write."""
    texts = list(unseen_rows())
    cases = list(_cases(texts))
    facts = sum(not label.get("optional") for row in texts for label in row["facts"])
    shares = _shares_of_others(cases)
    print(f"{len(texts)} texts, {facts} facts, {sum(case.label is not None for case in cases)} found")
    print("\n| triples from | dates from | ticked | false triples | false dates | dates right | recall |")
    print("|---|---|---|---|---|---|---|")
    for triples, dates in product(_TRIPLES, _DATES):
        sure = [case for case, share in zip(cases, shares, strict=True) if min(share) >= dates]
        _print_row(triples, dates, [case for case in sure if case.draft.confidence >= triples], facts)
    weights = _fitted(cases)
    WEIGHTS_FILE.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")


def _cases(texts: Sequence[Row]) -> Iterator[DatedDraft]:
    """What is found in the texts, without what counts neither way."""
    for row, (_, reading) in zip(texts, read_texts(sources(texts), DEFAULT_SCHEMA, Watch()), strict=True):
        weights = weighed(reading, Watch())
        found = {}
        for finding, place in reading.finished():
            if weight := weights.get(identity(finding)):
                names = finding.source.name, finding.relation, finding.target.name
                draft = Draft(*names, confidence=confidence_of(finding, weight))
                found[draft] = evidence_of(finding, place, weight, reading)
        result = outcome(row, list(found))
        part = int(hashlib.md5(row["id"].encode(), usedforsecurity=False).hexdigest(), 16) // 10 % PARTS
        for label, draft in (*result.pairs, *((None, wrong) for wrong in result.wrong)):
            yield DatedDraft(part, draft, found[draft], label)


def _fitted(cases: Sequence[DatedDraft]) -> dict[str, dict[str, float]]:
    """The weights of each kind of date by the drafts that say what a label does."""
    weights = {}
    for kind in KINDS:
        side: Side = "start" if kind.startswith("start") else "end"
        some = [case for case in cases if case.label is not None and _kind(case, side) == kind]
        known = [features(case.evidence, side) for case in some]
        right = [_is_right(case, side) for case in some]
        model = LogisticRegression(fit_intercept=False, C=_STRENGTH, max_iter=1000)
        found = model.fit([list(one.values()) for one in known], right).coef_[0]
        weights[kind] = {name: round(float(weight), 3) for name, weight in zip(known[0], found, strict=True)}
    return weights


def _kind(case: DatedDraft, side: Side) -> str:
    times = case.evidence.times
    day = times.valid_at if side == "start" else times.invalid_at
    return f"{side} {'missing' if day is None else 'given'}"


def _is_right(case: DatedDraft, side: Side) -> bool:
    assert case.label is not None
    times = case.evidence.times
    name, day = ("valid_at", times.valid_at) if side == "start" else ("invalid_at", times.invalid_at)
    return is_date(case.label.get(name), day) or (day is None and bool(case.label.get("date_optional")))


def _shares_of_others(cases: Sequence[DatedDraft]) -> list[tuple[float, ...]]:
    """How sure start and end of each case are by the weights that the other parts give."""
    weights = [_fitted([case for case in cases if case.part != part]) for part in range(PARTS)]
    return [
        tuple(date_confidence.share_by(weights[case.part], case.evidence, side) for side in SIDES) for case in cases
    ]


def _print_row(triples: float, dates: float, kept: Sequence[DatedDraft], facts: int) -> None:
    right = [(case.label, _dated(case)) for case in kept if case.label is not None]
    false = sum(has_false_date(label, draft) for label, draft in right)
    dated = sum(are_dates_right(label, draft) for label, draft in right)
    wrong = len(kept) - len(right)
    print(
        f"| {triples} | {dates} | {len(kept)} | {wrong} ({wrong / max(1, len(kept)):.1%}) "
        f"| {false} ({false / max(1, len(right)):.1%}) | {dated / max(1, len(right)):.1%} | {len(right) / facts:.1%} |"
    )


def _dated(case: DatedDraft) -> Draft:
    draft, times = case.draft, case.evidence.times
    return Draft(draft.source, draft.relation, draft.target, valid_at=times.valid_at, invalid_at=times.invalid_at)


if __name__ == "__main__":
    main()
