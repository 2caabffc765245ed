"""The server of the protocol, for both of its revisions: what it is asked is answered by a function of documents."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel

from services.core.errors import AsofError
from services.core.json_documents import Json

NAME, VERSION = "asof", "1"
INSTRUCTIONS = (
    "A temporal knowledge graph. Each tool takes as_of (which facts were valid then) and known_at (which facts were "
    "recorded by then); without them it answers for now. Look up a name with search_entities before asking for its "
    "facts. Each result gives the total, the number of items left out, and ways to narrow the call."
)
_INVALID = -32602

Answer = Callable[[Any, str, Mapping[str, Any]], Awaitable[Json]]
"""Answers a method: given the request of the transport, the method and its parameters, with a document as the protocol
has it."""

_Handler = Callable[[ServerRequestContext[Any], BaseModel | None], Awaitable[types.Result]]

_METHODS: Mapping[str, tuple[str, type[types.Result]]] = {
    "on_list_tools": ("tools/list", types.ListToolsResult),
    "on_call_tool": ("tools/call", types.CallToolResult),
    "on_list_resources": ("resources/list", types.ListResourcesResult),
    "on_list_resource_templates": ("resources/templates/list", types.ListResourceTemplatesResult),
    "on_read_resource": ("resources/read", types.ReadResourceResult),
    "on_list_prompts": ("prompts/list", types.ListPromptsResult),
    "on_get_prompt": ("prompts/get", types.GetPromptResult),
}
"""Each handler of the library with its method and what that gives."""


Listen = Callable[
    [ServerRequestContext[Any], types.SubscriptionsListenRequestParams], Awaitable[types.SubscriptionsListenResult]
]
"""Answers a client that listens, for as long as it does."""


def make_server(answer: Answer, listen: Listen | None = None) -> Server[Any]:
    """Return a server whose methods are answered by `answer`, and which has subscriptions where there is `listen`."""
    handlers: dict[str, Any] = {handler: _handling(answer, *method) for handler, method in _METHODS.items()}
    return Server(
        NAME,
        version=VERSION,
        title="Asof",
        instructions=INSTRUCTIONS,
        get_tool_input_schema=lambda _: None,  # no input is taken from a header, so none is looked up at each call
        on_subscriptions_listen=listen,
        **handlers,
    )


def _handling(answer: Answer, method: str, gives: type[types.Result]) -> _Handler:
    async def handle(context: ServerRequestContext[Any], parameters: BaseModel | None) -> types.Result:
        given = {} if parameters is None else parameters.model_dump(mode="json", by_alias=True, exclude_none=True)
        try:
            return gives.model_validate(await answer(context.request, method, given))
        except AsofError as error:
            raise MCPError(_INVALID, str(error), {"uri": given["uri"]} if "uri" in given else None) from error

    return handle
