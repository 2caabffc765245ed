"""What only a browser shows of Health: tiles that lead to sections, a merge and its undo, keys."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

TWINS = "Standards Track"


def _open(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/Health?w=peps")
    expect(page.get_by_role("navigation", name="What was found")).to_be_visible()


def _a_tile_leads_to_its_section_below_the_bar(page: Page) -> None:
    page.get_by_role("link", name="Undated").click()
    heading, bar = page.locator("#undated"), page.locator(".st-key-asofbar")
    expect(heading).to_be_in_viewport()
    top, above = heading.bounding_box(), bar.bounding_box()
    assert top is not None
    assert above is not None
    assert top["y"] >= above["y"] + above["height"]


def _two_entities_are_merged_by_keys_and_the_merge_is_undone(page: Page) -> None:
    row = page.locator("[class*='st-key-finding_double_']").filter(has_text=TWINS)
    expect(row).to_have_count(1)
    row.get_by_role("button", name="Merge…").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Merge").focus()
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    done = page.locator(".st-key-last_done")
    expect(done).to_contain_text("merged into")
    expect(row).to_have_count(0)
    done.get_by_role("button", name="Undo").click()
    expect(done).to_contain_text("undone")
    expect(row).to_have_count(1)


def test_a_visit_that_merges(page: Page, app_url: str) -> None:
    _open(page, app_url)
    _a_tile_leads_to_its_section_below_the_bar(page)
    _two_entities_are_merged_by_keys_and_the_merge_is_undone(page)


def test_a_search_hit_opens_the_form_for_what_it_is(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/Search?w=team&q=Ada")
    dialog = page.get_by_role("dialog")
    for kind, title in (("entity", "Edit entity"), ("fact", "Edit fact")):
        hit = page.locator(f"li[data-kind='{kind}']").first
        hit.get_by_role("link", name=title).click()
        expect(dialog.get_by_text(title)).to_be_visible()
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
