"""What do facts from texts lose without each family of rules, and the check of answers without each rule?

    cli.py bench ablation [--file FILE ...]
    cli.py bench ablation --check

Each text is parsed once, and the network is asked again only where the names that the rules found differ. Printed in
Markdown: precision, recall and F1 without each family, the difference of F1 in points with the 95% interval of a
bootstrap over texts, and how many dates of ticked drafts are right. The network and the calibration stay as they are.
With `--check`: how many planted sentences of each file (benchmarks/ask/PLANTED.md) are marked right without each rule.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from benchmarks import check as planted
from benchmarks.ingest import DATA, ExtractionScore, are_dates_right, is_dated, outcome, sources
from services.core.draft_records import SourceText, Watch
from services.extraction import weighing
from services.extraction.learned.reader import LearnedFact, read
from services.extraction.offline import OfflineExtractor
from services.extraction.rules import appointments, copulas, departures, handovers, notes, read_texts, releases, verbs
from services.extraction.rules.parser import parse
from services.extraction.schemas import DEFAULT_SCHEMA
from services.proposals.preselection import PRE_TICKED, SHOWN
from services.verification import agent_roles

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

_PLANTED = (
    "planted",
    "planted-more",
    "planted-reversals",
    "planted-reversals-more",
    "planted-fresh",
    "planted-held",
    "planted-paraphrases",
    "planted-summaries",
    "planted-passages-dev",
)
_RULES_OF_CHECK: Mapping[str, Any] = {
    "fact_check._names": "",
    "fact_check._strange": [],
    "fact_check._is_meant": False,
    "fact_check._is_given_as_number": False,
    "fact_check._relation": "",
    "fact_check._roles": "",
    "fact_check._polarity": "",
    "fact_check._is_yet_of_other": False,
    "fact_check._opposite": "",
    "fact_check.dates_problem": "",
    "fact_check._tense": "",
    "fact_check._gainers": {},
    "fact_check._has_come": False,
    "fact_dates._is_change": False,
    "fact_dates.change_of": "",
    "fact_check.change_of": "",
    "fact_dates.clause_denies": False,
    "fact_dates._is_participle": False,
    "fact_dates._ends": False,
    "fact_sets.unknown_names": [],
    "fact_sets._contrast": None,
    "fact_sets.not_in_order": None,
    "fact_sets.number_change_problem": None,
    "fact_sets.differences": set(),
    "fact_sets._beside": [],
    "fact_sets._out_of_order": None,
    "fact_sets._is_covered": True,
    "fact_sets._counts": set(),
    "fact_sets._lengths": (),
    "agent_roles._is_employed": False,
    "agent_roles._is_noun": False,
    "agent_roles._holder": None,
    "agent_roles._is_of": False,
    "agent_roles._owns": False,
    "agent_roles._names_action": False,
    "agent_roles._is_beside_its_own": False,
    "agent_roles._is_place": False,
    "agent_roles._qualifies": False,
    "passage_check._halves": (),
    "passage_check._says_enough": True,
    "passage_check._names": "",
    "passage_check._is_beside": False,
    "passage_check._subject": "",
    "passage_check._done_by_another": "",
    "passage_check.numbers_problem": "",
    "passage_check.dates_problem": "",
    "passage_check.polarity_problem": "",
    "passage_check.time_problem": "",
    "passage_check.are_swapped": False,
    "passage_check.mode_problem": "",
    "passage_check.binding_problem": "",
    "passage_check.kinship_problem": "",
    "passage_check.ordinal_problem": "",
    "passage_strength._quantity_problem": "",
    "passage_strength._duty_problem": "",
    "passage_strength._limit_problem": "",
    "passage_bindings._year_of_another": "",
    "passage_order._is_later": False,
    "passage_order._is_dated_later": False,
    "passage_order._gains_and_loses": False,
    "passage_order._figure_of_another_verb": "",
    "passage_figures._is_bound_otherwise": False,
    "passage_parts._goes_on": False,
    "passage_figures.numbers_together": (),
    "passage_figures._is_listed": False,
    "passage_figures._is_length": False,
    "passage_figures._is_worked_out": False,
    "passage_figures._is_as_of": False,
    "passage_parts._length": 0,
    "passage_parts._meant": frozenset(),
    "passage_polarity._contrasted_in": None,
    "passage_polarity._is_superlative_of": False,
    "passage_polarity._denies_harm": False,
    "passage_polarity._denies": False,
    "passage_polarity._says_as_much": False,
    "passage_polarity._opposed": set(),
    "passage_polarity._refusals": False,
    "passage_polarity.is_over": False,
    "passage_polarity._lasts": False,
    "passage_polarity._ended": False,
    "argument_order._is_without_object": False,
    "argument_order._is_noun": False,
    "argument_order._moves_back": False,
    "argument_order._compares_back": False,
    "argument_order._belongs_back": False,
    "result_check.IndexedResult.in_time": set(),
    "result_check.IndexedResult.differences": set(),
    "result_check.IndexedResult.is_of_others": False,
    "result_check.IndexedResult.has_not_ended": False,
    "result_check.IndexedResult.is_wrong_extreme": False,
    "result_check.IndexedResult._distinct": set(),
    "result_check.compared": [],
    "result_check._is_of_all": False,
    "result_check._turned": "",
    "sentence_clauses._opens_clause": False,
    "sentence_reading._mark_stems": None,
    "sentence_reading._mark_numbers": None,
}
"""The rules of the check that read free text, each with what it returns where it has nothing to say."""

Counts = tuple[int, int, int]


def main() -> None:
    chosen = _arguments()
    if chosen.check:
        _print_check()
        return
    rows = [json.loads(line) for path in chosen.file for line in path.read_text(encoding="utf-8").splitlines() if line]
    with _cached():
        whole = _outcomes(rows)
        print("| without | precision, recall, F1 | difference of F1 | ticked dates right |\n|---|---|---|---|")
        _print_row("nothing", whole, whole)
        for module, name in _FAMILIES:
            with _replaced(module, name, lambda *_: ()):
                _print_row(f"{module.__name__.rpartition('.')[2]}.{name}", _outcomes(rows), whole)


def _print_check() -> None:
    sets = [list(planted.rows(planted.PLANTED.with_name(f"{name}.jsonl"))) for name in _PLANTED]
    whole = [_marked_right(rows) for rows in sets]
    print(f"| without | {' | '.join(_PLANTED)} |\n|---|{'---|' * len(_PLANTED)}")
    print(f"| nothing | {' | '.join(f'good {right[False]}, bad {right[True]}' for right in whole)} |", flush=True)
    for rule, stand_in in _RULES_OF_CHECK.items():
        owner, _, name = rule.rpartition(".")
        with _replaced(resolve_name(f"services.verification.{owner}"), name, lambda *_, value=stand_in: value):
            rights = [_marked_right(rows) for rows in sets]
        lost = [
            ", ".join(
                f"{label} {n:+d}" for label, bad in (("good", False), ("bad", True)) if (n := now[bad] - was[bad])
            )
            for now, was in zip(rights, whole, strict=True)
        ]
        print(f"| {rule} | {' | '.join(lost)} |", flush=True)


def _marked_right(rows: Sequence[Mapping[str, Any]]) -> Counter[bool]:
    """Return how many of the good and of the bad sentences are marked right."""
    agent_roles._agents_of_relation.cache_clear()  # it keeps what other rules told
    return Counter(bool(row["bad"]) for row in rows if planted.outcome(row, repeat=1).is_right)


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
    parser.add_argument("--check", action="store_true", help="the check of answers without each of its rules")
    parser.add_argument("--file", type=Path, nargs="+", default=[DATA / f"{name}.jsonl" for name in UNTUNED])
    return parser.parse_args()


if __name__ == "__main__":
    main()
