"""A request that sends its body too slowly is ended, so that idle uploads cannot hold the server's connections."""

import asyncio

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

GRACE_SECONDS = 30.0
LEAST_BYTES_PER_SECOND = 10_000


class SlowBodies:
    """Answers 408 once a body has fallen behind `bytes_per_second`, after a grace of `grace` seconds."""

    def __init__(
        self, app: ASGIApp, grace: float = GRACE_SECONDS, bytes_per_second: float = LEAST_BYTES_PER_SECOND
    ) -> None:
        self._app, self._grace, self._bytes_per_second = app, grace, bytes_per_second

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on as long as its body arrives in time."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = _TimedBody(receive, self._grace, self._bytes_per_second)
        has_started = False

        async def send_noting_start(message: Message) -> None:
            nonlocal has_started
            has_started = True
            await send(message)

        try:
            await self._app(scope, body.receive, send_noting_start)
        except BodyTooSlow:
            if not has_started:
                await JSONResponse({"error": "The request body arrived too slowly. Send the request again."}, 408)(
                    scope, receive, send
                )


class BodyTooSlow(Exception):
    """The body has fallen behind."""


class _TimedBody:
    def __init__(self, receive: Receive, grace: float, bytes_per_second: float) -> None:
        self._receive, self._bytes_per_second = receive, bytes_per_second
        self._due = asyncio.get_running_loop().time() + grace
        self._is_complete = False

    async def receive(self) -> Message:
        """Return the next part of the body. Raises `BodyTooSlow` where it does not come in time."""
        if self._is_complete:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._due):
                message = await self._receive()
        except TimeoutError as error:
            raise BodyTooSlow from error
        self._due += len(message.get("body", b"")) / self._bytes_per_second
        self._is_complete = not message.get("more_body", False)
        return message
