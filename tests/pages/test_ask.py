"""The Ask page: a conversation with its answers, marks and traces, kept and shared; what runs, and what went wrong."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from services.accounts.account_records import Conversation, Message
from services.agent.app import App
from services.core import clock
from services.core.answer_records import Asked
from services.core.config import Settings
from services.core.models import GraphWrite
from services.documents.versions import NewDocument
from services.writing.documents import ingest_documents
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.messages_server import MessagesServer, call, reply, say, status, text, think
from tests.pages.conftest import WORKSPACE, day, displayed, opened, serving, small_graph, words

MODEL = "claude-test"
WHO = "Who does Ada work for?"
PATIENCE = 20.0
_OVER = 2**62 - 1


@pytest.fixture
def server() -> Iterator[MessagesServer]:
    with MessagesServer() as server:
        yield server


@pytest.fixture
def modelled(tmp_path: Path, graph: MemoryGraphStore, server: MessagesServer) -> Iterator[App]:
    """The small graph, and a model that says what the test wrote down."""
    chosen = Settings(
        home=tmp_path,
        _env_file=None,
        model=MODEL,
        prices=f"{MODEL}=3/15",
        anthropic_api_key="sk-test",
        anthropic_base_url=server.url,
    )
    with serving(chosen, graph) as services:
        services.bridge.run(graph.write(WORKSPACE, small_graph()))
        services.accounts.add(WORKSPACE, "Team memory")
        yield services


@pytest.fixture(autouse=True)
def patient(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page waits for answers without a model until they are there, however busy the machine is."""
    if "modelled" not in request.fixturenames:
        monkeypatch.setattr("components.ask.actions._AT_ONCE", 20.0)


def asking(question: str, **address: str) -> AppTest:
    """The page after a question was typed into its box."""
    return ask(opened("Ask", w="team", **address), question)


def ask(app: AppTest, question: str) -> AppTest:
    app.chat_input[0].set_value(question).run()
    assert not app.exception
    return app


def press(app: AppTest, label: str) -> AppTest:
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception
    return app


def labels(app: AppTest) -> list[str]:
    return [button.label for button in app.button]


def messages(services: App, app: AppTest) -> tuple[Message, ...]:
    return services.accounts.conversations.messages(app.query_params["c"])


def kept(services: App, question: str = WHO, *, shared: bool = False) -> tuple[Conversation, Message]:
    """A conversation of the local user with one answer in it."""
    user = services.accounts.users.local()
    conversation = services.accounts.conversations.create(user.id, WORKSPACE)
    services.mirrors.sync(WORKSPACE)
    turn = services.turns.start(user, conversation, Asked(question))
    services.turns.wait(turn.id, _OVER, PATIENCE)
    services.accounts.conversations.share(conversation.id, shared)
    found = services.accounts.conversations.get(conversation.id)
    answer = services.accounts.conversations.message(turn.id)
    assert found is not None
    assert answer is not None
    return found, answer


def open_box(app: AppTest, key: str) -> AppTest:
    """Open a popover or an expander, as a click does."""
    app.session_state[key] = True
    return app.run()


# -- before anything is asked


def test_an_empty_conversation_offers_questions_from_the_data(filled: App) -> None:
    app = opened("Ask", w="team")
    offered = [button.label for button in app.button if button.key and button.key.startswith("starter_")]
    assert len(offered) == 4
    assert all("Ada" in question or "Bob" in question for question in offered)
    answered = press(app, offered[0])
    assert "✓ 1" in words(answered)
    assert "I did not understand" not in words(answered)


def test_without_a_model_there_is_none_to_choose(filled: App) -> None:
    assert [box.label for box in opened("Ask", w="team").selectbox] == []


# -- an answer


def test_a_question_is_answered_at_once_with_its_sources_and_trace(filled: App) -> None:
    app = asking(WHO)
    page_text = words(app)
    assert "Ada works for Labs" in page_text
    assert "✓ 1" in page_text
    assert "no model" in page_text
    assert "facts_at" in page_text
    assert "Since July she works for Labs." in page_text  # the words of the source
    assert any("Checked 1 tool · 1 fact read" in box.label for box in app.expander)
    assert app.query_params["m"] == messages(filled, app)[-1].id


def test_the_time_bar_is_the_clock_of_the_question(filled: App) -> None:
    page_text = words(asking(WHO, as_of="2020-06-01"))
    assert "Ada worked for Engines" in page_text or "Ada works for Engines" in page_text


