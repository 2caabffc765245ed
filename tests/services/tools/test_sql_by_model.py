"""SQL from a model, against a scripted endpoint: right, repaired, given up, elsewhere, refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from services.agent.app import App
from services.bootstrap import build_services
from services.core.config import Settings
from services.sql.warehouse import warehouse
from services.tools.registry import TOOLS
from services.tools.tool import Context, ToolResult
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.messages_server import MessagesServer, Step, call, reply
from tests.fakes.word_embedder import WordEmbedder
from tests.services.retrieval.conftest import W
from tests.services.tools.conftest import _fill

pytestmark = pytest.mark.slow

MODEL = "claude-sonnet-5-5"
SHIPS = b"ship,owner,built\nAdalina,Labs,1990\nBeagle,Labs,1820\nCutty,Bob,1869\n"
RIGHT = "SELECT owner, count(*) AS ships FROM ships GROUP BY owner ORDER BY ships DESC"


@pytest.fixture
def app(tmp_path: Path, server: MessagesServer) -> Iterator[App]:
    settings = Settings(
        home=with_tables(tmp_path),
        anthropic_base_url=server.url,
        anthropic_api_key=SecretStr("sk-ant-key"),
        model=MODEL,
        prices=f"{MODEL}=3/15",
    )
    app = build_services(settings, graph=MemoryGraphStore(), embedder=WordEmbedder())
    _fill(app)
    warehouse(app.workspace(W)).add_files("fleet", W, [("ships.csv", SHIPS)])
    yield app
    app.close()


def sql(statement: str) -> Step:
    return reply(call("WrittenSql", sql=statement))


def ask(app: App, question: str = "Who owns how many ships?", **given: str) -> ToolResult:
    return TOOLS["query_database"](Context(app.workspace(W), model=MODEL), {"question": question, **given})


def places(result: ToolResult) -> list[tuple[str, bool]]:
    return [(one["from"], one["error"] is None) for one in result.document["tries"]]


def test_the_models_sql_is_run_and_its_rows_returned(app: App, server: MessagesServer) -> None:
    server.add(sql(f"{RIGHT};"))
    result = ask(app)
    assert (result.document["success"], result.document["rows"]) == (True, [["Labs", 2], ["Bob", 1]])
    assert (result.document["sql"], result.document["model"]) == (RIGHT, MODEL)
    assert result.usage.output == result.document["output_tokens"] > 0
    assert result.cost == (result.usage.read * 3 + result.usage.output * 15) / 1e6
    sent = server.requests[0]["messages"][0]["content"]
    assert "Dialect: DuckDB." in sent
    assert "ships: " in sent
    assert "facts_as_of(:as_of): " in sent


def test_verified_queries_are_shown_as_examples_and_others_are_not(app: App, server: MessagesServer) -> None:
    kept = app.accounts.saved_queries
    kept.save(W, "fast", "SELECT ship FROM ships WHERE built < 1900", question="Which ships are old?")
    kept.save(W, "open", "SELECT 42 AS unverified")
    kept.verify(W, "fast")
    server.add(sql(RIGHT))
    ask(app)
    sent = server.requests[0]["messages"][0]["content"]
    assert "-- Which ships are old?\nSELECT ship FROM ships WHERE built < 1900" in sent
    assert "unverified" not in sent


def test_sql_that_fails_is_written_again_with_what_the_database_said(app: App, server: MessagesServer) -> None:
    server.add(sql("SELECT proprietor FROM ships"), sql(RIGHT))
    result = ask(app)
    assert result.document["row_count"] == 2
    assert places(result) == [("files", False), ("files", True)]
    sent = server.requests[1]["messages"][0]["content"]
    assert "You tried:\nSELECT proprietor FROM ships\nThe database reported: " in sent


def test_sql_that_writes_is_refused_and_may_be_repaired(app: App, server: MessagesServer) -> None:
    server.add(sql("DROP TABLE ships"), sql(RIGHT))
    assert places(ask(app)) == [("files", False), ("files", True)]


def test_after_two_repairs_the_graph_and_the_documents_answer(app: App, server: MessagesServer) -> None:
    server.add(*[sql("SELECT nothing FROM ships")] * 3)
    result = ask(app, "Whom does Ada work for?")
    assert len(server.requests) == 3
    assert result.document["success"] is False
    assert places(result) == [*[("files", False)] * 3, ("graph and documents", True)]
    assert any(item.fact is not None for item in result.items)
    assert result.heading.startswith("No SQL answers this question (files: ")
    assert result.document["schema_slice"]["tables"]


def test_a_chosen_database_comes_first_and_then_the_files(app: App, server: MessagesServer) -> None:
    server.add(sql(""), sql(RIGHT))
    result = ask(app, database="fleet")
    assert places(result) == [("database fleet", False), ("files", True)]
    assert result.heading.startswith(
        "(database fleet: Asof wrote no SQL for this question. These rows are from files.)"
    )
    assert result.summary == "2 rows from files"


def test_no_rows_are_an_answer_and_nothing_else_is_tried(app: App, server: MessagesServer) -> None:
    server.add(sql("SELECT ship FROM ships WHERE owner = 'Nobody'"))
    result = ask(app, database="fleet")
    assert (result.document["success"], result.document["row_count"]) == (True, 0)
    assert len(server.requests) == 1


def test_where_the_model_declines_the_graph_and_the_documents_answer(app: App, server: MessagesServer) -> None:
    server.add(reply(stop="refusal"))
    result = ask(app, "Whom does Ada work for?")
    assert places(result) == [("files", False), ("graph and documents", True)]
    assert "declined" in result.document["tries"][0]["error"]


def test_without_a_model_none_is_asked(app: App, server: MessagesServer) -> None:
    result = TOOLS["query_database"](Context(app.workspace(W)), {"question": "How many ships are there by owner?"})
    assert result.document["row_count"] == 2
    assert server.requests == []
