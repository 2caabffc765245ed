"""The Ask page in a real browser: a whole conversation with its traces, and what runs.

A page takes seconds to open, so a test is one visit: its steps are the functions before it, named by what they show.
"""

import json
import re
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.examples import fits, in_windows, picture
from tests.browser.gestures import opened, pick
from tests.fakes.messages_server import MessagesServer, call, reply, say, text, think

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("an app with a model")]

STATUS = "What was the status of PEP 484 on 2018-06-27?"


@pytest.fixture(scope="module")
def app_url(modelled_url: str) -> str:
    return modelled_url


def box(page: Page) -> Locator:
    return page.get_by_test_id("stChatInputTextArea")


def start(page: Page, app_url: str, address: str = "w=peps", *, model: bool = False) -> None:
    """The page, ready to be asked, of the model or of none."""
    page.goto(f"{app_url}/Ask?{address}")
    expect(box(page)).to_be_enabled()
    page.locator(".st-key-links i[data-listening]").wait_for(state="attached")
    if not model:
        pick(page.get_by_role("combobox", name="Model"), "rule-based")


def ask(page: Page, question: str) -> None:
    expect(box(page)).to_be_enabled()
    box(page).fill(question)
    box(page).press("Enter")
    expect(bubble(page, question)).to_be_visible()


def bubble(page: Page, question: str) -> Locator:
    return page.get_by_role("heading", name=question)


def answer(page: Page) -> Locator:
    return page.get_by_role("article", name="Answer")


def stop_button(page: Page) -> Locator:
    """The one beside the running answer: Streamlit calls its own so, which ends a run of the page."""
    return page.locator(".st-key-running").get_by_role("button", name="Stop")


def test_an_answer_shows_its_sources_and_calls_and_is_copied_and_exported(
    page: Page, app_url: str, context: BrowserContext
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    start(page, app_url)
    ask(page, STATUS)
    expect(answer(page)).to_contain_text("Accepted")
    expect(page.get_by_text("rule-based").last).to_be_visible()

    answer(page).get_by_role("link", name="✓ 1").click()  # a citation opens its source at the span
    drawer = page.get_by_role("dialog")
    expect(drawer.locator("mark")).to_have_text("Status: Accepted")
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)

    page.get_by_role("list", name="Calls").get_by_role("link", name="facts_at").click()  # a call opens to all of it
    call = page.locator(".st-key-open_call")
    expect(call).to_contain_text("HAS_STATUS")
    expect(call).to_contain_text("Accepted")
    page.get_by_role("list", name="Calls").get_by_role("link", name="facts_at").click()
    expect(call).to_have_count(0)

    page.get_by_role("button", name="Copy with sources").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "Sources:" in copied
    assert "“Status: Accepted”" in copied

    as_json = opened(page.get_by_role("button", name="More"), page.get_by_role("button", name="Export as JSON"))
    with page.expect_download() as exported:
        as_json.click()
    document = json.loads(Path(exported.value.path()).read_text())
    assert [message["role"] for message in document["messages"]] == ["user", "assistant"]
    with page.expect_download() as exported:
        page.get_by_role("button", name="Export as Markdown").click()
    assert Path(exported.value.path()).read_text().startswith(f"# {STATUS}\n")
    page.keyboard.press("Escape")

    ask(page, "How did the status of PEP 484 change?")
    expect(answer(page)).to_contain_text("Provisional")
    expect(page.get_by_role("button", name=re.compile("on 2018-06-27.*1 of 1 claim supported"))).to_be_visible()
    page.reload()
    expect(answer(page)).to_contain_text("Provisional")
    page.get_by_role("button", name=re.compile("on 2018-06-27.*1 of 1 claim supported")).click()
    expect(page.get_by_role("list", name="Sources")).to_contain_text("2015-05-23 → 2018-07-08")


def _an_edited_question_is_a_branch_of_its_own(page: Page) -> None:
    edit = page.get_by_role("button", name="Edit the question")
    field = opened(edit, page.get_by_role("textbox", name="Question", exact=True))
    field.fill("What was the status of PEP 563 on 2018-06-27?")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(bubble(page, "PEP 563")).to_be_visible()
    expect(page.get_by_text("2 of 2")).to_be_visible()
    page.get_by_role("button", name="Previous version").click()
    expect(bubble(page, "PEP 484")).to_be_visible()
    expect(page.get_by_text("1 of 2")).to_be_visible()


def _an_answer_at_another_date_stands_beside_it(page: Page) -> None:
    another_date = page.get_by_role("button", name="Ask as of another date")
    field = opened(another_date, page.get_by_role("textbox", name="Valid on"))
    field.fill("March 2015")
    field.press("Enter")
    expect(answer(page)).to_have_count(2)
    expect(answer(page).first).to_contain_text("Draft")
    expect(answer(page).last).to_contain_text("Accepted")
    picture(page, "ask-beside")
    page.get_by_role("button", name="Close the comparison").click()
    expect(answer(page)).to_have_count(1)


def _the_spotlight_shows_what_was_read(page: Page) -> None:
    ask(page, "How did the status of PEP 484 change?")
    frame = page.locator(".st-key-spotlight_box .frame")
    expect(frame).to_be_visible()
    frame.evaluate(
        """async (frame) => { while (!(frame.scene?.network && frame.scene.drawnFacts().length >= 4))
           await new Promise(requestAnimationFrame); }"""
    )
    page.get_by_role("tab", name=re.compile("Facts")).click()
    expect(page.get_by_role("tabpanel").get_by_test_id("stDataFrame")).to_be_visible()


def _the_box_keeps_a_question_that_is_too_long(page: Page) -> None:
    box(page).fill("x" * 4100)
    box(page).press("Enter")
    expect(page.get_by_text("the limit is 4,000")).to_be_visible()
    expect(box(page)).to_have_value("x" * 4100)


