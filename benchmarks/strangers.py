"""How often does `ask` answer the questions of people who have seen neither its rules nor its tests, without a model?

    cli.py bench strangers [--home FOLDER] [--answers FILE.jsonl] [--questions FILE.jsonl]

The questions of benchmarks/ask/strangers (its README explains the keys) are asked of the demo and of two tables;
`--questions` asks others, of these or of more tables, such as benchmarks/ask/dev-strangers.jsonl, for tuning. An
answer is right when it has everything that its key asks for and nothing that the key forbids; what a key forbids may
stand in it as context, so the answers that have both are counted apart, to be judged by a reader. A question without
an answer is right when it is declined; an answer that says nothing forbidden may qualify, and is counted apart too.
"""

import argparse
import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.ask import load
from services.agent.app import App
from services.bootstrap import build_services
from services.commands.arguments import Run
from services.commands.ask import NO_MODEL, AskBatchArguments, ask_batch
from services.core.config import Settings
from services.jobs.demo import WORKSPACE as DEMO

_FOLDER = Path(__file__).resolve().parent / "ask" / "strangers"
_NEGATIVE = re.compile(r"\b(?:no|not|never|none|nobody|no one|nothing)\b", re.IGNORECASE)
_VERDICTS = ("right", "right, with context", "declined", "qualified", "wrong")


@dataclass(frozen=True)
class JudgedAnswer:
    """A question of a stranger with its answer."""

    question: Mapping[str, Any]
    answer: Mapping[str, Any]

    @property
    def verdict(self) -> str:
        """One of `_VERDICTS`; `declined` is the right one for a question that has no answer."""
        key = self.question["key"]
        forbidden = any(self._says(each) for each in key["must_not"])
        if self.answer.get("declined") or "error" in self.answer:
            return "declined"
        if key.get("decline"):
            return "wrong" if forbidden else "qualified"
        if not all(self._says(each) for each in key["must"]):
            return "wrong"
        return "right, with context" if forbidden else "right"

    @property
    def ticked(self) -> bool:
        """True when a sentence of the answer is marked as supported."""
        return any(sentence["mark"] == "supported" for sentence in self.answer.get("sentences", ()))

    def _says(self, wanted: str) -> bool:
        return any(self._has(each) for each in wanted.split("|"))

    def _has(self, wanted: str) -> bool:
        text = self._text(wanted)
        if wanted.lower() in ("yes", "no"):
            return bool(_NEGATIVE.search(text)) == (wanted.lower() == "no")
        return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", text, re.IGNORECASE) is not None

    def _text(self, wanted: str) -> str:
        """The answer without its citations and without the longer names that the wanted one is a part of."""
        text = re.sub(r"\s*\[\d+\]", "", str(self.answer.get("answer", "")))
        key = self.question["key"]
        for other in (*key.get("must", ()), *key["must_not"], *key.get("may", ())):
            if len(other) > len(wanted) and wanted.lower() in other.lower() and "|" not in other:
                text = re.sub(re.escape(other), "", text, flags=re.IGNORECASE)
        return text


def main() -> None:
    arguments = _options().parse_args()
    with tempfile.TemporaryDirectory(prefix="asof-bench-") as folder:
        services = build_services(Settings(home=arguments.home or Path(folder), _env_file=None))
        try:
            judged = _asked(services, arguments.questions)
        finally:
            services.close()
    _print(judged)
    if arguments.answers:
        lines = [{**one.question, "verdict": one.verdict, "ticked": one.ticked, "said": one.answer} for one in judged]
        arguments.answers.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))


def _options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(prog="bench strangers", description="how often strangers are answered rightly")
    options.add_argument("--home", type=Path, help="a data folder to keep; default: one that is thrown away")
    options.add_argument("--answers", type=Path, metavar="FILE.jsonl", help="write every answer with its verdict here")
    held = _FOLDER / "questions.jsonl"
    options.add_argument("--questions", type=Path, default=held, metavar="FILE.jsonl", help="ask these instead")
    return options


def _asked(services: App, file: Path) -> list[JudgedAnswer]:
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    graphs = dict.fromkeys(row["graph"] for row in rows)
    return [one for graph in graphs for one in _asked_of(services, graph, file.parent, rows)]


def _asked_of(services: App, graph: str, folder: Path, rows: Sequence[Mapping[str, Any]]) -> list[JudgedAnswer]:
    questions = [row for row in rows if row["graph"] == graph]
    lines = tuple(json.dumps({"id": row["id"], "question": row["question"]}).encode() for row in questions)
    workspace = load(services, DEMO if graph == "demo" else _table(graph, folder))
    answers = ask_batch(
        services, AskBatchArguments(workspace=workspace, lines=lines, model=NO_MODEL), Run(lambda *_: None)
    )
    pairs = zip(questions, answers["answers"], strict=True)
    return [JudgedAnswer(question, answer) for question, answer in pairs]


def _table(graph: str, folder: Path) -> Path:
    """The facts that questions of a folder are about: its own table, or one of another set."""
    name = f"{graph}.csv"
    return next(path for path in (folder / name, *sorted(_FOLDER.parent.rglob(name))) if path.exists())


def _print(judged: Sequence[JudgedAnswer]) -> None:
    print(f"| questions | asked | {' | '.join(_VERDICTS)} | wrong and ticked |")
    print(f"|---|---:|{'---:|' * len(_VERDICTS)}---:|")
    for kind in dict.fromkeys(one.question["kind"] for one in judged):
        _print_row(kind, [one for one in judged if one.question["kind"] == kind])
    for graph in dict.fromkeys(one.question["graph"] for one in judged):
        _print_row(graph, [one for one in judged if one.question["graph"] == graph])
    _print_row("answerable", [one for one in judged if not one.question["key"].get("decline")])
    _print_row("all", judged)


def _print_row(name: str, judged: Sequence[JudgedAnswer]) -> None:
    counts = [sum(one.verdict == verdict for one in judged) for verdict in _VERDICTS]
    ticked = sum(one.verdict == "wrong" and one.ticked for one in judged)
    print(f"| {name} | {len(judged)} | {' | '.join(map(str, counts))} | {ticked} |")


if __name__ == "__main__":
    main()
