"""A page of another site, or of a foreign name, in a real browser: it can neither show the app nor open its socket."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import FOREIGN

pytestmark = pytest.mark.browser

_PAGE = b"""<!doctype html><title>another site</title><p id=socket>trying</p>
<script>
const app = location.hash.slice(1)
const frame = document.createElement("iframe")
frame.src = app
document.body.append(frame)
const socket = new WebSocket(app.replace("http", "ws") + "/_stcore/stream", ["streamlit"])
const say = word => document.getElementById("socket").textContent = word
socket.onopen = () => say("open")
socket.onclose = () => say("refused")
</script>"""


class _OtherSite(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(_PAGE)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def other_site() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _OtherSite) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def expect_kept_out(page: Page, other_site: str, app_url: str) -> None:
    """Open the other site, which can neither open the app's socket nor frame the app."""
    stopped: list[str] = []
    page.on("console", lambda message: stopped.append(message.text))
    page.goto(f"{other_site}/#{app_url}")
    expect(page.locator("#socket")).to_have_text("refused")
    page.wait_for_load_state("networkidle")
    assert any("frame-ancestors" in text for text in stopped)


def test_a_page_on_another_port_neither_frames_the_app_nor_opens_its_socket(
    context: BrowserContext, app_url: str, other_site: str
) -> None:
    page = context.new_page()
    page.goto(f"{app_url}/Settings")  # a visitor who has the app open, with its cookies
    expect(page.locator(".st-key-asofbar")).to_be_visible()
    expect_kept_out(page, other_site, app_url)


_OPEN_SOCKET = """path => new Promise(answer => {
  const socket = new WebSocket(path)
  socket.onopen = () => answer("open")
  socket.onclose = () => answer("refused")
})"""


def test_a_foreign_name_that_leads_to_the_app_shows_nothing_and_opens_no_socket(
    context: BrowserContext, app_url: str
) -> None:
    page, port = context.new_page(), app_url.rpartition(":")[2]
    for path in ("/", "/Settings", "/_stcore/health", "/api/health"):
        answer = page.goto(f"http://{FOREIGN}:{port}{path}")
        assert answer is not None
        assert (answer.status, answer.json()) == (400, {"error": "Asof does not accept this host name. Use localhost."})
    assert page.evaluate(_OPEN_SOCKET, f"ws://{FOREIGN}:{port}/_stcore/stream") == "refused"
