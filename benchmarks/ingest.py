"""How well are facts read from texts without a model?

    cli.py bench ingest [--half dev|held|peps|strangers] [--at 0.5] [--failures] [--file FILE]

The texts of benchmarks/ingest/*.jsonl were labelled by hand before the rules saw them (benchmarks/ingest/SOURCE.md).
A draft at or above `--at` is right when relation, source and target are a label's, or one that the label allows also;
case and a leading article do not count, and MARRIED_TO and SIBLING_OF hold either way round. Facts that a reader might
record or leave out count neither way, and neither does a second draft of a label that was found. Dates are right when
start and end are both as labelled, at the label's precision; a date that the text does not tell is wrong. Dates that
are offered beside a draft count as its own, and are missing from what is ticked, which is written without a look.
Printed in Markdown: one table by kind, one of what is ticked, the confidence against how often drafts were right, and
what a sentence takes.
"""

import argparse
import json
import resource
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from services.core import clock
from services.core.draft_records import Draft, SourceText, Watch
from services.extraction.offline import OfflineExtractor
from services.extraction.schemas import DEFAULT_SCHEMA
from services.proposals.preselection import PRE_TICKED, SHOWN, is_sure

DATA = Path(__file__).parent / "ingest"
EITHER_WAY = ("MARRIED_TO", "SIBLING_OF")
BINS = (0.2, SHOWN, 0.6, 0.75, PRE_TICKED)

Label = Mapping[str, Any]


@dataclass
class ExtractionScore:
    """A text with its labels and what became of them. `pairs` are the required labels found, with their drafts."""

    row: Mapping[str, Any]
    pairs: list[tuple[Label, Draft]] = field(default_factory=list)
    missed: list[Label] = field(default_factory=list)
    wrong: list[Draft] = field(default_factory=list)
    one_edit: int = 0

    @property
    def is_factless(self) -> bool:
        """True for a text that states nothing."""
        return not self.row["facts"]


def main() -> None:
    chosen = _arguments()
    path = chosen.file or DATA / f"{chosen.half}.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    list(_drafts(rows[:1]))  # the parser is loaded before the clock starts
    started = time.perf_counter()
    drafts = _drafts(rows)
    seconds = time.perf_counter() - started
    outcomes = [
        outcome(row, [with_offered_dates(d) for d in found if d.confidence >= chosen.at])
        for row, found in zip(rows, drafts, strict=True)
    ]
    print(f"\n## {path.stem}, drafts at {chosen.at} and above\n")
    print_table(outcomes)
    print_ticked(rows, drafts, outcomes)
    print_confidence(rows, drafts)
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    words = sum(len(row["text"].split()) for row in rows)
    print(
        f"\n{len(rows)} texts, {words} words in {seconds:.2f} s: {words / seconds:.0f} words/s; {size:.0f} MB at most"
    )
    if chosen.failures:
        print_failures(outcomes)


def _drafts(rows: Sequence[Mapping[str, Any]]) -> list[tuple[Draft, ...]]:
    found = OfflineExtractor().extract(sources(rows), DEFAULT_SCHEMA, Watch())
    return [one.drafts for one in found]


def sources(rows: Iterable[Mapping[str, Any]]) -> list[SourceText]:
    """Labelled texts as an extractor gets them."""
    return [
        SourceText(row["id"], row["text"], row.get("title", ""), given and clock.parse_instant(given))
        for row in rows
        for given in [row["reference_time"]]
    ]


def with_offered_dates(draft: Draft) -> Draft:
    """The draft with the dates that are offered beside it."""
    return replace(
        draft,
        valid_at=draft.valid_at or draft.unsure_valid_at,
        invalid_at=draft.invalid_at or draft.unsure_invalid_at,
    )


