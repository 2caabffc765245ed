"""The SQL page in a real browser: one types, completes, runs, cancels, and sends a link that gives the same rows.

A page takes seconds to open, so a test is one visit: its steps are the functions before it, named by what they show.
"""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.examples import fits, in_windows, picture
from tests.browser.gestures import opened, pick, rest

pytestmark = pytest.mark.browser

AS_OF = "2018-06-27"
COUNTS = "SELECT relation, count(*) AS facts FROM facts_as_of(:as_of, :known_at) GROUP BY relation ORDER BY facts DESC"
FOREVER = "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range + b.range = 7"


def _open(page: Page, app_url: str, **address: str) -> Locator:
    """Open the page, and return its editor once it can be written in."""
    page.goto(f"{app_url}/SQL?{urlencode({'w': 'peps', **address})}")
    expect(page.locator(".frame[data-editor]")).to_be_visible()
    return _editor(page)


def _editor(page: Page) -> Locator:
    return page.get_by_role("textbox", name=re.compile("^SQL"))


def _write(page: Page, sql: str) -> None:
    _editor(page).click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(sql)


def _rows(page: Page, count: str) -> Locator:
    return page.get_by_role("heading", name=re.compile(rf"^{count}\b"))


def _the_keyboard_leaves_the_editor_with_escape_and_tab(page: Page) -> None:
    _editor(page).click()
    page.keyboard.type("SELECT 1")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(_editor(page)).not_to_be_focused()
    rest(page)  # what was written is sent now


def _running_a_query_closes_the_list_of_completions(page: Page) -> None:
    _write(page, "")
    page.keyboard.type("SELECT count(*) AS facts FROM fac")
    expect(page.get_by_role("option", name=re.compile("^facts_as_of"))).to_be_visible()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("option")).to_have_count(0)


def _what_one_types_is_completed_and_runs_with_ctrl_enter(page: Page) -> None:
    _write(page, "")
    page.keyboard.type("SELECT count(*) AS facts FROM fac")
    page.get_by_role("option", name=re.compile("^facts_as_of")).click()
    page.keyboard.type(" WHERE relation = 'HAS_S", delay=150)  # a list that has just opened takes no key yet
    status = page.get_by_role("option", name=re.compile("^HAS_STATUS"))
    expect(status).to_contain_text("has status")
    expect(status).to_contain_text("1,841")
    page.keyboard.press("Tab")
    expect(_editor(page)).to_contain_text("facts_as_of(:as_of, :known_at) WHERE relation = 'HAS_STATUS'")
    page.keyboard.press("Control+Enter")
    expect(_rows(page, "1 row")).to_be_visible()
    expect(_editor(page)).to_be_focused()
    page.wait_for_url(lambda url: "HAS_STATUS" in url and f"as_of={AS_OF}" in url)


def test_a_visit_that_writes(page: Page, app_url: str) -> None:
    _open(page, app_url, as_of=AS_OF)
    _the_keyboard_leaves_the_editor_with_escape_and_tab(page)
    _running_a_query_closes_the_list_of_completions(page)
    _what_one_types_is_completed_and_runs_with_ctrl_enter(page)


def _a_query_that_runs_can_be_cancelled_and_the_next_one_answers(page: Page, how: str) -> None:
    _write(page, FOREVER)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text(re.compile(r"s of 30 s"))).to_be_visible()
    if how == "Cancel":
        page.get_by_role("button", name="Cancel").click()
    else:
        page.keyboard.press("Escape")
    expect(page.get_by_text("Read-only · stops at 30 s")).to_be_visible()
    expect(page.get_by_role("img", name="stopped").first).to_be_visible()
    _write(page, "SELECT 42 AS answer")
    page.keyboard.press("Control+Enter")
    expect(_rows(page, "1 row")).to_be_visible()


def _fields_for_names_fill_the_query(page: Page) -> None:
    _write(page, "SELECT name FROM entities WHERE name = :who")
    field = page.get_by_role("textbox", name=":who")
    field.fill("PEP 484")
    field.press("Enter")
    page.get_by_role("button", name="Run").click()
    expect(_rows(page, "1 row")).to_be_visible()
    page.wait_for_url(lambda url: "who%3DPEP" in url)


def test_a_visit_that_runs_and_cancels(page: Page, app_url: str) -> None:
    _open(page, app_url)
    for how in ("Cancel", "Escape"):
        _a_query_that_runs_can_be_cancelled_and_the_next_one_answers(page, how)
    _fields_for_names_fill_the_query(page)


