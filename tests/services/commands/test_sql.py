"""`sql` and `databases` as programs use them."""

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import cli
from services.agent.app import App
from services.bootstrap import build_services
from services.commands.arguments import Run
from services.commands.registry import requests, run_request
from services.commands.sql import rows_text
from services.core.config import Settings
from services.core.errors import BadInput, QueryRejected
from services.core.json_documents import Json
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore
from tests.terminal import graph, terminal

__all__ = ["graph", "terminal"]

FACTS = b"""source,relation,target,valid_at,invalid_at,created_at
Ann,WORKS_AT,Acme,2010-01-01,,2010-02-01
Ann,WORKS_AT,Acme,2010-01-01,2015-01-01,2015-02-01
Ann,WORKS_AT,Bolt,2015-01-01,,2015-02-01
"""
JOINED = "SELECT target, price FROM facts_as_of(:as_of) JOIN prices ON company = target"


@pytest.fixture
def services(tmp_path: Path) -> Iterator[App]:
    services = build_services(Settings(home=with_tables(tmp_path)), graph=MemoryGraphStore())
    run(services, "import", name="a.csv", content=FACTS)
    prices = b"company,price\nAcme,3\nBolt,4\n"
    run(services, "databases", action="add", name="shop", files=[("prices.csv", prices)])
    yield services
    services.close()


def run(services: App, command: str, /, **given) -> Json:
    return run_request(services, command, given, Run())


def test_the_two_clocks_of_the_command_are_those_of_the_query(services: App) -> None:
    assert run(services, "sql", sql=JOINED, as_of="2016")["rows"] == [["Bolt", 4]]
    document = run(services, "sql", sql=JOINED, as_of="2016", known_at="2014")
    assert document["rows"] == [["Acme", 3]]
    assert (document["as_of"], document["known_at"]) == ("2016-01-01T00:00:00+00:00", "2014-01-01T00:00:00+00:00")
    assert document["snapshot_of"] is not None
    assert rows_text(document).splitlines()[:2] == ["target  price", "Acme    3"]
    assert document["note"] == ""


def test_what_the_second_clock_does_not_bound_is_said(services: App) -> None:
    note = run(services, "sql", sql="SELECT count(*) FROM facts", known_at="2014")["note"]
    assert note.startswith("known_at does not limit facts:")


def test_each_line_is_answered_in_order_and_a_bad_one_by_what_is_wrong(services: App) -> None:
    asked = [
        {"id": 1, "sql": JOINED},
        {"id": "x", "sql": "DROP TABLE facts"},
        {"id": 2, "sql": JOINED, "known_at": "2014"},
        {"id": 3},
    ]
    document = run(services, "sql-batch", lines=[json.dumps(line).encode() for line in asked], as_of="2016")
    first, refused, second, bad = document["answers"]
    assert first == {"id": 1, "columns": ["target", "price"], "rows": [["Bolt", 4]], "row_count": 1, "truncated": False}
    assert second["rows"] == [["Acme", 3]]
    assert (refused["id"], refused["error"][:4]) == ("x", "DROP")
    assert (bad["id"], document["failed"]) == (3, 2)


def test_files_reach_the_running_app_as_they_are() -> None:
    asked = requests()["databases"].read({"action": "add", "name": "x", "files": [("a.csv", bytes(range(256)))]})
    assert requests()["databases"].read(asked.body()) == asked


def test_databases_are_listed_described_and_removed(services: App) -> None:
    (one,) = run(services, "databases", action="describe", name="shop", table="prices", text="Of shares")["databases"]
    assert (one["name"], one["workspace"], one["kind"]) == ("shop", services.graph.default_workspace, "files")
    (table,) = one["tables"]
    assert (table["name"], table["rows"], table["description"]) == ("prices", 2, "Of shares")
    assert "place" not in one
    assert run(services, "databases", action="list", workspace="other")["databases"] == []
    assert run(services, "databases", action="remove", name="shop")["databases"] == []
    with pytest.raises(QueryRejected, match="no table “prices”"):
        run(services, "sql", sql=JOINED)
    with pytest.raises(BadInput, match="no database “shop”"):
        run(services, "sql", sql="SELECT 1", database="shop")


def test_cells_do_not_steer_the_terminal(services: App) -> None:
    sql = "SELECT chr(27) || '[2J' || chr(8238) || 'abc' || chr(155) AS \"\x1b]0;title\x07\""
    text = rows_text(run(services, "sql", sql=sql))
    assert [line.rstrip() for line in text.splitlines()[:2]] == ["\\x1b]0;title\\x07", "\\x1b[2J\\u202eabc\\x9b"]


def test_an_address_with_its_password_is_read_where_no_list_of_processes_shows_it(terminal, monkeypatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("postgresql://u:secret@127.0.0.1:5432/x\n"))
    assert terminal("databases", "connect", "crm", "-") == cli.FAILED
    assert "127.0.0.1" in terminal.err
    assert "secret" not in terminal.err