def test_a_date_in_the_question_beats_the_bar_and_says_where_it_came_from(filled: App) -> None:
    app = asking("Who did Ada work for on 2020-06-01?")
    assert "Engines" in words(app)
    assert "date taken from “" in words(app)
    assert "on 2020-06-01”" in words(app)
    assert "● as of 2020-06-01" in [p.proto.popover.label for p in app.get("popover")]


def test_what_the_graph_does_not_know_is_declined_with_a_hint(filled: App) -> None:
    app = asking("What is the colour of Ada?")
    assert "✓ 1" not in words(app)
    assert "works for" in words(app)
    assert "Sources · 0 cited" in [tab.label for tab in app.tabs]


def test_a_question_that_cannot_be_asked_stays_in_the_box_and_leaves_nothing_behind(filled: App) -> None:
    app = asking("x" * 5000)
    assert "4,000 are the most" in words(app)
    assert app.chat_input[0].proto.value == "x" * 5000
    user = filled.accounts.users.local()
    assert filled.accounts.conversations.listed(user.id, WORKSPACE) == ()


def test_a_follow_up_continues_the_branch(filled: App) -> None:
    app = ask(asking(WHO), "Since when?")
    first, answer, second, _ = messages(filled, app)
    assert (first.parent_id, second.parent_id) == (None, answer.id)
    assert any("Who does Ada work for" in label for label in labels(app))  # the first one, as a line


def test_a_line_of_the_thread_opens_that_answer_again(filled: App) -> None:
    app = ask(asking(WHO), "Who does Ada know?")
    first = next(button for button in app.button if (button.key or "").startswith("look_"))
    first.click().run()
    assert "Ada works for Labs" in words(app)
    assert app.query_params["m"] == messages(filled, app)[1].id


def test_of_many_questions_only_the_last_few_stand_before_the_answer(filled: App) -> None:
    user, chats = filled.accounts.users.local(), filled.accounts.conversations
    conversation, before = chats.create(user.id, WORKSPACE), None
    for number in range(8):
        asked = Message(f"q{number}", conversation.id, "user", f"Question {number}?", day("2026-01-01"), before)
        answer = Message(f"a{number}", conversation.id, "assistant", f"Answer {number}.", day("2026-01-01"), asked.id)
        chats.add(asked)
        chats.add(answer)
        before = answer.id
    app = opened("Ask", w="team", c=conversation.id)
    assert "Answer 7." in words(app)
    assert [box.label for box in app.expander] == ["4 earlier questions"]
    assert len([button for button in app.button if (button.key or "").startswith("look_")]) == 7


# -- sources and calls


def test_a_citation_opens_its_source_with_the_words_marked(filled: App) -> None:
    conversation, answer = kept(filled)
    app = opened("Ask", w="team", c=conversation.id, m=answer.id, cited="1")
    assert not app.exception
    assert "Ada joined Labs" in words(app)
    shown = reader(app)
    assert shown["lines"] == ["Since July she works for Labs."]
    assert shown["words"] == {"1": [[0, 30]]}


def reader(app: AppTest) -> dict[str, Any]:
    import json

    payloads = [json.loads(c.proto.json) for c in app.get("bidi_component") if c.proto.json]
    return next(dict(payload) for payload in payloads if "outline" in payload)


def test_a_call_opens_to_its_input_and_result(filled: App) -> None:
    conversation, answer = kept(filled)
    made = filled.accounts.conversations.calls_of([answer.id])[answer.id][0]
    app = opened("Ask", w="team", c=conversation.id, m=answer.id, call=made.id)
    assert len(app.json) == 2
    assert "WORKS_FOR" in str(app.json[0].value)
    assert "Labs" in str(app.json[1].value)


def test_a_citation_of_a_call_opens_its_result(filled: App) -> None:
    conversation, answer = kept(filled, "How many people work for Labs?")
    cited = next(one["n"] for one in (answer.answer or {})["citations"] if one["kind"] == "result")
    app = opened("Ask", w="team", c=conversation.id, m=answer.id, cited=str(cited))
    assert not app.exception
    assert "facts_at" in words(app)
    assert "Labs" in str(app.json[-1].value)


# -- again, otherwise


def test_an_edited_question_is_a_second_branch_and_both_are_kept(filled: App) -> None:
    app = asking(WHO)
    asked = messages(filled, app)[0]
    open_box(app, f"edit_{asked.id}")
    app.text_area(key=f"edited_{asked.id}").set_value("Who does Ada know?")
    press(app, "Ask")
    assert "Ada knows Bob" in words(app)
    assert "2 of 2" in words(app)
    assert [m.content for m in messages(filled, app) if m.role == "user"] == [WHO, "Who does Ada know?"]
    press(app, "The version before")
    assert "Ada works for Labs" in words(app)
    assert "1 of 2" in words(app)


