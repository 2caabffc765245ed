"""What every command of the terminal shares."""

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from services.core.models import DEFAULT_WORKSPACE
from services.core.progress import Progress, nobody

if TYPE_CHECKING:
    from services.context import Services


@dataclass(frozen=True, slots=True)
class Run:
    """What a command may use while it works: it tells how far it is, and hears when nobody waits any more."""

    progress: Progress = nobody
    cancel: threading.Event = field(default_factory=threading.Event)


class Arguments(BaseModel):
    """What every command takes. Bytes travel as base64 in JSON."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", populate_by_name=True, ser_json_bytes="base64", val_json_bytes="base64"
    )

    workspace: str = DEFAULT_WORKSPACE

    def body(self) -> bytes:
        """Return the arguments as the JSON of a request."""
        return self.model_dump_json(by_alias=True).encode("utf-8", "replace")


def group_of(services: "Services", workspace: str) -> str:
    """The workspace's name in the graph."""
    return services.graph.default_workspace if workspace == DEFAULT_WORKSPACE else workspace


def no_workspace(services: "Services", arguments: Arguments, *, found: bool) -> str:
    """What an empty answer does not say by itself: that there is no such workspace."""
    from services.writing.workspaces import listed

    if found or group_of(services, arguments.workspace) in {workspace.name for workspace in listed(services)}:
        return ""
    return f"There is no workspace “{arguments.workspace}”."
