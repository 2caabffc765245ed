"""Pages in narrow and wide windows, in both themes: nobody has to scroll sideways, and nothing raises.

One tab goes through all of them; a usual run looks at each in its narrowest window and in dark.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.examples import fits, picture
from tests.browser.gestures import look_at
from tests.conftest import FULL

pytestmark = pytest.mark.browser

PEPS = "w=peps&as_of=2018-06-27"
TEAM = "w=team&as_of=2022-10-01&mode=keyword"


def _bar(page: Page) -> Locator:
    return page.locator(".st-key-asofbar")


def _hits(page: Page) -> Locator:
    return page.get_by_role("list", name="What was found")


@dataclass(frozen=True)
class View:
    """A page at an address, what shows that it stands, and the widths of two windows, the harder one first."""

    name: str
    address: str
    stands: Callable[[Page], Locator] = _bar
    widths: tuple[int, int] = (1280, 1920)


@dataclass(frozen=True)
class Look:
    view: View
    theme: Literal["dark", "light"]
    width: int


VIEWS = (
    *(
        View(name or "Overview", f"{name}?{PEPS}&e=PEP+484")
        for name in ("", "Timeline", "Search", "Ingest", "Settings")
    ),
    View("Explore", f"Explore?{PEPS}", lambda page: page.locator(".frame .canvas canvas")),
    View("Explore-entity", f"Explore?{PEPS}&e=PEP+484", lambda page: page.locator('[data-entity="PEP 484"]')),
    View("Explore-compare", f"Explore?{PEPS}&e=PEP+484&hops=2&to=2024-06-01", lambda page: page.locator(".mark.b")),
    View("Search-start", f"Search?{TEAM}", lambda page: page.get_by_text("Searchable content"), (700, 1280)),
    View("Search-hits", f"Search?{TEAM}&q=Ada&recorded=1", _hits, (700, 1280)),
    View(
        "Search-document",
        f"Search?{TEAM}&q=train&open=handbook&lines=71-71",
        lambda page: page.locator(".text[data-settled]"),
        (700, 1280),
    ),
    View("Sources", "Sources?w=team", lambda page: page.get_by_role("table", name="Sources"), (480, 1440)),
    View("Sources-text", "Sources?w=team&s=handbook", lambda page: page.locator(".line").first, (480, 1440)),
    View(
        "Health",
        "Health?w=peps",
        lambda page: page.get_by_role("navigation", name="What was found"),
        (620, 1440),
    ),
    View(
        "Connect",
        f"Connect?{PEPS}&client=claude-desktop",
        lambda page: page.get_by_role("region", name="On this computer"),
        (420, 1920),
    ),
)


def _looks(view: View) -> list[Look]:
    first = Look(view, "dark", view.widths[0])
    return [first, replace(first, theme="light"), Look(view, "light", view.widths[1])] if FULL else [first]


def test_each_page_fits_its_window_in_both_themes(page: Page, app_url: str) -> None:
    for look in (look for view in VIEWS for look in _looks(view)):
        page.set_viewport_size({"width": look.width, "height": 900})
        page.emulate_media(color_scheme=look.theme)
        look_at(page, f"{app_url}/{look.view.address}")
        expect(look.view.stands(page)).to_be_visible()
        expect(page.locator("[data-testid='stStatusWidget'], [data-testid='stSkeleton']")).to_have_count(0)
        picture(page, f"{look.view.name}-{look.theme}-{look.width}")
        assert fits(page), look
        assert page.locator("[data-testid='stException']").count() == 0, look
