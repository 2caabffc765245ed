"""Fits which date of a passage starts or ends a fact, on the trained network: python -m training.fit_dates

Adds its weights to those of `training.train_reader`. What is fitted is small, so the upper layers stay as they are.
"""

from collections.abc import Iterator
from datetime import datetime

import numpy as np
from sklearn.neural_network import MLPClassifier

from services.core import clock
from services.extraction.learned import dates
from services.extraction.learned.dates import Date
from services.extraction.learned.network import WEIGHTS_FILE, network
from training.examples import RELATIONS, Row, Span, entity_spans, example, is_kept_out, rows

HIDDEN, PENALTY = 64, 0.1
_MENTIONS = 4
"""How many mentions of an end are tried."""


def main() -> None:
    """Fits, measures and writes."""
    learned = [lesson for row in rows() if not is_kept_out(row) for lesson in lessons(row)]
    fitted = MLPClassifier((HIDDEN,), alpha=PENALTY, early_stopping=True, max_iter=60, random_state=0)
    fitted.fit(*(np.concatenate(part) for part in zip(*learned, strict=True)))
    kept = [lesson for row in rows() if is_kept_out(row) for lesson in lessons(row)]
    seen, labelled = (np.concatenate(part) for part in zip(*kept, strict=True))
    right = (fitted.predict(seen) == labelled).all(axis=1)
    none = (~labelled.any(axis=1)).mean()
    print(f"{len(seen)} pairs of a fact and a date kept out: {right.mean():.1%} right; {none:.1%} are none")
    names = ("date_hidden", "date_edge")
    added = dict(zip(names, fitted.coefs_, strict=True))
    added |= dict(zip((f"{name}_bias" for name in names), fitted.intercepts_, strict=True))
    with np.load(WEIGHTS_FILE) as trained:
        weights = {name: trained[name] for name in trained.files}
    np.savez_compressed(WEIGHTS_FILE, **weights | {name: value.astype(np.float32) for name, value in added.items()})


def lessons(row: Row) -> Iterator[tuple["np.ndarray", "np.ndarray"]]:
    """For each fact of a text the features of its dates, and of which it starts and ends."""
    shown = example(row) if row["facts"] else None
    among = dates.dates(shown.passage, clock.parse_instant(row["reference_time"])) if shown else []
    if shown is None or not among:
        return
    begun = network().begun(shown.passage.states, shown.passage.shapes)
    x = network().encoded(begun, shown.passage.shapes)
    for label in row["facts"]:
        source, target = (entity_spans(row, shown, label[end])[:_MENTIONS] for end in ("source", "target"))
        if source and target:
            yield (
                _features(x, label["relation"], source, target, among),
                np.array([_edges(label, one) for one in among]),
            )


def _features(
    x: "np.ndarray", relation: str, sources: list[Span], targets: list[Span], among: list[Date]
) -> "np.ndarray":
    """Of the two mentions between which the network sees the relation most clearly."""
    first, last = np.array([*sources, *targets]).T
    paired = network().pairs(x, first, last)
    probable = network().probable(paired)[: len(sources), len(sources) :, RELATIONS.index(relation)]
    source, target = np.unravel_index(probable.argmax(), probable.shape)
    target += len(sources)
    ends = int(first[source]), int(first[target])
    return dates.features(x, paired[source, target], RELATIONS.index(relation), len(RELATIONS), ends, among)


def _edges(label: Row, one: Date) -> tuple[bool, bool]:
    when = one.when
    return (
        any(_is_labelled(label.get("valid_at"), day) for day in (when.first, when.ahead)),
        any(
            _is_labelled(label.get("invalid_at"), day)
            for day in ([when.last] if when.last else [when.first, when.ahead])
        ),
    )


def _is_labelled(day: str | None, found: datetime | None) -> bool:
    return day is not None and found is not None and found.isoformat().startswith(day)


if __name__ == "__main__":
    main()
