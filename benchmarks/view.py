"""How fast is the graph on screen, in a real Chromium on the demo?

    cli.py bench view [--sessions 30] [--seconds 40]

The app is started with the demo on a data folder of its own. Measured are: from the click on Explore to 300 entities on
a warm server; a step of the slider at 2,000 facts and more; from a click on an entity to its details; what the browser
asks the server while the slider is dragged; a rerun with many sessions open, each with one action every 5 seconds,
against one session alone; and GET /api/health on a kept connection. One table in Markdown is printed.
"""

import argparse
import asyncio
import http.client
import statistics
import time
from collections.abc import Sequence
from urllib.parse import urlencode, urlsplit

import websockets
from playwright.sync_api import sync_playwright
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.explore_page import ExplorePage
from tests.browser.server import QUIET, chromium, served_demo

AS_OF = "2018-06-27"
CLICKS, STEPS, HUBS = 40, 80, 16
ACTION_EVERY = 5.0
YEARS = range(2002, 2026)
_STEP_TIMES = """(frame, steps) => {
  const input = frame.querySelector("input.a");
  const [low, high] = [Number(input.min), Number(input.max)];
  return Array.from({ length: steps }, (_, step) => {
    input.value = low + ((high - low) * step) / steps;
    const start = performance.now();
    input.dispatchEvent(new Event("input"));
    return performance.now() - start;
  });
}"""
_CLICK_TO_DETAILS = """(name) => {
  const shown = () => document.querySelector(".st-key-explore_panel .a-big")?.dataset.entity === name;
  window.measured = new Promise((resolve) => {
    addEventListener("pointerup", () => {
      const start = performance.now();
      const look = () => {
        const taken = performance.now() - start;
        if (shown() || taken > 5000) resolve(taken);
        else setTimeout(look, 2);
      };
      look();
    }, { once: true, capture: true });
  });
}"""


def p95(values: Sequence[float]) -> float:
    return sorted(values)[int(0.95 * (len(values) - 1))]


def median_and_p95(values: Sequence[float]) -> str:
    return f"median {statistics.median(values):.1f} ms, p95 {p95(values):.1f} ms ({len(values)})"


# -- in the browser


def in_the_browser(url: str) -> list[tuple[str, str, str]]:
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=chromium(), args=QUIET)
        explore = ExplorePage(browser.new_page(viewport={"width": 1440, "height": 900}), url)
        rows = [
            ("300 entities on screen after the click", "2 s", f"{to_first_picture(explore):.2f} s"),
            ("click to details", "p95 250 ms", median_and_p95(clicks(explore))),
            ("reruns while the slider is dragged", "0", str(reruns_while_dragging(explore))),
            *slider_steps(explore),
        ]
        browser.close()
    return rows


def to_first_picture(explore: ExplorePage) -> float:
    """The third visit counts: the server is warm then."""
    explore.open(as_of="2026-01-01")
    for _ in range(3):
        explore.page.get_by_role("link", name="Timeline").click()
        explore.page.locator(".st-key-find_entity, .st-key-gantt").first.wait_for()
        start = time.perf_counter()
        explore.page.get_by_role("link", name="Explore").click()
        explore.until("scene.entities.size === 300 && scene.visible().length > 280")
        taken = time.perf_counter() - start
    return taken


