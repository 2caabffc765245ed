"""`cli.py memory`: records in, queries, and records out."""

import json

import pytest

import cli
from tests.services.memory.seeds import SEEDS, lines
from tests.terminal import Terminal, graph, terminal

__all__ = ["graph", "terminal"]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "memory.jsonl"
    path.write_bytes(lines(*SEEDS))
    return path


def test_an_import_tells_what_is_new_and_which_lines_are_bad(terminal: Terminal, file, tmp_path) -> None:
    assert terminal("memory", "import", file, "--dry-run", "--json") == cli.DONE
    assert (terminal.document["dry_run"], terminal.document["new"]) == (True, len(SEEDS))
    bad = b'{"type": "Constraint", "id": "c", "severity": "huge"}\n'
    file.write_bytes(bad + lines(*SEEDS))
    assert terminal("memory", "import", file) == 1
    assert f"records: {len(SEEDS)} new, 0 changed, 0 unchanged" in terminal.out
    assert "line 1, severity: must be one of low, medium, high, critical" in terminal.out
    assert terminal("memory", "import", file, "--rejects", tmp_path / "bad.jsonl") == cli.DONE
    assert (tmp_path / "bad.jsonl").read_bytes() == bad
    assert terminal("memory", "export") == cli.DONE
    key = "id"
    assert sorted(map(json.loads, terminal.out.splitlines()), key=lambda one: one[key]) == sorted(
        SEEDS, key=lambda one: one[key]
    )


def test_a_query_is_asked_by_its_name_with_or_without_its_prefix(terminal: Terminal, file) -> None:
    terminal("memory", "import", file)
    for name in ("partnerships", "query_partnerships"):
        assert terminal("memory", "query", name, "--args", '{"partner_id": "NICOLAS"}', "--json") == cli.DONE
        assert terminal.document["data"]["partner_name"] == "Nicolas"
    assert terminal("memory", "query", "active_constraints") == cli.DONE
    assert "Constraints found (confidence 1.00" in terminal.out
    assert terminal("memory", "query", "partnerships", "--args", '{"partner_id": "x"}', "--json") == cli.DONE
    assert terminal.document["message"] == "No partnership found for x"
    asked = '{"context": "race"}'
    assert terminal("memory", "query", "failed_attempts", "--args", asked, "--known-at", "2024-10-01") == cli.DONE
    assert "No failed attempts found for race" in terminal.out


def test_what_cannot_be_asked_fails(terminal: Terminal, file) -> None:
    terminal("memory", "import", file)
    strategy = '{"situation_type": "x", "min_success_rate": 2}'
    assert terminal("memory", "query", "strategy_patterns", "--args", strategy) == 1
    assert "Invalid success_rate: 2.0 (must be 0.0-1.0)" in terminal.out
    assert terminal("memory", "query", "nothing") == 1
    assert "Available: query_partnerships" in terminal.err
    assert terminal("memory", "query", "partnerships", "--args", "[1]") == 2
    assert terminal("memory", "query", "partnerships", "--args", "{") == 2
    assert terminal("memory", "query", "partnerships", "--args", '{"partner_id": "x"}', "--workspace", "none") == 1
    assert "There is no workspace “none”" in terminal.err
    assert terminal("memory") == 2


@pytest.mark.parametrize("words", [("memory", "--batch"), ("memory", "query", "--batch")])
def test_a_batch_answers_each_line_and_names_bad_ones(terminal: Terminal, file, tmp_path, words) -> None:
    terminal("memory", "import", file)
    asked = [
        {"id": 1, "query": "query_failed_attempts", "args": {"context": "RACE"}},
        {"id": "two", "query": "nothing"},
        {"id": 3, "query": "partnerships", "args": {"partner_id": 5}},
        {"id": 4, "query": "query_strategy_patterns", "args": {"situation_type": "x", "min_success_rate": -1}},
        {"id": 5, "query": "failed_attempts", "args": {"context": "race"}, "known_at": "2024-10-01"},
    ]
    (tmp_path / "asked.jsonl").write_bytes(lines(*asked))
    assert terminal(*words, tmp_path / "asked.jsonl") == 1
    found = [json.loads(line) for line in terminal.out.splitlines()]
    assert [one["id"] for one in found] == [1, "two", 3, 4, 5]
    assert ["error" in one for one in found] == [False, True, True, False, False]
    assert [one.get("found") for one in found] == [True, None, None, False, False]
    assert found[2]["error"].startswith("partner_id: ")


def test_a_search_says_when_it_could_not_look_through_the_records(terminal: Terminal, graph, file) -> None:
    terminal("memory", "import", file)
    words = ("search", "race condition", "--mode", "keyword", "--json")
    terminal(*words)
    shape = terminal.document.keys() - {"records"}
    graph.down = True
    assert terminal(*words) == cli.DONE
    graph.down = False
    assert terminal.document.keys() == shape
    assert "Asof did not search an agent's records. The graph" in terminal.err


@pytest.mark.parametrize("kind", ["all", "records"])
def test_endless_words_are_not_looked_for(terminal: Terminal, file, kind: str) -> None:
    terminal("memory", "import", file)
    assert terminal("search", "race " * 801, "--kind", kind) == cli.FAILED
    assert terminal.err.startswith("The query has 4,005 characters. Use at most 4,000 characters.")


def test_records_are_searched_by_words(terminal: Terminal, file, tmp_path) -> None:
    terminal("memory", "import", file)
    assert terminal("search", "RACE condition", "--kind", "records", "--json") == cli.DONE
    found = terminal.document["results"]
    assert found[0]["id"] == "conv_race_condition_nov_2024", "both words are in its title"
    assert {hit["label"] for hit in found} == {
        "Conversation_Memory",
        "Technical_Context",
        "Strategy_Pattern",
        "Failed_Attempt",
        "Constraint",
    }
    assert {hit["kind"] for hit in found} == {"record"}
    assert terminal("search", "race condition", "--mode", "keyword", "--json") == cli.DONE
    assert (terminal.document["results"], terminal.document["records"]) == ([], found), "beside what the graph has"
    assert terminal("search", "race condition", "--mode", "keyword") == cli.DONE
    assert "Records:\n1. 1.00 record Conversation_Memory" in terminal.out
    assert terminal("search", "marathon", "--mode", "keyword", "--json") == cli.DONE
    assert "records" not in terminal.document
    assert terminal("search", "marathon", "--kind", "records") == cli.DONE
    assert "No results. Try other words." in terminal.out
    asked = [
        {"id": 1, "query": "race", "kind": "records", "k": 1},
        {"id": 2, "query": "race", "kind": "nothing"},
        {"id": 3, "query": "race condition", "kind": "all", "mode": "keyword"},
        {"id": 4, "query": "race condition", "kind": "facts", "mode": "keyword"},
    ]
    (tmp_path / "asked.jsonl").write_bytes(lines(*asked))
    assert terminal("search", "--batch", tmp_path / "asked.jsonl") == 1
    first, second, third, fourth = map(json.loads, terminal.out.splitlines())
    assert [hit["kind"] for hit in first["results"]] == ["record"]
    assert "kind" in second["error"]
    assert (third["results"], third["records"]) == ([], found)
    assert "records" not in fourth
