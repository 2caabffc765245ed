"""What the choices of the page come to, for whoever looks at it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from components import dates
from components.address import View
from components.connect.connect_view import ConnectView
from services.core import clock
from services.core.config import Settings
from services.core.models import Workspace
from services.core.toolsets import TOOLSETS, Toolset


@dataclass(frozen=True, slots=True)
class Grant:
    """What a program is to be granted: workspaces by their names in the graph, toolsets, and a pin."""

    workspaces: tuple[str, ...]
    toolsets: tuple[Toolset, ...]
    may_write: bool
    as_of: datetime | None
    known_at: datetime | None
    days: int

    @property
    def expires_at(self) -> datetime | None:
        """When a token that is made now ends; None where it never does."""
        return clock.now() + timedelta(days=self.days) if self.days else None

    def needs_token(self, settings: Settings) -> bool:
        """False where the guard lets in this machine alone, which needs no token to read."""
        return settings.auth != "none" or self.may_write

    def pins(self) -> list[tuple[str, str]]:
        """Return the instants that the program may not leave, as addresses and options spell them."""
        given = {"as_of": self.as_of, "known_at": self.known_at}
        return [(name, dates.short(value)) for name, value in given.items() if value is not None]


def grant_of(view: View, listed: Sequence[Workspace]) -> Grant:
    """Return what a view asks for, of the workspaces that its viewer sees."""
    asked, seen = view.of(ConnectView), [one.name for one in listed]
    return Grant(
        tuple(name for name in seen if name in (asked.workspaces or (view.workspace,))),
        tuple(name for name in TOOLSETS if name in asked.toolsets),
        asked.may_write,
        None if asked.is_free else view.as_of,
        None if asked.is_free else view.known_at,
        asked.days,
    )
