"""Gestures that wait for the app: to another address in the same tab, and into what a click opens.

What the first of two steps opens is closed again if the page is drawn anew before the second one.
"""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as NotInTime

ONCE = 6_000
"""Milliseconds for what was opened to show itself; all attempts together take as long as any other patience."""
ATTEMPTS = 3
_AT_REST = """() => {
  const rests = document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "notRunning";
  window.restsSince = rests ? (window.restsSince ?? performance.now()) : undefined;
  return rests && performance.now() - window.restsSince > 200;
}"""

_GO_ON = """(address) => {
  window.hasRun = false;
  new MutationObserver((_, watcher) => {
    window.hasRun = true;
    watcher.disconnect();
  }).observe(document.body, { subtree: true, attributeFilter: ["data-test-script-state"] });
  history.pushState(null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
}"""


def rest(page: Page) -> None:
    """Wait until no script has run for a moment: at the end of one the next may begin."""
    page.evaluate("delete window.restsSince")
    page.wait_for_function(_AT_REST, polling=50)


def look_at(page: Page, address: str) -> None:
    """Open an address: as Back does if the app is open and follows, with a third of the work.

    Only for tests that wait for what the address shows, and on pages that do not run by themselves meanwhile.
    """
    if page.url == "about:blank" or not _followed(page, address):
        page.goto(address)


def _followed(page: Page, address: str) -> bool:
    """True if the app was seen to run after the address had changed; now and then it does not."""
    rest(page)
    page.evaluate(_GO_ON, address)
    try:
        page.wait_for_function("() => window.hasRun", timeout=ONCE)
    except NotInTime:
        return False
    rest(page)
    return True


def opened(opener: Locator, inside: Locator) -> Locator:
    """Click to open a list, a menu or a form; returns what is visible in it then."""
    _tried(opener, None, lambda patience: expect(inside).to_be_visible(timeout=patience))
    return inside


def pick(opener: Locator, inside: Locator | str | re.Pattern[str], typed: str | None = None) -> None:
    """Click, or type, to open a list, a menu or a form, and click in it: on a locator, or on the option of a name."""
    target = inside if isinstance(inside, Locator) else opener.page.get_by_role("option", name=inside).first
    _tried(opener, typed, lambda patience: target.click(timeout=patience))


def _tried(opener: Locator, typed: str | None, then: Callable[[float], None]) -> None:
    """Open, and then do the second step; if there is nothing to do it on, close what is left, and begin anew."""
    for attempt in range(1, ATTEMPTS + 1):
        rest(opener.page)
        opener.click() if typed is None else opener.fill(typed)
        try:
            then(ONCE)
            return
        except (NotInTime, AssertionError):
            if attempt == ATTEMPTS:
                raise
            opener.page.keyboard.press("Escape")
