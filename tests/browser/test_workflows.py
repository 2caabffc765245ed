"""The Workflows page in a real browser: run, watch, read, repeat, compare, import, by mouse and by keyboard.

A page takes seconds to open, so a test is one visit: its steps are the functions before it, named by what they show.
"""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.examples import fits, in_windows, picture
from tests.browser.gestures import pick
from tests.conftest import FULL
from tests.fakes.messages_server import MessagesServer, hang, status

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("an app with a model")]

GOAL = "Write a report on PEP 563"
BAD = {"name": "Mine", "entry_node_id": "a", "nodes": [{"id": "a", "type": "agent", "agent": "Nobody"}], "edges": []}


def opened(page: Page, app_url: str, address: str = "", workspace: str = "peps") -> None:
    page.goto(f"{app_url}/Workflows?w={workspace}{address}")
    expect(page.locator(".st-key-asofbar")).to_be_visible()


def ran(page: Page, app_url: str, goal: str = GOAL, address: str = "") -> str:
    """Run the built-in workflow from its form; returns the id of the run, which is over."""
    opened(page, app_url, address)
    page.get_by_role("textbox", name="Goal").fill(goal)
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_url(re.compile(r"[?&]run="))
    expect(page.get_by_text("✓ done").first).to_be_visible()
    found = re.search(r"[?&]run=([\w-]+)", page.url)
    assert found
    return found[1]


def graph(page: Page) -> Locator:
    return page.get_by_role("group", name=re.compile("^Steps of "))


def node(page: Page, title: str) -> Locator:
    return graph(page).get_by_role("button", name=re.compile(f"^{title}"))


def _a_goal_is_run_watched_and_read_as_a_document(page: Page) -> None:
    report = page.get_by_role("article", name="Report")
    expect(report).to_contain_text("PEP 563 has status Superseded, since 2025-05-06.")
    report.get_by_role("link", name="✓ 1", exact=True).click()
    assert page.url.endswith("#source-1")
    expect(report.get_by_role("list", name="Sources").get_by_role("listitem").first).to_be_in_viewport()
    expect(report.get_by_text("not supported by")).to_have_count(0)
    with page.expect_download() as downloading:
        page.get_by_role("button", name="HTML").click()
    saved = Path(downloading.value.path()).read_text(encoding="utf-8")
    assert saved.startswith("<!doctype html>")
    assert not re.search(r"<(?:script|link|img|iframe)\b", saved)


def _on_paper_the_report_stands_alone(page: Page) -> None:
    page.evaluate("window.print = () => document.body.setAttribute('data-printed', '')")
    page.get_by_role("button", name="Print or PDF").click()
    expect(page.locator("body[data-printed]")).to_have_count(1)
    page.emulate_media(media="print")
    expect(page.get_by_role("article", name="Report")).to_be_visible()
    side, actions = ".st-key-workflow_side", ".st-key-workflow_run_actions"
    for gone in (".st-key-menu", ".st-key-finder", ".st-key-asofbar", side, ".st-key-workflow_export", actions):
        expect(page.locator(gone)).to_be_hidden()
    assert page.pdf().startswith(b"%PDF")
    page.emulate_media(media="screen")


def _steps_are_walked_by_keyboard_and_run_again_from_one(page: Page, first: str) -> None:
    page.locator(".st-key-workflow_run_actions").wait_for()
    page.get_by_role("radio", name="Steps").or_(page.get_by_role("button", name="Steps", exact=True)).first.click()
    expect(node(page, "Graph")).to_have_attribute("data-state", "done")
    expect(node(page, "SQL")).to_have_attribute("data-state", "not taken")
    node(page, "Triage").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-workflow_step")).to_contain_text("select_search#1")
    page.get_by_role("button", name="Rerun from here").click()
    page.wait_for_url(lambda url: "run=" in url and first not in url)
    expect(page.get_by_text("✓ done").first).to_be_visible()
    expect(page.get_by_role("link", name="an earlier run")).to_be_visible()


def _two_runs_are_chosen_and_compared(page: Page) -> None:
    pick(page.get_by_role("combobox", name="Compare with"), re.compile("PEP 563"))
    expect(page.get_by_text("Nothing changed.")).to_be_visible()
    expect(page.get_by_role("table", name="Figures for both runs")).to_be_visible()


