"""The protocol over standard input and output."""

from collections.abc import AsyncIterable, Callable, Mapping
from functools import partial
from typing import Any

import anyio
import mcp_types as types
from anyio import CapacityLimiter, to_thread
from anyio.abc import ObjectSendStream
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

from services.core.json_documents import Json
from services.mcp.server import make_server

_PATIENCE = 300.0
"""Seconds that calls may still run after the last line came in."""
_NO_MESSAGE = types.JSONRPCError(
    jsonrpc="2.0",
    id=None,
    error=types.ErrorData(code=types.PARSE_ERROR, message="This line is not a JSON-RPC message."),
)


def serve(ask: Callable[[str, Mapping[str, Any]], Json]) -> None:
    """Answer what comes in until it ends and all of it is answered; `ask` answers a method with its parameters, one at
    a time."""
    anyio.run(_serve, ask)


async def _serve(ask: Callable[[str, Mapping[str, Any]], Json]) -> None:
    one_at_a_time = CapacityLimiter(1)

    async def answer(_: Any, method: str, parameters: Mapping[str, Any]) -> Json:
        return await to_thread.run_sync(partial(ask, method, parameters), limiter=one_at_a_time)

    server = make_server(answer)
    unanswered = _Unanswered()
    requests, read = anyio.create_memory_object_stream[SessionMessage | Exception]()
    written, answers = anyio.create_memory_object_stream[SessionMessage]()
    async with stdio_server() as (incoming, outgoing), anyio.create_task_group() as tasks:
        tasks.start_soon(_hand_in, incoming, requests, outgoing, unanswered)
        tasks.start_soon(_hand_out, answers, outgoing, unanswered)
        await server.run(read, written, server.create_initialization_options())


class _Unanswered:
    """The ids of requests that came in and have no answer yet. The library drops those once its input ends."""

    def __init__(self) -> None:
        self._ids: set[Any] = set()
        self._changed = anyio.Event()

    def note(self, message: types.JSONRPCMessage) -> None:
        """Add a request; drop one that was answered, or that the client wants no answer to any more."""
        if isinstance(message, types.JSONRPCRequest):
            self._ids.add(message.id)
        elif isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._ids.discard(message.id)
        elif message.method == "notifications/cancelled":
            self._ids.discard((message.params or {}).get("requestId"))
        self._changed.set()

    async def wait(self) -> None:
        """Wait until there are none, for as long as `_PATIENCE`."""
        with anyio.move_on_after(_PATIENCE):
            while self._ids:
                self._changed = anyio.Event()
                await self._changed.wait()


async def _hand_in(
    incoming: AsyncIterable[SessionMessage | Exception],
    requests: ObjectSendStream[SessionMessage | Exception],
    outgoing: ObjectSendStream[SessionMessage],
    unanswered: _Unanswered,
) -> None:
    """Pass messages on. The library says nothing to a line that is none."""
    async with requests:
        async for one in incoming:
            if isinstance(one, SessionMessage):
                unanswered.note(one.message)
                await requests.send(one)
            else:
                await outgoing.send(SessionMessage(_NO_MESSAGE))
        await unanswered.wait()


async def _hand_out(answers: AsyncIterable[SessionMessage], outgoing: Any, unanswered: _Unanswered) -> None:
    async with outgoing:
        async for one in answers:
            await outgoing.send(one)
            unanswered.note(one.message)
