"""The time bar takes what is typed, and the menus above it lead to every page.

A page takes seconds to open, so a test is one visit: its steps are the functions before it, named by what they show.
"""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.examples import fits
from tests.browser.gestures import opened, rest
from tests.browser.menus import go_to

pytestmark = pytest.mark.browser


def _open(page: Page, app_url: str, name: str, address: str) -> None:
    page.goto(f"{app_url}/{name}?{address}")
    expect(page.locator(".st-key-asofbar")).to_be_visible()
    expect(page.get_by_role("navigation", name="Pages").locator("summary:visible").first).to_be_visible()


def _clock(page: Page) -> Locator:
    return page.locator(".st-key-clock_as_of button").first


def _type(page: Page, words: str, then: str | None) -> None:
    """Open the first clock, type over what stands there, and press a key or, for None, click beside it."""
    expect(opened(_clock(page), page.get_by_role("textbox", name="Valid on"))).to_be_focused()
    page.keyboard.type(words)
    if then:
        page.keyboard.press(then)
    else:
        page.locator(".st-key-asofbar").click(position={"x": 5, "y": 5})


def _the_time_bar_takes_what_is_typed_and_loses_nothing(page: Page) -> None:
    for words, then, shown in (
        ("June 2018", "Tab", "● 2018-06-01"),
        ("2018-06-15", None, "● 2018-06-15"),
        ("when PEP 484 became Accepted", "Enter", "● 2015-05-23"),
    ):
        _type(page, words, then)
        expect(_clock(page)).to_contain_text(shown)
        page.keyboard.press("Escape")
        expect(page.get_by_role("textbox", name="Valid on")).to_have_count(0)
    _type(page, "Q2 2018", "Escape")
    expect(page.get_by_role("textbox", name="Valid on")).to_have_count(0)
    expect(_clock(page)).to_contain_text("● 2015-05-23")

    _type(page, "when PEP 484 became Approved", "Enter")
    expect(page.get_by_text("The graph does not record that “PEP 484 became Approved”.")).to_be_visible()
    expect(page.get_by_role("textbox", name="Valid on")).to_have_value("when PEP 484 became Approved")
    expect(_clock(page)).to_contain_text("● 2015-05-23")
    page.get_by_role("button", name="when PEP 484 became Provisional").click()
    expect(_clock(page)).to_contain_text("● 2018-07-08")
    expect(page.get_by_text("PEP 484 has status Provisional, from then on")).to_be_visible()
    page.wait_for_url(lambda url: "as_of=2018-07-08" in url)


def _enter_closes_the_box_of_a_date_that_was_read_and_no_other(page: Page) -> None:
    height = page.locator(".st-key-asofbar").bounding_box()["height"]  # type: ignore[index]
    _type(page, "2014-01-01", "Enter")
    expect(page.get_by_role("textbox", name="Valid on")).to_have_count(0)
    expect(_clock(page)).to_contain_text("● 2014-01-01")
    _type(page, "whenever the conference in Lisbon was over", "Enter")
    chip = page.get_by_title("“whenever the conference in Lisbon was over” is not a date.")
    expect(chip).to_have_text("? whenever the co…")
    expect(page.get_by_role("textbox", name="Valid on")).to_be_visible()
    assert page.locator(".st-key-asofbar").bounding_box()["height"] == height  # type: ignore[index]


def _a_typed_date_does_not_come_back_after_the_date_was_set_otherwise(page: Page) -> None:
    _type(page, "2014-01-01", "Enter")
    page.wait_for_url(re.compile("as_of=2014-01-01"))
    page.keyboard.press("Escape")
    expect(page.get_by_role("textbox", name="Valid on")).to_have_count(0)
    for _ in range(2):
        rest(page)
        before = page.url
        page.get_by_role("button", name="Next change").click()
        page.wait_for_url(lambda url, before=before: url != before and "as_of=2014-01-01" not in url)
        expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    assert "as_of=2014-01-01" not in page.url
    expect(opened(_clock(page), page.get_by_role("textbox", name="Valid on"))).not_to_have_value("2014-01-01")


