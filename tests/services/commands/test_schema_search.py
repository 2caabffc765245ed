"""`schema-search`: over the registered databases, and over a file in Spider's format."""

import json

import pytest

import cli
from tests.services.sql.test_schema_search import SPIDER
from tests.terminal import graph, terminal

__all__ = ["graph", "terminal"]


@pytest.fixture
def schema(tmp_path):
    path = tmp_path / "tables.json"
    path.write_bytes(SPIDER)
    return path


def test_a_registered_database_is_searched(terminal, tmp_path):
    (tmp_path / "people.csv").write_text("name,town\nAnn,York\n")
    assert terminal("databases", "add", "crm", tmp_path / "people.csv") == cli.DONE
    assert terminal("schema-search", "town of people", "--json", "--k", "1") == cli.DONE
    assert terminal.document["database"] == "crm"
    assert terminal.document["columns"] == ["people.town"]
    assert terminal("schema-search", "town of people") == cli.DONE
    assert "people.town" in terminal.out


def test_a_metric_is_kept_and_found(terminal, tmp_path):
    (tmp_path / "people.csv").write_text("name,town\nAnn,York\n")
    terminal("databases", "add", "crm", tmp_path / "people.csv")
    for wrong in ("nonsense", "SELECT count(*) FROM nowhere", "DROP TABLE people"):
        assert terminal("databases", "metric", "crm", "heads", wrong) == cli.FAILED
    kept = ("databases", "metric", "crm", "heads", "SELECT count(*) FROM people", "--text", "how many people")
    assert terminal(*kept) == cli.DONE
    terminal("schema-search", "how many people", "--database", "crm", "--json")
    assert "heads" in {one["name"] for one in terminal.document["results"]}
    assert terminal("databases", "remove-metric", "crm", "heads", "--json") == cli.DONE
    assert terminal.document["databases"][0]["metrics"] == []


def test_each_line_of_a_batch_gets_tables_and_columns_best_first(terminal, schema, tmp_path):
    lines = [
        {"id": "a", "db_id": "pets", "question": "kinds of pets", "k": 1},
        {"id": "b", "db_id": "none", "question": "kinds of pets"},
        {"id": "c", "question": "last names of students"},
    ]
    (tmp_path / "lines.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert terminal("schema-search", "--schema", schema, "--batch", tmp_path / "lines.jsonl") == cli.FAILED
    first, second, third = map(json.loads, terminal.out.splitlines())
    assert first == {"id": "a", "tables": ["Pet"], "columns": ["Pet.Kind"]}
    assert second["error"].startswith("There is no database “none”.")
    assert (third["tables"][0], third["columns"][0]) == ("Stu", "Stu.LName")


@pytest.mark.parametrize("words", [["schema-search"], ["schema-search", " "], ["schema-search", "x", "--k", "0"]])
def test_wrong_use_is_explained(terminal, words):
    assert terminal(*words) == cli.WRONG_USE
