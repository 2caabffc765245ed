"""What a command of the terminal is, and how its result is printed."""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from services.core.json_documents import Json, json_text

if TYPE_CHECKING:
    from services.commands.arguments import Option, Request

DONE, FAILED = 0, 1
"""The statuses that a command ends with."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the terminal.

    `start` sends one of its `requests`, prints what comes back, and returns the exit status. The parser takes the
    options of their arguments, after `local` ones, which stay on the terminal; `add_arguments` stands for both where a
    command takes its arguments otherwise.
    """

    name: str
    summary: str
    start: Callable[["Terminal"], int]
    requests: Mapping[str, "Request"] = MappingProxyType({})
    local: Mapping[str, "Option"] = MappingProxyType({})
    add_arguments: Callable[[argparse.ArgumentParser], None] | None = None

    def add_to(self, commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
        """Add the command to those that can be typed."""
        parser = commands.add_parser(self.name, help=self.summary, description=self.summary)
        parser.set_defaults(command=self, parser=parser)
        (self.add_arguments or self._add_options)(parser)

    def _add_options(self, parser: argparse.ArgumentParser) -> None:
        shared = {name: option for request in self.requests.values() for name, option in request.options().items()}
        shared.pop("workspace").add_to(parser, "workspace")
        add_json(parser)
        for name, option in self.local.items():
            option.add_to(parser, name)
        alternatives = {name: option for name, option in shared.items() if option.alternative}
        by_flag = alternatives and all(option.flag is not None for option in alternatives.values())
        group = parser.add_mutually_exclusive_group(required=True) if by_flag else parser
        for name, option in {**alternatives, **shared}.items():
            option.add_to(group if option.alternative else parser, name)


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add the flag by which a result is printed for programs."""
    parser.add_argument("--json", action="store_true", help="write one JSON document to standard output")


def action_parsers(
    parser: argparse.ArgumentParser, summaries: Mapping[str, str]
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Add the actions of a command, each with what it does in a few words, and give their names and parsers."""
    actions = parser.add_subparsers(required=True, metavar="ACTION", dest="action")
    for action, summary in summaries.items():
        added = actions.add_parser(action, help=summary, description=summary)
        add_json(added)
        yield action, added


@dataclass(frozen=True, slots=True)
class Terminal:
    """A command as it was typed. `send` has the app run a request, or services of this process."""

    command: Command
    options: argparse.Namespace
    send: Callable[[str, Mapping[str, Any]], Json]

    def ask(self, request: str, **given: Any) -> Json:
        """Send a request, whose arguments are the options of their names but for those that are given."""
        fields = self.command.requests[request].arguments.model_fields
        return self.send(request, {name: value for name, value in vars(self.options).items() if name in fields} | given)

    def show(self, document: Json, text: Callable[[Json], str], *, failed: object = False) -> int:
        """Print a result, for programs or for people. Returns the exit status."""
        print(json_text(document) if self.options.json else text(document))
        return FAILED if failed else DONE

    def refuse(self, problem: str) -> None:
        """Print how the command is used and what is wrong, and end with the status of wrong use."""
        self.options.parser.error(problem)


def say(message: str) -> None:
    """Print a message for the reader, apart from the result; nothing where there is none."""
    if message:
        print(message, file=sys.stderr)
