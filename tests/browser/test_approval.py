"""A model that wants to write, in a real browser: the card outlives a reload, and only a button acts."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.examples import picture
from tests.fakes.messages_server import MessagesServer, call, reply, say

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("an app with a model")]

SOUP = "Leek soup is on Monday."


@pytest.fixture(scope="module")
def app_url(modelled_url: str) -> str:
    return modelled_url


def card(page: Page, words: str) -> Locator:
    return page.locator("[class*='st-key-consent_']").filter(has_text=words)


def ask(page: Page, question: str) -> None:
    box = page.get_by_test_id("stChatInputTextArea")
    expect(box).to_be_enabled()
    box.fill(question)
    box.press("Enter")
    expect(page.get_by_role("heading", name=question)).to_be_visible()


def test_a_text_waits_on_a_card_through_a_reload_and_goes_in_by_the_button(
    page: Page, app_url: str, server: MessagesServer
) -> None:
    page.goto(f"{app_url}/Ask?w=team")
    server.add(reply(call("knowledge_ingest", text=SOUP, tags=["menu"])), say("It needs your approval."))
    ask(page, "Keep the menu.")
    expect(card(page, SOUP).get_by_role("button", name="Approve")).to_be_enabled()
    server.add(say("Only the button does it."))
    ask(page, "Yes, do it.")
    expect(page.get_by_role("article", name="Answer").last).to_contain_text("Only the button does it.")
    page.locator("[class*='st-key-look_']").first.get_by_role("button").click()
    page.wait_for_url(lambda url: "m=" in url)
    expect(card(page, SOUP)).to_contain_text("needs your approval")
    page.reload()
    expect(card(page, SOUP)).to_contain_text("menu")
    picture(page, "consent")
    card(page, SOUP).get_by_role("button", name="Approve").click()
    expect(card(page, SOUP)).to_contain_text("1 of 1 item done")
    page.locator(".st-key-links i[data-listening]").wait_for(state="attached")
    card(page, SOUP).get_by_role("link", name="Jobs on Ingest").click()
    page.wait_for_url(lambda url: "/Ingest" in url)
    page.goto(f"{app_url}/Sources?w=team")
    expect(page.get_by_role("link", name=SOUP)).to_be_visible()


def test_no_is_kept_and_nothing_goes_in(page: Page, app_url: str, server: MessagesServer) -> None:
    page.goto(f"{app_url}/Ask?w=team")
    server.add(reply(call("knowledge_crawl", url="https://docs.example/guide")), say("It needs your approval."))
    ask(page, "Fetch the guide.")
    waiting = card(page, "https://docs.example/guide")
    expect(waiting.get_by_role("button", name="Decline")).to_be_enabled()
    waiting.get_by_role("button", name="Decline").click()
    expect(waiting).to_contain_text("Nothing was ingested.")
    expect(page.get_by_role("list", name="Calls")).to_contain_text("the user declined")
    page.reload()
    expect(waiting).to_contain_text("declined")
    expect(waiting.get_by_role("button")).to_have_count(0)
