"""The SQL page with words: a question becomes a query, by rules or by a model, which also explains and mends one."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr
from streamlit.testing.v1 import AppTest

from services.agent.app import App
from services.core.config import Settings
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.messages_server import MessagesServer, call, reply
from tests.pages.conftest import opened, serving, small_graph, words
from tests.pages.test_sql import HELD, cities, editor, patient_with_queries, rows, run

__all__ = ["cities", "patient_with_queries"]


@pytest.fixture
def modelled(tmp_path: Path, graph: MemoryGraphStore, server: MessagesServer) -> Iterator[App]:
    """The small graph, with a model that says what the test wrote down."""
    settings = Settings(
        home=tmp_path,
        model="test-model",
        anthropic_api_key=SecretStr("sk-test"),
        anthropic_base_url=server.url,
        _env_file=None,
    )
    with serving(settings, graph) as built:
        built.bridge.run(built.graph.write("team", small_graph()))
        yield built


def test_a_model_explains_the_query(modelled: App, server: MessagesServer) -> None:
    server.add(reply(call("SqlExplanation", explanation="It lists who is known to <b>whom</b>.")))
    app = opened("SQL", w="team")
    app.session_state["sql_text"] = HELD
    app.run().button(key="sql_explain").click().run()
    assert "It lists who is known to <b>whom</b>." in words(app)
    assert "facts_as_of(:as_of)" in server.requests[0]["system"]


def test_a_model_mends_a_query_which_then_waits_for_run(modelled: App, server: MessagesServer) -> None:
    server.add(reply(call("MendedSql", sql="SELECT name FROM entities", what_was_wrong="No column is called title.")))
    app = run(opened("SQL", w="team"), "SELECT title FROM entities")
    app.button(key="sql_mend").click().run()
    assert "No column is called title." in words(app)
    assert "title" in server.requests[0]["messages"][0]["content"]
    app.button(key="sql_use_mended").click().run()
    assert editor(app)["text"] == "SELECT name FROM entities"
    assert not app.dataframe


def ask(app: AppTest, question: str) -> AppTest:
    """Ask in words."""
    app.text_input(key="sql_words").set_value(question)
    app = next(button for button in app.button if button.label == "Write SQL").click().run()
    assert not app.exception
    return app


def test_a_question_in_words_becomes_a_query_that_runs_without_a_model(filled: App) -> None:
    app = ask(opened("SQL", w="team", as_of="2024-01-01"), "How many facts by relation?")
    assert "GROUP BY" in editor(app)["text"]
    assert rows(app) == [["KNOWS", 2], ["WORKS_FOR", 1]]
    assert "Written for “How many facts by relation?” without a model." in words(app)
    assert app.query_params["sql"] == editor(app)["text"]


def test_for_a_question_that_no_rule_reads_tables_are_shown_and_no_answer(cities: App) -> None:
    app = run(opened("SQL", w="team"), "SELECT 1 AS one")
    app = ask(app, "Which <b>cities</b> should one rather avoid and why?")
    assert "Asof wrote no SQL for “Which <b>cities</b> should one rather avoid and why?”." in words(app)
    assert "cities: city, visited, people" in words(app)
    assert editor(app)["text"] == "SELECT 1 AS one", "what was typed stays"
    app.button(key="sql_words_start").click().run()
    assert len(rows(app)) == 3
    assert "Asof wrote no SQL" not in words(app)


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("How many barrels per city?", "“barrels” is not a table, column or value here."),
        (
            "How many barrels, kegs, casks and <i>firkins</i> per city?",
            "“barrels”, “kegs” and “casks” are not tables, columns or values here.",
        ),
        ("What about the cities?", "Asof understands questions about counts, totals per period, top lists and groups."),
    ],
)
def test_a_question_without_sql_is_told_which_word_no_table_knows(cities: App, question: str, reason: str) -> None:
    app = ask(opened("SQL", w="team"), question)
    assert "Asof wrote no SQL for" in words(app)
    assert reason in words(app)


def test_a_model_writes_sql_and_writes_it_anew_after_an_error(modelled: App, server: MessagesServer) -> None:
    server.add(reply(call("WrittenSql", sql="SELECT title FROM entities")))
    server.add(reply(call("WrittenSql", sql="SELECT name FROM entities ORDER BY name LIMIT 1")))
    app = ask(opened("SQL", w="team"), "Who comes first?")
    assert rows(app) == [["Ada"]]
    assert "Written for “Who comes first?” by test-model; it may be wrong." in words(app)
    assert "title" in server.requests[1]["messages"][0]["content"]


def test_what_a_model_writes_only_reads(modelled: App, server: MessagesServer) -> None:
    for _ in range(3):
        server.add(reply(call("WrittenSql", sql="DELETE FROM facts")))
    app = ask(opened("SQL", w="team"), "Delete everything")
    assert "Asof wrote no SQL" in words(app)
    assert not app.dataframe
    assert modelled.bridge.run(modelled.graph.watermark("team")).counts.facts == 5


def test_without_a_model_nobody_offers_to_explain(filled: App) -> None:
    app = run(opened("SQL", w="team"), "SELECT title FROM entities")
    assert {"sql_explain", "sql_mend"} & {button.key for button in app.button} == set()
