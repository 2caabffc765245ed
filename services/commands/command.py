"""What a command of the terminal is: its arguments, what the app runs for it, and how its result is printed."""

import argparse
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.fields import FieldInfo

from services.commands.values import not_blank
from services.core.errors import BadInput
from services.core.json_documents import Json, json_text
from services.core.models import DEFAULT_WORKSPACE
from services.core.progress import Progress, nobody
from services.queries.facts_at import reason

if TYPE_CHECKING:
    from services.agent.app import App
    from services.context import OpenWorkspace, Services

DONE, FAILED = 0, 1
"""The statuses that a command ends with."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a command may use while it works: it reports progress, and `cancel` is set when nobody waits any more."""

    progress: Progress = nobody
    cancel: threading.Event = field(default_factory=threading.Event)


# -- arguments


@dataclass(frozen=True, slots=True)
class Option:
    """How the terminal takes an argument: by a flag, or by its place where there is none.

    It annotates a field of `Arguments`, whose type and default it takes over; a field without one cannot be typed. Of
    the `alternative` ones of a command exactly one is given. `settings` are those of `ArgumentParser.add_argument`.
    """

    flag: str | None
    alternative: bool
    settings: Mapping[str, Any]

    def of_field(self, field: FieldInfo) -> "Option":
        """Return the option with what the field that it annotates says."""
        settings: dict[str, Any] = {}
        if field.annotation is bool:
            settings["action"] = "store_true"
        elif not field.is_required():
            settings["default"] = field.default
        elif self.flag is not None and not self.alternative:
            settings["required"] = True
        if get_origin(field.annotation) is Literal:
            settings["choices"] = get_args(field.annotation)
        return replace(self, settings={**settings, **self.settings})

    def add_to(self, parser: argparse._ActionsContainer, name: str) -> None:
        """Add the option to a parser, under the name of the argument."""
        if self.flag is None:
            parser.add_argument(name, **self.settings)
        else:
            flag = self.flag or "--" + name.strip("_").replace("_", "-")
            parser.add_argument(flag, dest=name, **self.settings)


def option(flag: str = "", *, alternative: bool = False, **settings: Any) -> Option:
    """Return an option with a flag, which is the argument's name unless another is given."""
    return Option(flag, alternative, settings)


def positional(*, alternative: bool = False, **settings: Any) -> Option:
    """Return an option without a flag."""
    return Option(None, alternative, settings)


class Arguments(BaseModel):
    """What every command takes. Bytes travel as base64 in JSON."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", populate_by_name=True, ser_json_bytes="base64", val_json_bytes="base64"
    )

    workspace: Annotated[str, option(type=not_blank, metavar="NAME", help="default: the database's own group")] = (
        DEFAULT_WORKSPACE
    )

    def body(self) -> bytes:
        """Return the arguments as the JSON of a request."""
        return self.model_dump_json(by_alias=True).encode("utf-8", "replace")

    def open_workspace(self, services: "Services") -> "OpenWorkspace":
        """Return the workspace that they name, whether there is one or not."""
        return services.workspace(group_of(services, self.workspace))

    def missing_workspace(self, services: "Services") -> str:
        """Return what to say where there is no such workspace; nothing where there is one."""
        from services.writing.workspaces import listed

        if group_of(services, self.workspace) in {workspace.name for workspace in listed(services)}:
            return ""
        return f"There is no workspace “{self.workspace}”."


def group_of(services: "Services", workspace: str) -> str:
    """Return the workspace's name in the graph."""
    return services.graph.default_workspace if workspace == DEFAULT_WORKSPACE else workspace


# -- commands


@dataclass(frozen=True, slots=True)
class Request:
    """What the app can be asked to run."""

    arguments: type[Arguments]
    run: Callable[["App", Any, Run], Json]

    def read(self, given: Mapping[str, Any] | bytes) -> Arguments:
        """Return the arguments that are given as values, or as a request's JSON.

        Raises `BadInput` that names the first that is missing or of the wrong kind.
        """
        try:
            if isinstance(given, bytes):
                return self.arguments.model_validate_json(given)
            return self.arguments.model_validate(dict(given))
        except ValidationError as error:
            raise BadInput(reason(error)) from error

    def options(self) -> dict[str, Option]:
        """Return the options of the arguments by name."""
        fields = self.arguments.model_fields.items()
        return {name: o.of_field(field) for name, field in fields for o in field.metadata if isinstance(o, Option)}


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
    requests: Mapping[str, Request] = MappingProxyType({})
    local: Mapping[str, Option] = MappingProxyType({})
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
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")


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
