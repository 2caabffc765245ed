"""The Explore page in a real browser, on the demo.

A page takes seconds to open, so a test is one visit: its steps are the functions before it, named by what they show.
"""

import csv
import io
import json
import re
from itertools import combinations
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit
from xml.etree import ElementTree

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.explore_page import ExplorePage
from tests.browser.gestures import opened, pick

pytestmark = pytest.mark.browser

AS_OF, LATER = "2018-06-27", "2026-01-01"
KEPT_BY_OTHERS = {"q": "generators", "m": "rules"}
"""Parameters of the address that Search and Ask read."""


def _the_page_opens_on_the_best_connected_300_entities_and_says_what_is_left_out(explore: ExplorePage) -> None:
    assert explore.read("scene.entities.size") >= 300
    expect(explore.page.locator(".note span")).to_contain_text("of ")
    expect(explore.panel()).to_contain_text("Select an entity to see its facts.")
    expect(explore.page.get_by_role("switch", name="Common values as letters")).to_be_visible()
    expect(explore.page.get_by_role("switch", name="Group by community")).to_have_count(0)


def _a_click_on_an_entity_shows_its_facts_and_puts_it_into_the_address(explore: ExplorePage) -> None:
    explore.click_entity("PEP 484")
    expect(explore.headed("PEP 484")).to_be_visible()
    expect(explore.panel()).to_contain_text(f"on {LATER}")
    assert explore.id_of("PEP 484") in explore.page.url
    explore.until("scene.entities.size >= 300")


def _the_search_box_starts_a_picture_around_an_entity(explore: ExplorePage) -> None:
    pick(explore.page.get_by_role("combobox", name="Find an entity"), "Łukasz Langa", typed="Łukasz")
    expect(explore.headed("Łukasz Langa")).to_be_visible()
    explore.until("scene.entities.size < 300")


def test_a_visit_to_the_whole_graph(explore: ExplorePage) -> None:
    explore.open(as_of=LATER)
    _the_page_opens_on_the_best_connected_300_entities_and_says_what_is_left_out(explore)
    _a_click_on_an_entity_shows_its_facts_and_puts_it_into_the_address(explore)
    _the_search_box_starts_a_picture_around_an_entity(explore)


def _a_click_on_an_edge_shows_the_fact_with_both_clocks_and_its_source(explore: ExplorePage) -> None:
    explore.click_fact(explore.fact("PEP 484", "Accepted"))
    expect(explore.panel()).to_contain_text("In the world")
    expect(explore.panel()).to_contain_text("2015-05-2")
    explore.settle()
    explore.panel().get_by_text("Sources").click()
    expect(explore.panel().get_by_text("Status:").first).to_be_visible()


def _a_pinned_entity_cannot_be_dragged_and_the_server_knows(explore: ExplorePage) -> None:
    explore.frame.get_by_role("button", name="Pin").click()
    expect(explore.frame.get_by_role("button", name="Unpin")).to_be_visible()
    assert explore.read("scene.network.body.nodes[value].options.fixed.x", explore.id_of("PEP 484")) is True


def _collapse_folds_what_hangs_on_an_entity_alone(explore: ExplorePage) -> None:
    before = explore.read("scene.visible().length")
    explore.frame.get_by_role("button", name="Collapse").click()
    explore.until("scene.visible().length < value", before)
    explore.frame.get_by_role("button", name="Show hidden").click()
    explore.until("scene.visible().length === value", before)


def _the_shortest_path_is_written_out_and_highlighted(explore: ExplorePage) -> None:
    path = explore.panel().get_by_role("button", name="Path")
    pick(opened(path, explore.page.get_by_role("combobox", name="To which entity?")), "PEP 572", typed="PEP 572")
    expect(explore.panel().get_by_role("heading", name="Path")).to_be_visible()
    expect(explore.panel().get_by_text("PEP 572").last).to_be_visible()
    explore.until("scene.path.length > 0 && scene.path.every((id) => scene.drawnFacts().includes(id))")


