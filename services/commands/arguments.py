"""What the app is asked to run for a command: its arguments, which can be typed, and what runs them."""

import argparse
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, ValidationError
from pydantic.fields import FieldInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from services.commands.values import not_blank
from services.core.errors import BadInput
from services.core.json_documents import Json
from services.core.models import DEFAULT_WORKSPACE
from services.core.progress import Progress, nobody
from services.queries.facts_at import reason

if TYPE_CHECKING:
    from services.agent.app import App
    from services.context import OpenWorkspace, Services


@dataclass(frozen=True, slots=True)
class Run:
    """What a command may use while it works: it reports progress, and `cancel` is set when nobody waits any more.

    What it costs is counted for the user of `user_id`; None is the terminal's.
    """

    progress: Progress = nobody
    cancel: threading.Event = field(default_factory=threading.Event)
    user_id: str | None = None


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

    def __get_pydantic_json_schema__(self, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return the schema of the argument with what the terminal's help says of it."""
        help_text = self.settings.get("help")
        return {**handler(core_schema), **({"description": help_text} if help_text else {})}

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

    def existing_workspace(self, services: "Services") -> "OpenWorkspace":
        """Return the workspace that they name. Raises `BadInput` where there is none, and `GraphUnavailable`."""
        workspace = self.open_workspace(services)
        if workspace.name not in workspace.run(workspace.graph.workspaces()):
            self.refuse_missing_workspace(services)
        return workspace

    def known_workspace(self, services: "Services") -> "OpenWorkspace":
        """Return the workspace that they name, which its mirror may answer for while the graph is out of reach.

        Raises `BadInput` where there is none.
        """
        workspace = self.open_workspace(services)
        if workspace.name not in services.mirrors.named_files():
            self.refuse_missing_workspace(services)
        return workspace

    def refuse_missing_workspace(self, services: "Services") -> None:
        """Raise `BadInput` where there is no such workspace."""
        if missing := self.missing_workspace(services):
            raise BadInput(missing, self.other_workspaces(services))

    def missing_workspace(self, services: "Services") -> str:
        """Return what to say where there is no such workspace; nothing where there is one, or was one that got lost."""
        from services.writing.damage_check import losses
        from services.writing.workspaces import listed

        lost = {loss.workspace for loss in losses(services)}
        if group_of(services, self.workspace) in {*lost, *(workspace.name for workspace in listed(services))}:
            return ""
        return f"There is no workspace “{self.workspace}”."

    def other_workspaces(self, services: "Services") -> str:
        """Return which workspaces could be named instead."""
        from services.writing.workspaces import listed

        own = group_of(services, self.workspace)
        others = ", ".join(one.name for one in listed(services) if one.name != own)
        return f"Choose a workspace with --workspace: {others}." if others else "Import facts, or load the demo."


def group_of(services: "Services", workspace: str) -> str:
    """Return the workspace's name in the graph."""
    return services.graph.default_workspace if workspace == DEFAULT_WORKSPACE else workspace


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
