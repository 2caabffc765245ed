"""A text on its way into the graph and out again, and how the page looks at each way in."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.examples import fits, in_windows, picture
from tests.browser.gestures import rest
from tests.browser.menus import go_to

pytestmark = pytest.mark.browser

TEXT = (
    "Nora Quill has lived in Lisbon since 2020. Nora Quill has worked for Harbour Works since March 2021. "
    "Nora Quill married Tom Birch in 2019."
)
CHAT = "[2026-03-01 10:22] Ann: I moved to Lisbon last week.\n[2026-03-01 10:24] Bob: I work for Acme now."
PEOPLE = b"person,employer,city\nAda,Labs,London\nBob,Engines,Paris\n"
FORMS = {
    "One fact": "one_fact",
    "Text": "text_form",
    "Messages": "chat_form",
    "Files": "files_form",
    "Web": "web_form",
    "Table": "file_form",
}
"""The ways in, and what each shows."""


def _open(page: Page, app_url: str, name: str = "Ingest", address: str = "w=team") -> None:
    page.goto(f"{app_url}/{name}?{address}")
    expect(page.locator(".st-key-asofbar")).to_be_visible()
    _idle(page)


def _idle(page: Page) -> None:
    for waiting in ("stStatusWidget", "stSkeleton"):
        expect(page.locator(f"[data-testid='{waiting}']")).to_have_count(0)


def _way(page: Page, name: str) -> None:
    page.locator(".st-key-how").get_by_text(name, exact=True).click()
    _idle(page)


def _button(page: Page, key: str) -> Locator:
    return page.locator(f".st-key-{key} button:visible").first


def _row(page: Page, words: str) -> Locator:
    return page.locator("[class*='st-key-draft_']").filter(has_text=words)


def _read(page: Page, text: str) -> None:
    _way(page, "Text")
    field = page.locator(".st-key-text_body textarea")
    field.fill(text)
    field.blur()
    _idle(page)
    _button(page, "text_read").click()
    expect(_button(page, "review_save")).to_be_visible()
    _idle(page)


def _tick(page: Page, words: str) -> None:
    box = page.get_by_role("checkbox", name=words)
    if not box.is_checked():
        box.focus()
        page.keyboard.press("Space")
    expect(box).to_be_checked()
    rest(page)


def test_a_text_is_read_reviewed_saved_seen_and_taken_back(page: Page, app_url: str) -> None:
    _open(page, app_url)
    _read(page, TEXT)
    _row(page, "Harbour Works").locator("[class*='st-key-icon_edit_'] button:visible").click()
    page.get_by_role("textbox", name="Value", exact=True).fill("Harbour Yard")
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_role("checkbox", name="Harbour Yard")).to_be_checked()
    _tick(page, "lives in Lisbon")
    _row(page, "Tom Birch").locator("[class*='st-key-icon_edit_'] button:visible").click()
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(_row(page, "Tom Birch")).to_have_count(0)
    _button(page, "review_save").click()
    expect(page.locator(".st-key-last_done")).to_contain_text("changes")

    _open(page, app_url, "Timeline", "w=team&e=Nora+Quill")
    expect(page.get_by_text("Nora Quill").first).to_be_visible()
    expect(page.locator("body")).to_contain_text("Harbour Yard")
    expect(page.locator("body")).to_contain_text("Lisbon")
    expect(page.locator("body")).not_to_contain_text("Tom Birch")

    _open(page, app_url)
    page.locator("[class*='st-key-change_undo_'] button:visible").first.click()
    expect(page.locator(".st-key-last_done")).to_contain_text("Redo")
    _open(page, app_url, "Timeline", "w=team&e=Nora+Quill")
    expect(page.locator("body")).not_to_contain_text("Harbour Yard")


def test_a_tick_is_set_by_the_keyboard_and_a_review_saved_by_its_shortcut(page: Page, app_url: str) -> None:
    _open(page, app_url)
    _read(page, "Vera Holm has lived in Oslo since 2020. Vera Holm has lived in Bergen since 2023.")
    _tick(page, "Vera Holm lives in Oslo")
    _tick(page, "Vera Holm lives in Bergen")
    box = page.get_by_role("checkbox", name="Vera Holm lives in Oslo")
    box.focus()
    page.keyboard.press("Space")
    expect(box).not_to_be_checked()
    rest(page)
    expect(_button(page, "review_save")).to_contain_text("Save 1 change")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".st-key-last_done")).to_contain_text("1 change")
    _button(page, "undo_last").click()
    expect(page.locator(".st-key-last_done")).to_contain_text("Redo")


def test_what_was_typed_is_there_again_after_another_way_and_another_page(page: Page, app_url: str) -> None:
    _open(page, app_url)
    _way(page, "Text")
    field = page.locator(".st-key-text_body textarea")
    field.fill("Half a text")
    field.blur()
    _idle(page)
    _way(page, "Web")
    go_to(page, "Search")
    expect(page.get_by_role("heading", name="Search", level=1)).to_be_attached()
    go_to(page, "Ingest", "Feed")
    expect(page.locator(".st-key-web_url")).to_be_visible()
    _way(page, "Text")
    expect(field).to_have_value("Half a text")


@in_windows(480, 1440)
def test_each_way_in_fits_its_window_in_both_themes(page: Page, app_url: str, theme: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=theme)
    _open(page, app_url)
    for name, form in FORMS.items():
        _way(page, name)
        expect(page.locator(f".st-key-{form}")).to_be_visible()
        if name == "Messages":
            page.locator(".st-key-chat_body textarea").fill(CHAT)
            page.locator(".st-key-chat_body textarea").blur()
            expect(page.get_by_role("cell", name="Ann")).to_be_visible()
        if name == "Table":
            file = {"name": "people.csv", "mimeType": "text/csv", "buffer": PEOPLE}
            page.locator(".st-key-facts_file input[type=file]").set_input_files(files=[file])
            expect(_button(page, "import_rows")).to_contain_text("Import 4 facts")
        _idle(page)
        picture(page, f"Ingest-{re.sub(' ', '', name)}-{theme}-{width}")
        assert fits(page), name
        assert page.locator("[data-testid='stException']").count() == 0, name
