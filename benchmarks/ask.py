"""How often is `ask` right, without a model, on questions whose answers follow from the facts?

    cli.py bench ask [--home FOLDER] [--failures FILE.jsonl] [--questions FILE.jsonl [--facts FILE.csv]]

Questions are made from the facts of the demo and of a second, quite different graph (benchmarks/ask/companies.csv):
benchmarks/questions fills the phrases of benchmarks/ask/phrases.tsv and works out by the time rule what each answer has
to cite. `--questions` asks others instead, over the demo or over the facts of `--facts`. An answer is right when the
facts that it cites are exactly those, with the number where one is asked for; a question that has no answer, when it is
declined and no fact is cited. Times are those of single answers in a warm process. One table in Markdown is printed.
"""

import argparse
import json
import re
import statistics
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.questions.generator import generated
from benchmarks.questions.rows import QuestionRow, read_rows
from benchmarks.questions.truth import Facts
from services.agent.app import App
from services.bootstrap import build_services
from services.commands.arguments import Run
from services.commands.ask import NO_MODEL, AskBatchArguments, ask_batch
from services.core import clock
from services.core.config import Settings
from services.core.models import Fact
from services.jobs.demo import WORKSPACE as DEMO
from services.jobs.demo import load_demo
from services.tables.tables import read_facts
from services.writing.importer import import_rows

COMPANIES = Path(__file__).resolve().parent / "ask" / "companies.csv"
_WARMING = 5


@dataclass(frozen=True)
class Attempt:
    """A question, its answer, and how many milliseconds it took."""

    row: QuestionRow
    answer: Mapping[str, Any]
    ms: float

    @property
    def cited(self) -> frozenset[str]:
        """The facts that the answer cites."""
        return frozenset(c["id"] for c in self.answer.get("citations", ()) if c["kind"] == "fact")

    @property
    def declined(self) -> bool:
        """True when the answer says that it has none."""
        return bool(self.answer.get("declined"))

    @property
    def right(self) -> bool:
        """True when it is what the facts say."""
        if "error" in self.answer:
            return False
        if self.row.declined:
            return self.declined and not self.cited
        return not self.declined and self.cited == self.row.expected and self._numbered()

    def _numbered(self) -> bool:
        if self.row.number is None:
            return True
        text = re.sub(r"\[\d+\]", "", self.answer["answer"]).replace(",", "")
        return re.search(rf"(?<!\d){self.row.number}(?!\d)", text) is not None

    def document(self) -> dict[str, Any]:
        """The failure for JSON."""
        answer = {
            name: self.answer.get(name) for name in ("answer", "declined", "as_of", "known_at", "as_of_2", "error")
        }
        return {**self.row.document(), "cited": sorted(self.cited), "told": answer}


def main() -> None:
    arguments = _options().parse_args()
    with tempfile.TemporaryDirectory(prefix="asof-bench-") as folder:
        services = build_services(Settings(home=arguments.home or Path(folder), _env_file=None))
        try:
            asked = [one for rows, workspace in _rows(services, arguments) for one in ask(services, workspace, rows)]
        finally:
            services.close()
    _print(asked)
    if arguments.failures:
        failed = [json.dumps(one.document(), ensure_ascii=False) + "\n" for one in asked if not one.right]
        arguments.failures.write_text("".join(failed))


def _options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(prog="bench ask", description="how often answers are right")
    options.add_argument("--home", type=Path, help="a data folder to keep; default: one that is thrown away")
    options.add_argument("--failures", type=Path, metavar="FILE.jsonl", help="write what was not right to this file")
    options.add_argument("--questions", type=Path, metavar="FILE.jsonl", help="ask these instead")
    options.add_argument("--facts", type=Path, metavar="FILE.csv", help="the facts that --questions are about")
    return options


def _rows(services: App, arguments: argparse.Namespace) -> Iterable[tuple[list[QuestionRow], str]]:
    """The questions of each graph, with the workspace to ask them of."""
    now = clock.now()
    if arguments.questions:
        workspace = load(services, arguments.facts or DEMO)
        yield list(read_rows(arguments.questions, workspace, facts_of(services, workspace), now)), workspace
        return
    for source in (DEMO, COMPANIES):
        workspace = load(services, source)
        yield generated(workspace, facts_of(services, workspace), now), workspace


