"""Signing in with a password in a real browser: the form, two users side by side, and an open page that stops."""

import re
from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.browser.examples import picture
from tests.browser.gestures import opened, pick
from tests.browser.signed_in import Asof, sign_in
from tests.browser.test_ask import ask, box, bubble
from tests.conftest import few

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("an app with sign-in")]


@pytest.fixture
def another(browser: Browser) -> Iterator[BrowserContext]:
    """A second browser, which shares no cookie with the first."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    yield context
    context.close()


def hits(page: Page) -> Locator:
    return page.get_by_role("list", name="What was found").get_by_role("listitem")


def bar(page: Page) -> object:
    return page.get_by_text("Facts valid on")


def test_a_deep_link_leads_through_the_form_to_the_page_that_was_asked_for(asof: Asof, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(f"{asof.url}/Explore?w=team&as_of=2020-01-01")
    sign_in(page, "ada", "a wrong password")
    expect(page.get_by_role("alert")).to_contain_text("Wrong name or password.")
    sign_in(page, "Ada")
    expect(bar(page)).to_be_visible()
    assert page.url == f"{asof.url}/Explore?w=team&as_of=2020-01-01"
    page.reload()
    expect(bar(page)).to_be_visible()
    (cookie,) = [c for c in context.cookies() if c["name"] == "asof_session"]
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Lax")
    pick(page.get_by_role("button", name="ada"), page.get_by_role("button", name="Sign out"))
    expect(page.locator("form", has_text="Sign in to Asof")).to_be_visible()
    assert [c for c in context.cookies() if c["name"] == "asof_session"] == []
    page.go_back()
    expect(page.locator("form", has_text="Sign in to Asof")).to_be_visible()


def test_two_users_see_their_own_conversations_and_what_is_shared(
    asof: Asof, context: BrowserContext, another: BrowserContext
) -> None:
    asof.user("add", "ivy", "--password-stdin", "--grant", "team")
    ada, ivy = context.new_page(), another.new_page()
    for page, name in ((ada, "ada"), (ivy, "ivy")):
        page.goto(f"{asof.url}/Ask?w=team")
        sign_in(page, name)
        expect(box(page)).to_be_enabled()
        ask(page, f"Where did Ada live in May 2020? Asked by {name}.")
    address = ada.url
    listed = ivy.get_by_role("button", name=re.compile("today"))
    expect(opened(ivy.get_by_role("button", name="Conversations"), listed)).to_have_count(1)
    ivy.goto(address)
    expect(ivy.get_by_text("Conversation not found.")).to_be_visible()
    pick(ada.get_by_role("button", name="More"), ada.get_by_text("Share with this workspace"))
    expect(ada.get_by_text("Link to this conversation")).to_be_visible()
    ivy.goto(address)
    expect(bubble(ivy, "Asked by ada.")).to_be_visible()
    expect(ivy.get_by_text("You can only read it")).to_be_visible()
    expect(box(ivy)).to_have_count(0)


def test_an_open_page_of_a_disabled_user_does_nothing_that_is_clicked(asof: Asof, context: BrowserContext) -> None:
    asof.user("add", "carol", "--admin", "--password-stdin")
    page = context.new_page()
    page.goto(f"{asof.url}/Settings?w=team")
    sign_in(page, "carol")
    page.get_by_label("New workspace label").fill("Made by carol")
    page.get_by_label("New workspace label").press("Tab")
    expect(page.get_by_role("button", name="Create")).to_be_visible()
    asof.user("disable", "carol")
    page.get_by_role("button", name="Create").click()
    expect(page.locator("form", has_text="Sign in to Asof")).to_be_visible()
    expect(bar(page)).to_have_count(0)
    sign_in(page, "root")
    expect(bar(page)).to_be_visible()
    expect(page.get_by_text("Made by carol")).to_have_count(0)


def searching(page: Page) -> Locator:
    """The box of the Search page, once it listens and has found something."""
    box = page.get_by_role("searchbox", name="Search facts, passages and entities")
    expect(box).to_be_visible()
    page.locator(".st-key-links i[data-listening]").wait_for(state="attached")
    box.fill("ada")
    expect(hits(page).first).to_be_visible()
    return box


def test_a_part_of_a_page_stops_without_its_workspace_and_without_its_user(asof: Asof, context: BrowserContext) -> None:
    asof.user("add", "eve", "--password-stdin", "--grant", "team")
    page = context.new_page()
    page.goto(f"{asof.url}/Search?w=team")
    sign_in(page, "eve")
    box = searching(page)
    asof.user("revoke", "eve", "team")
    box.fill("turin")
    expect(page.get_by_text("You do not have access to a workspace yet.")).to_be_visible()
    expect(hits(page)).to_have_count(0)
    asof.user("grant", "eve", "team")
    page.reload()
    box = searching(page)
    asof.user("disable", "eve")
    box.fill("turin")
    expect(page.locator("form", has_text="Sign in to Asof")).to_be_visible()
    expect(hits(page)).to_have_count(0)


def test_a_tab_that_was_somebody_elses_begins_anew_before_it_does_what_was_clicked(
    asof: Asof, context: BrowserContext
) -> None:
    for name in ("fay", "gus"):
        asof.user("add", name, "--admin", "--password-stdin")
    hers, other = context.new_page(), context.new_page()
    hers.goto(f"{asof.url}/Settings?w=team")
    sign_in(hers, "fay")
    label = hers.get_by_label("New workspace label")
    label.fill("Made by fay")
    label.press("Tab")
    expect(hers.get_by_role("button", name="Create")).to_be_visible()
    other.goto(f"{asof.url}/?w=team")
    pick(other.get_by_role("button", name="fay"), other.get_by_role("button", name="Sign out"))
    sign_in(other, "gus")
    expect(bar(other)).to_be_visible()
    hers.get_by_role("button", name="Create").click()
    expect(hers.get_by_role("button", name="gus")).to_be_visible()
    other.goto(f"{asof.url}/Settings?w=team")
    expect(other.get_by_label("New workspace label")).to_be_visible()
    expect(other.get_by_text("Made by fay")).to_have_count(0)


@pytest.mark.parametrize("scheme", few(["dark", "light"]))
def test_the_form_looks_as_the_rest(asof: Asof, context: BrowserContext, scheme: Literal["dark", "light"]) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": 1280, "height": 800})
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{asof.url}/?sign_in=wrong")
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Name").focus()
    picture(page, f"sign-in-{scheme}-1280")
    width = page.locator("form", has_text="Sign in to Asof").bounding_box()
    assert width is not None
    assert abs(width["x"] + width["width"] / 2 - 640) < 5, "it stands in the middle"