def outcome(row: Mapping[str, Any], drafts: Sequence[Draft]) -> ExtractionScore:
    """Each draft against the labels: the best first, a required label before one that counts neither way."""
    result = ExtractionScore(row)
    required = [label for label in row["facts"] if not label.get("optional")]
    optional = [label for label in row["facts"] if label.get("optional")]
    open_labels = list(required)
    for draft in sorted(drafts, key=lambda draft: -draft.confidence):
        label = next((label for label in open_labels if is_same(label, draft)), None)
        if label is not None:
            open_labels.remove(label)
            result.pairs.append((label, draft))
        elif not any(is_same(label, draft) for label in (*required, *optional)):
            result.wrong.append(draft)
    result.missed = open_labels
    left = list(open_labels)
    for draft in result.wrong:
        near = next((label for label in left if is_near(label, draft)), None)
        if near is not None:
            left.remove(near)
            result.one_edit += 1
    return result


def is_same(label: Label, draft: Draft) -> bool:
    """True when relation and both ends are the label's."""
    return all(_agreeing(label, draft)) or (label["relation"] in EITHER_WAY and all(_agreeing(label, _turned(draft))))


def is_near(label: Label, draft: Draft) -> bool:
    """True when one of relation, source and target has to be edited."""
    return sum(_agreeing(label, draft)) == 2


def _agreeing(label: Label, draft: Draft) -> tuple[bool, bool, bool]:
    return (
        draft.relation in (label["relation"], *label.get("relation_also", ())),
        _is_named(draft.source, label, "source"),
        _is_named(draft.target, label, "target"),
    )


def _turned(draft: Draft) -> Draft:
    return Draft(draft.target, draft.relation, draft.source)


def _is_named(name: str, label: Label, end: str) -> bool:
    return _plain(name) in {_plain(other) for other in (label[end], *label.get(f"{end}_also", ()))}


def _plain(name: str) -> str:
    lowered = " ".join(name.lower().replace("’", "'").strip(' "“”.').split())
    return lowered.removeprefix("the ").removeprefix("an ").removeprefix("a ")


def are_dates_right(label: Label, draft: Draft) -> bool:
    """True when start and end are as labelled, at the label's precision; "date_optional" allows none as well."""
    if label.get("date_optional") and draft.valid_at is None and draft.invalid_at is None:
        return True
    return is_date(label.get("valid_at"), draft.valid_at) and is_date(label.get("invalid_at"), draft.invalid_at)


def has_false_date(label: Label, draft: Draft) -> bool:
    """True when a start or an end is given, and is not the label's."""
    given = ((label.get("valid_at"), draft.valid_at), (label.get("invalid_at"), draft.invalid_at))
    return any(found is not None and not is_date(labelled, found) for labelled, found in given)


def is_date(labelled: str | None, found: datetime | None) -> bool:
    """True when a date is as labelled, at the label's precision; both may be missing."""
    if labelled is None or found is None:
        return labelled is None and found is None
    return found.isoformat()[: len(labelled)] == labelled


def is_dated(label: Label, draft: Draft) -> bool:
    """True when the label or the draft has a date."""
    return bool(label.get("valid_at") or label.get("invalid_at") or draft.valid_at or draft.invalid_at)


def print_table(outcomes: Sequence[ExtractionScore]) -> None:
    by: dict[str, list[ExtractionScore]] = defaultdict(list)
    for one in outcomes:
        by[one.row["kind"]].append(one)
        by["**all**"].append(one)
    print("| kind | texts | facts | drafts | precision | recall | dates right | with one edit: precision | recall |")
    print("|---|---|---|---|---|---|---|---|---|")
    for kind, some in sorted(by.items(), key=lambda item: (item[0].startswith("*"), item[0])):
        print(f"| {kind} | {len(some)} | " + " | ".join(_cells(some)) + " |")
    factless = [one for one in outcomes if one.is_factless]
    if factless:
        false = sum(len(one.wrong) for one in factless)
        print(
            f"\nFalse facts on the {len(factless)} texts without facts: {false}, {20 * false / len(factless):.1f} in 20"
        )


def _cells(some: Sequence[ExtractionScore]) -> Iterable[str]:
    right, wrong, missed = (
        sum(len(part) for part in parts) for parts in zip(*((o.pairs, o.wrong, o.missed) for o in some), strict=True)
    )
    edits = sum(one.one_edit for one in some)
    dated = [are_dates_right(*pair) for one in some for pair in one.pairs if is_dated(*pair)]
    yield str(right + missed)
    yield str(right + wrong)
    yield _share(right, right + wrong)
    yield _share(right, right + missed)
    yield f"{sum(dated)}/{len(dated)}" + (f" ({100 * sum(dated) / len(dated):.0f}%)" if dated else "")
    yield _share(right + edits, right + wrong)
    yield _share(right + edits, right + missed)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}%" if whole else "-"


