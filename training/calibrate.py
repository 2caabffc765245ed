"""How good rules, network and both are on the texts kept out: python -m training.calibrate

Prints the figures with weights that are fitted on one half and measured on the other, and the weights for
`services.extraction.weighing`, fitted on all of them.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from sklearn.linear_model import LogisticRegression

from benchmarks.ingest import Label, outcome, sources
from services.core.draft_records import Draft, Watch
from services.extraction import weighing
from services.extraction.learned.reader import Identity
from services.extraction.rules.read_texts import read_texts
from services.extraction.schemas import DEFAULT_SCHEMA
from services.extraction.weighing import Claim
from services.language.names import mention_key
from training.examples import Row, unseen_rows

Claims = Mapping[Identity, Claim]

_LEAST_KNOWN = 0.03
_SHARES = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)


def main() -> None:
    """Measures and fits."""
    kept = list(unseen_rows())
    found = [weighing.claimed(reading, Watch())[0] for _, reading in read_texts(sources(kept), DEFAULT_SCHEMA, Watch())]
    kept = [_as_identities_are(row) for row in kept]
    print(f"{len(kept)} texts\n\n| | least share | precision | recall |\n|---|---|---|---|")
    _measure("rules", kept, found, lambda claim, _: claim.score, (0.5, 0.8, 0.85))
    _measure("network", kept, found, lambda claim, _: claim.probability, _SHARES)
    halves = [_fitted(kept, found, half) for half in (0, 1)]
    _measure("both", kept, found, lambda claim, at: weighing.share_right(claim, halves[1 - at % 2]), _SHARES)
    print("\nWEIGHTS =", tuple(round(float(weight), 3) for weight in _fitted(kept, found)))


def _as_identities_are(row: Row) -> Row:
    """The text with the names of its labels spelled as those of claims are: "3.0" is "30" there."""
    return {**row, "facts": [{**label, **_keys(label)} for label in row["facts"]]}


def _keys(label: Label) -> dict[str, str | list[str]]:
    return {end: mention_key(label[end]) for end in ("source", "target")} | {
        also: [mention_key(name) for name in label.get(also, ())] for also in ("source_also", "target_also")
    }


def _fitted(kept: Sequence[Row], found: Sequence[Claims], half: int | None = None) -> "np.ndarray":
    """The weights by the texts of one half, or by all."""
    known, right = [], []
    for at, (row, claims) in enumerate(zip(kept, found, strict=True)):
        for key, claim in claims.items():
            result = outcome(row, [Draft(*key)])
            is_known = claim.score > 0 or claim.probability > _LEAST_KNOWN
            if is_known and half in (None, at % 2) and (result.pairs or result.wrong):
                known.append(weighing.features(claim))
                right.append(bool(result.pairs))
    return LogisticRegression(fit_intercept=False, max_iter=1000).fit(known, right).coef_[0]


def _measure(
    name: str,
    kept: Sequence[Row],
    found: Sequence[Claims],
    share: Callable[[Claim, int], float],
    leasts: Sequence[float],
) -> None:
    drafts = [
        [
            Draft(*key, confidence=of)
            for key, of in weighing.chosen({k: share(c, at) for k, c in claims.items()}).items()
        ]
        for at, claims in enumerate(found)
    ]
    for least in leasts:
        results = [
            outcome(row, [d for d in some if d.confidence >= least]) for row, some in zip(kept, drafts, strict=True)
        ]
        right, wrong, missed = (
            sum(len(getattr(one, part)) for one in results) for part in ("pairs", "wrong", "missed")
        )
        print(f"| {name} | {least} | {right / max(1, right + wrong):.1%} | {right / max(1, right + missed):.1%} |")


if __name__ == "__main__":
    main()