def test_a_visit_that_runs_a_goal_twice(page: Page, app_url: str) -> None:
    first = ran(page, app_url)
    _a_goal_is_run_watched_and_read_as_a_document(page)
    _on_paper_the_report_stands_alone(page)
    _steps_are_walked_by_keyboard_and_run_again_from_one(page, first)
    ran(page, app_url)
    _two_runs_are_chosen_and_compared(page)


def test_run_again_today_shows_what_changed_since(page: Page, app_url: str) -> None:
    ran(page, app_url, "Write a report on PEP 649", "&as_of=2024-06-01&known_at=2024-06-01")
    page.get_by_role("button", name="Run again today").click()
    changes = page.get_by_role("list", name="Changed sentences")
    expect(changes).to_be_visible()
    expect(changes).to_contain_text("PEP 649 has status Final, since 2025-10-06.")
    expect(page.get_by_text(re.compile(r"\d+ changed sentences? · \d+ added"))).to_be_visible()
    page.get_by_role("button", name="Swap").click()
    changed = changes.get_by_role("listitem").filter(has_text="PEP 649 has status Final")
    expect(changed.get_by_role("img", name="ended")).to_be_visible()


def test_a_comparison_is_left_and_swapped_while_the_later_run_is_under_way(
    context: BrowserContext, modelled_url: str, server: MessagesServer
) -> None:
    server.add(status(401), hang())
    page = context.new_page()
    opened(page, modelled_url, workspace="team")
    page.get_by_role("textbox", name="Goal").fill("Write a report on Ada")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text("The model's endpoint rejected the key.").first).to_be_visible()
    page.get_by_role("button", name="Run again today").click()
    expect(page.get_by_text("The later run is running")).to_be_visible()
    page.get_by_role("button", name="Swap").click()
    expect(page.get_by_text("The earlier run has no report.").or_(page.get_by_text("Neither run"))).to_be_visible()
    page.go_back()
    expect(page.get_by_text("The later run is running")).to_be_visible()
    page.get_by_role("button", name="Open the report").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("– cancelled").first).to_be_visible()


def test_a_bad_definition_is_explained_and_mended_as_one_types(page: Page, app_url: str) -> None:
    opened(page, app_url)
    page.get_by_role("button", name="Create", exact=True).click()
    text = json.dumps(BAD, indent=2)
    page.locator("input[type=file]").set_input_files(
        {"name": "mine.json", "mimeType": "application/json", "buffer": text.encode()}
    )
    problems = page.get_by_role("list", name="Problems")
    expect(problems).to_contain_text("a: agent: There is no agent “Nobody”")
    save = page.get_by_role("button", name="Save", exact=True)
    expect(save).to_be_disabled()
    field = page.get_by_role("textbox", name="Definition as JSON")
    field.fill(text.replace("Nobody", "AnswerAgent"))
    expect(problems).to_contain_text("a: inputs.question: This input is required.")
    mended = BAD["nodes"][0] | {"agent": "AnswerAgent", "inputs": {"question": "goal"}, "outputs": {"text": "report"}}  # type: ignore[index]
    field.fill(json.dumps(BAD | {"nodes": [mended]}, indent=2))
    expect(page.get_by_text("✓ valid")).to_be_visible()
    expect(node(page, "a")).to_be_visible()
    save.click()
    expect(page.get_by_role("heading", name="Mine")).to_be_visible()
    delete_it = page.get_by_role("dialog").get_by_role("button", name="Delete workflow")
    pick(page.get_by_role("button", name="Delete", exact=True), delete_it)
    expect(page.get_by_role("link", name="Mine")).to_have_count(0)


@in_windows(420, 1280)
def test_the_page_fits_its_window_in_both_themes(page: Page, app_url: str, theme: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    run = ran(page, app_url)
    assert fits(page)
    addresses = {"step": f"&run={run}&step=triage%231", "edit": "&edit=1"}
    if FULL:
        addresses |= {"workflow": "", "report": f"&run={run}", "compare": f"&run={run}&before={run}"}
    for name, address in addresses.items():
        opened(page, app_url, address)
        expect(page.locator("[data-testid='stStatusWidget'], [data-testid='stSkeleton']")).to_have_count(0)
        expect(page.get_by_role("list", name="Runs")).to_be_attached()
        picture(page, f"Workflows-{name}-{theme}-{width}", full_page=True)
        assert fits(page), name
        assert page.locator("[data-testid='stException']").count() == 0
