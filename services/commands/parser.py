"""What the terminal takes: values that are checked, and the commands with many options."""

import argparse
from collections.abc import Callable
from pathlib import Path

from services.core import clock
from services.core.errors import BadInput, FetchRefused
from services.web.urls import read_url

MOST_HITS, MOST_PAGES = 200, 500
MODES = ("single", "sitemap", "recursive")

Run = Callable[[argparse.Namespace], int]
Command = Callable[[str, Run, str], argparse.ArgumentParser]
"""Adds a command by its name, what runs it, and what it does."""


def add_ingest(command: Command, run: Run) -> None:
    """The command that takes in files, texts and pages."""
    ingest = command("ingest", run, "take in files, texts and web pages, and the facts in them")
    ingest.add_argument("path", nargs="*", type=Path, help="files, or folders of them")
    ingest.add_argument("--text", type=name, metavar="TEXT", help="a text itself")
    ingest.add_argument("--title", metavar="TITLE", default="", help="the title of --text")
    ingest.add_argument("--url", type=address, metavar="URL", help="a page, or where a site begins")
    ingest.add_argument("--mode", choices=MODES, default="single", help="what of --url; default: this page alone")
    ingest.add_argument("--max-pages", type=page_count, default=20, metavar="N", help="of --url; default: 20")
    ingest.add_argument("--documents", metavar="FILE.jsonl", help="documents as JSON lines; - is stdin")
    ingest.add_argument(
        "--extract",
        nargs="?",
        const="rules",
        default="",
        metavar="MODEL",
        help="write the facts that are sure: by rules, or by one of ASOF_MODEL",
    )


def add_search(command: Command, run: Run, run_index: Run) -> None:
    """The commands that find things, and see to what finds them."""
    search = command("search", run, "find facts, chunks and entities")
    search.add_argument("query", nargs="?", metavar="QUERY", help="words, or a question")
    search.add_argument("--batch", metavar="FILE.jsonl", help="queries as JSON lines; - is stdin")
    search.add_argument("--kind", choices=("facts", "chunks", "entities", "all"), default="all")
    search.add_argument("--k", type=hit_count, default=8, metavar="N", help="so many hits; default: 8")
    search.add_argument("--mode", choices=("hybrid", "vector", "keyword"), default="hybrid")
    search.add_argument("--as-of", type=instant, metavar="T", help="only facts that hold then; default: all, labelled")
    search.add_argument("--known-at", type=instant, metavar="K", help="the graph's clock; default: now")

    index = command("index", run_index, "give everything a vector, and group what means the same")
    index.add_argument("--anew", action="store_true", help="forget the vectors first: after a change of model")


def add_ask(command: Command, run: Run) -> None:
    """The command that answers questions."""
    asking = command("ask", run, "answer a question with its sources, and show what was looked up")
    asking.add_argument("question", nargs="?", metavar="QUESTION")
    asking.add_argument("--batch", metavar="FILE.jsonl", help="questions as JSON lines; - is stdin")
    asking.add_argument("--as-of", type=instant, metavar="T", help="the world's clock; a date in the question beats it")
    asking.add_argument("--known-at", type=instant, metavar="K", help="the graph's clock; default: now")
    asking.add_argument("--model", default="", metavar="NAME", help="one of ASOF_MODEL, or none; default: the first")


def instant(text: str) -> str:
    """An instant in any spelling that can be read."""
    try:
        clock.parse_instant(text)
    except BadInput as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return text


def address(text: str) -> str:
    """The address of a page."""
    try:
        read_url(text)
    except FetchRefused as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return text


def name(text: str) -> str:
    """What something is called."""
    if not text.strip():
        raise argparse.ArgumentTypeError("A name cannot be empty.")
    return text


def whole_number(text: str) -> int:
    """A count."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"“{text}” is no whole number.")
    return int(text)


def hit_count(text: str) -> int:
    """How many hits are wanted."""
    if not 1 <= whole_number(text) <= MOST_HITS:
        raise argparse.ArgumentTypeError(f"Ask for 1 to {MOST_HITS} hits.")
    return int(text)


def page_count(text: str) -> int:
    """How many pages may be fetched."""
    if not 1 <= whole_number(text) <= MOST_PAGES:
        raise argparse.ArgumentTypeError(f"Ask for 1 to {MOST_PAGES} pages.")
    return int(text)
