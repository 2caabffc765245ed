"""Every command of the terminal: typed arguments in, a document for JSON out."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from services.commands.command import Command
from services.core.json_documents import Json

if TYPE_CHECKING:
    from services.agent.app import App
    from services.commands.arguments import Request, Run

COMMANDS = {
    "demo": "demo",
    "import": "import_facts",
    "facts": "facts",
    "history": "history",
    "diff": "diff",
    "ingest": "ingest",
    "search": "search",
    "index": "index",
    "sql": "sql",
    "schema-search": "schema_search",
    "databases": "databases",
    "ask": "ask",
    "memory": "memory",
    "workflow": "workflow",
    "recover": "recover",
    "user": "user",
    "token": "token",
    "mcp": "mcp_server",
    "bench": "bench",
}
"""The commands with their modules, in the order in which the terminal lists them."""

RECOVER = "recover"
"""The command that settles what others say is missing."""


def command(name: str) -> Command:
    """Return a command; no other one is imported, since a typed command waits for what it imports."""
    found: Command = import_module(f"services.commands.{COMMANDS[name]}").COMMAND
    return found


@cache
def requests() -> Mapping[str, "Request"]:
    """Return what the app can be asked to run, by name."""
    return {name: one for each in COMMANDS for name, one in command(each).requests.items()}


def run_request(services: "App", name: str, given: Mapping[str, Any] | bytes, run: "Run") -> Json:
    """Run what is asked. Raises `BadInput` for arguments that do not fit, and what the command raises."""
    request = requests()[name]
    return request.run(services, request.read(given), run)
