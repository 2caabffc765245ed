"""Asof from a terminal.

Every command prints for people, or one JSON document with --json; messages go to stderr. The exit status is 0 when it
was done, 1 when it failed, 2 when it was used wrongly. Where the app runs on the same data folder, it does the work.
"""

import argparse
import io
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

from services.commands.ask import add_ask
from services.commands.files import files_of, lines_of, read, replaced
from services.commands.ingest import add_ingest
from services.commands.parser import instant, name, whole_number
from services.commands.search import add_search
from services.commands.text import (
    answer_text,
    bad_rows,
    diff_text,
    facts_text,
    found_text,
    history_text,
    imported_text,
    indexed_text,
    ingested_text,
    short,
)
from services.commands.users import add_user, asked_of_users, users_text
from services.core.errors import AsofError

ROOT = Path(__file__).resolve().parent
DONE, FAILED, WRONG_USE, STOPPED = 0, 1, 2, 130

REJECTS = {".csv", ".tsv", ".json", ".jsonl"}

Document = dict[str, Any]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    chosen = parser().parse_args(argv)
    try:
        status: int = chosen.run(chosen)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads (`| head`) has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except AsofError as error:
        say(f"{error}")
        return FAILED
    except KeyboardInterrupt:
        say("Stopped.")
        return STOPPED
    return status


# -- what can be asked


def parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    top = argparse.ArgumentParser(prog="cli.py", description=__doc__.partition("\n")[0])
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--workspace", type=name, default="default", metavar="NAME", help="default: the database's own group"
    )
    common.add_argument("--json", action="store_true", help="one JSON document on stdout")

    def command(name: str, run: Callable[[argparse.Namespace], int], what: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, parents=[common], help=what, description=what)
        added.set_defaults(run=run, usage_error=added.error)
        return added

    demo = command("demo", run_demo, "load the demo workspace (peps)")
    demo.add_argument("--reset", action="store_true", help="empty the workspace first")

    imported = command("import", run_import, "import facts from CSV, TSV, JSON, JSONL or Parquet")
    imported.add_argument("file", type=Path)
    imported.add_argument("--dry-run", action="store_true", help="tell what would happen, and write nothing")
    imported.add_argument("--rejects", type=Path, metavar="FILE", help="import the good rows, put the bad ones here")
    imported.add_argument("--inclusive-ends", action="store_true", help="an end date means: through that day")

    facts = command("facts", run_facts, "what holds with an entity, as of one instant and as known at another")
    asked = facts.add_mutually_exclusive_group(required=True)
    asked.add_argument("--entity", type=name, metavar="NAME")
    asked.add_argument("--batch", metavar="FILE.jsonl", help="questions as JSON lines; - is stdin")
    facts.add_argument("--relation", metavar="NAME")
    facts.add_argument("--as-of", type=instant, metavar="T", help="the world's clock; default: now")
    facts.add_argument("--known-at", type=instant, metavar="K", help="the graph's clock; default: now")

    history = command("history", run_history, "an entity's facts over time")
    history.add_argument("--entity", required=True, type=name, metavar="NAME")
    history.add_argument("--relation", metavar="NAME")
    history.add_argument("--known-at", type=instant, metavar="K", help="as known then; default: every record")

    diff = command("diff", run_diff, "what was added, ended, corrected and re-dated, each with its cause")
    diff.add_argument("--from", dest="from_", required=True, type=instant, metavar="T1")
    diff.add_argument("--from-known", type=instant, metavar="K1", help="default: now")
    diff.add_argument("--to", type=instant, metavar="T2", help="default: now")
    diff.add_argument("--to-known", type=instant, metavar="K2", help="default: now")
    diff.add_argument("--entity", type=name, metavar="NAME")
    diff.add_argument("--limit", type=whole_number, metavar="N", help="list so many changes; the totals count all")

    add_ingest(command, run_ingest)
    add_search(command, run_search, run_index)
    add_ask(command, run_ask)
    add_user(commands, run_user)

    bench = commands.add_parser("bench", help="run a benchmark of benchmarks/", description="run a benchmark")
    bench.add_argument("name", choices=benchmarks(), metavar="NAME", help=", ".join(benchmarks()))
    bench.add_argument("options", nargs=argparse.REMAINDER, help="options of the benchmark")
    bench.set_defaults(run=run_bench)
    return top


