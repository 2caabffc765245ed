"""One browser serves many tests: what a page stored in one is gone in the next."""

import pytest
from playwright.sync_api import BrowserContext, Page

pytestmark = pytest.mark.browser

STORED = """async () => [
  localStorage.length, sessionStorage.length, document.cookie.includes("theme"), (await indexedDB.databases()).length,
  (await navigator.permissions.query({name: "clipboard-read"})).state,
]"""
STORE = """async () => {
  localStorage.theme = sessionStorage.theme = "dark";
  document.cookie = "theme=dark";
  await new Promise((resolve) => (indexedDB.open("themes").onsuccess = resolve));
}"""


@pytest.mark.parametrize("turn", ["first", "second"])
def test_a_page_finds_nothing_that_another_test_stored(
    page: Page, context: BrowserContext, app_url: str, turn: str
) -> None:
    page.goto(f"{app_url}/_stcore/health")
    assert page.evaluate(STORED) == [0, 0, False, 0, "prompt"]
    page.evaluate(STORE)
    context.grant_permissions(["clipboard-read"])
    assert page.evaluate(STORED) == [1, 1, True, 1, "granted"]