def test_a_question_is_asked_again_as_it_was(filled: App) -> None:
    app = press(asking(WHO, as_of="2020-06-01"), "Ask again")
    again = messages(filled, app)[2]
    assert (again.content, again.as_of, again.parent_id) == (WHO, day("2020-06-01"), None)


def test_the_date_of_an_answer_can_be_changed(filled: App) -> None:
    app = asking(WHO)
    asked = messages(filled, app)[0]
    open_box(app, f"world_{asked.id}")
    app.text_input(key=f"world_from_{asked.id}").set_value("June 2020")
    press(app, "Ask at this date")
    assert "Engines" in words(app)
    assert messages(filled, app)[2].as_of == day("2020-06-01")


def test_a_date_that_cannot_be_read_is_reported(filled: App) -> None:
    app = asking(WHO)
    asked = messages(filled, app)[0]
    open_box(app, f"world_{asked.id}")
    app.text_input(key=f"world_from_{asked.id}").set_value("soonish")
    press(app, "Ask at this date")
    assert "“soonish” is not a date" in words(app)
    assert len(messages(filled, app)) == 2


def test_two_dates_stand_side_by_side(filled: App) -> None:
    app = asking(WHO)
    asked, answer = messages(filled, app)
    open_box(app, f"other_{asked.id}")
    app.text_input(key=f"other_from_{asked.id}").set_value("2020-06-01")
    press(app, "Put both side by side")
    assert app.query_params["beside"] == answer.id
    page_text = words(app)
    assert page_text.index("Engines") < page_text.index("Ada works for Labs")
    assert "1 record only at 2020-06-01" in page_text
    press(app, "Close the comparison")
    assert "beside" not in app.query_params


def test_an_answer_says_when_what_it_cites_has_ended_since(filled: App) -> None:
    conversation, _ = kept(filled)
    now = clock.now()
    labs = next(fact for fact in small_graph().facts if fact.uuid == "f2")
    ended = replace(labs, invalid_at=day("2025-01-01"), expired_at=now)
    filled.bridge.run(filled.graph.write(WORKSPACE, GraphWrite(facts=(ended,))))
    filled.mirrors.sync(WORKSPACE)
    app = opened("Ask", w="team", c=conversation.id)
    assert "Changed since this answer." in words(app)
    assert "ended 2025-01-01" in words(app)
    again = press(app, "Ask again now")
    assert "Changed since this answer." not in words(again)


def test_a_thumb_makes_a_case_and_taking_it_back_ends_it(filled: App) -> None:
    app = asking(WHO)
    answer = messages(filled, app)[-1]
    app.feedback[0].set_value(0).run()
    assert filled.accounts.conversations.message(answer.id).thumb == -1  # type: ignore[union-attr]
    assert [case.question for case in filled.accounts.cases.of(WORKSPACE)] == [WHO]
    app.feedback[0].set_value(None).run()
    assert filled.accounts.cases.of(WORKSPACE) == ()


# -- conversations


def test_a_conversation_is_reopened_with_its_trace(filled: App) -> None:
    conversation, _ = kept(filled)
    app = opened("Ask", w="team", c=conversation.id)
    assert "Ada works for Labs" in words(app)
    assert "facts_at" in words(app)


def test_conversations_are_listed_searched_and_renamed(filled: App) -> None:
    kept(filled, "Who does Ada know?")
    conversation, _ = kept(filled)
    app = open_box(opened("Ask", w="team", c=conversation.id), "ask_list")
    assert len([button for button in app.button if (button.key or "").startswith("open_")]) == 2
    app.text_input(key="ask_search").set_value("know").run()
    assert [b.label for b in app.button if (b.key or "").startswith("open_")] == ["Who does Ada know? · today"]
    open_box(app, "ask_more")
    app.text_input(key=f"ask_title{conversation.id}").set_value("Employers").run()
    assert filled.accounts.conversations.get(conversation.id).title == "Employers"  # type: ignore[union-attr]


def test_a_conversation_is_deleted_after_a_question(filled: App) -> None:
    conversation, _ = kept(filled)
    app = open_box(opened("Ask", w="team", c=conversation.id), "ask_more")
    press(app, "Delete")
    assert filled.accounts.conversations.get(conversation.id) is not None
    press(app, "Delete it")
    assert filled.accounts.conversations.get(conversation.id) is None
    assert "c" not in app.query_params


