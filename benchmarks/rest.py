"""Do pages stay quick while many programs wait for answers over REST?

    cli.py bench rest [--clients 50] [--rounds 8] [--reruns 15]

The app is started with the demo on a data folder of its own, and with a scripted model that says a word of each answer
every half second. One viewer has a page run again while nobody else asks, while many clients read answers as
server-sent events, and while as many wait for whole answers: in turns, and what is compared is of one round, so that
both meet the same machine. Every client must get its answer. One table in Markdown is printed.
"""

import argparse
import asyncio
import json
import shutil
import statistics
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import websockets

from benchmarks.view import YEARS, median_and_p95, rerun
from tests.browser.server import free_port, run_command, running
from tests.fakes.messages_server import MessagesServer, say

WORKSPACE, MODEL = "peps", "claude-bench"
QUESTION = "What do PEPs say about type hints?"
ANSWER = ["One ", "word ", "more. "] * 80
"""More than is said while reruns are measured."""
EVERY = 0.5
GOAL = 1.5
LISTENS = {"Accept": "text/event-stream"}


@dataclass
class Client:
    """A program with a session; `began` is when it asked, `heard` when it got the first word."""

    http: httpx.AsyncClient
    messages: str
    began: float = 0.0
    heard: float | None = None

    async def read_events(self) -> str:
        """Ask, and read the answer while it is made."""
        self.began, self.heard, last = time.perf_counter(), None, ""
        async with self.http.stream("POST", self.messages, json={"content": QUESTION}, headers=LISTENS) as response:
            assert response.status_code == 200, await response.aread()
            async for line in response.aiter_lines():
                if line.startswith("data: "):
                    self.heard, last = self.heard or time.perf_counter(), line.removeprefix("data: ")
        return str(json.loads(last)["response"])

    async def wait(self) -> str:
        """Ask, and wait for the whole answer."""
        response = await self.http.post(self.messages, json={"content": QUESTION})
        return str(response.raise_for_status().json()["response"])


class SlowModel:
    """Says a word of every answer each half second, until it is told to say the rest."""

    def __init__(self, server: MessagesServer) -> None:
        self._server, self._times = server, 0

    @asynccontextmanager
    async def speaking(self, answers: Sequence[asyncio.Future[str]]) -> AsyncIterator[None]:
        """Speak once every answer was asked for; at the end of the block say the rest at once."""
        self._times += 1
        name, before = f"answers {self._times}", len(self._server.requests)
        self._server.add(*[say(*ANSWER, gate=name)] * len(answers))
        while len(self._server.requests) < before + len(answers):
            _raise_for_any_that_ended(answers)
            await asyncio.sleep(EVERY / 10)
        gate = self._server.gate(name)
        speaking = asyncio.create_task(_pulse(gate))
        await asyncio.sleep(4 * EVERY)
        yield
        speaking.cancel()
        with suppress(asyncio.CancelledError):
            await speaking
        gate.set()


def _raise_for_any_that_ended(answers: Sequence[asyncio.Future[str]]) -> None:
    for one in answers:
        assert not one.done(), f"everybody should still wait, and one has {one.result()!r}"


async def _pulse(gate: threading.Event) -> None:
    while True:
        gate.set()
        gate.clear()
        await asyncio.sleep(EVERY)


class Viewer:
    """Somebody on the page Explore, who chooses another entity and another year each time."""

    def __init__(self, socket: websockets.ClientConnection, entities: Sequence[str]) -> None:
        self._socket, self._entities, self._turn = socket, entities, 0

    async def reruns(self, count: int) -> list[float]:
        """So many reruns, one after the other, in milliseconds."""
        return [await self._rerun() for _ in range(count)]

    async def _rerun(self) -> float:
        self._turn += 1
        entity, year = self._entities[self._turn % len(self._entities)], YEARS[self._turn % len(YEARS)]
        await asyncio.sleep(0.1)
        return await rerun(self._socket, {"w": WORKSPACE, "r": "*", "e": entity, "as_of": f"{year}-06-01"})


@dataclass(frozen=True)
class Round:
    """Milliseconds of reruns, alone and beside clients, and until each client that reads events has its first word."""

    alone: Sequence[float]
    with_events: Sequence[float]
    with_whole: Sequence[float]
    first_words: Sequence[float]