def _a_link_and_a_reload_give_the_same_rows_and_chart(page: Page) -> None:
    _write(page, COUNTS)
    page.get_by_role("button", name="Run").click()
    expect(_rows(page, "7 rows")).to_be_visible()
    expect(page.locator(".js-plotly-plot .bars .point").first).to_be_visible()
    expect(page.get_by_text("Bar chart, because “relation” lists categories")).to_be_visible()
    page.wait_for_url(lambda url: "as_of=" in url and "known_at=" in url)
    address = page.url
    page.reload()
    expect(_rows(page, "7 rows")).to_be_visible()
    expect(_editor(page)).to_contain_text("GROUP BY relation")
    assert page.url == address


def _a_question_in_words_and_a_chosen_chart_come_back_with_the_link(page: Page) -> None:
    page.get_by_label("Question", exact=True).fill("How many facts by relation?")
    page.keyboard.press("Enter")
    expect(_rows(page, "7 rows")).to_be_visible()
    expect(_editor(page)).to_contain_text("GROUP BY")
    expect(page.get_by_text("Written for “How many facts by relation?” without a model.")).to_be_visible()
    pick(page.get_by_role("combobox", name=re.compile("^Chart|Chart$|Selected Bars")).first, "Line")
    page.wait_for_url(lambda url: "chart=" in url)
    page.goto(page.url)
    expect(_rows(page, "7 rows")).to_be_visible()
    expect(page.locator(".js-plotly-plot .scatterlayer .trace").first).to_be_visible()


def test_a_visit_that_ends_with_a_link(page: Page, app_url: str) -> None:
    _open(page, app_url, as_of=AS_OF)
    _a_link_and_a_reload_give_the_same_rows_and_chart(page)
    _a_question_in_words_and_a_chosen_chart_come_back_with_the_link(page)


def test_a_refused_query_is_marked_at_its_line_and_kept(page: Page, app_url: str) -> None:
    _open(page, app_url, sql="WITH gone AS (\n  DELETE FROM facts RETURNING *)\nSELECT * FROM gone")
    expect(page.get_by_role("alert")).to_contain_text("Line 2: DELETE")
    expect(page.locator(".cm-line.bad")).to_contain_text("DELETE FROM facts")
    page.get_by_role("button", name="Go to line 2").click()
    expect(_editor(page)).to_be_focused()


def test_the_plain_text_area_works_where_the_editor_does_not_load(page: Page, app_url: str) -> None:
    page.route("**/codemirror.js", lambda route: route.abort())
    _open(page, app_url)
    area = page.locator(".frame textarea")
    area.fill("SELECT 1 AS one")
    area.press("Control+Enter")
    expect(_rows(page, "1 row")).to_be_visible()


def test_a_file_is_added_shown_described_and_deleted(page: Page, app_url: str) -> None:
    _open(page, app_url)
    file = {
        "name": "releases.csv",
        "mimeType": "text/csv",
        "buffer": b"version,released\n3.7,2018-06-27\n3.8,2019-10-14\n",
    }
    dialog = opened(page.get_by_role("button", name="Add data").first, page.get_by_role("dialog"))
    dialog.locator("input[type=file]").set_input_files(files=[file])
    page.get_by_role("button", name="Add as tables").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator("summary", has_text="releases").first.click()
    page.get_by_role("link", name="Show the first 100 rows").last.click()
    expect(_rows(page, "2 rows")).to_be_visible()
    edit = page.get_by_role("button", name="Edit files").first
    opened(edit, page.get_by_role("textbox", name="Database description")).fill("Releases of Python")
    page.get_by_role("dialog").get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("summary[title='Releases of Python']").first).to_be_visible()
    delete = opened(edit, page.get_by_role("button", name="Delete…"))
    pick(delete, page.get_by_role("button", name="Delete files"))
    expect(page.locator("summary", has_text="releases")).to_have_count(0)


@in_windows(420, 1920)
def test_the_page_fits_its_window_in_both_themes(page: Page, app_url: str, theme: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    _open(page, app_url, as_of=AS_OF, sql=COUNTS)
    expect(page.locator(".js-plotly-plot .bars .point").first).to_be_attached()
    expect(page.get_by_role("button", name="Data", exact=True)).to_be_visible(visible=width < 1100)
    picture(page, f"SQL-{theme}-{width}", full_page=True)
    assert fits(page)
