"""The protocol over standard input and output."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import anyio
from anyio import CapacityLimiter, to_thread
from mcp.server.stdio import stdio_server

from services.core.json_documents import Json
from services.mcp.server import make_server


def serve(ask: Callable[[str, Mapping[str, Any]], Json]) -> None:
    """Answer what comes in until it ends; `ask` answers a method with its parameters, one at a time."""
    anyio.run(_serve, ask)


async def _serve(ask: Callable[[str, Mapping[str, Any]], Json]) -> None:
    one_at_a_time = CapacityLimiter(1)

    async def answer(_: Any, method: str, parameters: Mapping[str, Any]) -> Json:
        return await to_thread.run_sync(partial(ask, method, parameters), limiter=one_at_a_time)

    server = make_server(answer)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
