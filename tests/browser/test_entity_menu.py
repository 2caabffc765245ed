"""The menu of an entity in the picture of Explore, by mouse and by keyboard."""

from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.explore_page import ExplorePage
from tests.conftest import few

pytestmark = pytest.mark.browser

AS_OF = "2018-06-27"


def menu_of(explore: ExplorePage, name: str) -> Locator:
    """The menu that a right click on an entity opens."""
    explore.page.mouse.click(*explore.on_screen(name), button="right")
    menu = explore.frame.get_by_role("menu", name=name)
    expect(menu).to_be_visible()
    return menu


def test_the_menu_shows_a_path_to_an_entity_and_asks_for_the_end_of_another(explore: ExplorePage) -> None:
    explore.open(as_of=AS_OF, e="PEP 484")
    menu_of(explore, "Guido van Rossum").get_by_role("menuitem", name="Path from PEP 484 to here").click()
    explore.until("scene.path.length === 1")
    expect(explore.headed("PEP 484")).to_be_visible()
    menu_of(explore, "Guido van Rossum").get_by_role("menuitem", name="Path from here…").click()
    expect(explore.page.get_by_role("combobox", name="To which entity?")).to_be_visible()
    expect(explore.headed("Guido van Rossum")).to_be_visible()


def test_only_an_entity_and_its_neighbours_are_shown_until_that_is_undone(explore: ExplorePage) -> None:
    explore.open(as_of=AS_OF, e="PEP 484")
    pep, guido = explore.id_of("PEP 484"), explore.id_of("Guido van Rossum")
    before = explore.read("scene.entities.size")
    menu_of(explore, "Guido van Rossum").get_by_role(
        "menuitem", name="Show only this entity and its neighbours"
    ).click()
    near = "scene.visible().every((id) => id === value || scene.neighbours.get(value).has(id))"
    explore.until(f"scene.visible().length > 20 && {near}", guido)
    expect(explore.headed("Guido van Rossum")).to_be_visible()
    assert f"r={guido}" in explore.page.url
    explore.frame.get_by_role("button", name="Undo").click()
    explore.until("scene.entities.size === value", before)
    explore.page.wait_for_url(lambda url: f"r={pep}" in url)


def test_the_menu_copies_a_link_that_selects_the_entity_in_the_same_picture(explore: ExplorePage) -> None:
    explore.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    explore.open(as_of=AS_OF, e="PEP 484")
    pep, guido = explore.id_of("PEP 484"), explore.id_of("Guido van Rossum")
    menu_of(explore, "Guido van Rossum").get_by_role("menuitem", name="Copy link").click()
    expect(explore.frame.get_by_role("button", name="Copied")).to_be_visible()
    copied = dict(parse_qsl(urlsplit(explore.page.evaluate("navigator.clipboard.readText()")).query))
    assert (copied["e"], copied["r"], copied["as_of"]) == (guido, pep, AS_OF)


def test_on_a_narrow_window_the_question_of_a_path_comes_into_sight(explore: ExplorePage) -> None:
    explore.page.set_viewport_size({"width": 420, "height": 900})
    explore.open(as_of=AS_OF, e="PEP 484")
    menu_of(explore, "PEP 484").get_by_role("menuitem", name="Path from here…").click()
    expect(explore.page.get_by_role("combobox", name="To which entity?")).to_be_in_viewport()


@pytest.mark.parametrize("keys", few(["Shift+F10", "ContextMenu"]))
def test_the_keyboard_opens_the_menu_walks_in_it_and_leaves_it(explore: ExplorePage, keys: str) -> None:
    explore.open(as_of=AS_OF, e="PEP 484")
    canvas, items = explore.frame.locator(".canvas"), explore.frame.get_by_role("menuitem")
    canvas.focus()
    explore.page.keyboard.press(keys)
    expect(items.first).to_be_focused()
    explore.page.keyboard.press("ArrowUp")
    expect(items.last).to_be_focused()
    explore.page.keyboard.press("Escape")
    expect(items.first).to_be_hidden()
    expect(canvas).to_be_focused()
    explore.until("scene.selected !== null")
    explore.page.keyboard.press(keys)
    explore.page.keyboard.press("Enter")
    explore.page.wait_for_url(lambda url: "/Timeline" in url)
    expect(explore.page.get_by_role("heading", name="PEP 484")).to_be_visible()
