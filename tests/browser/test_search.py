"""The Search page in a real browser: what is typed is found at once, and leads on.

A page takes seconds to open, so a test is one visit: its steps are the functions before it, named by what they show.
"""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.gestures import opened, pick
from tests.browser.menus import go_to

pytestmark = pytest.mark.browser

BEFORE = "as_of=2022-10-01"
"""Ada lived in Turin then; she left it in February 2023."""


def _open(page: Page, app_url: str, address: str = f"w=team&{BEFORE}") -> None:
    page.goto(f"{app_url}/Search?{address}")
    expect(_box(page)).to_be_visible()
    page.locator(".st-key-links i[data-listening]").wait_for(state="attached")


def _box(page: Page) -> Locator:
    return page.get_by_role("searchbox", name="Search facts, passages and entities")


def _hits(page: Page, text: str | re.Pattern[str] = "") -> Locator:
    return page.get_by_role("list", name="What was found").get_by_role("listitem").filter(has_text=text)


def _the_box_has_the_focus_when_the_page_opens(page: Page) -> None:
    expect(_box(page)).to_be_focused()


def _hits_come_while_one_types_and_the_box_keeps_focus_and_caret(page: Page) -> None:
    _box(page).press_sequentially("train reimbursed")
    expect(_hits(page, "Handbook of Labs").locator("mark", has_text="reimbursed").first).to_be_visible()
    expect(_box(page)).to_be_focused()
    _box(page).press("Home")
    page.keyboard.type("travel ")
    page.wait_for_url(lambda url: "q=travel+train+reimbursed" in url)
    page.keyboard.type("by ")
    expect(_box(page)).to_have_value("travel by train reimbursed")


def test_a_visit_that_types(page: Page, app_url: str) -> None:
    _open(page, app_url)
    _the_box_has_the_focus_when_the_page_opens(page)
    _hits_come_while_one_types_and_the_box_keeps_focus_and_caret(page)


def _a_filter_is_picked_in_its_list(page: Page) -> None:
    expect(_hits(page, "Handbook of Labs")).to_be_visible()
    box = opened(page.locator(".st-key-facet_relations button").first, page.get_by_role("combobox", name="Relation"))
    pick(box, "works for")
    page.wait_for_url(lambda url: "relation=WORKS_FOR" in url)
    expect(_hits(page, "Handbook of Labs")).to_have_count(0)
    expect(_hits(page, "Labs")).to_have_count(1)


def _escape_clears_and_arrows_walk_through_the_hits(page: Page) -> None:
    links = _hits(page).locator("a:first-of-type")
    expect(links.nth(1)).to_be_visible()
    _box(page).focus()
    page.keyboard.press("ArrowDown")
    expect(links.nth(0)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(links.nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(_box(page)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_text("Searchable content")).to_be_visible()
    expect(_box(page)).to_have_value("")


def test_a_visit_that_filters_and_walks_through_the_hits(page: Page, app_url: str) -> None:
    _open(page, app_url, f"w=team&{BEFORE}&q=Ada&mode=keyword")
    _escape_clears_and_arrows_walk_through_the_hits(page)
    _box(page).fill("Ada")
    _a_filter_is_picked_in_its_list(page)


def test_a_passage_opens_its_document_at_its_lines(page: Page, app_url: str) -> None:
    _open(page, app_url, f"w=team&{BEFORE}&q=train+reimbursed&mode=keyword")
    link = _hits(page, "Reimbursement of travel").get_by_role("link", name=re.compile("Open at line"))
    first = re.findall(r"\d+", link.inner_text())[0]
    link.click()
    drawer = page.get_by_role("dialog")
    expect(drawer).to_contain_text("Handbook of Labs")
    line = drawer.locator(f'.line[data-n="{first}"]')
    expect(line).to_be_in_viewport()
    expect(line).to_have_class(re.compile("passage"))
    expect(drawer.locator(".passage mark", has_text="reimbursed")).to_be_visible()
    expect(drawer.locator(".passage", has_text="<b>Ada</b>")).to_be_visible()
    expect(drawer.locator('[aria-current="true"]')).to_have_text("Reimbursement of travel")
    drawer.get_by_role("button", name="Holidays").click()
    expect(drawer.locator(".line", has_text="## Holidays")).to_be_in_viewport()
    page.wait_for_url(lambda url: "open=handbook" in url)
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    page.wait_for_url(lambda url: "open=" not in url and "q=train" in url)
    expect(_hits(page, "Reimbursement of travel")).to_be_visible()


def test_a_link_reproduces_the_search_and_the_open_document(page: Page, app_url: str) -> None:
    _open(page, app_url, f"w=team&{BEFORE}&q=boat&kind=passages&source=minutes&mode=keyword")
    expect(_box(page)).to_have_value("boat")
    expect(_hits(page)).to_have_count(1)
    expect(page.get_by_role("button", name="Source: Minutes of March")).to_be_visible()
    page.get_by_role("link", name=re.compile("Open at line")).click()
    page.wait_for_url(lambda url: "open=minutes" in url)
    page.goto(page.url)
    expect(page.get_by_role("dialog").locator(".passage", has_text="boat")).to_be_visible()


def test_the_time_bar_hides_a_fact_that_does_not_hold(page: Page, app_url: str) -> None:
    _open(page, app_url, f"w=team&{BEFORE}&q=Turin&kind=facts&mode=keyword")
    expect(_hits(page, "Turin")).to_contain_text("holds")
    page.get_by_role("button", name="Latest", exact=True).click()
    expect(page.get_by_text("No results for “Turin”.")).to_be_visible()
    page.get_by_role("button", name="Search all recorded facts").click()
    expect(_hits(page, "Turin")).to_contain_text("ended")
    expect(_hits(page, "Turin")).to_contain_text("2018-01-01 → 2023-02-01")


def test_show_in_graph_leads_to_explore_and_back(page: Page, app_url: str) -> None:
    _open(page, app_url, f"w=team&{BEFORE}&q=Ada&kind=entities&mode=keyword")
    _hits(page, "Ada").get_by_role("link", name="Show in graph").click()
    page.wait_for_url(lambda url: "/Explore" in url and "e=" in url)
    expect(page.locator('.st-key-explore_panel [data-entity="Ada"]')).to_be_visible()
    go_to(page, "Search")
    expect(_box(page)).to_have_value("Ada")
    expect(_hits(page, "Ada").first).to_be_visible()
