"""A call of a tool by a client: checked against what was granted, run at the connection's instants, answered."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from services.context import Services
from services.core import clock
from services.core.errors import AsofError, BadInput
from services.core.log import logger
from services.mcp.access import Access
from services.mcp.cursors import Page, read_cursor, write_cursor
from services.mcp.pin import COMMON, Common, context_for, read_common
from services.mcp.proposals import propose
from services.mcp.tool_results import ToolReply, failed, reply, reply_in_json
from services.tools import omnii_tools
from services.tools.registry import TOOLS
from services.tools.tool import Context, Tool

_LONGEST_NAME = 100
_log = logger(__name__)


def granted_tools(access: Access) -> tuple[Tool, ...]:
    """Return the tools that a connection may call."""
    return tuple(
        tool for tool in TOOLS.values() if tool.toolset in access.toolsets and (access.may_write or not tool.writes)
    )


def call(services: Services, access: Access, name: str, arguments: Mapping[str, Any]) -> ToolReply:
    """Call a tool for a client. Whatever fails is an answer that says so."""
    services.add_tools()
    as_json = omnii_tools.get_tool_handler(name) is not None
    try:
        return _called(services, access, _granted(access, name), arguments)
    except AsofError as error:
        return failed(str(error), as_json=as_json)
    except Exception:  # noqa: BLE001 - the client waits for an answer, whatever happened
        _log.exception("“%s” failed for a client.", name)
        return failed(f"{name} failed unexpectedly. See Asof's log for details.", as_json=as_json)


def _granted(access: Access, name: str) -> Tool:
    tools = {tool.name: tool for tool in granted_tools(access)}
    if name in tools:
        return tools[name]
    if name in TOOLS and TOOLS[name].toolset in access.toolsets:
        raise BadInput(f"{name}: this connection has no write access.", "Connect again with write access.")
    if name in TOOLS:
        toolset = TOOLS[name].toolset
        raise BadInput(
            f"{name}: this connection has no access to the toolset “{toolset}”.", "Connect again with this toolset."
        )
    raise BadInput(f"There is no tool “{name[:_LONGEST_NAME]}”.", f"Available: {', '.join(tools)}.")


def _called(services: Services, access: Access, tool: Tool, arguments: Mapping[str, Any]) -> ToolReply:
    shared = set(COMMON) - set(tool.inputs.model_fields)
    common = read_common({name: value for name, value in arguments.items() if name in shared})
    own = {name: value for name, value in arguments.items() if name not in shared}
    context = context_for(services, access, tool, common, own)
    if tool.writes:
        return reply(context, propose(context, access, tool, own))
    return _looked_up(context, tool, own, common)


def _looked_up(context: Context, tool: Tool, own: Mapping[str, Any], common: Common) -> ToolReply:
    bound_to = (tool.name, context.workspace.name, own, common.detail, context.as_of, context.known_at)
    page = read_cursor(common.cursor, *bound_to) if common.cursor else Page(0, clock.now())
    if common.cursor:  # later pages are of the moment of the first
        context = replace(context, known_at=context.known_at or page.known_at)
    result = tool(context, own)
    if isinstance(result.document, Mapping) and result.document.get("unavailable"):
        return failed(result.message, as_json=tool.toolset == "omnii")
    if tool.toolset == "omnii":
        return reply_in_json(context, result, omnii_tools.as_text(result.document))
    return reply(
        context,
        result,
        page.first,
        lambda first: write_cursor(Page(first, page.known_at), *bound_to),
        is_full=common.detail == "full",
    )
