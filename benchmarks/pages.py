"""How long until a page has settled, in a real Chromium on the demo, beside an empty page of the same app?

    cli.py bench pages [--times 7]

The app is started with the demo on a data folder of its own. A page has settled when no script runs and its DOM has not
changed for 200 ms; counted is until the last change. Warm: an open tab goes to the page. Fresh tab: a browser without
any cache opens its address. Each page is visited once before it counts. Every round looks at all pages in turn, the
empty one among them. One table in Markdown is printed, and the load of the machine before and after.
"""

import argparse
import os
import shutil
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.server import QUIET, chromium, run_command, serving

EMPTY = "Empty"
PAGES: Mapping[str, Mapping[str, str]] = {
    "Overview": {},
    "Explore": {},
    "Timeline": {"e": "PEP 484"},
    "Search": {"q": "type hints"},
    "Ask": {},
    "SQL": {},
    "Workflows": {},
    "Traces": {},
    "Ingest": {},
    "Sources": {},
    "Health": {},
    "Memory": {},
    "Connect": {},
    "Settings": {},
}
"""The pages, each with what is looked at on it."""
WARM, FRESH = 0.7, 1.8
"""So many seconds over the empty page are allowed."""
_WATCH = """() => {
  window.lastChange = performance.now();
  const watch = () => new MutationObserver(() => (window.lastChange = performance.now())).observe(document, {
    subtree: true, childList: true, attributes: true, characterData: true });
  watch();
}"""
_SETTLED = """(title) => {
  const app = document.querySelector("[data-testid=stApp]");
  const idle = app?.dataset.testScriptState === "notRunning" && document.title.startsWith(title);
  return idle && performance.now() - window.lastChange > 200 ? { last: window.lastChange } : null;
}"""
_GO = """(address) => {
  window.started = window.lastChange = performance.now();
  history.pushState({}, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--times", type=int, default=7)
    times = parser.parse_args().times
    before = os.getloadavg()[0]
    with _app() as url, sync_playwright() as running:
        browser = running.chromium.launch(executable_path=chromium(), args=QUIET)
        warm, fresh = _warm(browser, url, times), _fresh(browser, url, times)
        browser.close()
    print(f"load of the machine: {before:.1f} before, {os.getloadavg()[0]:.1f} after; median of {times}\n")
    print("| page | warm | over empty | fresh tab | over empty |\n|---|---|---|---|---|")
    for name in (EMPTY, *PAGES):
        (a, over_a), (b, over_b) = _beside_empty(warm, name), _beside_empty(fresh, name)
        print(f"| {name} | {a:.2f} s | {_marked(over_a, WARM)} | {b:.2f} s | {_marked(over_b, FRESH)} |")


@contextmanager
def _app() -> Iterator[str]:
    """The address of the app with the demo and the empty page in it."""
    home = Path(tempfile.mkdtemp(prefix="asof-"))
    try:
        run_command(home, ["demo"], {})
        with serving(home, "benchmarks.peers.empty_page:app") as url:
            yield url
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _warm(browser: Browser, url: str, times: int) -> Mapping[str, Sequence[float]]:
    """Seconds in an open tab, by page."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.add_init_script(f"({_WATCH})()")
    page.goto(_address(url, EMPTY))
    _settle(page, EMPTY)
    found = defaultdict[str, list[float]](list)
    for turn in range(times + 1):
        for name in (*PAGES, EMPTY):
            page.evaluate(_GO, _address("", name))
            taken = _settle(page, name) - float(page.evaluate("window.started"))
            found[name] += [taken / 1000] * bool(turn)
    page.close()
    return found


def _fresh(browser: Browser, url: str, times: int) -> Mapping[str, Sequence[float]]:
    """Seconds in a browser without a cache, by page."""
    found = defaultdict[str, list[float]](list)
    for _ in range(times):
        for name in (*PAGES, EMPTY):
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            page = context.new_page()
            page.add_init_script(f"({_WATCH})()")
            page.goto(_address(url, name), wait_until="commit")
            found[name].append(_settle(page, name) / 1000)  # its clock began with the navigation
            context.close()
    return found


def _settle(page: Page, name: str) -> float:
    """Wait until a page has settled; milliseconds of the tab's clock at its last change."""
    return float(page.wait_for_function(_SETTLED, arg=name, polling=20, timeout=60_000).json_value()["last"])


def _address(url: str, name: str) -> str:
    path = "" if name == "Overview" else name
    return f"{url}/{path}?{urlencode({'w': 'peps', **PAGES.get(name, {})})}"


def _beside_empty(found: Mapping[str, Sequence[float]], name: str) -> tuple[float, float]:
    """The median of a page, and how much longer that is than the empty page's."""
    median = statistics.median(found[name])
    return median, median - statistics.median(found[EMPTY])


def _marked(over: float, allowed: float) -> str:
    return f"{over:+.2f} s{' ✕' if over > allowed else ''}"


if __name__ == "__main__":
    main()
