"""Every command of the terminal: typed arguments in, a document for JSON out."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from services.commands import ask, bench, demo, diff, facts, history, import_facts, index, ingest, search, user
from services.commands.command import Request, Run
from services.core.json_documents import Json

if TYPE_CHECKING:
    from services.agent.app import App

COMMANDS = (
    demo.COMMAND,
    import_facts.COMMAND,
    facts.COMMAND,
    history.COMMAND,
    diff.COMMAND,
    ingest.COMMAND,
    search.COMMAND,
    index.COMMAND,
    ask.COMMAND,
    user.COMMAND,
    bench.COMMAND,
)
"""The commands, in the order in which the terminal lists them."""

REQUESTS: Mapping[str, Request] = {name: one for command in COMMANDS for name, one in command.requests.items()}
"""What the app can be asked to run, by name."""


def run_request(services: "App", name: str, given: Mapping[str, Any] | bytes, run: Run) -> Json:
    """Run what is asked. Raises `BadInput` for arguments that do not fit, and what the command raises."""
    request = REQUESTS[name]
    return request.run(services, request.read(given), run)
