"""Where the facts do not answer, does the answer stand in a passage that `ask` quotes, without a model?

    cli.py bench quotes --data FOLDER [--home FOLDER] [--questions FILE.jsonl] [--wrong]

FOLDER holds `2wiki101`, whose 6,119 passages are taken in beside the demo. A line of the questions has the `corpus`
that it is on, a `question`, the `document` that answers it and a `quote` that holds the answer; a line without a
document asks for what no document names. A question is answered where the quote stands in a passage of the answer,
whatever white space is between its words; one on nothing, where none is quoted. Every answer has to be declined, for
the facts do not tell. Times are those of whole answers in a warm process. One table in Markdown is printed; `--wrong`
lists questions that were not answered, and is for sets that their reader may read.
"""

import argparse
import json
import statistics
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Any

from services.agent.app import App
from services.bootstrap import build_services
from services.commands.arguments import Run
from services.commands.ask import NO_MODEL, AskBatchArguments, ask_batch
from services.core.config import Settings
from services.documents.versions import NewDocument
from services.jobs.demo import WORKSPACE as DEMO
from services.jobs.demo import load_demo
from services.writing.documents import ingest_documents

QUESTIONS = Path(__file__).parent / "ask" / "documents-dev.jsonl"
WIKI = "wiki"
WORKSPACES = {"demo": DEMO, "2wiki101": WIKI}
_WARMING = 3


@dataclass(frozen=True)
class QuotedAnswer:
    """A question, its answer, and how many milliseconds it took."""

    row: Mapping[str, Any]
    answer: Mapping[str, Any]
    ms: float

    @property
    def quotes(self) -> list[str]:
        """What it quotes, best first."""
        return [_plain(one["text"]) for one in self.answer.get("sentences", ()) if one["mark"] == "quoted"]

    @property
    def place(self) -> int | None:
        """The place of the quote that holds the answer; None where none does."""
        key = _plain(self.row["quote"])
        return next((place for place, quote in enumerate(self.quotes) if key in quote), None)


def _plain(text: str) -> str:
    return " ".join(text.replace("\u2060", "").split())


def main() -> None:
    options = argparse.ArgumentParser(prog="bench quotes", description="how often quoted passages hold the answer")
    options.add_argument("--data", type=Path, required=True, help="the folder of the public sets")
    options.add_argument("--home", type=Path, help="a data folder to keep; default: one that is thrown away")
    options.add_argument("--questions", type=Path, default=QUESTIONS, metavar="FILE.jsonl", help="ask these instead")
    options.add_argument("--wrong", action="store_true", help="list questions that were not answered")
    chosen = options.parse_args()
    rows = [json.loads(line) for line in chosen.questions.read_text(encoding="utf-8").splitlines()]
    with tempfile.TemporaryDirectory(prefix="asof-bench-") as folder:
        services = build_services(Settings(home=chosen.home or Path(folder), _env_file=None))
        try:
            _load(services, chosen.data)
            print(
                "| corpus | questions | answered | in the first | on nothing: no quote | declined | p50 ms | p95 ms |"
            )
            print("|---|---:|---:|---:|---:|---:|---:|---:|")
            corpora = [corpus for corpus in WORKSPACES if any(row["corpus"] == corpus for row in rows)]
            asked = [one for corpus in corpora for one in _reported(services, corpus, rows)]
            print(f"| both | {_cells(asked)} |")
        finally:
            services.close()
    for one in asked if chosen.wrong else ():
        if (one.place is None) == bool(one.row.get("document")):
            print(f"{one.row['id']} {one.row['question']} → {one.quotes}")


def _load(services: App, data: Path) -> None:
    """Take in both corpora; what is there already costs little."""
    load_demo(services)
    corpus = json.loads((data / "2wiki101/2wiki_corpus.json").read_text(encoding="utf-8"))
    workspace = services.workspace(WIKI)
    if len(workspace.mirror.documents()) < len(corpus):
        given = [NewDocument(str(number), one["text"], title=one["title"]) for number, one in enumerate(corpus)]
        ingest_documents(workspace, given, title="2wiki101")
    for name in WORKSPACES.values():
        services.indexes.prepare(name)


def _reported(services: App, corpus: str, rows: Iterable[Mapping[str, Any]]) -> list[QuotedAnswer]:
    asked = _asked(services, WORKSPACES[corpus], [row for row in rows if row["corpus"] == corpus])
    print(f"| {corpus} | {_cells(asked)} |", flush=True)
    return asked


def _asked(services: App, workspace: str, rows: Sequence[Mapping[str, Any]]) -> list[QuotedAnswer]:
    """Ask every question, one after the other, as `ask --batch` does; a few are asked beforehand to warm up."""
    ended = [0.0]
    lines = tuple(json.dumps({"question": row["question"]}).encode() for row in (*rows[:_WARMING], *rows))
    arguments = AskBatchArguments(workspace=workspace, lines=lines, model=NO_MODEL)
    answers = ask_batch(services, arguments, Run(lambda *_: ended.append(perf_counter())))["answers"]
    times = [(after - before) * 1000 for before, after in pairwise(ended)]
    warm = len(answers) - len(rows)
    return [QuotedAnswer(row, answer, ms) for row, answer, ms in zip(rows, answers[warm:], times[warm:], strict=True)]


def _cells(asked: Sequence[QuotedAnswer]) -> str:
    on_something = [one for one in asked if one.row.get("document")]
    on_nothing = [one for one in asked if not one.row.get("document")]
    shares = (
        _share([one.place is not None for one in on_something]),
        _share([one.place == 0 for one in on_something]),
        _share([not one.quotes for one in on_nothing]),
        _share([bool(one.answer.get("declined")) for one in asked]),
    )
    times = sorted(one.ms for one in asked)
    p95 = times[min(len(times) - 1, int(0.95 * len(times)))]
    return " | ".join([str(len(asked)), *shares, f"{statistics.median(times):.0f}", f"{p95:.0f}"])


def _share(right: Sequence[bool]) -> str:
    return f"{sum(right)} of {len(right)}: {100 * sum(right) / len(right):.0f}%" if right else "-"


if __name__ == "__main__":
    main()