def _an_answer_opens_in_explore_at_its_date(page: Page) -> None:
    page.get_by_role("button", name="Open in Explore").click()
    page.wait_for_url(lambda url: "/Explore?" in url and "as_of=2018-06-27" in url and "&e=" in url)


def _a_call_on_the_traces_page_leads_to_its_answer(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/Traces?w=peps")
    row = page.get_by_role("row").filter(has_text="facts_at").first
    expect(row).to_be_visible()
    page.locator(".st-key-links i[data-listening]").wait_for(state="attached")
    picture(page, "traces")
    row.get_by_role("link").click()
    expect(page.locator(".st-key-open_call")).to_be_visible()
    expect(bubble(page, STATUS)).to_be_visible()


def _a_conversation_is_deleted_after_a_question(page: Page) -> None:
    pick(page.get_by_role("button", name="More"), page.get_by_role("button", name="Delete"))
    expect(page.get_by_role("dialog", name="Delete this conversation?")).to_be_visible()
    page.get_by_role("button", name="Delete conversation").click()
    expect(page.get_by_text("Ask this graph")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_visit_that_leaves_an_answer_and_comes_back(page: Page, app_url: str) -> None:
    start(page, app_url)
    ask(page, STATUS)
    _an_answer_opens_in_explore_at_its_date(page)
    _a_call_on_the_traces_page_leads_to_its_answer(page, app_url)


def test_a_visit_that_goes_on_from_an_answer(page: Page, app_url: str) -> None:
    start(page, app_url)
    ask(page, STATUS)
    _an_edited_question_is_a_branch_of_its_own(page)
    _an_answer_at_another_date_stands_beside_it(page)
    _the_spotlight_shows_what_was_read(page)
    _the_box_keeps_a_question_that_is_too_long(page)
    _a_conversation_is_deleted_after_a_question(page)


def test_an_answer_of_a_model_comes_word_by_word_and_survives_a_reload(
    page: Page, app_url: str, server: MessagesServer
) -> None:
    server.add(reply(think("The status, at that date."), call("facts_at", entity="PEP 484", relation="HAS_STATUS")))
    server.add(
        say(
            "PEP 484 was Accepted. [1]",
            " It was popular. <img src='http://evil.example/x.png'> ![x](http://evil.example/y.png)",
            " The status was Final. [1]",
            gate="go on",
        )
    )
    start(page, app_url, model=True)
    ask(page, STATUS)
    expect(answer(page)).to_contain_text("PEP 484 was Accepted.")
    expect(page.get_by_role("list", name="Calls")).to_contain_text("facts_at")
    expect(page.get_by_text("Thinking")).to_be_visible()
    expect(box(page)).to_be_disabled()
    picture(page, "ask-running")
    page.reload()
    expect(answer(page)).to_contain_text("PEP 484 was Accepted.")
    expect(stop_button(page)).to_be_visible()
    server.gate("go on").set()
    expect(answer(page).get_by_role("link", name="✓ 1")).to_be_visible()
    expect(answer(page)).to_contain_text("∅ no source")
    expect(answer(page)).to_contain_text("✕ contradicted by 1")
    expect(page.get_by_role("note")).to_contain_text("not supported by the graph.")
    expect(page.get_by_text(re.compile(r"Checked 1 tool · 1 fact read .* tokens · \$"))).to_be_visible()
    picture(page, "ask-model")


def _stop_ends_an_answer_and_the_next_question_works(
    page: Page, server: MessagesServer, by: str, question: str
) -> None:
    server.add(reply(text("PEP 484 was "), cut="hang"))
    ask(page, question)
    expect(answer(page)).to_contain_text("PEP 484 was")
    expect(stop_button(page)).to_be_visible()
    if by == "button":
        stop_button(page).click()
    else:
        page.keyboard.press(by)
    expect(page.get_by_text("The answer so far is saved.")).to_be_visible()
    expect(answer(page)).to_contain_text("PEP 484 was")
    server.add(say("Nothing was found."))
    ask(page, f"And who wrote it, {by}?")
    expect(answer(page)).to_contain_text("Nothing was found.")


def test_an_answer_is_stopped_by_its_button_and_by_a_key(page: Page, app_url: str, server: MessagesServer) -> None:
    start(page, app_url, model=True)
    _stop_ends_an_answer_and_the_next_question_works(page, server, "button", STATUS)
    _stop_ends_an_answer_and_the_next_question_works(page, server, "Escape", "What was the status of PEP 8 in 2018?")


def test_a_second_tab_finds_the_answer_running(page: Page, app_url: str, server: MessagesServer) -> None:
    server.add(say("PEP 484", " was Accepted.", gate="second tab"))
    start(page, app_url, model=True)
    ask(page, STATUS)
    expect(answer(page)).to_contain_text("PEP 484")
    tab = page.context.new_page()
    tab.goto(page.url)
    expect(answer(tab)).to_contain_text("PEP 484")
    server.gate("second tab").set()
    for each in (page, tab):
        expect(answer(each)).to_contain_text("was Accepted.")
        expect(box(each)).to_be_enabled()


@in_windows(700, 1440)
def test_the_page_fits_the_window(page: Page, app_url: str, theme: Literal["dark", "light"], width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=theme)
    start(page, app_url)
    picture(page, f"ask-empty-{theme}-{width}")
    ask(page, STATUS)
    ask(page, "How did the status of PEP 484 change?")
    expect(answer(page)).to_contain_text("Provisional")
    expect(page.locator(".st-key-spotlight_box .frame")).to_be_attached()
    picture(page, f"ask-{theme}-{width}")
    assert fits(page)
