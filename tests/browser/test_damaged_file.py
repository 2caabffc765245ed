"""A file of the graph was cut while the app was down: its pages say what is missing, and one button brings it back."""

import os

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.conftest import CORRECTIONS, SEARCHED
from tests.browser.filled import FilledFolders
from tests.browser.server import free_port, run_command, running

pytestmark = pytest.mark.browser


def test_a_cut_file_is_noticed_on_the_first_page_and_mended_on_health(
    context: BrowserContext, filled: FilledFolders
) -> None:
    with filled.copy(CORRECTIONS) as home:
        run_command(home, SEARCHED, {})  # a mirror belongs to its folder
        (path,) = (home / "graph/appendonlydir").glob("*.incr.aof")
        os.truncate(path, path.stat().st_size // 2)
        with running(home, free_port(), {}) as url:
            page = context.new_page()
            page.goto(f"{url}/Explore?w=team")
            expect(page.get_by_text("saved in “team”")).to_be_visible()
            page.get_by_role("button", name="Open Health").click()
            expect(page.get_by_text("A copy of the damaged files is in")).to_be_visible()
            page.get_by_role("button", name="Restore missing records").click()
            expect(page.get_by_text("Asof restored")).to_be_visible()
            expect(page.get_by_text("saved in “team”")).to_have_count(0)
