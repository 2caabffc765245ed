"""Links in tables and panels: they go on in place, and are links all the same."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.explore_page import ExplorePage

pytestmark = pytest.mark.browser

AS_OF = "2018-06-27"


def _mark(page: Page) -> None:
    """A page that is loaded anew has forgotten this. Before the app listens, links are as everywhere."""
    page.locator(".st-key-links i[data-listening]").wait_for(state="attached")
    page.evaluate("window.same = true")


def _same(page: Page) -> bool:
    return bool(page.evaluate("window.same === true"))


def _an_entity_in_the_panel_is_selected_in_place_and_what_was_folded_stays_so(explore: ExplorePage) -> None:
    explore.frame.get_by_role("button", name="Collapse").click()
    folded = explore.read("scene.visible().length")
    explore.panel().get_by_role("link", name="Guido van Rossum").click()
    expect(explore.headed("Guido van Rossum")).to_be_visible()
    explore.until("scene.entities.get(scene.selected.uuid).name === 'Guido van Rossum'")
    assert _same(explore.page)
    assert explore.read("scene.collapsed.size") == 1
    assert explore.read("scene.visible().length") == folded + 1


def _a_relation_in_the_panel_opens_its_fact_from_the_keyboard(explore: ExplorePage) -> None:
    explore.panel().get_by_role("link", name="has status").first.focus()
    explore.page.keyboard.press("Enter")
    expect(explore.panel()).to_contain_text("In the world")
    explore.until("scene.selected?.kind === 'fact'")
    assert _same(explore.page)


def _hidden_entities_stand_in_the_address(explore: ExplorePage) -> None:
    hidden = explore.id_of("Accepted")
    explore.click_entity("Accepted")
    expect(explore.headed("Accepted")).to_be_visible()
    explore.frame.get_by_role("button", name="Hide", exact=True).click()
    explore.page.wait_for_url(lambda url: f"h={hidden}" in url)
    explore.page.reload()
    explore.until("scene.visible().length > 0 && !scene.visible().includes(value)", hidden)
    explore.frame.get_by_role("button", name="Show hidden").click()
    explore.until("scene.visible().includes(value)", hidden)
    explore.page.wait_for_url(lambda url: "h=" not in url)


def test_a_visit_by_the_links_in_the_panel_of_explore(explore: ExplorePage) -> None:
    explore.open(as_of=AS_OF, e="PEP 484")
    _hidden_entities_stand_in_the_address(explore)
    for step in (
        _a_relation_in_the_panel_opens_its_fact_from_the_keyboard,
        _an_entity_in_the_panel_is_selected_in_place_and_what_was_folded_stays_so,
    ):
        explore.click_entity("PEP 484")
        expect(explore.headed("PEP 484")).to_be_visible()
        _mark(explore.page)
        step(explore)


def test_a_link_to_another_page_opens_a_tab_by_its_key_or_goes_there_in_place(
    page: Page, context: BrowserContext, app_url: str
) -> None:
    page.goto(f"{app_url}/?w=peps&as_of={AS_OF}")
    link = page.get_by_role("link", name="PEP 801").first
    expect(link).to_be_visible()
    _mark(page)
    with context.expect_page() as opened:
        link.click(modifiers=["Control"])
    expect(opened.value.get_by_role("heading", name="PEP 801")).to_be_visible()
    opened.value.close()
    assert "/Timeline" not in page.url
    link.click()
    page.wait_for_url(lambda url: "/Timeline" in url and f"as_of={AS_OF}" in url and "e=" in url)
    expect(page.get_by_role("heading", name="PEP 801")).to_be_visible()
    assert _same(page)


def test_the_date_from_which_a_timeline_begins_and_its_lines_stand_in_the_address(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/Timeline?w=peps&as_of={AS_OF}&e=Draft&since=2015-01-01")
    expect(page.get_by_text("Showing 12 of")).to_be_visible()
    page.get_by_role("button", name="Show more").first.click()
    page.wait_for_url(lambda url: "lanes=48" in url and "since=2015-01-01" in url)
    expect(page.get_by_text("Showing 48 of")).to_be_visible()
