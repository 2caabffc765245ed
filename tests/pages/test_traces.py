"""The Traces page: calls with filters, what they took, and cases that are asked again."""

from datetime import UTC, datetime

import pytest
from streamlit.testing.v1 import AppTest

from services import cached
from services.accounts.account_records import Message
from services.agent.app import App
from services.core.answer_records import Asked, ToolCall
from tests.pages.ask import PATIENCE, kept, press
from tests.pages.conftest import WORKSPACE, displayed, opened, words
from tests.rendered import Rendered

NOW = datetime.now(UTC)


@pytest.fixture
def called(filled: App) -> App:
    """A conversation whose calls differ in every way that a filter asks for."""
    kept_ones = filled.accounts.conversations
    user = filled.accounts.users.local()
    conversation = kept_ones.create(user.id, WORKSPACE, "Trains")
    kept_ones.add(Message("q", conversation.id, "user", "Which train?", NOW))
    kept_ones.add(
        Message(
            "a",
            conversation.id,
            "assistant",
            "None.",
            NOW,
            "q",
            model="claude-test",
            thumb=1,
            input_tokens=900,
            output_tokens=100,
            cost=0.05,
        )
    )
    kept_ones.put_calls(
        "a",
        [
            ToolCall(
                "m",
                "claude-test",
                {},
                NOW,
                "model",
                ms=2500.0,
                input_tokens=900,
                output_tokens=100,
                cost=0.05,
                summary="1 call",
            ),
            ToolCall("t", "facts_at", {"entity": "Ada"}, NOW, parent_id="m", ms=4.0, summary="8 facts"),
            ToolCall("e", "find_path", {"source": "Ada"}, NOW, parent_id="m", ms=2.0, error="There is no <Ada>."),
        ],
    )
    return filled


def calls(app: AppTest) -> Rendered:
    """The table of calls."""
    assert not app.exception
    return displayed(app).labelled("Calls")


def tab(app: AppTest, name: str) -> AppTest:
    app.session_state["traces_tabs"] = name
    app.run()
    assert not app.exception
    return app


def test_calls_lead_to_their_conversation(called: App) -> None:
    table = calls(opened("Traces", w="team"))
    assert len(table.all("tr")) == 4  # with the head
    assert any("m=a&call=t" in link.element.get("href") for link in table.all("a"))
    assert "8 facts" in table.text
    assert "1,000" in table.text
    assert "$0.0500" in table.text
    assert "There is no <Ada>." in table.text


@pytest.mark.parametrize(
    ("key", "value", "left"),
    [
        ("traces_tool", "facts_at", ["facts_at"]),
        ("traces_slow", "> 1 s", ["claude-test"]),
        ("traces_dear", "> $0.01", ["claude-test"]),
        ("traces_thumb", "Rated down", []),
    ],
)
def test_filters_leave_what_they_ask_for(called: App, key: str, value: str, left: list[str]) -> None:
    app = opened("Traces", w="team")
    app.selectbox(key=key).set_value(value).run()
    tools = {link.text for link in displayed(app).all("table[@aria-label='Calls']//a")}
    for tool in ("claude-test", "facts_at", "find_path"):
        assert (tool in tools) == (tool in left)


def test_only_errors_can_be_shown(called: App) -> None:
    app = opened("Traces", w="team")
    app.toggle(key="traces_errors").set_value(True).run()
    assert "find_path" in calls(app).text
    assert "8 facts" not in calls(app).text


def test_calls_of_others_are_shown_to_an_administrator_who_asks(called: App) -> None:
    eve = called.accounts.users.add("eve@x.example")
    conversation = called.accounts.conversations.create(eve.id, WORKSPACE)
    turn = called.turns.start(eve, conversation, Asked("Who does Ada know?"))
    called.turns.wait(turn.id, 2**62 - 1, PATIENCE)
    app = opened("Traces", w="team")
    assert "eve@x.example" not in calls(app).text
    app.toggle(key="traces_everybody").set_value(True).run()
    assert "eve@x.example" in calls(app).text


def test_a_page_without_calls_says_so(filled: App) -> None:
    assert "No calls match these filters." in words(opened("Traces", w="team"))


def test_the_usage_of_answers_is_listed_by_day_model_and_user(called: App) -> None:
    app = tab(opened("Traces", w="team"), "Usage")
    table = displayed(app).labelled("Tokens and cost by day, model and user").text
    for cell in (NOW.date().isoformat(), "claude-test", "local", "900", "100", "$0.0500"):
        assert cell in table
    assert len(app.get("plotly_chart")) == 1


def test_cases_are_asked_again_and_compared(filled: App) -> None:
    _, answer = kept(filled)
    filled.accounts.conversations.thumb(answer.id, 1, "as it should be")
    case = filled.accounts.cases.add(answer.id)
    app = tab(opened("Traces", w="team"), "Cases")
    assert "Who does Ada work for?" in app.expander[0].label
    press(app, "Ask again")
    work = cached.background()
    while any(one.state == "running" for one in work.of(f"{WORKSPACE}/cases")):
        app.run()
    app = tab(app, "Cases")
    assert app.expander[0].label.endswith("= same")
    app.session_state[f"case_{case.id}"] = True
    app.run()
    page_text = words(app)
    assert "as it should be" in page_text
    assert page_text.count("Ada works for Labs") == 2
    assert "same records cited" in page_text
    press(app, "Remove case")
    assert filled.accounts.cases.of(WORKSPACE) == ()


def test_without_cases_the_page_says_how_one_is_made(filled: App) -> None:
    assert "Rate an answer on Ask" in words(tab(opened("Traces", w="team"), "Cases"))
