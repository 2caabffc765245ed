"""Undo and redo of Explore's picture, without the page around it."""

import pytest
from playwright.sync_api import BrowserContext

from tests.codebase import ROOT

pytestmark = pytest.mark.browser

SCRIPT = (ROOT / "components/graph_view/assets/steps.js").read_text(encoding="utf-8")
BEGUN = """
const sets = ["hidden", "pinned", "hiddenTypes", "hiddenRelations", "collapsed"];
const scene = Object.fromEntries(sets.map((name) => [name, new Set()]));
scene.restyle = () => {};
const steps = new Steps(scene, () => {});
const drawn = (root) => { steps.roots = [root]; steps.begin(`peps|${root}`, root); };
const only = (root) => { steps.keep(); steps.leadTo(root); };
drawn("Ada");
"""


def seen(context: BrowserContext, visit: str) -> object:
    """What a visit to Explore returns: it draws pictures, shows only one entity, and goes back and forth."""
    page = context.new_page()
    page.add_script_tag(type="module", content=f"{SCRIPT}\nwindow.Steps = Steps;")
    return page.evaluate(f"() => {{ {BEGUN} {visit} return [steps.past.length, steps.coming.length]; }}")


def test_the_picture_that_a_step_leads_to_keeps_the_steps(context: BrowserContext) -> None:
    assert seen(context, 'only("Bob"); drawn("Bob");') == [1, 0]


def test_a_picture_from_elsewhere_forgets_the_steps(context: BrowserContext) -> None:
    assert seen(context, 'only("Bob"); drawn("Bob"); drawn("Cy");') == [0, 0]


def test_a_step_undone_before_its_picture_came_lets_no_other_pass_for_it(context: BrowserContext) -> None:
    assert seen(context, 'only("Bob"); steps.go(true); drawn("Ada"); drawn("Cy");') == [0, 0]


def test_a_step_undone_while_its_picture_is_on_the_way_can_be_done_again(context: BrowserContext) -> None:
    assert seen(context, 'only("Bob"); steps.go(true); drawn("Bob"); drawn("Ada");') == [0, 1]


def test_a_picture_drawn_again_on_the_way_to_another_keeps_the_steps(context: BrowserContext) -> None:
    assert seen(context, 'only("Bob"); steps.begin("peps|Ada", "Ada"); drawn("Bob");') == [1, 0]
