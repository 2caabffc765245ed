"""Waiting for a turn on the server's loop, which holds no thread, and telling a client of it as it goes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

from services.agent import Turn
from services.agent.app import App
from services.api.rest.problems import RestProblem
from services.core.json_documents import Json, json_text

_KEEP_ALIVE = 15.0
"""Seconds after which something is sent, or proxies would close the connection."""
_LOST = "The stream of this answer has ended. Read the answer from the session's messages."


async def changes(services: App, turn: Turn) -> AsyncIterator[Turn | None]:
    """Give a turn each time that it has changed, until it is over; None where nothing happened for long."""
    loop, changed = asyncio.get_running_loop(), asyncio.Event()

    def note() -> None:
        with suppress(RuntimeError):  # the server has stopped, and nobody waits
            loop.call_soon_threadsafe(changed.set)

    with services.turns.listening(turn.id, note):
        while True:
            changed.clear()
            now = services.turns.get(turn.id)
            if now is None:
                raise RestProblem(500, _LOST)
            yield now
            if now.state != "running":
                return
            while not changed.is_set():
                try:
                    await asyncio.wait_for(changed.wait(), _KEEP_ALIVE)
                except TimeoutError:
                    yield None


async def ended(services: App, turn: Turn) -> Turn:
    """Return a turn when it is over."""
    last = turn
    async for now in changes(services, turn):
        last = now or last
    return last


async def events(services: App, turn: Turn, answer: asyncio.Task[Json]) -> AsyncIterator[str]:
    """Give server-sent events: `text` with what an answer has from its letter number `at` on, `tool` for each call that
    begins, then `answer` with the whole answer, or `error` with status and detail."""
    shown, calls = "", 0
    try:
        async for now in changes(services, turn):
            if now is None:
                yield ": waiting\n\n"
                continue
            if now.text != shown:
                at = _shared(shown, now.text)
                yield _event("text", {"at": at, "text": now.text[at:]})
            for call in now.calls[calls:]:
                if call.kind == "tool":
                    yield _event("tool", {"name": call.tool})
            shown, calls = now.text, len(now.calls)
        yield _event("answer", await asyncio.shield(answer))
    except RestProblem as problem:
        yield _event("error", {"status": problem.status, "detail": problem.detail})


def _shared(one: str, other: str) -> int:
    """Return how many letters two texts begin with alike."""
    if other.startswith(one):
        return len(one)
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(other))


def _event(name: str, data: Json) -> str:
    return f"event: {name}\ndata: {json_text(data)}\n\n"
