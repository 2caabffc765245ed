"""The Sources page in a real browser: from the list into a text, from a mark to its fact, and on to the graph."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.gestures import opened

pytestmark = pytest.mark.browser


def _listed(page: Page) -> Locator:
    return page.get_by_role("table", name="Sources")


def _open(page: Page, app_url: str, address: str = "w=team") -> None:
    page.goto(f"{app_url}/Sources?{address}")
    expect(_listed(page).or_(page.get_by_role("heading", level=2)).first).to_be_visible()
    page.locator(".st-key-links i[data-listening]").wait_for(state="attached")


def test_a_source_is_found_and_a_mark_in_its_text_leads_to_its_fact_and_to_the_graph(page: Page, app_url: str) -> None:
    _open(page, app_url)
    expect(page.get_by_role("link", name="Handbook of Labs")).to_be_visible()
    page.get_by_role("searchbox", name="Search titles, tags and text").press_sequentially("joined labs")
    expect(page.get_by_role("link", name="Handbook of Labs")).to_have_count(0)
    page.get_by_role("link", name="Ada joined Labs.").click()
    mark = page.locator(".line").get_by_role("button", name="Ada joined Labs.")
    mark.focus()
    page.keyboard.press("Enter")
    chosen = page.locator(".st-key-source_fact")
    expect(chosen).to_contain_text("works for")
    expect(mark).to_have_attribute("aria-pressed", "true")
    page.wait_for_url(lambda url: "s=" in url and "f=" in url)
    page.goto(page.url)
    expect(chosen.get_by_role("link", name="Show in graph")).to_be_visible()
    page.locator(".st-key-links i[data-listening]").wait_for(state="attached")
    chosen.get_by_role("link", name="Show in graph").click()
    page.wait_for_url(lambda url: "/Explore" in url and "f=" in url)
    expect(page.locator(".st-key-explore_panel")).to_contain_text("Labs")


def test_the_list_keeps_its_words_while_one_looks_into_a_source(page: Page, app_url: str) -> None:
    _open(page, app_url)
    box = page.get_by_role("searchbox", name="Search titles, tags and text")
    box.press_sequentially("boat")
    expect(_listed(page).locator("tbody tr")).to_have_count(2)
    page.get_by_role("link", name="Minutes of March").click()
    expect(page.locator(".line").first).to_be_visible()
    page.get_by_role("button", name="All sources").click()
    expect(box).to_have_value("boat")
    expect(_listed(page).locator("tbody tr")).to_have_count(2)


def test_deleting_says_what_goes_before_it_does(page: Page, app_url: str) -> None:
    _open(page, app_url, "w=team&s=minutes")
    dialog = opened(page.get_by_role("button", name="Delete"), page.get_by_role("dialog"))
    expect(dialog).to_contain_text(re.compile("This deletes 1 document · 1 source"))
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    expect(page.locator(".line").first).to_be_visible()