def _the_picture_can_be_saved_as_files(explore: ExplorePage, tmp_path: Path) -> None:
    facts = explore.read("scene.facts.length")
    with explore.page.expect_download() as saved:
        explore.frame.get_by_role("button", name="Save as PNG").click()
    saved.value.save_as(tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
    explore.page.get_by_text("Table and downloads").click()
    files = {name: _download(explore, name, tmp_path) for name in ("JSON", "GraphML", "CSV")}
    assert len(json.loads(files["JSON"])["facts"]) == facts
    assert len(list(csv.DictReader(io.StringIO(files["CSV"])))) == facts
    edges = "{http://graphml.graphdrawing.org/xmlns}edge"
    assert len(list(ElementTree.fromstring(files["GraphML"]).iter(edges))) == facts


def _download(explore: ExplorePage, label: str, folder: Path) -> str:
    with explore.page.expect_download() as saved:
        explore.page.get_by_role("button", name=label, exact=True).click()
    saved.value.save_as(folder / label)
    return (folder / label).read_text()


def _a_row_of_the_table_selects_its_fact_in_the_picture(explore: ExplorePage) -> None:
    table = explore.page.locator('[data-testid="stDataFrame"] canvas').first
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    assert box is not None
    explore.page.mouse.click(box["x"] + 12, box["y"] + 55)
    explore.until("scene.selected?.kind === 'fact'")
    expect(explore.panel()).to_contain_text("In the world")


def test_a_visit_to_one_entity(explore: ExplorePage, tmp_path: Path) -> None:
    explore.open(as_of=AS_OF, e="PEP 484")
    _collapse_folds_what_hangs_on_an_entity_alone(explore)
    _a_pinned_entity_cannot_be_dragged_and_the_server_knows(explore)
    _a_click_on_an_edge_shows_the_fact_with_both_clocks_and_its_source(explore)
    explore.click_entity("PEP 484")
    _the_shortest_path_is_written_out_and_highlighted(explore)
    _the_picture_can_be_saved_as_files(explore, tmp_path)
    _a_row_of_the_table_selects_its_fact_in_the_picture(explore)


def _hubs_and_their_facts_are_named_and_counted_alike_at_two_hops(explore: ExplorePage) -> None:
    hubs = "[...scene.visible()].filter((id) => scene.neighbours.get(id).size >= 8)"
    explore.until(f"{hubs}.length > 2 && {hubs}.every((id) => scene.painter.named.has(id))")
    expect(explore.panel()).to_contain_text("7 facts on 2018-06-27")
    explore.page.mouse.move(*explore.on_screen("PEP 484"))
    expect(explore.frame.locator(".tip")).to_contain_text("in this view: holds 7, ended 1, undated 1")
    note = str(explore.frame.locator(".note span").text_content())
    parts = [int(number.replace(",", "")) for number in re.findall(r"([\d,]+) (?:facts as|as letters|not drawn)", note)]
    assert sum(parts) == explore.read("scene.counts.holds + scene.counts.ended + scene.counts.undated")


def _values_that_nearly_everything_has_are_letters_until_the_switch_is_off(explore: ExplorePage) -> None:
    assert 50 < explore.read("scene.entities.size") < 200, "two hops do not go through what most entities have"
    names = explore.read("scene.visible().map((id) => scene.entities.get(id).name)")
    assert not {"Final", "Standards Track"} & set(names)
    assert explore.read("scene.folds.beside(value, false)", explore.id_of("PEP 484")) == ["A", ""]
    explore.frame.get_by_role("button", name="Rejected").click()
    expect(explore.frame.get_by_role("toolbar", name="Selected entities")).to_contain_text("selected")
    explore.frame.get_by_role("switch", name="Common values as letters").click()
    explore.page.wait_for_url(lambda url: "unfold=1" in url)
    explore.until("scene.visible().some((id) => scene.entities.get(id).name === 'Final')")


def _the_legend_hides_a_type_and_the_address_remembers(explore: ExplorePage) -> None:
    explore.settle()
    explore.frame.locator(".types button", has_text="Person").click()
    explore.until("scene.visible().every((id) => scene.entities.get(id).type !== 'Person')")
    explore.page.wait_for_url(lambda url: "hidden_types=Person" in url)
    explore.page.reload()
    explore.until("scene.hiddenTypes.has('Person')")
    expect(explore.frame.locator(".types button", has_text="Person")).to_have_attribute("aria-pressed", "false")


def test_a_visit_at_two_hops(explore: ExplorePage) -> None:
    explore.open(as_of=AS_OF, e="PEP 484", hops="2")
    _hubs_and_their_facts_are_named_and_counted_alike_at_two_hops(explore)
    _values_that_nearly_everything_has_are_letters_until_the_switch_is_off(explore)
    _the_legend_hides_a_type_and_the_address_remembers(explore)


def _a_change_of_theme_repaints_the_picture_at_once(explore: ExplorePage) -> None:
    assert explore.read("scene.tokens.name") == "light"
    explore.page.emulate_media(color_scheme="dark")
    explore.until("scene.tokens.name === 'dark'")
    explore.until("scene.network.body.edges[scene.drawnFacts()[0]].options.color.color !== '#8A929E'")


def _two_quick_expansions_are_both_carried_out_and_what_stood_keeps_its_place(explore: ExplorePage) -> None:
    names, place, before = ("Guido van Rossum", "Jukka Lehtosalo"), explore.place_of("Accepted"), _size(explore)
    first, second = map(explore.id_of, names)
    for at in [explore.on_screen(name) for name in names]:
        explore.page.mouse.dblclick(*at)
    explore.page.wait_for_url(lambda url: first in url and second in url)
    explore.until("scene.entities.size > value", before)
    assert explore.place_of("Accepted") == place


def _size(explore: ExplorePage) -> int:
    return int(explore.read("scene.entities.size"))


def _the_tooltip_leaves_with_the_pointer(explore: ExplorePage) -> None:
    explore.page.mouse.move(*explore.on_screen("PEP 484"))
    expect(explore.frame.locator(".tip")).to_be_visible()
    explore.page.mouse.move(5, 5)
    expect(explore.frame.locator(".tip")).to_be_hidden()


def _a_copied_link_leaves_out_what_other_pages_keep(explore: ExplorePage) -> None:
    copied = _copied_link(explore)
    assert copied.keys() <= {"w", "as_of", "e", "r"}
    assert copied["e"] == explore.id_of("PEP 484")


def _copied_link(explore: ExplorePage) -> dict[str, str]:
    explore.frame.get_by_role("button", name="Copy link").click()
    expect(explore.frame.get_by_role("button", name="Copied; only this computer can open it")).to_be_visible()
    return dict(parse_qsl(urlsplit(explore.page.evaluate("navigator.clipboard.readText()")).query))


def _a_rectangle_selects_many_which_are_hidden_together_and_in_the_copied_link(explore: ExplorePage) -> None:
    box = explore.frame.locator(".canvas").bounding_box()
    assert box is not None
    explore.frame.get_by_role("button", name="Select", exact=True).click()
    explore.page.mouse.move(box["x"] + 2, box["y"] + 2)
    explore.page.mouse.down()
    explore.page.mouse.move(box["x"] + box["width"] - 2, box["y"] + box["height"] - 2, steps=3)
    explore.page.mouse.up()
    explore.until("scene.chosen.size === scene.visible().length")
    many = explore.frame.get_by_role("toolbar", name="Selected entities")
    many.get_by_role("button", name="Hide").click()
    explore.until("scene.hidden.size > 5")
    copied = _copied_link(explore)
    assert copied | KEPT_BY_OTHERS == dict(parse_qsl(urlsplit(explore.page.url).query))


def test_a_visit_that_ends_with_a_copied_link(explore: ExplorePage, context: BrowserContext) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    explore.open(as_of=AS_OF, e="PEP 484", **KEPT_BY_OTHERS)
    _a_change_of_theme_repaints_the_picture_at_once(explore)
    _the_tooltip_leaves_with_the_pointer(explore)
    _a_copied_link_leaves_out_what_other_pages_keep(explore)
    _a_rectangle_selects_many_which_are_hidden_together_and_in_the_copied_link(explore)


def test_a_visit_that_expands(explore: ExplorePage) -> None:
    explore.open(as_of=AS_OF, e="PEP 484")
    _two_quick_expansions_are_both_carried_out_and_what_stood_keeps_its_place(explore)


IN_THE_CORNER = """(() => {
  const [id] = scene.visible();
  const ends = scene.visible().map((one) => scene.position(one));
  const corner = { x: Math.max(...ends.map(({ x }) => x)) + 100, y: Math.min(...ends.map(({ y }) => y)) };
  Object.assign(scene.network.body.nodes[id], corner);
  scene.entities.get(id).name = value;
  scene.fit();
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = "12px Inter, sans-serif";
  const at = scene.network.canvasToDOM(scene.position(id));
  const column = frame.querySelector(".zoom");
  return [at.x + pen.measureText(value).width / 2 < column.offsetLeft, at.y < column.offsetTop + column.offsetHeight];
})()"""


def test_the_buttons_over_the_picture_cover_no_name(explore: ExplorePage) -> None:
    explore.open(as_of=AS_OF, e="PEP 484")
    for width in (1440, 480):
        explore.page.set_viewport_size({"width": width, "height": 600})
        explore.until("scene.canvas.clientWidth < value && scene.network.canvas.frame.clientWidth < value", width)
        is_left_of_them, is_as_high = explore.read(IN_THE_CORNER, "A name of 25 letters, says")
        assert is_left_of_them or not is_as_high, width


def test_no_name_is_written_over_another_on_a_narrow_screen(explore: ExplorePage) -> None:
    explore.page.set_viewport_size({"width": 420, "height": 900})
    explore.open()
    explore.until("scene.painter.names.length > 3")
    boxes = explore.read("scene.painter.names")
    pairs = [(one, other) for one, other in combinations(boxes, 2) if _meet(one, other)]
    assert pairs == []


def _meet(one: list[float], other: list[float]) -> bool:
    """True for boxes (left, top, right, bottom) that share a part of the screen."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_a_link_opens_the_same_view_and_a_reload_keeps_it(explore: ExplorePage) -> None:
    explore.open(as_of="2019-01-01", known_at="2026-01-01", e="PEP 572", hops="2", hidden_relations="HAS_TYPE")
    expect(explore.headed("PEP 572")).to_be_visible()
    entity = explore.id_of("PEP 572")
    for _ in range(2):
        explore.until("scene.selected?.uuid === value", entity)
        assert explore.read("scene.asOf") == 1546300800000
        assert explore.read("[...scene.hiddenRelations]") == ["HAS_TYPE"]
        expect(explore.page.locator(".st-key-clock_known")).to_contain_text("2026-01-01")
        expect(explore.headed("PEP 572")).to_be_visible()
        explore.page.reload()


def test_the_keyboard_walks_selects_expands_hides_and_clears(explore: ExplorePage) -> None:
    explore.open(as_of=AS_OF, e="PEP 484")
    canvas = explore.frame.locator(".canvas")
    canvas.focus()
    explore.page.keyboard.press("ArrowLeft")
    explore.until("scene.focused !== null")
    focused = explore.read("scene.focused")
    name = explore.read("scene.entities.get(value).name", focused)
    expect(explore.frame.locator("[aria-live]")).to_contain_text(name)
    explore.page.keyboard.press("Enter")
    expect(explore.headed(name)).to_be_visible()
    before = explore.read("scene.entities.size")
    explore.page.keyboard.press("e")
    explore.until("scene.entities.size > value", before)
    canvas.focus()
    explore.page.keyboard.press("h")
    explore.until("!scene.visible().includes(value)", focused)
    explore.page.keyboard.press("Escape")
    expect(explore.panel()).to_contain_text("Select an entity to see its facts.")


def test_steps_of_the_picture_are_undone_and_done_again(explore: ExplorePage) -> None:
    explore.open(as_of=AS_OF, e="PEP 484")
    undo, redo = (explore.frame.get_by_role("button", name=name) for name in ("Undo", "Redo"))
    expect(undo).to_be_disabled()
    people = explore.frame.locator(".types .switch", has_text="Person")
    people.hover()
    people.get_by_role("button", name="Show only Person").click()
    explore.page.wait_for_url(lambda url: "hidden_types" in url)
    only = explore.read("scene.visible().map((id) => scene.entities.get(id).type)")
    assert set(only) == {"PEP", "Person"}, "the selected entity stays"
    explore.page.keyboard.press("Escape")
    before = explore.read("scene.entities.size")
    explore.click_entity("Guido van Rossum", double=True)
    explore.until("scene.entities.size > value", before)
    undo.click()
    explore.until("scene.entities.size === value", before)
    undo.click()
    explore.page.wait_for_url(lambda url: "hidden_types" not in url)
    expect(undo).to_be_disabled()
    redo.click()
    explore.page.wait_for_url(lambda url: "hidden_types" in url)


def test_an_entity_that_is_unknown_is_said_to_be(explore: ExplorePage) -> None:
    explore.open(as_of=AS_OF, e="PEP 99999")
    expect(explore.panel()).to_contain_text("No entity matches “PEP 99999”")
