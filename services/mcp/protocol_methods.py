"""What each method of the protocol answers, as documents; no transport, no library of the protocol."""

from collections.abc import Mapping
from typing import Any

from services.context import Services
from services.core.errors import BadInput
from services.core.json_documents import Json
from services.mcp import prompts, resources
from services.mcp.access import Access
from services.mcp.calls import call
from services.mcp.tool_schemas import tool_list


def answer(services: Services, access: Access, method: str, parameters: Mapping[str, Any]) -> Json:
    """Answer a method for a connection. A tool that fails answers so; raises `BadInput` for everything else that
    cannot be answered."""
    match method:
        case "tools/list":
            services.add_tools()
            return tool_list(access)
        case "tools/call":
            return call(services, access, parameters["name"], parameters.get("arguments") or {}).document()
        case "resources/list":
            return resources.listed(services, access)
        case "resources/templates/list":
            return resources.templates()
        case "resources/read":
            return resources.read(services, access, str(parameters["uri"]))
        case "prompts/list":
            return prompts.listed()
        case "prompts/get":
            return prompts.filled(parameters["name"], parameters.get("arguments") or {})
    raise BadInput(f"There is no method “{method[:80]}”.")
