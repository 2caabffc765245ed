"""`bench`: run a benchmark from benchmarks/."""

import argparse
import subprocess
import sys
from pathlib import Path

from services.commands.command import Command, Terminal

_ROOT = Path(__file__).resolve().parents[2]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the names of the benchmarks; whatever follows one is for the benchmark."""
    names = sorted(path.stem.replace("_", "-") for path in (_ROOT / "benchmarks").glob("[a-z]*.py"))
    parser.description = "run a benchmark"
    parser.add_argument("name", choices=names, metavar="NAME", help=", ".join(names))
    parser.add_argument("options", nargs=argparse.REMAINDER, help="benchmark options")


def start(terminal: Terminal) -> int:
    """Run the benchmark in a process of its own."""
    module = f"benchmarks.{terminal.options.name.replace('-', '_')}"
    command = [sys.executable, "-m", module, *terminal.options.options]
    return subprocess.run(command, cwd=_ROOT, check=False).returncode


COMMAND = Command("bench", "run a benchmark from benchmarks/", start, add_arguments=add_arguments)
