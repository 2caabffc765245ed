"""The Ask page: a question with its answer, sources, calls and dates, and what can be done with them."""

from dataclasses import replace

from services.accounts.account_records import Message
from services.agent.app import App
from services.core import clock
from services.core.models import Entity, Fact, GraphWrite
from services.sql.warehouse import warehouse
from tests.pages.ask import WHO, ask, asking, kept, labels, messages, open_box, press, read_source
from tests.pages.conftest import WORKSPACE, day, displayed, opened, small_graph, words


def test_an_empty_conversation_offers_questions_from_the_data(filled: App) -> None:
    app = opened("Ask", w="team")
    offered = [button.label for button in app.button if button.key and button.key.startswith("starter_")]
    assert len(offered) == 4
    assert all("Ada" in question or "Bob" in question for question in offered)
    answered = press(app, offered[0])
    assert "✓ 1" in words(answered)
    assert "I didn't understand" not in words(answered)


def test_entities_without_a_type_are_no_type_of_the_graph(services: App) -> None:
    entities = (Entity("x", "Xan"), Entity("y", "Yve"))
    fact = Fact("f", "x", "y", "Xan", "KNOWS", "Yve", valid_at=day("2020-01-01"), created_at=day("2020-01-02"))
    services.bridge.run(services.graph.write(WORKSPACE, GraphWrite(entities, (fact,))))
    services.accounts.add(WORKSPACE, "Team memory")
    assert "no types, 1 relation" in words(opened("Ask", w=WORKSPACE))


def test_without_a_model_there_is_none_to_choose(filled: App) -> None:
    assert [box.label for box in opened("Ask", w="team").selectbox] == []


def test_a_question_is_answered_at_once_with_its_sources_and_trace(filled: App) -> None:
    app = asking(WHO)
    page_text = words(app)
    assert "Ada works for Labs" in page_text
    assert "✓ 1" in page_text
    assert "rule-based" in page_text
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
    assert "● valid on 2020-06-01" in [p.proto.popover.label for p in app.get("popover")]


def test_changes_of_the_whole_graph_are_counted_with_a_link_to_all(filled: App) -> None:
    app = asking("What changed between 2020-06-01 and 2023-01-01?")
    page = words(app)
    assert "2 facts were added between 2020-06-01 and 2023-01-01." in page
    assert "Ada was working for Engines" in page or "Ada worked for Engines" in page
    (there,) = displayed(app).links("All changes between the two dates")
    assert "as_of=2020-06-01" in there
    assert "to=2023-01-01" in there


def test_what_the_graph_does_not_know_is_declined_with_what_it_does(filled: App) -> None:
    app = asking("What is the colour of Ada?")
    assert "✓ 1" not in words(app)
    assert "works for" in labels(app)
    assert "Sources · 0 cited" in [tab.label for tab in app.tabs]


def test_an_answer_from_a_table_shows_its_sql_and_rows_and_leads_to_the_sql_page(filled: App) -> None:
    ships = b"ship,owner\nAdalina,Labs\nBeagle,Labs\nCutty,Bob\n"
    warehouse(filled.workspace(WORKSPACE)).add_files("fleet", WORKSPACE, [("ships.csv", ships)])
    app = asking("How many ships are there by owner?")
    assert "Labs: 2." in words(app)
    assert any("GROUP BY 1" in code.value for code in app.code)
    assert app.dataframe[0].value.to_dict("records") == [
        {"owner": "Labs", "count": 2},
        {"owner": "Bob", "count": 1},
    ]
    assert "Open in SQL" in words(app)


def test_a_question_that_cannot_be_asked_stays_in_the_box_and_leaves_nothing_behind(filled: App) -> None:
    app = asking("x" * 5000)
    assert "the limit is 4,000" in words(app)
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


def test_a_citation_opens_its_source_with_the_words_marked(filled: App) -> None:
    conversation, answer = kept(filled)
    app = opened("Ask", w="team", c=conversation.id, m=answer.id, cited="1")
    assert not app.exception
    assert "Ada joined Labs" in words(app)
    shown = read_source(app)
    assert shown["lines"] == ["Since July she works for Labs."]
    assert shown["words"] == {"1": [[0, 30]]}


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


def test_an_edited_question_is_a_second_branch_and_both_are_kept(filled: App) -> None:
    app = asking(WHO)
    asked = messages(filled, app)[0]
    open_box(app, f"edit_{asked.id}")
    app.text_area(key=f"edited_{asked.id}").set_value("Who does Ada know?")
    press(app, "Ask")
    assert "Ada knows Bob" in words(app)
    assert "2 of 2" in words(app)
    assert [m.content for m in messages(filled, app) if m.role == "user"] == [WHO, "Who does Ada know?"]
    press(app, "Previous version")
    assert "Ada works for Labs" in words(app)
    assert "1 of 2" in words(app)


def test_a_question_is_asked_again_as_of_the_dates_of_the_bar(filled: App) -> None:
    asked = asking(WHO, as_of="2020-06-01")
    moved = opened("Ask", **{**asked.query_params, "as_of": "2021-06-01"})
    again = messages(filled, press(moved, "Ask again"))[2]
    assert (again.content, again.as_of, again.parent_id) == (WHO, day("2021-06-01"), None)


def test_a_path_that_was_found_opens_in_explore(filled: App) -> None:
    app = press(asking("How is Bob connected to Labs?"), "Open in Explore")
    assert {app.query_params["e"], app.query_params["path"]} == {"bob", "labs"}


def test_the_date_of_an_answer_can_be_changed(filled: App) -> None:
    app = asking(WHO)
    asked = messages(filled, app)[0]
    open_box(app, f"world_{asked.id}")
    app.text_input(key=f"world_from_{asked.id}").set_value("June 2020")
    press(app, "Ask as of this date")
    assert "Engines" in words(app)
    assert messages(filled, app)[2].as_of == day("2020-06-01")


def test_a_date_that_cannot_be_read_is_reported(filled: App) -> None:
    app = asking(WHO)
    asked = messages(filled, app)[0]
    open_box(app, f"world_{asked.id}")
    app.text_input(key=f"world_from_{asked.id}").set_value("soonish")
    press(app, "Ask as of this date")
    assert "“soonish” is not a valid date" in words(app)
    assert len(messages(filled, app)) == 2


def test_two_dates_stand_side_by_side(filled: App) -> None:
    app = asking(WHO)
    asked, answer = messages(filled, app)
    open_box(app, f"other_{asked.id}")
    app.text_input(key=f"other_from_{asked.id}").set_value("2020-06-01")
    press(app, "Compare answers")
    assert app.query_params["beside"] == answer.id
    page_text = words(app)
    assert page_text.index("Engines") < page_text.index("Ada works for Labs")
    assert "1 record only on 2020-06-01" in page_text
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
    assert "The facts have changed since this answer." in words(app)
    assert "ended 2025-01-01" in words(app)
    again = press(app, "Ask again now")
    assert "The facts have changed since this answer." not in words(again)


def test_a_thumb_makes_a_case_and_taking_it_back_ends_it(filled: App) -> None:
    app = asking(WHO)
    answer = messages(filled, app)[-1]
    app.feedback[0].set_value(0).run()
    assert filled.accounts.conversations.message(answer.id).thumb == -1  # type: ignore[union-attr]
    assert [case.question for case in filled.accounts.cases.of(WORKSPACE)] == [WHO]
    app.feedback[0].set_value(None).run()
    assert filled.accounts.cases.of(WORKSPACE) == ()
