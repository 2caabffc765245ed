"""The dates of the Explore page in a real browser: the slider, play, and comparisons of two instants.

A page takes seconds to open, so a test is one visit: its steps are the functions before it, named by what they show.
"""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.explore_page import ExplorePage
from tests.browser.menus import go_to

pytestmark = pytest.mark.browser

AS_OF = "2018-06-27"


def _entities_keep_their_places_when_the_date_moves(explore: ExplorePage) -> None:
    places = {name: explore.place_of(name) for name in ("PEP 484", "Final")}
    explore.slider().focus()
    explore.page.keyboard.press("PageUp")
    explore.page.wait_for_url(lambda url: "2019-06-27" in url)
    assert {name: explore.place_of(name) for name in places} == places


def _the_slider_steps_by_the_chosen_unit_from_the_keyboard(explore: ExplorePage) -> None:
    for unit, shown in (("day", "2019-06-28"), ("week", "2019-07-05"), ("month", "2019-08-05"), ("year", "2020-08-05")):
        explore.page.get_by_label("Step").select_option(unit)
        explore.slider().focus()
        explore.page.keyboard.press("ArrowRight")
        expect(explore.slider()).to_have_attribute("aria-valuetext", shown)


def _dragging_the_slider_asks_the_server_nothing_until_it_is_let_go(explore: ExplorePage) -> None:
    explore.page.wait_for_url(lambda url: "as_of=2020-08-05" in url)
    explore.settle()
    before, reruns = explore.read("scene.drawnFacts().length"), explore.reruns()
    explore.drag([0.6, 0.4, 0.2, 0.3])
    explore.until("scene.drawnFacts().length < value", before)
    assert explore.reruns() == reruns
    explore.page.mouse.up()
    explore.page.wait_for_url(lambda url: "as_of=2020-08-05" not in url)
    shown = explore.page.locator(".mark.a b").inner_text().removeprefix("● ")
    expect(explore.page.locator(".st-key-clock_as_of")).to_contain_text(shown)
    assert explore.reruns() > reruns


def _home_goes_to_the_first_date(explore: ExplorePage) -> None:
    explore.slider().focus()
    explore.page.keyboard.press("Home")
    explore.until("scene.asOf === value.first", {"first": explore.read("Number(frame.querySelector('input.a').min)")})


def _the_chosen_step_is_kept_when_one_comes_back_to_the_page(explore: ExplorePage) -> None:
    expect(explore.page.get_by_label("Step")).to_have_value("year")
    go_to(explore.page, "Timeline")
    expect(explore.page.get_by_label("Step")).to_have_count(0)
    go_to(explore.page, "Explore")
    expect(explore.page.get_by_label("Step")).to_have_value("year")


def _now_goes_to_the_present(explore: ExplorePage) -> None:
    explore.frame.get_by_role("button", name="Now").click()
    explore.page.wait_for_url(lambda url: "as_of" not in url)
    explore.until("Date.now() - scene.asOf < 120000")


def test_a_visit_that_moves_the_date(explore: ExplorePage) -> None:
    explore.open(as_of=AS_OF)
    _entities_keep_their_places_when_the_date_moves(explore)
    _the_slider_steps_by_the_chosen_unit_from_the_keyboard(explore)
    _dragging_the_slider_asks_the_server_nothing_until_it_is_let_go(explore)
    _home_goes_to_the_first_date(explore)
    _the_chosen_step_is_kept_when_one_comes_back_to_the_page(explore)
    _now_goes_to_the_present(explore)


def _with_reduced_motion_play_takes_one_step(explore: ExplorePage) -> None:
    explore.page.emulate_media(reduced_motion="reduce")
    explore.page.get_by_role("button", name="Play").click()
    explore.page.wait_for_url(lambda url: "as_of=2012-02-01" in url)


def _play_moves_the_date_and_pause_tells_the_server_once(explore: ExplorePage) -> None:
    explore.page.emulate_media(reduced_motion="no-preference")
    explore.settle()
    reruns = explore.reruns()
    explore.page.get_by_role("button", name="Play").click()
    explore.until("scene.asOf > Date.UTC(2012, 4, 1)")
    assert explore.reruns() == reruns
    explore.page.get_by_role("button", name="Pause").click()
    explore.page.wait_for_url(lambda url: "as_of=2012-02-01" not in url)
    assert explore.reruns() == reruns + 1