def benchmarks() -> list[str]:
    """The benchmarks by name."""
    return sorted(path.stem for path in (ROOT / "benchmarks").glob("[a-z]*.py"))


# -- the commands


def run_demo(chosen: argparse.Namespace) -> int:
    """Load the demo."""
    from services.jobs.demo import WORKSPACE

    if chosen.workspace not in {"default", WORKSPACE}:
        chosen.usage_error(f"the demo has a workspace of its own, {WORKSPACE}")
    show(chosen, ask("demo", {"reset": chosen.reset}), imported_text)
    return DONE


def run_import(chosen: argparse.Namespace) -> int:
    """Import a file. Bad rows fail the whole, unless there is a file to put them in."""
    aside = None if chosen.dry_run else chosen.rejects
    if chosen.rejects and chosen.rejects.suffix.lower() not in REJECTS:
        chosen.usage_error(f"bad rows are written as {', '.join(sorted(REJECTS))}")
    if chosen.rejects and chosen.rejects.resolve() == chosen.file.resolve():
        chosen.usage_error("bad rows cannot take the place of the file that they come from")
    given = {
        "workspace": chosen.workspace,
        "name": chosen.file.name,
        "content": read(chosen.file),
        "inclusive_ends": chosen.inclusive_ends,
        "dry_run": chosen.dry_run,
        "rejects": None if chosen.rejects is None else chosen.rejects.name,
    }
    with nullcontext() if aside is None else replaced(aside) as fill:
        document = ask("import", given)
        rejects = document.pop("rejects")
        if fill is not None:
            fill(rejects)
    if aside is not None and document["problems"]:
        say(f"{bad_rows(document)} left out; they are in {aside}.")
    show(chosen, document, imported_text)
    return FAILED if document["problems"] and chosen.rejects is None else DONE


def run_facts(chosen: argparse.Namespace) -> int:
    """Answer one question, or a file of them."""
    if chosen.batch is None:
        asked = ("workspace", "entity", "relation", "as_of", "known_at")
        return show_with_note(chosen, ask("facts", {name: getattr(chosen, name) for name in asked}), facts_text)
    if chosen.relation or chosen.as_of or chosen.known_at:
        chosen.usage_error("with --batch, relation and instants stand in the file's lines")
    return answer_lines("facts-batch", {"workspace": chosen.workspace, "lines": lines_of(chosen.batch)})


def answer_lines(command: str, given: Mapping[str, Any]) -> int:
    """Print an answer for each line, and say how many have none."""
    from services.core.json_documents import json_text

    document = ask(command, given)
    for answer in document["answers"]:
        print(json_text(answer))
    if document["failed"]:
        say(f"{document['failed']} of {len(document['answers'])} lines could not be answered.")
    return FAILED if document["failed"] else DONE


def run_history(chosen: argparse.Namespace) -> int:
    """An entity's records."""
    asked = ("workspace", "entity", "relation", "known_at")
    return show_with_note(chosen, ask("history", {name: getattr(chosen, name) for name in asked}), history_text)


def run_diff(chosen: argparse.Namespace) -> int:
    """The difference between two pairs of instants."""
    asked = ("workspace", "from_", "from_known", "to", "to_known", "entity", "limit")
    document = ask("diff", {name: getattr(chosen, name) for name in asked})
    if document["mirror_of"]:
        say(f"The graph does not answer. This is its mirror, last in step at {short(document['mirror_of'])}.")
    show(chosen, document, diff_text)
    return DONE


def run_ingest(chosen: argparse.Namespace) -> int:
    """Take in files and folders, a text, web pages, or lines of JSON; with --extract the facts in them."""
    if chosen.extract != "rules" and chosen.extract and Path(chosen.extract).exists():
        chosen.usage_error(f"--extract is followed by a model or by nothing: write ingest {chosen.extract} --extract")
    if not chosen.path and not any((chosen.text, chosen.url, chosen.documents)):
        chosen.usage_error("name a file or a folder, or give --text, --url or --documents")
    given: dict[str, Any] = {name: getattr(chosen, name) for name in ("workspace", "url", "mode", "max_pages")}
    given |= {"extract": chosen.extract, "files": [], "documents": [], "lines": []}
    for path in chosen.path:
        given["files"] += files_of(path)
    if chosen.text is not None:
        given["documents"].append({"text": chosen.text, "title": chosen.title})
    if chosen.documents is not None:
        given["lines"] = lines_of(chosen.documents)
    document = ask("ingest", given)
    show(chosen, document, ingested_text)
    return FAILED if document["problems"] else DONE


