"""A comparison of two record dates in a real browser: what was corrected and re-dated carries an amber sign."""

import re
from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.browser.examples import picture
from tests.browser.explore_page import ExplorePage
from tests.conftest import few

pytestmark = pytest.mark.browser

SIDES = {"w": "team", "as_of": "2021-01-01", "to": "2024-06-01", "known_at": "2021-06-01", "to_known": "2024-06-01"}


def _the_picture_the_legend_and_the_list_agree_on_what_was_corrected(explore: ExplorePage) -> None:
    explore.until("[...scene.states.values()].filter((state) => state === 'corrected').length > 0")
    states = explore.read(
        "[...scene.states].map(([id, state]) => [scene.entities.get(scene.edges.get(id).to).name, state])"
    )
    assert dict(states) == {
        "Labs": "added",
        "Engines": "ended",
        "Turin": "ended",
        "Lyon": "corrected",
        "Eve": "corrected",
        "A boat": "re-dated",
        "Ada": "no change",
    }
    legend = {
        name: explore.frame.locator(f".legend [data-state='{name}'] small") for name in ("corrected", "added", "ended")
    }
    expect(legend["corrected"]).to_have_text("3")
    expect(legend["added"]).to_have_text("1")
    expect(legend["ended"]).to_have_text("2")
    panel = explore.panel()
    expect(panel.get_by_role("row").get_by_role("img", name=re.compile("corrected|re-dated"))).to_have_count(3)
    expect(panel).to_contain_text("Paris → Lyon")
    expect(panel).to_contain_text("Eve was withdrawn")
    expect(panel).to_contain_text("as known on 2021-06-01 → 2024-06-01")


def _corrected_facts_are_drawn_in_amber_with_their_sign(explore: ExplorePage) -> None:
    colours = explore.read(
        "[...scene.states].filter(([, state]) => ['corrected', 're-dated'].includes(state))"
        ".map(([id]) => scene.network.body.edges[id].options.color.color === scene.tokens.corrected)"
    )
    assert colours == [True] * 3


def _each_change_in_the_list_tells_its_cause(explore: ExplorePage) -> None:
    changes = explore.panel().get_by_role("row")
    expect(changes.first).to_contain_text("The boat is sold as of 2026.")
    texts = [change.inner_text() for change in changes.all()]
    assert [text for text in texts if "Edit fact\n" not in text] == [], "the cause is on the line below"


def _a_change_of_the_list_is_corrected_by_form(explore: ExplorePage) -> None:
    explore.panel().get_by_role("row").filter(has_text="Labs").get_by_role("link", name="Edit fact").click()
    form = explore.page.get_by_role("dialog")
    expect(form.get_by_label("Value")).to_have_value("Labs")
    explore.page.keyboard.press("Escape")
    expect(form).to_have_count(0)


@pytest.mark.parametrize("theme", few(["dark", "light"]))
def test_a_visit_to_what_was_corrected(explore: ExplorePage, theme: Literal["dark", "light"]) -> None:
    explore.page.emulate_media(color_scheme=theme)
    explore.open(**SIDES, e="Ada")
    _the_picture_the_legend_and_the_list_agree_on_what_was_corrected(explore)
    _corrected_facts_are_drawn_in_amber_with_their_sign(explore)
    picture(explore.page, f"explore-corrections-{theme}")
    _each_change_in_the_list_tells_its_cause(explore)
    _a_change_of_the_list_is_corrected_by_form(explore)
