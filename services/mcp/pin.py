"""The workspace and the two instants of a call, within what its connection is pinned to."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from services.context import Services
from services.core.errors import BadInput
from services.core.models import DEFAULT_WORKSPACE
from services.mcp.access import Access
from services.tools.mirror_fallback import read_instant
from services.tools.tool import Context, Tool

COMMON = ("workspace", "as_of", "known_at", "detail", "cursor")
"""The inputs that every tool has beside its own."""

LOOKS_BACK: Mapping[str, Mapping[str, str]] = {
    "get_entity_history": {"reference_time": "as_of", "since": "known_at"},
    "get_change_history": {"since": "known_at"},
    "get_changes": {"since": "known_at"},
    "compare_times": {"first": "as_of", "second": "as_of"},
}
"""The tools that may look at earlier instants than the pinned `as_of`, and which of their inputs a pin bounds."""

UNBOUND = ("query_database",)
"""Tools that read every record, whatever the instants are: SQL asks for any."""


class UnknownWorkspace(BadInput):
    """There is no workspace of that name, or none that the connection may see."""


@dataclass(frozen=True, slots=True)
class Common:
    """What a call says beside the tool's own inputs."""

    workspace: str | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None
    detail: Literal["brief", "full"] = "brief"
    cursor: str | None = None


def read_common(given: Mapping[str, Any]) -> Common:
    """Read the inputs that every tool has. Raises `BadInput` that names the field."""
    texts: dict[str, Any] = {name: given[name] for name in COMMON if given.get(name) is not None}
    for name, value in texts.items():
        if not isinstance(value, str):
            raise BadInput(f"{name}: must be text.")
    if texts.get("detail", "brief") not in ("brief", "full"):
        raise BadInput(f"detail: unknown value “{texts['detail'][:80]}”.", "Available: brief, full.")
    texts |= {name: read_instant(name, texts[name]) for name in ("as_of", "known_at") if name in texts}
    return Common(**texts)


def context_for(services: Services, access: Access, tool: Tool, common: Common, own: Mapping[str, Any]) -> Context:
    """Return what a tool works on for a call. Raises `BadInput` that names the field that leaves the pin."""
    if tool.name in UNBOUND and (access.as_of or access.known_at):
        message = f"{tool.name}: this connection is pinned to a date, and Asof cannot limit SQL to it."
        raise BadInput(message, "Use facts_at or compare_times instead, or a token without a pin.")
    as_of = _bound("as_of", common.as_of, access.as_of, is_exact=tool.name not in LOOKS_BACK)
    known_at = _bound("known_at", common.known_at, access.known_at)
    pins = {"as_of": access.as_of, "known_at": access.known_at}
    for name, clock in LOOKS_BACK.get(tool.name, {}).items():
        if isinstance(own.get(name), str):
            _bound(name, read_instant(name, own[name]), pins[clock])
    workspace = services.workspace(workspace_named(services, access, common.workspace))
    return Context(workspace, as_of, known_at, access.user_id, client=access.client)


def _bound(name: str, given: datetime | None, pinned: datetime | None, *, is_exact: bool = False) -> datetime | None:
    if given is None or pinned is None:
        return pinned if given is None else given
    if given > pinned or (is_exact and given != pinned):
        limit = "to" if is_exact else "to dates no later than"
        raise BadInput(f"{name}: this connection is pinned {limit} {pinned.isoformat()}.", "Leave out this parameter.")
    return given


def workspace_named(services: Services, access: Access, asked: str | None) -> str:
    """Return the name in the graph of the workspace that is asked for, or of the only one that it can be."""
    default = services.graph.default_workspace
    name = default if asked == DEFAULT_WORKSPACE else asked
    if access.workspaces is not None:
        if not access.workspaces:
            raise BadInput(
                "workspace: this connection has access to no workspace.", "Connect with a token that grants one."
            )
        if name is None and len(access.workspaces) > 1 and default not in access.workspaces:
            raise BadInput("workspace: name a workspace.", f"Available: {', '.join(access.workspaces)}.")
        if name is None:
            name = access.workspaces[0] if len(access.workspaces) == 1 else default
        if name not in access.workspaces:
            raise UnknownWorkspace(
                f"workspace: this connection has no access to “{asked}”.", f"Available: {_names(access)}."
            )
        return name if name == default else _still_there(services, name)
    if name is None or name == default:
        return default
    return _known(services, name)


def _known(services: Services, name: str) -> str:
    from services.writing.workspaces import listed

    known = [one.name for one in listed(services)]
    if name not in known:
        raise UnknownWorkspace(f"workspace: there is no workspace “{name[:80]}”.", f"Available: {', '.join(known)}.")
    return name


def _still_there(services: Services, name: str) -> str:
    """Return a name that a token or an address has; one with a mirror was opened before, so the graph is not asked."""
    from services.writing.workspaces import listed

    if name not in services.mirrors.named_files() and all(one.name != name for one in listed(services)):
        raise UnknownWorkspace(
            f"workspace: there is no workspace “{name[:80]}”.", "Name another workspace in the token or the address."
        )
    return name


def _names(access: Access) -> str:
    return ", ".join(access.workspaces or ())
