"""How many planted answers does the check of answers see through?

    cli.py bench check [--half dev|test|kept] [--wrong] [--file benchmarks/ask/planted.jsonl]

Each row is a sentence with the records of its turn (benchmarks/ask/PLANTED.md). A bad one is caught when it is not
marked as supported, a good one passes when it is. `--wrong` lists those that went wrong. Two tables in Markdown are
printed: by class, for facts and results and for chunks; and what a sentence takes.
"""

import argparse
import json
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from services.core import clock, time_rule
from services.core.answer_records import Evidence, Mark, Sentence
from services.core.models import Chunk, Document, Fact, Instants
from services.language.answer_sentences import split
from services.verification.check import check

PLANTED = Path(__file__).parent / "ask" / "planted.jsonl"
_INSTANTS = ("valid_at", "invalid_at", "created_at", "expired_at", "withdrawn_at", "believed_invalid_at")
REPEAT = 5


@dataclass(frozen=True)
class CheckResult:
    """A planted sentence, what became of it, and how many milliseconds that took."""

    row: Mapping[str, Any]
    mark: Mark | None
    reason: str
    ms: float

    @property
    def is_right(self) -> bool:
        """True for a bad one that was caught and a good one that passed."""
        return (self.mark == "supported") != bool(self.row["bad"])

    @property
    def kind(self) -> str:
        """What it cites: facts and results are counted together."""
        return "chunk" if self.row["on"] == "chunk" else "fact"


def main() -> None:
    chosen = _arguments()
    outcomes = [outcome(row) for row in rows(chosen.file) if chosen.half in ("", row["half"])]
    for half in sorted({one.row["half"] for one in outcomes}):
        print(f"\n## {half}\n")
        print_table([one for one in outcomes if one.row["half"] == half])
    ms = sorted(one.ms for one in outcomes)
    print(f"\nper sentence: p50 {statistics.median(ms):.2f} ms, p95 {ms[int(0.95 * (len(ms) - 1))]:.2f} ms")
    for one in outcomes if chosen.wrong else ():
        if not one.is_right:
            print(f"{one.row['id']} {one.row['class']} {one.kind}: {one.row['sentence']} -> {one.mark} {one.reason}")


def rows(path: Path) -> Iterator[Mapping[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def outcome(row: Mapping[str, Any], repeat: int = REPEAT) -> CheckResult:
    """Check one planted sentence; the time is the best of a few."""
    at = Instants(clock.parse_instant(row["as_of"]), clock.parse_instant(row["known_at"]))
    evidence = [evidence_of(found, at) for found in row["evidence"]]
    taken = []
    marked: tuple[Sentence, ...] = ()
    for _ in range(repeat):
        started = time.perf_counter()
        marked = check(split(row["sentence"]), evidence, at)
        taken.append((time.perf_counter() - started) * 1000)
    worst = next((one for one in marked if one.mark != "supported"), marked[0])
    return CheckResult(row, worst.mark, worst.reason, min(taken))


def evidence_of(found: Mapping[str, Any], at: Instants) -> Evidence:
    """A planted record as a tool would have returned it at these instants."""
    if found["kind"] == "fact":
        return Evidence(found["n"], "fact", found["id"], (at,), found["text"], fact=_fact(found, at))
    if found["kind"] == "chunk":
        chunk = Chunk(found["id"], "document", "", 0, found["text"], 1, 1 + found["text"].count("\n"))
        titled = Document("document", found.get("title", ""), "", "")
        return Evidence(found["n"], "chunk", found["id"], (at,), found["text"], chunk=chunk, document=titled)
    return Evidence(
        found["n"], "result", found["id"], (at,), found["text"], rows=tuple(found["rows"]), total=found["total"]
    )


def _fact(found: Mapping[str, Any], at: Instants) -> Fact:
    fact = found["fact"]
    valid, invalid, created, expired, withdrawn, believed = (
        clock.parse_instant(fact[name]) if fact.get(name) else None for name in _INSTANTS
    )
    text = fact.get("fact") or found["text"]
    fact = Fact(
        found["id"],
        fact["source"],
        fact["target"],
        fact["source"],
        fact["relation"],
        fact["target"],
        text,
        valid,
        invalid,
        created,
        expired,
        withdrawn,
        believed,
        attributes=fact.get("attributes") or {},
    )
    return time_rule.as_known(fact, at.known_at)


def print_table(outcomes: list[CheckResult]) -> None:
    """Right of all, by class and by what is cited, the bad before the good."""
    by: dict[tuple[bool, str], dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for one in outcomes:
        for name in (one.row["class"], "**all**"):
            by[not one.row["bad"], name][one.kind].append(one.is_right)
    print("| | facts | chunks |\n|---|---|---|")
    for (good, name), found in sorted(
        by.items(), key=lambda item: (item[0][0], item[0][1].startswith("*"), item[0][1])
    ):
        label = name.replace("all", "good passed" if good else "bad caught")
        print(f"| {label} | {_share(found['fact'])} | {_share(found['chunk'])} |")


def _share(right: list[bool]) -> str:
    return f"{sum(right)}/{len(right)} ({100 * sum(right) / len(right):.0f}%)" if right else "-"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="cli.py bench check", description="the check of answers on planted sentences")
    parser.add_argument("--half", choices=("dev", "test", "kept"), default="", help="one half only")
    parser.add_argument("--wrong", action="store_true", help="list what went wrong")
    parser.add_argument("--file", type=Path, default=PLANTED, help="other planted sentences of the same format")
    return parser.parse_args()


if __name__ == "__main__":
    main()