def test_a_shared_conversation_is_read_but_not_continued(filled: App) -> None:
    filled.accounts.users.add("eve@x.example", "long enough a secret", is_admin=False)
    eve = filled.accounts.users.named("eve@x.example")
    assert eve is not None
    conversation = filled.accounts.conversations.create(eve.id, WORKSPACE, "Eve's")
    filled.accounts.conversations.share(conversation.id, True)
    app = opened("Ask", w="team", c=conversation.id)
    assert "you can read it" in words(app)
    assert len(app.chat_input) == 0


def test_a_link_to_a_conversation_that_is_gone_has_a_way_out(filled: App) -> None:
    app = opened("Ask", w="team", c="nothing")
    assert "There is no such conversation here." in words(app)
    press(app, "Begin a new one")
    assert "c" not in app.query_params
    assert len(app.chat_input) == 1


# -- with a model


def test_an_answer_of_a_model_is_marked_sentence_by_sentence(modelled: App, server: MessagesServer) -> None:
    server.add(reply(think("Whom does she work for?"), call("facts_at", entity="Ada", relation="WORKS_FOR")))
    server.add(say("Ada works for Labs. [1] She likes it there very much. <img src=http://evil/x.png>"))
    app = asking(WHO)
    app = wait(modelled, app)
    page_text = words(app)
    assert "✓ 1" in page_text
    assert "∅ no source" in page_text
    assert "1 of 2 claims is not backed by the graph." in page_text or "2 of 3 claims are not backed" in page_text
    assert displayed(app).all("img") == []
    assert any("tokens" in box.label and r"\$" in box.label for box in app.expander)
    assert "no model" not in page_text


def wait(services: App, app: AppTest) -> AppTest:
    """The page once what runs in its conversation is over."""
    turn = services.turns.running(app.query_params["c"])
    if turn is not None:
        services.turns.wait(turn.id, _OVER, PATIENCE)
    return app.run()


def test_a_cited_passage_opens_in_its_document(modelled: App, server: MessagesServer) -> None:
    rules = "# Rules\n\nDogs stay outside.\n\n## Trains\n\nWhoever travels by train is paid in full. Others pay.\n"
    ingest_documents(modelled.workspace(WORKSPACE), [NewDocument("rules", rules, "Rules of Labs", "markdown")])
    server.add(reply(call("get_document_context", document="rules")))
    server.add(say("Whoever travels by train is paid in full. [2]"))
    app = wait(modelled, asking("Who pays for the train?"))
    assert "Rules of Labs" in words(app)
    app = opened("Ask", w="team", c=app.query_params["c"], cited="2")
    assert not app.exception
    shown = reader(app)
    assert shown["lines"][6] == "Whoever travels by train is paid in full. Others pay."
    assert shown["words"] == {"7": [[0, 41]]}
    assert shown["passage"]


def test_what_runs_is_shown_as_it_comes_and_found_by_a_second_tab(modelled: App, server: MessagesServer) -> None:
    server.add(reply(call("facts_at", entity="Ada")))
    server.add(say("Ada works", " for Labs. [1]", gate="go"))
    app = asking(WHO)
    other = opened("Ask", w="team", c=app.query_params["c"])
    assert other.chat_input[0].disabled
    assert "Stop" in labels(other)
    assert "facts_at" in words(other)
    server.gate("go").set()
    assert "✓" in words(wait(modelled, other))


def test_stop_keeps_the_answer_so_far_and_the_next_question_works(modelled: App, server: MessagesServer) -> None:
    server.add(reply(text("Ada works for "), cut="hang"))
    app = asking(WHO)
    turn = modelled.turns.running(app.query_params["c"])
    assert turn is not None
    while "Ada works" not in turn.text:
        turn = modelled.turns.wait(turn.id, turn.version, PATIENCE)
        assert turn is not None
    press(app, "Stop")
    app = wait(modelled, app)
    assert "What was said so far is kept." in words(app)
    assert "Ada works for" in words(app)
    server.add(say("Nothing was found."))
    assert "Nothing was found." in words(wait(modelled, ask(app, "And now?")))


def test_a_dead_model_is_a_sentence_and_a_way_out(modelled: App, server: MessagesServer) -> None:
    server.add(status(401))
    app = wait(modelled, asking(WHO))
    assert "Your question is kept." in words(app)
    assert "ANTHROPIC_API_KEY" in words(app)
    server.add(say("Nothing was found."))
    assert "Nothing was found." in words(wait(modelled, press(app, "Try again")))


def test_the_analyst_without_a_model_can_be_chosen(modelled: App, server: MessagesServer) -> None:
    app = opened("Ask", w="team")
    app.selectbox(key="ask_model").set_value("").run()
    assert "Ada works for Labs" in words(ask(app, WHO))
    assert server.requests == []