def test_a_visit_that_plays(explore: ExplorePage) -> None:
    explore.open(as_of="2012-01-01")
    _with_reduced_motion_play_takes_one_step(explore)
    _play_moves_the_date_and_pause_tells_the_server_once(explore)


def _a_comparison_shows_what_was_added_and_ended_with_the_list_beside(explore: ExplorePage) -> None:
    expect(explore.panel()).to_contain_text("Changes in this view")
    expect(explore.panel().get_by_role("img", name="ended").first).to_be_visible()
    expect(explore.panel().get_by_role("img", name="added").first).to_be_visible()
    states = explore.read("[...scene.states.values()]")
    assert {"added", "ended"} <= set(states)
    counted = explore.frame.locator(".legend [data-state=added] small").inner_text()
    assert int(counted) == states.count("added")


def _both_handles_of_a_comparison_move(explore: ExplorePage) -> None:
    explore.settle()
    explore.drag([0.9], handle="b")
    explore.until("scene.to < Date.UTC(2024, 5, 1)")
    explore.page.mouse.up()
    explore.page.wait_for_url(lambda url: "to=2024-06-01" not in url and f"as_of={AS_OF}" in url)


def _the_mode_switch_ends_a_comparison(explore: ExplorePage) -> None:
    explore.page.get_by_text("One date", exact=True).click()
    explore.until("!scene.comparing")


def _the_mode_switch_starts_a_comparison(explore: ExplorePage) -> None:
    explore.page.get_by_text("Compare two", exact=True).click()
    explore.until("scene.comparing")


def _ended_facts_lose_their_arrow_and_what_has_not_begun_answers_no_click(explore: ExplorePage) -> None:
    arrow = "scene.network.body.edges[value].options.arrows.to.enabled"
    assert explore.read(arrow, explore.fact("PEP 484", "Accepted")) is True
    assert explore.read(arrow, explore.fact("PEP 484", "Draft")) is False
    future = explore.read(
        "scene.facts.find((fact) => fact.start > scene.asOf && scene.entities.get(fact.to).name === 'Final').id"
    )
    assert future not in explore.read("scene.drawnFacts()")
    assert explore.id_of("Final") not in explore.read("scene.visible()")


def _ended_facts_can_be_left_out(explore: ExplorePage) -> None:
    explore.frame.locator(".legend button", has_text="ended").click()
    explore.until("![...scene.states.values()].includes('ended')")


def test_a_visit_that_compares_and_then_looks_at_one_date(explore: ExplorePage) -> None:
    explore.open(as_of=AS_OF, to="2024-06-01", e="PEP 484")
    _a_comparison_shows_what_was_added_and_ended_with_the_list_beside(explore)
    _both_handles_of_a_comparison_move(explore)
    _the_mode_switch_ends_a_comparison(explore)
    _ended_facts_lose_their_arrow_and_what_has_not_begun_answers_no_click(explore)
    _ended_facts_can_be_left_out(explore)
    _the_mode_switch_starts_a_comparison(explore)


def test_before_the_first_fact_the_page_says_so_and_offers_the_first_date(explore: ExplorePage) -> None:
    explore.open(as_of="1981-12-31")
    expect(explore.frame.locator(".nothing")).to_contain_text("No facts held on 1981-12-31")
    expect(explore.frame.locator(".nothing")).to_contain_text(re.compile(r"starts on \d{4}-\d\d-\d\d\."))
    expect(explore.slider()).to_be_visible()
    explore.frame.get_by_role("button", name=re.compile("Go to [12]")).click()
    expect(explore.frame.locator(".nothing")).to_be_hidden()


def test_a_comparison_of_the_whole_graph_writes_changed_values_beside_what_has_them(explore: ExplorePage) -> None:
    explore.open(as_of="2015-01-01", to=AS_OF)
    assert explore.read("scene.folds.beside(value, true)", explore.id_of("PEP 461")) == ["A → F", "corrected"]
    assert explore.read("scene.folds.beside(value, true)", explore.id_of("PEP 526")) == ["+ F", "added"]
    assert explore.read("scene.drawnFacts().length") < 150
    boxes = [explore.frame.locator(f".mark.{handle} b") for handle in "ab"]
    explore.drag([0.99], handle="a")
    explore.page.mouse.up()
    explore.settle()
    first, second = [box.bounding_box() or {} for box in boxes]
    assert first["x"] + first["width"] <= second["x"] or first["x"] >= second["x"] + second["width"]
