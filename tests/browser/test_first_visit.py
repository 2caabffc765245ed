"""What a first visit meets: facts without a date, tables with open dates, narrow and wide windows."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.gestures import look_at

pytestmark = pytest.mark.browser

SLOW = 30_000
DAY_FIRST = b"who,firm,since\nAda,Labs,02.05.2016\nBob,Engines,03.06.2017\n"


def _wait_until_it_is(shown: Locator, condition: str) -> None:
    """Wait until the width of something on the page meets a condition."""
    measured = f"(element) => {{ const {{ width }} = element.getBoundingClientRect(); return {condition}; }}"
    shown.page.wait_for_function(measured, arg=shown.element_handle())


def _on_a_narrow_window_the_words_that_are_searched_can_be_read(page: Page) -> None:
    page.set_viewport_size({"width": 420, "height": 900})
    box = page.get_by_role("searchbox", name="Search facts, passages and entities")
    _wait_until_it_is(box, "280 < width && width < 420")


def _on_a_wide_window_the_lines_of_hits_stay_readable(page: Page) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    _wait_until_it_is(page.get_by_role("list", name="What was found"), "600 < width && width <= 1300")


def test_timeline_and_search_offer_the_facts_that_have_no_date(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/Timeline?w=peps&e=PEP+484&as_of=2018-06-15")
    page.get_by_text("Show 1 more fact without a date").click(timeout=SLOW)
    expect(page.get_by_role("button", name="Hide facts without a date")).to_be_visible()
    expect(page.get_by_role("table", name="Without a date")).to_contain_text("Mark Shannon")
    look_at(page, f"{app_url}/Search?w=peps&q=Mark+Shannon+delegate")
    page.get_by_text(re.compile(r"more facts? without a date")).click(timeout=SLOW)
    expect(page.get_by_role("list", name="What was found")).to_contain_text("PEP 484 has delegate Mark Shannon")
    _on_a_narrow_window_the_words_that_are_searched_can_be_read(page)
    _on_a_wide_window_the_lines_of_hits_stay_readable(page)


def test_a_table_with_open_dates_asks_for_the_order_of_day_and_month(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/Ingest?w=team")
    page.get_by_role("radio", name="Table", exact=True).click(timeout=SLOW)
    page.locator("input[type=file]").set_input_files(
        [{"name": "firms.csv", "mimeType": "text/csv", "buffer": DAY_FIRST}]
    )
    expect(page.get_by_text("whether the day or the month comes first")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("Labs · Engines")).to_be_visible()
    page.get_by_text("Day first · 2016-05-02").click()
    expect(page.get_by_text("2 good rows · 0 bad rows")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("whether the day or the month comes first")).to_have_count(0)


def test_on_a_narrow_window_no_name_is_squeezed_into_a_few_letters(page: Page, app_url: str) -> None:
    page.set_viewport_size({"width": 420, "height": 900})
    page.goto(f"{app_url}/Ingest?w=peps")
    name = page.get_by_text("PEP demo: documents")
    expect(name).to_be_visible(timeout=SLOW)
    box = name.bounding_box()
    assert box is not None
    assert (box["width"] > 120, box["height"] < 30) == (True, True)