def clicks(explore: ExplorePage) -> list[float]:
    explore.open(as_of=AS_OF)
    explore.settle()
    explore.frame.locator(".canvas").focus()
    names = explore.read("scene.visible().map((id) => scene.entities.get(id)).map((entity) => entity.name)")
    times: list[float] = []
    for name in names[:: max(1, len(names) // CLICKS)]:
        explore.page.evaluate(_CLICK_TO_DETAILS, name)
        explore.page.keyboard.press("Escape")
        explore.until("scene.selected === null")
        explore.settle()
        explore.click_entity(name)
        times.append(float(explore.page.evaluate("() => window.measured")))
        explore.settle()
    return times


def reruns_while_dragging(explore: ExplorePage) -> int:
    explore.settle()
    before = explore.reruns()
    explore.drag([0.8, 0.3, 0.6, 0.1])
    found = explore.reruns() - before
    explore.page.mouse.up()
    explore.settle()
    return found


def slider_steps(explore: ExplorePage) -> list[tuple[str, str, str]]:
    """The picture grows from the busiest entities until it has 2,000 facts."""
    hubs = explore.read(
        "[...scene.neighbours].sort((a, b) => b[1].size - a[1].size).slice(0, value).map(([id]) => id)", HUBS
    )
    explore.open(as_of=AS_OF, r="|".join(["*", *hubs]))
    facts = explore.read("scene.facts.length")
    times = explore.frame.evaluate(_STEP_TIMES, STEPS)
    redraws = explore.frame.evaluate(
        "(frame) => Array.from({ length: 20 }, () => { const start = performance.now();"
        " frame.scene.network.redraw(); return performance.now() - start; })"
    )
    return [
        (f"slider step, {facts:,} facts", "16 ms", median_and_p95(times)),
        (f"redraw, {facts:,} facts", "", median_and_p95(redraws)),
    ]


# -- many sessions


async def rerun(socket: websockets.ClientConnection, params: dict[str, str]) -> float:
    """Ask for one run of the Explore page; milliseconds until it has finished."""
    asked = BackMsg()
    asked.rerun_script.page_name = "Explore"
    asked.rerun_script.query_string = urlencode(params)
    start = time.perf_counter()
    await socket.send(asked.SerializeToString())
    async for message in socket:
        answer = ForwardMsg()
        answer.ParseFromString(message if isinstance(message, bytes) else message.encode())
        if answer.WhichOneof("type") == "script_finished":
            break
    return (time.perf_counter() - start) * 1000


async def session(url: str, entities: Sequence[str], number: int, until: float) -> list[float]:
    """One viewer: opens the page, then does something every five seconds."""
    address = f"ws://{urlsplit(url).netloc}/_stcore/stream"
    times: list[float] = []
    async with websockets.connect(address, subprotocols=[websockets.Subprotocol("streamlit")], max_size=None) as socket:
        await rerun(socket, {"w": "peps"})
        await asyncio.sleep(ACTION_EVERY * ((number * 0.618) % 1))
        turn = number
        while time.monotonic() < until:
            started = time.monotonic()
            year = YEARS[turn % len(YEARS)]
            asked = {"w": "peps", "r": "*", "e": entities[turn % len(entities)], "as_of": f"{year}-06-01"}
            times.append(await rerun(socket, asked))
            turn += 1
            await asyncio.sleep(max(0.0, ACTION_EVERY - (time.monotonic() - started)))
    return times


async def sessions(url: str, entities: Sequence[str], count: int, seconds: float) -> list[float]:
    until = time.monotonic() + seconds
    found = await asyncio.gather(*(session(url, entities, number, until) for number in range(count)))
    return [taken for times in found for taken in times]


def many_sessions(url: str, count: int, seconds: float) -> list[tuple[str, str, str]]:
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=chromium(), args=QUIET)
        explore = ExplorePage(browser.new_page(), url).open()
        entities = explore.read("[...scene.entities.keys()].slice(0, 60)")
        browser.close()
    one = asyncio.run(sessions(url, entities, 1, seconds))
    many = asyncio.run(sessions(url, entities, count, seconds))
    ratio = statistics.median(many) / statistics.median(one)
    return [
        ("rerun, one session", "", median_and_p95(one)),
        (f"rerun, {count} sessions", "twice", f"{median_and_p95(many)}, {ratio:.2f} times"),
    ]


def health(url: str) -> list[tuple[str, str, str]]:
    connection = http.client.HTTPConnection(urlsplit(url).netloc)
    times: list[float] = []
    for _ in range(200):
        start = time.perf_counter()
        connection.request("GET", "/api/health")
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200, answer.status
        times.append((time.perf_counter() - start) * 1000)
    connection.close()
    return [("GET /api/health, kept connection", "10 ms", median_and_p95(times))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--sessions", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=40.0)
    chosen = parser.parse_args()
    with served_demo() as url:
        rows = [*in_the_browser(url), *health(url), *many_sessions(url, chosen.sessions, chosen.seconds)]
    print("| what | at most | measured |\n|---|---|---|")
    for row in rows:
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
