"""What only a browser shows of the pages: clicks on charts, themes, files.

A page takes seconds to open, so a test is one visit: its steps are the functions before it, named by what they show.
"""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.menus import go_to

pytestmark = pytest.mark.browser

AS_OF = "2018-06-27"
CSV = b"source,relation,target,valid_at\nAda,KNOWS,Bob,2020-01-01\n"


def _open(page: Page, app_url: str, name: str, address: str = f"w=peps&as_of={AS_OF}") -> None:
    page.goto(f"{app_url}/{name}?{address}")
    expect(page.locator(".st-key-asofbar")).to_be_visible()


def _idle(page: Page) -> None:
    for waiting in ("stStatusWidget", "stSkeleton"):
        expect(page.locator(f"[data-testid='{waiting}']")).to_have_count(0)


def _button(page: Page, key: str) -> None:
    page.locator(f".st-key-{key} button").first.click()


def _the_text_is_set_in_the_bundled_font(page: Page) -> None:
    _idle(page)
    assert page.evaluate("[...document.fonts].some(f => f.family.includes('Inter') && f.status === 'loaded')")


def _charts_follow_when_the_viewer_switches_the_theme(page: Page) -> None:
    label = page.locator(".js-plotly-plot .annotation-text").first
    expect(label).to_be_visible()
    page.emulate_media(color_scheme="dark")
    expect(page.locator(".js-plotly-plot .annotation-text", has_text="●").first).to_have_css(
        "fill", "rgb(169, 166, 250)"
    )


def _on_a_narrow_window_the_columns_stand_below_each_other(page: Page) -> None:
    page.set_viewport_size({"width": 620, "height": 900})
    changes = page.get_by_role("heading", name="Latest changes")
    chart = page.locator("[data-testid='stPlotlyChart']").first
    expect(changes).to_be_visible()
    above, below = chart.bounding_box(), changes.bounding_box()
    assert above is not None
    assert below is not None
    assert below["y"] > above["y"] + above["height"]


def _the_dates_travel_from_page_to_page_and_over_a_reload(page: Page) -> None:
    go_to(page, "Timeline")
    expect(page.get_by_text("Select an entity to see its facts.")).to_be_visible()
    expect(page.locator(".st-key-clock_as_of button").first).to_contain_text(AS_OF)
    page.wait_for_url(lambda url: f"as_of={AS_OF}" in url)
    page.reload()
    expect(page.locator(".st-key-clock_as_of button").first).to_contain_text(AS_OF)


def test_a_visit_that_begins_on_the_overview(page: Page, app_url: str) -> None:
    page.emulate_media(color_scheme="light")
    _open(page, app_url, "")
    _the_text_is_set_in_the_bundled_font(page)
    _charts_follow_when_the_viewer_switches_the_theme(page)
    _on_a_narrow_window_the_columns_stand_below_each_other(page)
    page.set_viewport_size({"width": 1440, "height": 900})
    _the_dates_travel_from_page_to_page_and_over_a_reload(page)


def _typing_finds_an_entity_without_leaving_the_keyboard(page: Page) -> None:
    page.locator(".st-key-find_entity").get_by_role("combobox", name="Find an entity").press_sequentially("pep 48")
    expect(page.get_by_role("option", name="PEP 484")).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option", selected=True)).to_contain_text("PEP 48")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=re.compile("^PEP 48"))).to_be_visible()


def _a_click_on_the_timeline_moves_the_as_of_date_there(page: Page) -> None:
    plot = page.locator(".js-plotly-plot").first
    expect(plot).to_be_visible()
    _idle(page)
    box = plot.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + box["height"] / 2)
    page.mouse.click(box["x"] + box["width"] * 0.8, box["y"] + box["height"] / 2)
    page.wait_for_url(lambda url: "as_of=202" in url)
    expect(page.locator(".st-key-clock_as_of button").first).to_contain_text(re.compile(r"● 202\d"))


def _the_time_bar_stays_in_sight(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 500})
    page.get_by_text("as a table").scroll_into_view_if_needed()
    expect(page.locator(".st-key-asofbar")).to_be_in_viewport()


def test_a_visit_to_the_timeline(page: Page, app_url: str) -> None:
    _open(page, app_url, "Timeline")
    _typing_finds_an_entity_without_leaving_the_keyboard(page)
    _a_click_on_the_timeline_moves_the_as_of_date_there(page)
    _the_time_bar_stays_in_sight(page)


def test_a_file_goes_from_preview_into_a_new_workspace(page: Page, app_url: str) -> None:
    _open(page, app_url, "Settings")
    page.get_by_role("textbox", name="New workspace label").fill("Imports of a test")
    page.keyboard.press("Enter")
    _button(page, "create_workspace")
    page.wait_for_url(lambda url: "w=imports-of-a-test" in url)
    go_to(page, "Ingest", "Feed")
    page.locator(".st-key-how").get_by_text("Table", exact=True).click()
    page.locator("input[type=file]").set_input_files({"name": "facts.csv", "mimeType": "text/csv", "buffer": CSV})
    expect(page.get_by_text("1 good row")).to_be_visible()
    _button(page, "import_rows")
    expect(page.get_by_text("✓ done").first).to_be_visible()
    expect(page.get_by_role("link", name="Open in Explore")).to_be_visible()
