"""`mcp`: the Model Context Protocol on standard input and output, for a program on this machine."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from services.commands.arguments import Arguments, Request, Run, group_of, option
from services.commands.command import DONE, Command, Terminal
from services.commands.values import instant, parsed
from services.core.announcement import own_address
from services.core.config import listed
from services.core.json_documents import Json
from services.core.models import DEFAULT_WORKSPACE

if TYPE_CHECKING:
    from services.agent.app import App


class McpArguments(Arguments):
    """What the program may ask, and one thing that it asks: a method of the protocol with its parameters."""

    toolsets: Annotated[
        str, option(metavar="NAMES", help="separated by commas: analyst,knowledge,omnii; default: ASOF_TOOLSETS")
    ] = ""
    as_of: Annotated[str | None, option(type=instant, metavar="DATE", help="pin it to facts valid on this date")] = None
    known_at: Annotated[
        str | None, option(type=instant, metavar="DATE", help="pin it to what was recorded by this date")
    ] = None
    write: Annotated[bool, option(help="it may propose changes, which wait for you")] = False
    method: str = ""
    parameters: Mapping[str, Any] = {}


def mcp(services: "App", arguments: McpArguments, _: Run) -> Json:
    """Answer the program. Returns what the protocol has as the method's result."""
    from services.core.toolsets import read_toolsets
    from services.mcp.access import Access
    from services.mcp.protocol_methods import answer

    name = group_of(services, arguments.workspace)
    access = Access(
        workspaces=None if arguments.workspace == DEFAULT_WORKSPACE else (name,),
        toolsets=read_toolsets("--toolsets", listed(arguments.toolsets or services.settings.toolsets)),
        may_write=arguments.write,
        as_of=parsed(arguments.as_of),
        known_at=parsed(arguments.known_at),
        is_local=True,
        address=own_address(services.settings.folder),
    )
    if not services.mirrors.follows:
        services.mirrors.sync(name)
    return answer(services, access, arguments.method, arguments.parameters)


def start(terminal: Terminal) -> int:
    """Serve the program until it hangs up. Raises `BadInput` at once for what it cannot be granted."""
    from services.mcp.stdio import serve

    terminal.ask("mcp", method="prompts/list")
    serve(lambda method, parameters: terminal.ask("mcp", method=method, parameters=dict(parameters)))
    return DONE


COMMAND = Command("mcp", "run the MCP server on standard input and output", start, {"mcp": Request(McpArguments, mcp)})