async def measured(url: str, model: SlowModel, clients: int, rounds: int, reruns: int) -> Sequence[Round]:
    """Each round reruns the page alone, beside clients that read events, alone, and beside clients that wait."""
    found: list[Round] = []
    limits = httpx.Limits(max_connections=clients, max_keepalive_connections=0)
    async with (
        httpx.AsyncClient(base_url=url, timeout=300, limits=limits, trust_env=False) as http,
        websockets.connect(
            f"ws://{urlsplit(url).netloc}/_stcore/stream",
            subprotocols=[websockets.Subprotocol("streamlit")],
            max_size=None,
        ) as socket,
    ):
        asking = [Client(http, await _begun(http)) for _ in range(clients)]
        viewer = Viewer(socket, await _entities(http))
        await viewer.reruns(reruns)
        await _beside(asking, Client.read_events, model, viewer, 1)
        for _ in range(rounds):
            before = await viewer.reruns(reruns)
            with_events = await _beside(asking, Client.read_events, model, viewer, reruns)
            first_words = [(one.heard - one.began) * 1000 for one in asking if one.heard]
            between = await viewer.reruns(reruns)
            with_whole = await _beside(asking, Client.wait, model, viewer, reruns)
            found.append(Round([*before, *between], with_events, with_whole, first_words))
    return found


async def _begun(http: httpx.AsyncClient) -> str:
    """The address of the messages of a new session."""
    begun = await http.post("/api/chat/sessions", json={"workspace": WORKSPACE})
    return f"/api/chat/sessions/{begun.raise_for_status().json()['_id']}/messages"


async def _entities(http: httpx.AsyncClient) -> list[str]:
    listed = await http.post("/api/v1/entities", json={"workspace": WORKSPACE, "query": "PEP", "limit": 50})
    return [one["uuid"] for one in listed.raise_for_status().json()["entities"]]


async def _beside(
    clients: Sequence[Client], ask: Callable[[Client], Awaitable[str]], model: SlowModel, viewer: Viewer, reruns: int
) -> list[float]:
    """Reruns while all clients wait for an answer, which each of them gets in the end."""
    answers = [asyncio.ensure_future(ask(client)) for client in clients]
    async with model.speaking(answers):
        times = await viewer.reruns(reruns)
        _raise_for_any_that_ended(answers)
    answered = await asyncio.gather(*answers)
    assert all(one.split() == "".join(ANSWER).split() for one in answered), "everybody got the whole answer"
    return times


def table(found: Sequence[Round], clients: int) -> Sequence[tuple[str, str, str]]:
    """What was measured, with the goals; how many times as long is the median of the rounds."""

    def together(times: Callable[[Round], Sequence[float]]) -> str:
        return median_and_p95([one for each in found for one in times(each)])

    def beside(what: str, times: Callable[[Round], Sequence[float]]) -> tuple[str, str, str]:
        ratios = sorted(statistics.median(times(each)) / statistics.median(each.alone) for each in found)
        ratio = f"{statistics.median(ratios):.2f} times ({ratios[0]:.2f} to {ratios[-1]:.2f} by round)"
        return f"rerun while {clients} clients {what}", f"{GOAL} times", f"{together(times)}, {ratio}"

    return (
        ("rerun, nobody else", "", together(lambda each: each.alone)),
        beside("read answers as events", lambda each: each.with_events),
        beside("wait for whole answers", lambda each: each.with_whole),
        (
            f"first word to each of {clients} clients that ask at once",
            "",
            together(lambda each: each.first_words),
        ),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--reruns", type=int, default=15)
    chosen = parser.parse_args()
    home = Path(tempfile.mkdtemp(prefix="asof-"))
    usual = {"ASOF_MODEL": MODEL, "ASOF_REQUESTS_PER_MINUTE": "0", "ASOF_MAX_SECONDS": "900", "ANTHROPIC_API_KEY": "sk"}
    try:
        run_command(home, ["demo"], {})
        with MessagesServer() as server, running(home, free_port(), {**usual, "ANTHROPIC_BASE_URL": server.url}) as url:
            found = asyncio.run(measured(url, SlowModel(server), chosen.clients, chosen.rounds, chosen.reruns))
    finally:
        shutil.rmtree(home, ignore_errors=True)
    print("| what | at most | measured |\n|---|---|---|")
    for row in table(found, chosen.clients):
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