def run_search(chosen: argparse.Namespace) -> int:
    """Answer one query, or a file of them."""
    if (chosen.query is None) == (chosen.batch is None):
        chosen.usage_error("give either a query, or --batch with a file of them")
    if chosen.query is not None and not chosen.query.strip():
        chosen.usage_error("the query is empty")
    asked = {name: getattr(chosen, name) for name in ("workspace", "kind", "k", "mode", "as_of", "known_at")}
    if chosen.batch is None:
        document = ask("search", {**asked, "query": chosen.query})
        if document["mirror_of"]:
            say(f"The graph does not answer. This is its mirror, last in step at {short(document['mirror_of'])}.")
        show(chosen, document, found_text)
        return DONE
    return answer_lines("search-batch", {**asked, "lines": lines_of(chosen.batch)})


def run_ask(chosen: argparse.Namespace) -> int:
    """Answer one question, or a file of them."""
    if (chosen.question is None) == (chosen.batch is None):
        chosen.usage_error("give either a question, or --batch with a file of them")
    if chosen.question is not None and not chosen.question.strip():
        chosen.usage_error("the question is empty")
    given = {"workspace": chosen.workspace, "model": chosen.model}
    if chosen.batch is not None:
        if chosen.as_of or chosen.known_at:
            chosen.usage_error("with --batch, instants stand in the file's lines")
        return answer_lines("ask-batch", {**given, "lines": lines_of(chosen.batch)})
    clocks = {"as_of": chosen.as_of, "known_at": chosen.known_at}
    document = ask("ask", {**given, **clocks, "question": chosen.question})
    show(chosen, document, answer_text)
    return FAILED if document.get("problem") else DONE


def run_index(chosen: argparse.Namespace) -> int:
    """Make a workspace's index whole."""
    show(chosen, ask("index", {"workspace": chosen.workspace, "anew": chosen.anew}), indexed_text)
    return DONE


def run_user(chosen: argparse.Namespace) -> int:
    """Add a user, change one, or list them."""
    show(chosen, ask("user", asked_of_users(chosen)), users_text)
    return DONE


def run_bench(chosen: argparse.Namespace) -> int:
    """A benchmark, in a process of its own."""
    command = [sys.executable, "-m", f"benchmarks.{chosen.name}", *chosen.options]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def ask(name: str, given: Mapping[str, Any]) -> Document:
    """Have a command run by the app where it runs, else by services of our own."""
    from services.commands.base import Run
    from services.commands.registry import COMMANDS
    from services.core.announcement import running_app
    from services.core.client import AppGone
    from services.core.client import ask as ask_app
    from services.core.config import settings

    run = Run(progress_bar(name)) if sys.stderr.isatty() else Run()
    command = COMMANDS[name]
    arguments = command.read(given)
    if app := running_app(settings().folder):
        with suppress(AppGone):  # what is left of an app that did not say goodbye
            return ask_app(app, name, arguments.body(), run.progress)
    from services.bootstrap import build_services
    from services.writing.change_sets import recover

    services = build_services(settings())
    try:
        try:
            recover(services)
        except AsofError as error:  # whoever only reads needs no accounts; a write says so itself
            say(f"Nobody could look for an import that a crash left unfinished: {error}")
        return command.function(services, arguments, run)
    finally:
        services.close()


# -- in and out


def say(message: str) -> None:
    """A message for the reader, apart from the result."""
    print(message, file=sys.stderr)


def progress_bar(title: str) -> Callable[[int, int], None]:
    """Draws on stderr how far the work is."""

    def draw(done: int, total: int) -> None:
        share = done / total if total else 1.0
        bar = "█" * round(30 * share)
        print(f"\r{title} {bar:░<30} {done:,} of {total:,}", end="\n" if done >= total else "", file=sys.stderr)

    return draw


def show_with_note(chosen: argparse.Namespace, document: Document, text: Callable[[Document], str]) -> int:
    """Print a result, and what the reader should know of it apart; returns the exit status."""
    if note := document.pop("note"):
        say(note)
    show(chosen, document, text)
    return DONE


def show(chosen: argparse.Namespace, document: Document, text: Callable[[Document], str]) -> None:
    """Print a result, for programs or for people."""
    from services.core.json_documents import json_text

    print(json_text(document) if chosen.json else text(document))


if __name__ == "__main__":
    sys.exit(main())
