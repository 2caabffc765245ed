"""What a reload keeps, and what stands in a chart's place until it can be drawn."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from components.header import menu
from tests.browser.explore_page import ExplorePage
from tests.browser.test_ask_understood import ask

pytestmark = pytest.mark.browser

KEPT_JS = Path(menu.__file__).parent / "assets" / "kept.js"


def test_a_reload_keeps_a_question_that_was_not_sent_and_the_tab(page: Page, app_url: str) -> None:
    ask(page, app_url, "Who wrote PEP 484?")
    page.get_by_role("tab", name=re.compile("Facts")).click()
    page.get_by_test_id("stChatInputTextArea").fill("And who wrote PEP 8?")
    page.reload()
    expect(page.get_by_test_id("stChatInputTextArea")).to_have_value("And who wrote PEP 8?")
    expect(page.get_by_role("tab", name=re.compile("Facts"))).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("article", name="Answer")).to_contain_text("Guido van Rossum")


def test_a_reload_keeps_a_form_and_which_it_is(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/Ingest?w=peps")
    page.get_by_role("radio", name="Text", exact=True).click()
    area = page.get_by_role("textbox", name="Text", exact=True)
    area.fill("Ada joined Labs in July 2022.")
    page.reload()
    expect(area).to_have_value("Ada joined Labs in July 2022.")


def test_a_reload_keeps_the_text_of_fields_that_share_a_label(context: BrowserContext) -> None:
    field = "<div data-testid=stElementContainer class='{}'><input type=text aria-label=Relation></div>"
    fields = "".join(map(field.format, ["st-key-column_2", "st-key-column_5", "", ""]))
    html = f'<div data-testid=stMain>{fields}</div><script type="module">{KEPT_JS.read_text()}</script>'
    page = context.new_page()
    page.route("**/*", lambda route: route.fulfill(body=html, content_type="text/html"))
    page.goto("http://asof.test/Ingest")
    texts = ["WORKS_FOR", "LIVES_IN", "HAS_ROLE", ""]
    for place, typed in enumerate(texts):
        page.get_by_label("Relation").nth(place).fill(typed)
    page.reload()
    for place, typed in enumerate(texts):
        expect(page.get_by_label("Relation").nth(place)).to_have_value(typed)


def test_another_page_and_a_new_visit_begin_with_empty_fields(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/Ask?w=peps")
    box = page.get_by_test_id("stChatInputTextArea")
    expect(box).to_be_enabled()
    box.fill("Half a question")
    page.goto(f"{app_url}/Ask?w=peps&as_of=2018-01-01")
    expect(box).to_be_enabled()
    expect(box).to_have_value("")


def test_a_skeleton_stands_where_a_chart_will_be_drawn(page: Page, app_url: str) -> None:
    held: list[Route] = []
    released: list[bool] = []
    page.route("**/PlotlyChart.*.js", lambda route: route.continue_() if released else held.append(route))
    page.goto(f"{app_url}/?w=peps")
    expect(page.get_by_test_id("stMain").get_by_test_id("stSkeleton").first).to_be_visible()
    expect(page.get_by_text("Facts that hold").first).to_be_visible()
    released.append(True)
    for route in held:
        route.continue_()
    expect(page.locator(".js-plotly-plot").first).to_be_visible()


def test_the_script_of_charts_is_fetched_before_a_page_needs_it(page: Page, app_url: str) -> None:
    with page.expect_request("**/PlotlyChart.*.js"):
        page.goto(f"{app_url}/Settings?w=peps")


def test_a_second_visit_to_explore_loads_no_script_again(page: Page, app_url: str) -> None:
    explore = ExplorePage(page, app_url).open()
    loaded: list[str] = []
    page.on("requestfinished", lambda request: loaded.extend([request.url] * (request.sizes()["responseBodySize"] > 0)))
    explore.open()
    explore.settle()
    assert [url for url in loaded if url.endswith(".js") and url.startswith(app_url)] == []
