"""What every command of the terminal shares."""

import threading
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict

from services.context import Services
from services.core.progress import Progress, nobody
from services.writing.workspaces import DEFAULT


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

    workspace: str = DEFAULT


def group_of(services: Services, workspace: str) -> str:
    """The workspace's name in the graph."""
    return services.graph.default_workspace if workspace == DEFAULT else workspace
