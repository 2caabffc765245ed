"""The app behind a proxy with HTTPS, in a real browser: nginx on loopback with a certificate that it gave itself."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.server import free_port
from tests.browser.signed_in import Asof, sign_in
from tests.browser.test_other_sites import expect_kept_out, other_site  # noqa: F401 - a fixture
from tests.conftest import answers
from tests.files.certificates import self_signed

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.xdist_group("an app with sign-in")]

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
CONFIGURATION = """
daemon off;
{user}
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    client_max_body_size 60m;
    map $http_upgrade $connection_upgrade {{ default upgrade; '' close; }}
    server {{
        listen 127.0.0.1:{port} ssl;
        ssl_certificate {folder}/site.pem;
        ssl_certificate_key {folder}/site.pem;
        location / {{
            proxy_pass {app};
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $connection_upgrade;
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_set_header X-Forwarded-Proto $scheme;
            proxy_read_timeout 1d;
        }}
    }}
}}
"""


@pytest.fixture(scope="module")
def app_url(asof: Asof) -> Iterator[str]:
    """The address of the proxy, as visitors know it."""
    if NGINX is None:
        pytest.skip("The test of a proxy needs nginx on PATH: apt install nginx-light.")
    with _proxied(asof.url) as url:
        yield url


@contextmanager
def _proxied(app: str) -> Iterator[str]:
    assert NGINX is not None, "the fixture skips without it"
    with tempfile.TemporaryDirectory(prefix="asof-nginx-") as name:
        folder, port = Path(name), free_port()
        self_signed("localhost", folder)
        user = "user root;" if folder.owner() == "root" else ""
        (folder / "nginx.conf").write_text(CONFIGURATION.format(folder=folder, port=port, app=app, user=user))
        proxy = subprocess.Popen([NGINX, "-p", name, "-c", f"{name}/nginx.conf", "-e", f"{name}/error.log"])
        try:
            deadline = time.monotonic() + 20
            while not answers(port):
                assert proxy.poll() is None, (folder / "error.log").read_text()
                assert time.monotonic() < deadline
                time.sleep(0.02)
            yield f"https://localhost:{port}"
        finally:
            proxy.terminate()
            proxy.wait(20)


@pytest.fixture(scope="module")
def trusting(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, ignore_https_errors=True)
    yield context
    context.close()


@pytest.fixture
def context(trusting: BrowserContext) -> Iterator[BrowserContext]:
    """A context that keeps the loaded scripts, and forgets who signed in."""
    yield trusting
    for page in trusting.pages:
        page.close()
    trusting.clear_cookies()


def test_the_app_works_behind_a_proxy_with_https(page: Page, context: BrowserContext, app_url: str) -> None:
    sockets: list[str] = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    response = page.goto(f"{app_url}/Timeline?w=team&e=Ada")
    assert response is not None
    assert response.headers["strict-transport-security"].startswith("max-age=")
    sign_in(page, "ada")
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    assert {urlsplit(url)[:2] for url in sockets} == {("wss", urlsplit(app_url).netloc)}
    assert [cookie["secure"] for cookie in context.cookies() if cookie["name"].startswith("asof")] == [True]


def test_a_file_is_uploaded_through_the_proxy(page: Page, app_url: str, tmp_path: Path) -> None:
    page.goto(f"{app_url}/Ingest?w=team")
    sign_in(page, "ada")
    file = tmp_path / "facts.csv"
    file.write_text("source,relation,target\nAda,KNOWS,Proxima\n")
    page.get_by_text("Table", exact=True).first.click()
    page.locator("input[type=file]").first.set_input_files(file)
    expect(page.get_by_role("heading", name="1 good row")).to_be_visible()


def test_another_site_is_kept_out_through_the_proxy_too(
    context: BrowserContext,
    app_url: str,
    other_site: str,  # noqa: F811
) -> None:
    page = context.new_page()
    expect_kept_out(page, other_site, app_url)
