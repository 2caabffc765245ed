"""The Ask page with a model: its answers as they come, what stops them, and what went wrong."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.agent.app import App
from services.core.config import Settings
from services.documents.versions import NewDocument
from services.writing.documents import ingest_documents
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.messages_server import MessagesServer, call, reply, say, status, text, think
from tests.pages.ask import (
    MODEL,
    PATIENCE,
    WHO,
    ask,
    asking,
    labels,
    messages,
    press,
    read_source,
    wait,
)
from tests.pages.conftest import WORKSPACE, displayed, opened, serving, small_graph, words


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


def test_an_answer_of_a_model_is_marked_sentence_by_sentence(modelled: App, server: MessagesServer) -> None:
    server.add(reply(think("Whom does she work for?"), call("facts_at", entity="Ada", relation="WORKS_FOR")))
    server.add(say("Ada works for Labs. [1] She likes it there very much. <img src=http://evil/x.png>"))
    app = asking(WHO)
    app = wait(modelled, app)
    page_text = words(app)
    assert "✓ 1" in page_text
    assert "∅ no source" in page_text
    assert "1 of 2 claims is not supported by the graph." in page_text or "2 of 3 claims are not supported" in page_text
    assert displayed(app).all("img") == []
    assert any("tokens" in box.label and r"\$" in box.label for box in app.expander)
    assert "rule-based" not in page_text


def test_a_cited_passage_opens_in_its_document(modelled: App, server: MessagesServer) -> None:
    rules = "# Rules\n\nDogs stay outside.\n\n## Trains\n\nWhoever travels by train is paid in full. Others pay.\n"
    ingest_documents(modelled.workspace(WORKSPACE), [NewDocument("rules", rules, "Rules of Labs", "markdown")])
    server.add(reply(call("get_document_context", document="rules")))
    server.add(say("Whoever travels by train is paid in full. [2]"))
    app = wait(modelled, asking("Who pays for the train?"))
    assert "Rules of Labs" in words(app)
    app = opened("Ask", w="team", c=app.query_params["c"], cited="2")
    assert not app.exception
    shown = read_source(app)
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
    late = time.monotonic() + 60  # the gate keeps the answer open until its call is seen
    while "facts_at" not in words(other.run()) and time.monotonic() < late:
        pass
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
    assert "The answer so far is saved." in words(app)
    assert "Ada works for" in words(app)
    server.add(say("Nothing was found."))
    assert "Nothing was found." in words(wait(modelled, ask(app, "And now?")))


def test_a_dead_model_is_a_sentence_and_a_way_out(modelled: App, server: MessagesServer) -> None:
    server.add(status(401))
    app = wait(modelled, asking(WHO))
    assert "Your question is saved." in words(app)
    assert "ANTHROPIC_API_KEY" in words(app)
    server.add(say("Nothing was found."))
    assert "Nothing was found." in words(wait(modelled, press(app, "Try again")))


def test_a_button_has_the_analyst_answer_where_the_model_is_dead(modelled: App, server: MessagesServer) -> None:
    server.add(status(401))
    app = wait(modelled, asking(WHO))
    assert "Ada works for Labs" in words(wait(modelled, press(app, "Answer without a model")))


def test_the_analyst_without_a_model_can_be_chosen(modelled: App, server: MessagesServer) -> None:
    app = opened("Ask", w="team")
    app.selectbox(key="ask_model").set_value("").run()
    assert "Ada works for Labs" in words(ask(app, WHO))
    assert server.requests == []


def test_a_query_of_an_answer_shows_rows_and_chart_and_opens_on_its_page(modelled: App, server: MessagesServer) -> None:
    sql = "SELECT relation, count(*) AS facts FROM facts GROUP BY ALL ORDER BY relation"
    server.add(reply(call("query_database", sql=sql)))
    server.add(say("Of KNOWS there are two facts. [1]"))
    app = wait(modelled, asking("How many facts are there of each relation?"))
    calls = modelled.accounts.conversations.calls_of([one.id for one in messages(modelled, app)])
    query = next(one for made in calls.values() for one in made if one.tool == "query_database")
    app = opened("Ask", w="team", c=app.query_params["c"], call=query.id)
    assert not app.exception
    assert [code.value for code in app.code][:1] == [sql]
    assert app.dataframe[0].value["facts"].tolist() == [2, 1, 2]
    assert len(app.get("plotly_chart")) == 1
    (there,) = displayed(app).links("Open in SQL")
    assert there.startswith("SQL?")
    assert "sql=SELECT" in there