def print_ticked(
    rows: Sequence[Mapping[str, Any]], drafts: Sequence[Sequence[Draft]], shown: Sequence[ExtractionScore]
) -> None:
    """What is written without a look: how much of it is false, and which share of the facts it is."""
    ticked = [outcome(row, [d for d in found if is_sure(d)]) for row, found in zip(rows, drafts, strict=True)]
    pairs, wrong = ([one for score in ticked for one in getattr(score, part)] for part in ("pairs", "wrong"))
    found, missed = (sum(len(getattr(one, part)) for one in shown) for part in ("pairs", "missed"))
    dated = [pair for pair in pairs if is_dated(*pair)]
    cells = (
        str(len(pairs) + len(wrong)),
        _of(len(wrong), len(pairs) + len(wrong)),
        _of(sum(has_false_date(*pair) for pair in pairs), len(pairs)),
        _of(sum(are_dates_right(*pair) for pair in dated), len(dated)),
        _share(len(pairs), found + missed),
        _share(found, found + missed),
        str(sum(len(one.wrong) for one in ticked if one.is_factless)),
    )
    print(
        "\n| ticked | false triples | with a false date | dates right | recall | recall of shown | in factless texts |"
    )
    print("|---|---|---|---|---|---|---|")
    print(f"| {' | '.join(cells)} |")


def _of(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / whole:.1f}%)" if whole else "-"


def print_confidence(rows: Sequence[Mapping[str, Any]], drafts: Sequence[Sequence[Draft]]) -> None:
    """How often drafts of each confidence were right."""
    right: dict[float, list[bool]] = defaultdict(list)
    for row, found in zip(rows, drafts, strict=True):
        one = outcome(row, found)
        for is_right, some in ((True, [draft for _, draft in one.pairs]), (False, one.wrong)):
            for draft in some:
                right[max((low for low in BINS if low <= draft.confidence), default=0.0)].append(is_right)
    print("\n| confidence from | drafts | right |\n|---|---|---|")
    for low in sorted(right):
        print(f"| {low} | {len(right[low])} | {_share(sum(right[low]), len(right[low]))} |")


def print_failures(outcomes: Sequence[ExtractionScore]) -> None:
    """What was missed, wrong, or dated otherwise than labelled."""
    for one in outcomes:
        dates = [pair for pair in one.pairs if not are_dates_right(*pair)]
        if not (one.missed or one.wrong or dates):
            continue
        print(f"\n{one.row['id']} [{one.row.get('title', '')}] {one.row['reference_time']}: {one.row['text']}")
        for label in one.missed:
            dated = f"{label.get('valid_at', '')}..{label.get('invalid_at', '')}"
            print(f"  missed  {label['source']} {label['relation']} {label['target']} {dated}")
        for draft in one.wrong:
            print(f"  wrong   {_described(draft)}")
        for label, draft in dates:
            print(f"  date    {_described(draft)}, not {label.get('valid_at', '')}..{label.get('invalid_at', '')}")


def _described(draft: Draft) -> str:
    dates = "..".join(day.date().isoformat() if day else "" for day in (draft.valid_at, draft.invalid_at))
    return f"{draft.source} {draft.relation} {draft.target} {dates} ({draft.confidence:.2f})"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="cli.py bench ingest", description="facts from texts without a model")
    parser.add_argument("--half", choices=("dev", "held", "peps", "strangers"), default="dev", help="which texts")
    parser.add_argument("--at", type=float, default=SHOWN, help="count drafts from this confidence on")
    parser.add_argument("--failures", action="store_true", help="list what went wrong")
    parser.add_argument("--file", type=Path, help="other labelled texts of the same format")
    return parser.parse_args()


if __name__ == "__main__":
    main()
