"""The real app on a loopback port, with the demo in it, and a Chromium that looks at it."""

import os
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from tests.browser.explore_page import ExplorePage
from tests.browser.filled import FilledFolders
from tests.browser.server import QUIET, chromium, free_port, running
from tests.browser.signed_in import LOCAL, Asof
from tests.fakes.messages_server import MessagesServer

ONE_RENDERER = ["--process-per-site", "--js-flags=--no-opt --no-maglev"]
"""All pages of the app share a process, which compiles each script once; a page is closed before a JIT would pay."""
FOREIGN = "foreign.example"
"""A name that leads to this machine, as one that was moved once the browser had taken its page for another site's."""
PATIENCE = 60_000
"""Milliseconds: nothing is timed here, so a busy machine has as long as it needs."""

expect.set_options(timeout=PATIENCE)

CORRECTIONS = ["import", "tests/browser/data/corrections.csv", "--workspace", "team"]
SEARCHED = ["search", "Ada", "--workspace", "team"]
"""A search in what was imported, which makes its mirror."""
MODEL = "claude-test"
DOCUMENTS = ["ingest", "--documents", "tests/browser/data/documents.jsonl", "--workspace", "team"]


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> FilledFolders:
    """Data folders that commands have filled, one for all processes."""
    folder = tmp_path_factory.getbasetemp()
    return FilledFolders((folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "filled")


@pytest.fixture(scope="session")
def app_url(filled: FilledFolders) -> Iterator[str]:
    """The app with the demo, and with the workspace `team`: corrected and re-dated records, and two documents."""
    with filled.copy(["demo"], CORRECTIONS, DOCUMENTS) as home, running(home, free_port(), {}) as url:
        yield url


@pytest.fixture(scope="session")
def server() -> Iterator[MessagesServer]:
    """A model that says what a test wrote down."""
    with MessagesServer() as server:
        yield server


@pytest.fixture(scope="session")
def modelled_url(filled: FilledFolders, server: MessagesServer) -> Iterator[str]:
    """The address of an app with the demo and the workspace `team`, and with a model, which may ask to write."""
    settings = {"ASOF_MODEL": MODEL, "ASOF_PRICES": f"{MODEL}=3/15", "ANTHROPIC_API_KEY": "sk-test"}
    settings |= {"ANTHROPIC_BASE_URL": server.url, "ASOF_TOOLSETS": "analyst, knowledge"}
    with filled.copy(["demo"], CORRECTIONS) as home, running(home, free_port(), settings) as url:
        yield url


@pytest.fixture(scope="session")
def asof(filled: FilledFolders) -> Iterator[Asof]:
    """An app with sign-in: Root administers it, Ada may open the workspace `team`, Bob none."""
    with filled.copy(CORRECTIONS) as home, running(home, free_port(), LOCAL) as url:
        asof = Asof(url, home)
        asof.user("add", "root", "--admin", "--password-stdin")
        asof.user("add", "ada", "--password-stdin", "--grant", "team")
        asof.user("add", "bob", "--password-stdin")
        yield asof


@pytest.fixture(scope="session")
def playwright_session() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright_session: Playwright) -> Iterator[Browser]:
    found = chromium()
    if found is None:
        pytest.skip("Browser tests need a Chromium on PATH: apt install chromium.")
    browser = playwright_session.chromium.launch(
        executable_path=found, args=[*QUIET, *ONE_RENDERER, f"--host-resolver-rules=MAP {FOREIGN} 127.0.0.1"]
    )
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def lasting_page(browser: Browser) -> Iterator[Page]:
    """An empty page that stays open, and with it what the context of the tests has loaded and compiled."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="light")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.route("**/*", lambda route: route.fulfill(body=""))
    page.goto("http://127.0.0.1/")
    yield page
    context.close()


@pytest.fixture
def context(lasting_page: Page) -> Iterator[BrowserContext]:
    """The context of the tests: after each, its pages are closed, and what they stored is forgotten."""
    context = lasting_page.context
    yield context
    for page in context.pages:
        if page != lasting_page:
            page.close()
    context.clear_cookies()
    context.clear_permissions()
    context.new_cdp_session(lasting_page).send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})


@pytest.fixture
def page(context: BrowserContext, app_url: str) -> Iterator[Page]:
    """A page that may ask nobody but the app, whose scripts raise nothing, and whose policy stops nothing of ours."""
    page = context.new_page()
    asked: list[str] = []
    faults: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.extend([message.text] * ("Content Security Policy" in message.text)))
    yield page
    own = urlsplit(app_url).netloc
    assert [url for url in asked if url.startswith(("http", "ws")) and urlsplit(url).netloc != own] == []
    assert faults == []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    """Show what the pages said when a test failed, since nobody watches a browser in continuous integration."""
    report = yield
    page = getattr(item, "funcargs", {}).get("page")
    if report.failed and call.when == "call" and page is not None:
        for one in page.context.pages:
            report.sections.append((f"Page {one.url}", _text_of(one)))
    return report


def _text_of(page: Page) -> str:
    try:
        return page.locator("body").inner_text(timeout=5_000)
    except PlaywrightError as error:
        return str(error)


@pytest.fixture
def explore(page: Page, app_url: str) -> ExplorePage:
    return ExplorePage(page, app_url)
