"""What do the figures of facts from texts lose without each family of rules?

    cli.py bench ablation [--file FILE ...]

Each text is parsed once, and the network is asked again only where the names that the rules found differ. Printed in
Markdown: precision, recall and F1 without each family, the difference of F1 in points with the 95% interval of a
bootstrap over texts, and how many dates of ticked drafts are right. The network and the calibration stay as they are.
"""

import argparse
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.ingest import DATA, ExtractionScore, are_dates_right, is_dated, outcome, sources
from services.core.draft_records import SourceText, Watch
from services.extraction import weighing
from services.extraction.learned.reader import LearnedFact, read
from services.extraction.offline import OfflineExtractor
from services.extraction.rules import appointments, copulas, departures, handovers, notes, read_texts, releases, verbs
from services.extraction.rules.parser import parse
from services.extraction.schemas import DEFAULT_SCHEMA
from services.proposals.proposal_records import PRE_TICKED, SHOWN

UNTUNED = ("held-again", "peps-again", "strangers")
_FAMILIES = (
    (verbs, "by_lexicon"),
    (copulas, "read"),
    (copulas, "read_appositions"),
    (appointments, "read"),
    (releases, "read"),
    (handovers, "read"),
    (departures, "read"),
    (departures, "read_former"),
    (notes, "fields"),
)
_SAMPLES = 1000

Counts = tuple[int, int, int]


def main() -> None:
    chosen = _arguments()
    rows = [json.loads(line) for path in chosen.file for line in path.read_text(encoding="utf-8").splitlines() if line]
    with _cached():
        whole = _outcomes(rows)
        print("| without | precision, recall, F1 | difference of F1 | ticked dates right |\n|---|---|---|---|")
        _print_row("nothing", whole, whole)
        for module, name in _FAMILIES:
            with _replaced(module, name, lambda *_: ()):
                _print_row(f"{module.__name__.rpartition('.')[2]}.{name}", _outcomes(rows), whole)


def _outcomes(rows: Sequence[Mapping[str, Any]]) -> list[ExtractionScore]:
    found = OfflineExtractor().extract(sources(rows), DEFAULT_SCHEMA, Watch())
    return [
        outcome(row, [draft for draft in one.drafts if draft.confidence >= SHOWN])
        for row, one in zip(rows, found, strict=True)
    ]


@contextmanager
def _replaced(module: Any, name: str, stand_in: Callable[..., Any]) -> Iterator[None]:
    kept = getattr(module, name)
    setattr(module, name, stand_in)
    try:
        yield
    finally:
        setattr(module, name, kept)


@contextmanager
def _cached() -> Iterator[None]:
    """Parse each batch once, and ask the network once for each text and set of names."""
    parsed = cache(lambda texts: list(parse(texts)))
    asked: dict[tuple[str, str, tuple[str, ...]], list[LearnedFact]] = {}

    def read_once(source: SourceText, watch: Watch, names: Sequence[str] = ()) -> list[LearnedFact]:
        key = source.id, source.text, tuple(names)
        if key not in asked:
            asked[key] = read(source, watch, names)
        return asked[key]

    with (
        _replaced(read_texts, "parse", lambda texts: parsed(tuple(texts))),
        _replaced(weighing, "read", read_once),
    ):
        yield


def _counts(one: ExtractionScore) -> Counts:
    return len(one.pairs), len(one.wrong), len(one.missed)


def _f1(counts: Sequence[Counts]) -> float:
    right, wrong, missed = (sum(parts) for parts in zip(*counts, strict=True))
    return 200 * right / max(1, 2 * right + wrong + missed)


def _interval(without: Sequence[Counts], whole: Sequence[Counts]) -> tuple[float, float]:
    """Return the 95% interval of the difference of F1 in points, by a bootstrap over texts."""
    drawn = random.Random(0)
    differences = []
    for _ in range(_SAMPLES):
        at = drawn.choices(range(len(whole)), k=len(whole))
        differences.append(_f1([without[i] for i in at]) - _f1([whole[i] for i in at]))
    differences.sort()
    return differences[_SAMPLES // 40], differences[-_SAMPLES // 40 - 1]


def _print_row(name: str, outcomes: Sequence[ExtractionScore], whole: Sequence[ExtractionScore]) -> None:
    counts, before = [_counts(one) for one in outcomes], [_counts(one) for one in whole]
    right, wrong, missed = (sum(parts) for parts in zip(*counts, strict=True))
    low, high = _interval(counts, before)
    ticked = [pair for one in outcomes for pair in one.pairs if pair[1].confidence >= PRE_TICKED and is_dated(*pair)]
    dates = f"{sum(are_dates_right(*pair) for pair in ticked)} of {len(ticked)}"
    shares = f"{100 * right / max(1, right + wrong):.1f}%, {100 * right / max(1, right + missed):.1f}%"
    difference = f"{_f1(counts) - _f1(before):+.2f} ({low:+.2f} to {high:+.2f})"
    print(f"| {name} | {shares}, {_f1(counts):.1f} | {difference} | {dates} |", flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="cli.py bench ablation", description="facts from texts without some rules")
    parser.add_argument("--file", type=Path, nargs="+", default=[DATA / f"{name}.jsonl" for name in UNTUNED])
    return parser.parse_args()


if __name__ == "__main__":
    main()
