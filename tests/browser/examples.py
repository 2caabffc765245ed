"""What a usual run leaves out: under ASOF_FULL=1 a test does all of its examples, otherwise the first few of them.

Every test runs at least once. Between them, a usual run opens each page, in both themes and in narrow and wide windows.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.conftest import FULL, few

SCREENSHOTS = Path(__file__).parent / "screenshots"


def in_windows(hardest: int, widest: int) -> pytest.MarkDecorator:
    """Give a test its `theme` and `width`: dark in the window that is hardest to fit, light in the widest one."""
    return pytest.mark.parametrize(("theme", "width"), few([("dark", hardest), ("light", widest)]))


def fits(page: Page) -> bool:
    """True if nobody has to scroll sideways to see the whole page."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def picture(page: Page, name: str, *, full_page: bool = False) -> None:
    """Keep a picture for whoever wants to look at it; no test compares it, so a usual run takes none."""
    if FULL:
        page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=full_page)
