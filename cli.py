"""Asof from a terminal.

Every command prints for people, or one JSON document with --json; messages go to stderr. The exit status is 0 when it
was done, 1 when it failed, 2 when it was used wrongly. Where the app runs on the same data folder, it does the work.
"""

import argparse
import io
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from services.commands.command import DONE, FAILED, Terminal, say
from services.commands.registry import COMMANDS, RECOVER, command
from services.core.errors import AsofError
from services.core.json_documents import Json

if TYPE_CHECKING:
    from services.agent.app import App
    from services.commands.arguments import Request

WRONG_USE, STOPPED = 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    words = sys.argv[1:] if argv is None else argv
    options = parser([word for word in words[:1] if word in COMMANDS] or COMMANDS).parse_args(words)
    own = OwnServices()
    try:
        status = options.command.start(Terminal(options.command, options, partial(ask, options.command.requests, own)))
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
    finally:
        own.close()
    return int(status)


def parser(names: Iterable[str]) -> argparse.ArgumentParser:
    """Return the parser of these commands and their options."""
    top = argparse.ArgumentParser(prog="cli.py", description=__doc__.partition("\n")[0])
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    for name in names:
        command(name).add_to(commands)
    return top


class OwnServices:
    """Services of this process, opened at the first request that no app answers, and closed with the command."""

    def __init__(self) -> None:
        self._opened: App | None = None

    def open(self, name: str) -> "App":
        """Return them. What a crash left is taken back first, and what is missing is said, but to `recover`."""
        if self._opened is None:
            from services.bootstrap import build_services
            from services.core.config import settings
            from services.writing.damage_check import notices
            from services.writing.unfinished_writes import recover

            self._opened = build_services(settings())
            try:
                recover(self._opened)
            except AsofError as error:  # whoever only reads needs no accounts; a write says so itself
                say(f"Asof could not check for unfinished writes or missing records: {error}")
            for notice in notices(self._opened) if name != RECOVER else ():
                say(notice)
        return self._opened

    def close(self) -> None:
        """Let go of the databases, for an app that was started meanwhile too."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None


def ask(requests: "Mapping[str, Request]", own: OwnServices, name: str, given: Mapping[str, Any]) -> Json:
    """Have one of a command's requests answered by the app where it runs, else by services of our own."""
    from services.commands.arguments import Run
    from services.core.announcement import running_app
    from services.core.client import AppGone
    from services.core.client import ask as ask_app
    from services.core.config import settings

    run = Run(progress_bar(name)) if sys.stderr.isatty() else Run()
    request = requests[name]
    arguments = request.read(given)
    if app := running_app(settings().folder):
        with suppress(AppGone):  # what is left of an app that did not say goodbye
            own.close()
            return ask_app(app, name, arguments.body(), run.progress, say)
    return request.run(own.open(name), arguments, run)


def progress_bar(title: str) -> Callable[[int, int], None]:
    """Return what draws on stderr how far the work is."""

    def draw(done: int, total: int) -> None:
        share = done / total if total else 1.0
        bar = "█" * round(30 * share)
        print(f"\r{title} {bar:░<30} {done:,} of {total:,}", end="\n" if done >= total else "", file=sys.stderr)

    return draw


if __name__ == "__main__":
    from services.core.data_folder import use_private_files

    use_private_files()
    sys.exit(main())
