"""Names, sentences, documents and addresses that are markup, on every page in a real browser: none of it is more than
text. The fixture `page` fails for a request to anybody but the app, and for what the pages' policy had to stop."""

import json
from collections.abc import Iterator
from itertools import batched
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser.server import served
from tests.browser.test_ask import answer, ask, box
from tests.conftest import FULL
from tests.files.markup import PAYLOADS
from tests.pages.test_every_page import PAGES

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LONG = 60_000


@pytest.fixture(scope="module")
def app_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app with a workspace in which every name, sentence, quote, attribute and document is a payload."""
    folder = tmp_path_factory.mktemp("markup")
    facts, documents = folder / "facts.json", folder / "documents.jsonl"
    facts.write_text(json.dumps([row for number, text in enumerate(PAYLOADS) for row in _rows(number, text)]))
    documents.write_text(
        "".join(json.dumps(_document(n, texts)) + "\n" for n, texts in enumerate(batched(PAYLOADS, 10)))
    )
    fed = ["import", str(facts), "--rejects", str(folder / "bad.json"), "--workspace", "marked"]
    with served(fed, ["ingest", "--documents", str(documents), "--workspace", "marked"]) as url:
        yield url


def _rows(number: int, text: str) -> Iterator[dict[str, str]]:
    """A fact whose names and texts are the payload, and one whose relation and types are, where that may be."""
    year = f"{1990 + number % 30}-01-01"
    texts = {"fact": text, "episode": text, "note": text, "valid_at": year}
    yield {**texts, "source": text, "relation": "KNOWS", "target": PAYLOADS[number - 1]}
    yield {**texts, "source": text, "relation": text, "target": "Hub", "source_type": text, "invalid_at": "2022-01-01"}


def _document(number: int, texts: tuple[str, ...]) -> dict[str, str]:
    """A document of sections whose headings and paragraphs are payloads."""
    sections = "\n\n".join(f"# {text}\n\n{text}\n\nA paragraph about the Hub." for text in texts)
    format = ("markdown", "text", "html", "rst")[number % 4]
    return {"id": texts[0], "title": texts[1], "text": sections, "format": format}


def _look(page: Page, address: str) -> None:
    """Open an address and wait until the page stands."""
    page.goto(address)
    expect(page.locator(".st-key-asofbar")).to_be_visible(timeout=LONG)
    for waiting in ("stStatusWidget", "stSkeleton"):
        expect(page.locator(f"[data-testid='{waiting}']")).to_have_count(0, timeout=LONG)
    assert page.locator("[data-testid='stException']").count() == 0
    assert [frame.url for frame in page.frames if frame.evaluate("window.ran")] == []


@pytest.fixture
def dialogs(page: Page) -> list[str]:
    seen: list[str] = []
    page.on("dialog", lambda dialog: (seen.append(dialog.message), dialog.dismiss()))
    return seen


@pytest.mark.parametrize("name", PAGES)
def test_markup_in_records_and_addresses_is_text_on_each_page(
    page: Page, app_url: str, dialogs: list[str], name: str
) -> None:
    _look(page, f"{app_url}/{name}?w=marked")
    asked = PAYLOADS[PAGES.index(name) :: len(PAGES)]
    for text in asked if FULL else asked[:2]:
        word = quote(text, safe="")
        _look(page, f"{app_url}/{name}?w=marked&e={word}&q={word}&r={word}&s={word}&f={word}&type={word}&source={word}")
    assert dialogs == []


def test_a_page_shows_a_name_that_is_markup_letter_for_letter(page: Page, app_url: str) -> None:
    _look(page, f"{app_url}/Timeline?w=marked&e={quote(PAYLOADS[9], safe='')}")
    expect(page.get_by_text(PAYLOADS[9]).first).to_be_visible()


def test_a_question_that_is_markup_is_answered_as_text(page: Page, app_url: str, dialogs: list[str]) -> None:
    page.goto(f"{app_url}/Ask?w=marked")
    expect(box(page)).to_be_enabled(timeout=LONG)
    for text in PAYLOADS[:2]:
        ask(page, f"Who does {text} know?")
        expect(answer(page).last).to_be_visible(timeout=LONG)
    assert page.evaluate("window.ran") is None
    assert dialogs == []


def test_a_table_of_markup_is_previewed_as_text(page: Page, app_url: str, dialogs: list[str], tmp_path: Path) -> None:
    _look(page, f"{app_url}/Ingest?w=marked")
    page.get_by_text("Table", exact=True).first.click()
    rows = [row for number, text in enumerate(PAYLOADS) for row in _rows(number, f"{text}!")]
    file = tmp_path / f"{PAYLOADS[0].replace('/', ':')}.json"
    file.write_text(json.dumps(rows))
    page.locator("input[type=file]").first.set_input_files(file)
    expect(page.get_by_role("heading", name="good rows")).to_be_visible(timeout=LONG)
    assert page.evaluate("window.ran") is None
    assert dialogs == []
