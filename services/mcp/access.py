"""What a connection may ask: by its token, then by its address, which can only narrow it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from services.accounts.client_tokens import ClientToken
from services.core.config import listed
from services.core.errors import AsofError, BadInput
from services.core.toolsets import TOOLSETS, Toolset, read_toolsets
from services.tools.mirror_fallback import read_instant

ACCESS = "asof.access"
"""Where the scope of a request says what it was granted."""
ACCESS_NOW = "asof.access-now"
"""Where it has a function that awaits what the request would be granted now; None once it would be refused."""
LOCAL = "local"
_IN_ADDRESS = ("workspace", "as_of", "known_at", "toolsets")


class TooWide(AsofError):
    """An address asks for more than its token grants."""


@dataclass(frozen=True, slots=True)
class Access:
    """What one connection may ask.

    `client` is whom the server remembers it as. `workspaces` are names in the graph; None stands for all there are.
    What it may write it may only propose. `as_of` and `known_at` are its pin; None leaves an instant to each call.
    Only a client that `is_local` names files of this machine. `address` is where its analyst finds the pages.
    """

    client: str = LOCAL
    workspaces: tuple[str, ...] | None = None
    toolsets: tuple[Toolset, ...] = ("analyst",)
    may_write: bool = False
    as_of: datetime | None = None
    known_at: datetime | None = None
    user_id: str | None = None
    is_local: bool = False
    address: str = ""


def of_token(token: ClientToken) -> Access:
    """Return what a token grants."""
    return Access(
        token.id,
        token.workspaces,
        token.toolsets,
        token.may_write,
        token.as_of,
        token.known_at,
        token.user_id,
    )


def at_address(access: Access, parameters: Sequence[tuple[str, str]], default_workspace: str) -> Access:
    """Return what is left of an access at `/mcp?workspace=…&as_of=…&known_at=…&toolsets=…`.

    Of two different instants the token's stands. Raises `BadInput` for a parameter that cannot be read, and `TooWide`
    where the address asks for more than the token grants.
    """
    given = _once_each(parameters)
    return replace(
        access,
        workspaces=_workspaces(access, given.get("workspace"), default_workspace),
        toolsets=_toolsets(access, given.get("toolsets")),
        as_of=_instant("as_of", given, access.as_of),
        known_at=_instant("known_at", given, access.known_at),
    )


def _instant(name: str, given: Mapping[str, str], pinned: datetime | None) -> datetime | None:
    if name not in given:
        return pinned
    asked = read_instant(name, given[name])
    if pinned is not None and asked > pinned:
        raise TooWide(f"{name}: the token is pinned to an earlier date.", "Leave out this parameter.")
    return pinned or asked


def _once_each(parameters: Iterable[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in parameters:
        if name not in _IN_ADDRESS:
            raise BadInput(f"{name[:80]}: unknown parameter in the address.", f"Available: {', '.join(_IN_ADDRESS)}.")
        if name in found:
            raise BadInput(f"{name}: the address has this parameter twice.", "Remove one of them.")
        found[name] = value
    return found


def _workspaces(access: Access, asked: str | None, default_workspace: str) -> tuple[str, ...] | None:
    if asked is None:
        return access.workspaces
    names = tuple(default_workspace if name == "default" else name for name in listed(asked))
    if not names:
        raise BadInput("workspace: give the name of at least one workspace.")
    if access.workspaces is not None and not set(names) <= set(access.workspaces):
        raise TooWide(
            "workspace: the token does not grant every workspace in the address.",
            "Name only workspaces that it grants.",
        )
    return names


def _toolsets(access: Access, asked: str | None) -> tuple[Toolset, ...]:
    if asked is None:
        return access.toolsets
    chosen = read_toolsets("toolsets", listed(asked))
    granted = TOOLSETS if access.client == LOCAL else access.toolsets
    if not set(chosen) <= set(granted):
        raise TooWide(
            "toolsets: the token does not grant every toolset in the address.", f"Available: {', '.join(granted)}."
        )
    return chosen
