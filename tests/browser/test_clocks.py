"""Enter in a date of the time bar closes its box once the page has run for it; tried on a page with nothing else."""

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

import components.header

pytestmark = pytest.mark.browser

SCRIPT = (Path(components.header.__file__).parent / "assets/clocks.js").read_text()
UNREAD = SCRIPT.partition('querySelector(".')[2].partition('"')[0]
"""What marks the words that are no date."""
PAGE = """<div data-testid="stApp" data-test-script-state="notRunning">
  <div class=st-key-asofbar><button data-testid="stPopoverButton" aria-expanded="true"
    onclick="this.setAttribute('aria-expanded', 'false')"></button></div>
  <div data-testid="stPopoverBody"><div class=st-key-as_of_text><input></div></div>
</div>"""
RUN = """async () => {
  const app = document.querySelector("[data-testid=stApp]");
  for (const state of ["running", "notRunning"]) {
    app.setAttribute("data-test-script-state", state);
    await new Promise((done) => queueMicrotask(done));
  }
}"""


@pytest.fixture
def bar(context: BrowserContext) -> Page:
    """A page with the box of a date open, and the cursor in its field."""
    page = context.new_page()
    page.clock.install()
    page.set_content(PAGE)
    page.add_script_tag(content=f"{SCRIPT}\ncloseOnEnter();")
    page.locator("input").focus()
    return page


def is_open(page: Page) -> bool:
    return page.locator("button").get_attribute("aria-expanded") == "true"


def test_the_box_closes_after_the_run_that_enter_caused_and_its_opener_has_the_focus(bar: Page) -> None:
    bar.keyboard.press("Enter")
    assert is_open(bar)
    bar.evaluate(RUN)
    assert not is_open(bar)
    assert bar.evaluate("document.activeElement === document.querySelector('button')")


def test_a_date_that_cannot_be_read_keeps_its_box_open(bar: Page) -> None:
    bar.keyboard.press("Enter")
    box = bar.locator("[data-testid=stPopoverBody]")
    box.evaluate("(box, name) => box.insertAdjacentHTML('beforeend', `<i class=${name}>`)", UNREAD)
    bar.evaluate(RUN)
    assert is_open(bar)


@pytest.mark.parametrize("leaving", ["blur", "time"])
def test_after_enter_on_an_unchanged_date_a_later_run_leaves_the_box_open(bar: Page, leaving: str) -> None:
    bar.keyboard.press("Enter")
    if leaving == "blur":
        bar.locator("input").blur()
    else:
        bar.clock.run_for(2000)
    bar.evaluate(RUN)
    assert is_open(bar)


def test_a_run_longer_than_the_wait_for_its_start_still_closes_the_box(bar: Page) -> None:
    bar.keyboard.press("Enter")
    bar.locator("[data-testid=stApp]").evaluate("app => app.setAttribute('data-test-script-state', 'running')")
    bar.clock.run_for(2000)
    bar.locator("[data-testid=stApp]").evaluate("app => app.setAttribute('data-test-script-state', 'notRunning')")
    bar.wait_for_function("document.querySelector('button').getAttribute('aria-expanded') === 'false'")