def load(services: App, source: Path | str) -> str:
    """The workspace with the demo, or with the facts of a file."""
    if not isinstance(source, Path):
        load_demo(services)
        return DEMO
    workspace = re.sub(r"\W+", "_", source.stem)
    table = read_facts(source.name, source.read_bytes())
    if table.problems:
        raise SystemExit(f"{source.name} has {len(table.problems)} bad rows")
    import_rows(services.workspace(workspace), table.rows, title=source.name)
    return workspace


def facts_of(services: App, workspace: str) -> Facts:
    """Every fact of the workspace, from the graph itself."""

    async def scan() -> list[Fact]:
        return [fact async for batch in services.graph.scan_facts(workspace) for fact in batch]

    return Facts(services.bridge.run(scan(), timeout=None))


def ask(services: App, workspace: str, rows: Sequence[QuestionRow]) -> list[Attempt]:
    """Ask every question, one after the other, as `ask --batch` does; a few are asked beforehand to warm up."""
    ended = [0.0]
    run = Run(lambda *_: ended.append(time.perf_counter()))
    warming = rows[:_WARMING]
    lines = tuple(row.line() for row in (*warming, *rows))
    answers = ask_batch(services, AskBatchArguments(workspace=workspace, lines=lines, model=NO_MODEL), run)["answers"]
    times = [(after - before) * 1000 for before, after in pairwise(ended)]
    answered = zip(rows, answers[len(warming) :], times[len(warming) :], strict=True)
    return [Attempt(row, answer, ms) for row, answer, ms in answered]


def _print(asked: Sequence[Attempt]) -> None:
    print("| graph | class | asked | right | declined | wrong, not declined | p50 ms | p95 ms |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    graphs = dict.fromkeys(one.row.graph for one in asked)
    for graph in graphs:
        here = [one for one in asked if one.row.graph == graph]
        for kind in dict.fromkeys(one.row.kind.split("/")[0] for one in here):
            of_kind = [one for one in here if one.row.kind.split("/")[0] == kind]
            print(f"| {graph} | {kind} | {' | '.join(_cells(of_kind))} |")
        print(f"| {graph} | all | {' | '.join(_cells(here))} |")
    for graph in graphs:
        print(f"\n{graph}: {_summary([one for one in asked if one.row.graph == graph])}")
    if len(graphs) > 1:
        print(f"\nall: {_summary(asked)}")


def _cells(asked: Sequence[Attempt]) -> list[str]:
    right, declined = (sum(getattr(one, name) for one in asked) for name in ("right", "declined"))
    return [*map(str, (len(asked), right, declined, len(_wrong(asked)))), *(f"{ms:.1f}" for ms in _times(asked))]


def _wrong(asked: Sequence[Attempt]) -> list[Attempt]:
    return [one for one in asked if not one.right and not one.declined]


def _summary(asked: Sequence[Attempt]) -> str:
    answerable = [one for one in asked if not one.row.declined]
    others = [one for one in asked if one.row.declined]
    marks = [s["mark"] for one in asked for s in one.answer.get("sentences", ()) if s["mark"]]
    return (
        f"{_share([one.right for one in answerable])} of the answerable right, "
        f"{_share([one.right for one in others])} of the unanswerable declined, "
        f"{len(_wrong(asked))} of {len(asked)} wrong and not declined, "
        f"{_share([mark == 'supported' for mark in marks])} of the sentences supported."
    )


def _share(hits: Sequence[bool]) -> str:
    return f"{sum(hits)}/{len(hits)} ({100 * sum(hits) / len(hits):.1f}%)" if hits else "none"


def _times(asked: Sequence[Attempt]) -> tuple[float, float]:
    """The median and the 95th percentile, in milliseconds."""
    ordered = sorted(one.ms for one in asked)
    return statistics.median(ordered), ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]


if __name__ == "__main__":
    main()
