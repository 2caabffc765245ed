"""What the Connect page adds to the view: the program to connect, and what it is to be granted."""

from dataclasses import dataclass
from typing import Annotated, Literal

from components.address import FLAG, LIST, SET, AddressPart, Parameter, Spelling, choice

Client = Literal["claude-code", "claude-desktop", "cursor", "vs-code", "rest"]
CLIENTS: dict[Client, str] = {
    "claude-code": "Claude Code",
    "claude-desktop": "Claude Desktop",
    "cursor": "Cursor",
    "vs-code": "VS Code",
    "rest": "REST",
}
LIFETIMES = {30: "30 days", 90: "90 days", 365: "1 year", 0: "Never"}
"""The days after which a token may end; 0 is never."""

_DAYS = Spelling(lambda text: list(LIFETIMES)[list(LIFETIMES).index(int(text))])


@dataclass(frozen=True, slots=True)
class ConnectView(AddressPart):
    """The choices of the page. No `workspaces` stand for the one that is open; where `is_free` the dates of the time
    bar pin nothing. Whoever made the address need not be who looks at it: nothing of this is granted by opening it."""

    client: Annotated[Client, Parameter("client", choice(tuple(CLIENTS)))] = "claude-code"
    workspaces: Annotated[tuple[str, ...], Parameter("of", LIST)] = ()
    toolsets: Annotated[tuple[str, ...], Parameter("toolsets", SET)] = ("analyst",)
    may_write: Annotated[bool, Parameter("write", FLAG)] = False
    is_free: Annotated[bool, Parameter("free", FLAG)] = False
    days: Annotated[int, Parameter("days", _DAYS)] = 90
