"""Names, sentences, documents and addresses that are markup, on every page in a real browser: none of it is more than
text. The fixture `page` fails for a request to anybody but the app, and for what the pages' policy had to stop."""

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser.gestures import look_at
from tests.browser.marked_app import MarkedApp, marked_app, rows_of
from tests.browser.test_ask import answer, ask, box
from tests.conftest import FULL
from tests.files.markup import PAYLOADS
from tests.pages.test_every_page import PAGES

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def marked() -> Iterator[MarkedApp]:
    with marked_app() as app:
        yield app


@pytest.fixture(scope="module")
def app_url(marked: MarkedApp) -> str:
    return marked.url


def _look(page: Page, address: str) -> str:
    """Open an address, wait until the page stands, and return its text."""
    look_at(page, address)
    expect(page.locator(".st-key-asofbar")).to_be_visible()
    for waiting in ("stStatusWidget", "stSkeleton"):
        expect(page.locator(f"[data-testid='{waiting}']")).to_have_count(0)
    assert page.locator("[data-testid='stException']").count() == 0
    assert [frame.url for frame in page.frames if frame.evaluate("window.ran")] == []
    return page.locator("body").inner_text()


@pytest.fixture
def dialogs(page: Page) -> list[str]:
    seen: list[str] = []
    page.on("dialog", lambda dialog: (seen.append(dialog.message), dialog.dismiss()))
    return seen


def test_markup_in_records_and_addresses_is_text_on_each_page(
    page: Page, marked: MarkedApp, dialogs: list[str]
) -> None:
    for name in PAGES:
        addresses = [f"{marked.url}/{name}?w=marked"] if FULL else []
        for text in PAYLOADS[PAGES.index(name) :: len(PAGES)][: 3 if FULL else 1]:
            addresses += marked.addresses(name, text)
        if not FULL and PAGES.index(name) % 2:  # the second one that every page has is looked at on every other page
            del addresses[1]
        shown = "".join(_look(page, address) for address in addresses)
        kept = PAYLOADS[:1] if name == "Settings" else PAYLOADS[1:]  # the first one names the workspace, on each page
        assert any(text in shown for text in kept), f"{name} shows no payload at all"
    assert dialogs == []


def test_a_page_shows_a_name_that_is_markup_letter_for_letter(page: Page, app_url: str) -> None:
    _look(page, f"{app_url}/Timeline?w=marked&e={quote(PAYLOADS[9], safe='')}")
    expect(page.get_by_text(PAYLOADS[9]).first).to_be_visible()


def test_a_question_that_is_markup_is_answered_as_text(page: Page, app_url: str, dialogs: list[str]) -> None:
    page.goto(f"{app_url}/Ask?w=marked")
    expect(box(page)).to_be_enabled()
    for text in PAYLOADS[:2]:
        ask(page, f"Who does {text} know?")
        expect(answer(page).last).to_be_visible()
    assert page.evaluate("window.ran") is None
    assert dialogs == []


def test_a_table_of_markup_is_previewed_as_text(page: Page, app_url: str, dialogs: list[str], tmp_path: Path) -> None:
    _look(page, f"{app_url}/Ingest?w=marked")
    page.get_by_text("Table", exact=True).first.click()
    rows = [row for number, text in enumerate(PAYLOADS) for row in rows_of(number, f"{text}!")]
    file = tmp_path / f"{PAYLOADS[0].replace('/', ':')}.json"
    file.write_text(json.dumps(rows))
    page.locator("input[type=file]").first.set_input_files(file)
    expect(page.get_by_role("heading", name="good rows")).to_be_visible()
    assert page.evaluate("window.ran") is None
    assert dialogs == []
