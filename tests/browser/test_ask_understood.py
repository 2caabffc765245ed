"""How Ask shows what it understood and offers a way on, in a real browser.

A page takes seconds to open, so a test is one visit: its steps are the functions before it, named by what they show.
"""

import re

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.gestures import opened, pick, rest

pytestmark = pytest.mark.browser

DATED = "What was the status of PEP 484 in June 2018?"


def ask(page: Page, app_url: str, question: str) -> None:
    page.goto(f"{app_url}/Ask?w=peps")
    box = page.get_by_test_id("stChatInputTextArea")
    expect(box).to_be_enabled()
    page.locator(".st-key-links i[data-listening]").wait_for(state="attached")
    box.fill(question)
    box.press("Enter")
    expect(asked(page, question)).to_be_visible()


def asked(page: Page, question: str) -> Locator:
    return page.get_by_role("heading", name=question, exact=True)


def answer(page: Page) -> Locator:
    return page.get_by_role("article", name="Answer").last


def _a_chip_that_cannot_be_taken_off_stays_at_its_key(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^○ known on")).focus()
    page.keyboard.press("Delete")
    expect(page.get_by_role("button", name=re.compile("^○ known on"))).to_be_focused()
    expect(asked(page, DATED)).to_be_visible()


def _a_key_takes_off_the_chip_that_has_the_focus(page: Page, key: str) -> None:
    page.get_by_role("button", name="status", exact=True).focus()
    page.keyboard.press(key)
    expect(asked(page, DATED)).to_have_count(0)
    expect(page.get_by_text("2 of 2", exact=True)).to_be_visible()
    chips = page.locator("[class*=st-key-change_]")
    expect(chips.get_by_role("button", name="status", exact=True)).to_have_count(0)
    expect(page.get_by_role("button", name=re.compile("^● valid on"))).to_be_focused()


def _another_relation_is_chosen_from_what_the_entity_has(page: Page) -> None:
    chip = page.get_by_role("button", name="status", exact=True)
    pick(chip, page.get_by_role("button", name="type", exact=True))
    expect(asked(page, "In June 2018, what is the type of PEP 484?")).to_be_visible()
    expect(answer(page)).to_contain_text("Standards Track")


def _a_part_is_taken_off_and_another_is_changed(page: Page) -> None:
    expect(answer(page)).to_contain_text("Accepted")
    page.get_by_role("button", name=re.compile("Ask without from 2018-06-01")).click()
    expect(asked(page, "What was the status of PEP 484?")).to_be_visible()
    expect(page.get_by_text("2 of 2", exact=True)).to_be_visible()
    entity = page.get_by_role("button", name="PEP 484", exact=True).first
    box = opened(entity, page.get_by_label("Ask about", exact=True))
    box.fill("PEP 8")
    box.press("Enter")
    expect(asked(page, "What was the status of PEP 8?")).to_be_visible()
    expect(answer(page)).to_contain_text("PEP 8 has status Active")


def _ask_again(page: Page) -> None:
    """Ask in the same conversation; what was asked before is folded then."""
    rest(page)
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(DATED)
    box.press("Enter")
    expect(asked(page, DATED)).to_be_visible()


def test_a_visit_that_changes_parts_of_a_question(page: Page, app_url: str) -> None:
    ask(page, app_url, DATED)
    _a_chip_that_cannot_be_taken_off_stays_at_its_key(page)
    _a_key_takes_off_the_chip_that_has_the_focus(page, "Delete")
    _ask_again(page)
    _a_key_takes_off_the_chip_that_has_the_focus(page, "Backspace")
    _ask_again(page)
    _another_relation_is_chosen_from_what_the_entity_has(page)
    _ask_again(page)
    _a_part_is_taken_off_and_another_is_changed(page)


def test_what_is_not_understood_names_the_word_and_leads_on(page: Page, app_url: str) -> None:
    ask(page, app_url, "Who championed PEP 484 in 2015?")
    expect(page.get_by_text("? not understood")).to_be_visible()
    expect(page.get_by_text("? championed")).to_be_visible()
    search = page.get_by_role("link", name="Search the documents for this question")
    page.get_by_role("button", name="delegate", exact=True).click()
    expect(answer(page)).to_contain_text("Mark Shannon")
    page.get_by_role("button", name="Previous version").click()
    search.click()
    page.wait_for_url(re.compile(r"/Search\?.*q=Who\+championed"))
    expect(page.get_by_text(re.compile("hits, best first"))).to_be_visible()


def test_conversations_tell_what_was_not_found_from_what_was_not_understood(page: Page, app_url: str) -> None:
    ask(page, app_url, "Why does PEP 20 sparkle?")
    ask(page, app_url, "Who wrote PEP 484 before 1990?")
    nothing = page.get_by_role("button", name=re.compile("PEP 484 before 1990.*(∅ nothing found|❝)"))
    opened(page.get_by_role("button", name="Conversations"), nothing)
    expect(page.get_by_role("button", name=re.compile(r"sparkle\?.*(\? not understood|❝)"))).to_be_visible()


def test_a_list_leads_with_its_number_and_its_table_is_copied(
    page: Page, app_url: str, context: BrowserContext
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    ask(page, app_url, "Which PEPs did Mark Shannon write?")
    listed = page.get_by_role("group", name="The list")
    expect(listed).to_contain_text("12 PEPs")
    expect(listed.get_by_role("img", name=re.compile("PEPs by year. 2012: 1"))).to_be_visible()
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)  # what is drawn anew is folded again
    page.get_by_text("Table · 12 rows").click()
    table = page.get_by_role("table", name="12 PEPs")
    expect(table.get_by_role("row")).to_have_count(6)
    page.get_by_role("button", name="Show all 12 rows").click()
    expect(table.get_by_role("row")).to_have_count(13)
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert "PEP 412\t2012-02-08 → now\t1" in page.evaluate("navigator.clipboard.readText()")
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    assert download.value.suggested_filename == "12-PEPs.csv"


def test_two_relations_crossed_give_one_line_a_thing(page: Page, app_url: str) -> None:
    ask(page, app_url, "Which PEPs by Mark Shannon are Final?")
    expect(page.get_by_role("group", name="The list")).to_contain_text("7 PEPs")
    expect(answer(page).get_by_role("listitem")).to_have_count(7)
    expect(answer(page).get_by_role("listitem").first).to_contain_text("and has status Final, since 2012-04-23.")


def test_a_question_in_another_language_is_named_as_such(page: Page, app_url: str) -> None:
    ask(page, app_url, "Wann wurde PEP 572 angenommen?")
    expect(answer(page)).to_contain_text("This looks like German. Asof reads questions in English.")