def _the_first_opening_of_each_compared_date_can_be_typed_over(page: Page) -> None:
    page.get_by_role("button", name="Compare two dates").click()
    expect(page.locator(".st-key-clock_to button").first).to_be_visible()
    dates = (("as_of", "Valid on", "1 Jan 2015", "● 2015-01-01"), ("to", "And valid on", "1 Jan 2019", "● 2019-01-01"))
    for slot, label, words, shown in dates:
        chip = page.locator(f".st-key-clock_{slot} button").first
        expect(opened(chip, page.get_by_role("textbox", name=label, exact=True))).to_be_focused()
        page.keyboard.type(words)
        page.keyboard.press("Enter")
        expect(chip).to_contain_text(shown)
        page.keyboard.press("Escape")


def test_a_visit_that_types_dates(page: Page, app_url: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    _open(page, app_url, "Search", "w=peps")
    _the_time_bar_takes_what_is_typed_and_loses_nothing(page)
    _enter_closes_the_box_of_a_date_that_was_read_and_no_other(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("textbox", name="Valid on")).to_have_count(0)
    _a_typed_date_does_not_come_back_after_the_date_was_set_otherwise(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("textbox", name="Valid on")).to_have_count(0)
    _the_first_opening_of_each_compared_date_can_be_typed_over(page)


def _the_finder_opens_entities_by_title_and_pages_by_name(page: Page) -> None:
    finder = page.get_by_role("combobox", name="Go to an entity or a page")
    page.locator("body").press("/")
    expect(finder).to_be_focused()
    page.keyboard.type("type hints")
    expect(page.get_by_role("option").first).to_contain_text("PEP 484 Type Hints")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/Timeline\?.*as_of=2018-06-15"))
    expect(page.get_by_role("heading", name="PEP 484")).to_be_visible()
    page.locator("body").press("/")
    page.keyboard.type("guido van rossum")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Guido van Rossum")).to_be_visible()
    page.locator("body").press("/")
    page.keyboard.type("Zanzibar")
    expect(page.get_by_text("No entity matches “Zanzibar”.")).to_be_visible()
    finder.fill("tra")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/Traces\?"))


def _every_page_is_at_most_two_clicks_or_two_keys_away(page: Page) -> None:
    for title, group in (("Sources", "Feed"), ("Traces", "Ask"), ("Connect", None)):
        go_to(page, title, group)
        page.wait_for_url(re.compile(rf"/{title}\?.*as_of=2018-06-15"))
        expect(page.get_by_role("heading", name=title, level=1)).to_be_attached()
    page.locator("body").press("g")
    page.keyboard.press("t")
    page.wait_for_url(re.compile(r"/Timeline\?.*as_of=2018-06-15"))
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(sheet).to_contain_text("Go to an entity or a page")
    sheet.get_by_role("checkbox").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(sheet).to_be_hidden()


def _a_link_to_the_view_is_copied(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy a link to this view").click()
    expect(page.get_by_text("Copied; only this computer can open it")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_a_visit_by_finder_menus_and_keys(page: Page, app_url: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    _open(page, app_url, "Settings", "w=peps&as_of=2018-06-15")
    _a_link_to_the_view_is_copied(page)
    _the_finder_opens_entities_by_title_and_pages_by_name(page)
    _every_page_is_at_most_two_clicks_or_two_keys_away(page)


def test_on_a_narrow_window_the_bar_takes_two_rows_and_one_menu_has_all_pages(page: Page, app_url: str) -> None:
    page.set_viewport_size({"width": 420, "height": 900})
    _open(page, app_url, "Search", "w=peps&as_of=2018-06-15")
    bar = page.locator(".st-key-asofbar").bounding_box()
    assert bar is not None
    assert bar["height"] <= 80
    go_to(page, "Traces", "Search")
    page.wait_for_url(re.compile(r"/Traces\?"))
    assert fits(page)


def test_comparing_on_a_narrow_window_the_bar_keeps_workspace_and_help(page: Page, app_url: str) -> None:
    page.set_viewport_size({"width": 420, "height": 900})
    _open(page, app_url, "Search", "w=peps&as_of=2015-06-15&to=2018-06-15")
    bar = page.locator(".st-key-asofbar")
    box = bar.bounding_box()
    assert box is not None
    assert box["height"] <= 80
    assert fits(page)
    menu = page.get_by_test_id("stPopoverBody")
    opened(bar.get_by_role("button", name=re.compile("PEP demo")), menu.get_by_text("PEP demo").first)
    page.keyboard.press("Escape")
    meaning = menu.get_by_text(": what the graph had recorded by then.")
    opened(bar.get_by_role("button", name="?", exact=True), meaning)
