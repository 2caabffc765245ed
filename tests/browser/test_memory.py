"""The Memory page in a real browser: records are imported, asked, searched, and fit narrow windows in both themes."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.examples import fits, in_windows, picture
from tests.conftest import few
from tests.services.memory.seeds import SEEDS, lines

pytestmark = pytest.mark.browser


def opened(page: Page, app_url: str, address: str = "") -> None:
    page.goto(f"{app_url}/Memory?w=team{address}")
    expect(page.locator(".st-key-asofbar")).to_be_visible()
    expect(page.locator("[data-testid='stStatusWidget'], [data-testid='stSkeleton']")).to_have_count(0)


@pytest.fixture
def remembered(page: Page, app_url: str) -> None:
    """The records of the seeds, imported once by the form."""
    opened(page, app_url)
    if page.get_by_text("No records yet").count():
        page.get_by_role("textbox", name="Or paste lines").fill(lines(*SEEDS).decode())
        page.keyboard.press("Control+Enter")
        page.get_by_role("button", name=f"Import {len(SEEDS)} records").click()
        expect(page.get_by_text(f"{len(SEEDS)} records · 8 types")).to_be_visible()


@pytest.mark.usefixtures("remembered")
def test_a_query_is_asked_by_its_form_and_explains_its_confidence(page: Page) -> None:
    page.get_by_role("textbox", name="Partner").fill("nicolas")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.get_by_text("Confidence 1.00: full match")).to_be_visible()
    expect(page.get_by_text("Relational finding")).to_be_visible()
    page.wait_for_url(lambda url: "memory=query_partnerships" in url)


@pytest.mark.usefixtures("remembered")
def test_records_are_searched_by_words(page: Page, app_url: str) -> None:
    opened(page, app_url, "&records=race+condition")
    expect(page.get_by_text("stimulus_integrator race condition").first).to_be_visible()


@pytest.mark.usefixtures("remembered")
@in_windows(420, 1280)
def test_the_page_fits_its_window_in_both_themes(page: Page, app_url: str, theme: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    args = "&memory=query_related_code&args=%7B%22filename%22%3A%22stimulus_integrator.py%22%7D"
    for name, address in few([("ask", args), ("search", "&records=race")]):
        opened(page, app_url, address)
        picture(page, f"Memory-{name}-{theme}-{width}", full_page=True)
        assert fits(page), name
        assert page.locator("[data-testid='stException']").count() == 0
