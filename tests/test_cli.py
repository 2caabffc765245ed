"""The terminal: exit statuses, one document on stdout, messages on stderr, and the way to a running app."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import cli
from services.core import config
from services.core.config import Settings
from tests.terminal import facts, graph, terminal

__all__ = ["facts", "graph", "terminal"]


def test_what_was_imported_is_found_at_a_date(terminal, facts):
    assert terminal("import", facts, "--json") == 0
    assert terminal.document["rows"]["new"] == 2
    assert terminal("facts", "--entity", "Ann", "--as-of", "2014-12-31", "--relation", "WORKS_AT", "--json") == 0
    assert [f["target"] for f in terminal.document["facts"]] == ["Acme"]
    assert terminal.err == ""


def test_people_get_a_table(terminal, facts):
    terminal("import", facts)
    assert terminal.out.splitlines() == ["rows: 2 new", "new: 3 entities, 2 facts, 0 episodes"]
    terminal("facts", "--entity", "Ann", "--as-of", "2014")
    assert [line.split() for line in terminal.out.splitlines()[1:]] == [
        ["valid_at", "invalid_at", "source", "relation", "target"],
        ["2010-01-01", "2015-01-01", "Ann", "WORKS_AT", "Acme"],
        ["2011-01-01", "Ann", "KNOWS", "Bo"],
    ]
    terminal("history", "--entity", "Ann")
    assert "withdrawn_at" in terminal.out
    terminal("diff", "--from", "2014", "--to", "2016", "--entity", "Ann")
    assert terminal.out.splitlines()[0] == "0 added, 1 ended, 0 corrected, 0 re-dated"
    terminal("diff", "--from", "2014", "--to", "2016", "--entity", "Ann", "--limit", "0")
    assert terminal.out.splitlines()[1].split() == ["ended", "and", "1", "more"]
    terminal("facts", "--entity", "Nobody")
    assert "No entity in the graph matches “Nobody”." in terminal.out
    terminal("history", "--entity", "An")
    assert terminal.out.strip() == "No entity in the graph matches “An”. Similar names: Ann."
    terminal("facts", "--entity", "Bo", "--as-of", "1900")
    assert "No dated facts are valid on this date." in terminal.out


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("fly",),
        ("facts",),
        ("facts", "--entity", "Ann", "--batch", "x"),
        ("facts", "--entity", "Ann", "--as-of", "soon"),
        ("facts", "--batch", "x", "--as-of", "2014"),
        ("history",),
        ("diff", "--to", "2014"),
        ("diff", "--from", "2014", "--limit", "-1"),
        ("facts", "--entity", ""),
        ("facts", "--entity", " "),
        ("history", "--entity", ""),
        ("diff", "--from", "2014", "--entity", ""),
        ("demo", "--workspace", "mine"),
        ("import",),
        ("import", "facts.csv", "--rejects", "bad.parquet"),
        ("import", "facts.csv", "--rejects", "bad.xyz"),
        ("import", "facts.csv", "--rejects", "./facts.csv"),
        ("import", "facts.csv", "--workspace", ""),
        ("bench", "nothing"),
    ],
    ids=" ".join,
)
def test_wrong_use_is_2_and_says_why_on_stderr(terminal, words):
    assert terminal(*words) == 2
    assert terminal.out == ""
    assert "usage" in terminal.err


def test_every_name_that_bench_offers_is_a_benchmark_that_runs(terminal):
    assert terminal("bench", "nothing") == 2
    offered = re.search(r"choose from (.+)\)", terminal.err)[1].replace("'", "").split(", ")
    assert offered
    files = {name: Path("benchmarks") / f"{name.replace('-', '_')}.py" for name in offered}
    assert [name for name, file in files.items() if "__main__" not in file.read_text()] == []


def test_an_unknown_entity_is_an_empty_answer(terminal):
    assert terminal("facts", "--entity", "Nobody", "--json") == 0
    assert (terminal.document["facts"], terminal.document["undated"]) == ([], 0)


def test_a_batch_from_stdin_answers_line_by_line(terminal, facts, monkeypatch):
    terminal("import", facts)
    asked = '{"id": 1, "entity": "Ann", "as_of": "2014", "relation": "KNOWS"}\n\n{"id": 2, "entity": "Nobody"}\n'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(asked.encode())))
    assert terminal("facts", "--batch", "-") == 0
    first, second = map(json.loads, terminal.out.splitlines())
    assert (first["id"], [f["target"] for f in first["facts"]]) == (1, ["Bo"])
    assert second == {"id": 2, "facts": [], "undated": 0}


def test_a_bad_line_of_a_batch_is_an_error_and_the_exit_is_1(terminal, tmp_path):
    batch = tmp_path / "asked.jsonl"
    batch.write_text('{"id": 1, "entity": "Ann"}\n{"id": 2}\n')
    assert terminal("facts", "--batch", batch) == 1
    first, second = map(json.loads, terminal.out.splitlines())
    assert "error" not in first
    assert set(second) == {"id", "error"}
    assert "1 of 2 lines" in terminal.err


BAD_LINES = [
    b'{"id": 2, "entity": "\\ud800"}',
    b'{"id": 3, "entity": "\xff"}',
    b"[" * 200_000,
    b'{"id": NaN, "entity": "Ann"}',
    b'{"id": 1e999, "entity": "Ann"}',
    b'{"id": [[1]], "entity": "Ann"}',
    b'{"id": 4, "entity": "Ann\\u0000"}',
    b'{"id": 5, "id": 6, "entity": "Ann"}',
]


@pytest.mark.parametrize("bad", BAD_LINES, ids=lambda line: line[:40].decode(errors="replace"))
def test_no_line_of_a_batch_keeps_the_others_from_their_answers(terminal, facts, tmp_path, bad):
    terminal("import", facts)
    batch = tmp_path / "asked.jsonl"
    good = b'{"id": "first", "entity": "Ann"}\n%b\n{"id": "last", "entity": "Bo"}\n'
    batch.write_bytes(b"\xef\xbb\xbf" + good % bad)
    assert terminal("facts", "--batch", batch) == 1
    first, second, last = (json.loads(line, parse_constant=pytest.fail) for line in terminal.out.splitlines())
    assert (first["id"], len(first["facts"])) == ("first", 1)
    assert set(second) == {"id", "error"}
    assert (last["id"], len(last["facts"])) == ("last", 1)


def test_half_a_character_in_an_id_comes_back_as_json_and_as_utf_8(short_folder):
    command = [sys.executable, cli.__file__, "facts", "--batch", "-"]
    environment = {**os.environ, "ASOF_HOME": str(short_folder / "half"), "PYTHONIOENCODING": "ascii"}
    asked = b'{"id": "\\ud800", "entity": "a"}\n{"id": "\xc3\xbc", "entity": "a"}\n'
    done = subprocess.run(command, input=asked, capture_output=True, env=environment, check=True)
    assert [json.loads(line)["id"] for line in done.stdout.decode().splitlines()] == ["\ud800", "ü"]


def test_the_demo_has_a_workspace_of_its_own(terminal):
    assert terminal("demo", "--json") == 0
    assert terminal.document["workspace"] == "peps"
    assert terminal("demo", "--reset", "--json") == 0
    assert terminal.document["rows"]["new"] == 5190
    terminal(
        "facts", "--workspace", "peps", "--entity", "pep 484", "--relation", "has_status", "--as-of", "2016", "--json"
    )
    assert [f["target"] for f in terminal.document["facts"]] == ["Accepted"]


def test_reading_needs_no_accounts_database(terminal, facts, monkeypatch, tmp_path):
    terminal("import", facts)
    dead = Settings(home=tmp_path / "home", database_url="postgresql://asof@127.0.0.1:1/asof")
    monkeypatch.setattr(config, "settings", lambda: dead)
    assert terminal("facts", "--entity", "Ann", "--json") == 0
    assert len(terminal.document["facts"]) == 1
    assert "accounts database" in terminal.err
    assert terminal("import", facts) == 1


def test_a_diff_without_the_graph_comes_from_the_mirror_and_says_so(terminal, facts, graph):
    terminal("import", facts)
    asked = ("diff", "--from", "2014", "--to", "2016", "--entity", "Ann", "--json")
    terminal(*asked)
    from_graph = terminal.document
    assert from_graph["mirror_of"] is None
    graph.down = True
    assert terminal(*asked) == 0
    assert terminal.document["mirror_of"]
    assert terminal.document["ended"] == from_graph["ended"]
    assert "synced" in terminal.err


def test_a_diff_of_a_graph_that_was_never_read_fails_when_it_cannot_be(terminal, graph):
    graph.down = True
    assert terminal("diff", "--from", "2014") == 1
    assert "has not read the graph" in terminal.err


def test_an_interrupted_command_ends_as_such(terminal, monkeypatch):
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "ask", interrupted)
    assert terminal("facts", "--entity", "Ann") == 130
    assert terminal.err == "Stopped.\n"


def test_a_reader_that_has_enough_is_no_failure(short_folder):
    command = [sys.executable, cli.__file__, "facts", "--entity", "nobody", "--json"]
    environment = {**os.environ, "ASOF_HOME": str(short_folder / "closed pipe")}
    asked = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    asked.stdout.close()
    assert (asked.stderr.read(), asked.wait()) == (b"", cli.DONE)
    asked.stderr.close()


def test_progress_is_drawn_on_stderr(capsys):
    draw = cli.progress_bar("import")
    draw(0, 4)
    draw(4, 4)
    assert capsys.readouterr().err.endswith("4 of 4\n")


@pytest.mark.parametrize("more", [(), ("--dry-run",)])
def test_what_cannot_name_a_workspace_is_refused_before_anything_is_kept(terminal, facts, more):
    assert terminal("import", facts, "--workspace", "a/b", *more) == 1
    assert "is not a valid workspace name" in terminal.err
    assert terminal("facts", "--entity", "Ann") == 0
    assert "unfinished" not in terminal.err


@pytest.mark.parametrize(
    "question",
    [
        ("facts", "--entity", "Ann"),
        ("history", "--entity", "Ann"),
        ("diff", "--from", "2014", "--entity", "Ann"),
        ("search", "Ann", "--mode", "keyword"),
    ],
    ids=lambda words: words[0],
)
def test_a_question_to_an_unknown_workspace_fails_and_leaves_nothing_behind(terminal, facts, tmp_path, question):
    terminal("import", facts, "--workspace", "team")
    before = sorted((tmp_path / "home").rglob("*"))
    assert terminal(*question, "--workspace", "teem", "--json") == cli.FAILED
    assert terminal.out == ""
    assert terminal.err == "There is no workspace “teem”. Choose a workspace with --workspace: _, team.\n"
    assert sorted((tmp_path / "home").rglob("*")) == before
    unknown = ["Nobody" if word == "Ann" else word for word in question]
    assert terminal(*unknown, "--workspace", "team", "--json") == cli.DONE
    assert terminal.err == ""


@pytest.mark.parametrize(
    ("command", "line", "answer"),
    [
        ("facts", {"id": 1, "entity": "Ann"}, {"id": 1, "facts": [], "undated": 0}),
        ("search", {"id": 1, "query": "Ann", "mode": "keyword"}, {"id": 1, "fits": True, "results": []}),
    ],
)
def test_a_batch_for_an_unknown_workspace_is_answered_line_by_line_and_fails(terminal, tmp_path, command, line, answer):
    batch = tmp_path / "batch.jsonl"
    batch.write_text(json.dumps(line))
    assert terminal(command, "--batch", batch, "--workspace", "teem") == cli.FAILED
    assert terminal.document == answer
    assert terminal.err == "There is no workspace “teem”.\n"


def test_the_index_of_an_unknown_workspace_fails_and_leaves_nothing_behind(terminal, facts, tmp_path):
    terminal("import", facts, "--workspace", "team")
    before = sorted((tmp_path / "home").rglob("*"))
    assert terminal("index", "--workspace", "nope") == cli.FAILED
    assert terminal.err.startswith("There is no workspace “nope”. Choose a workspace with --workspace: ")
    assert "team" in terminal.err
    assert sorted((tmp_path / "home").rglob("*")) == before


def test_no_workspace_is_called_missing_by_index_while_the_graph_is_out_of_reach(terminal, facts, graph):
    terminal("import", facts, "--workspace", "team")
    graph.down = True
    assert terminal("index", "--workspace", "team") == cli.FAILED
    assert "no workspace" not in terminal.err


@pytest.fixture
def damaged(terminal, facts, graph) -> None:
    """What was imported is no longer in the graph."""
    assert terminal("import", facts, "--workspace", "team") == 0
    graph._partitions.clear()
    graph.positions.clear()


def test_commands_say_first_what_is_missing_and_one_restores_it(terminal, damaged):
    assert terminal("facts", "--entity", "Ann", "--workspace", "team", "--json") == 0
    assert "2 facts, 3 entities saved in “team” are missing from the graph." in terminal.err
    assert "cli.py recover --workspace team" in terminal.err
    assert terminal.document["facts"] == []
    terminal("recover", "--workspace", "team", "--json")
    assert terminal.document["written_back"] == 5
    assert terminal("recover", "--workspace", "team") == 0
    assert terminal.out == "Nothing is missing from “team”.\n"
    terminal("history", "--entity", "Ann", "--workspace", "team")
    assert terminal.err == ""


def test_commands_say_first_which_changes_the_accounts_lost(terminal, facts, tmp_path):
    terminal("import", facts, "--workspace", "team")
    (tmp_path / "home/accounts.db").unlink()
    lost = "The accounts database is missing the last change of “team”. It is in the graph, but Asof does not list it"
    assert terminal("facts", "--entity", "Ann", "--workspace", "team", "--json") == 0
    assert lost in terminal.err
    assert "To dismiss this notice, run: cli.py recover --workspace team --dismiss" in terminal.err
    assert terminal.document["facts"]
    assert terminal("recover", "--workspace", "team") == 0
    assert lost in terminal.out
    assert terminal("recover", "--workspace", "team", "--dismiss") == 0
    assert terminal.out.splitlines()[-1] == "Asof dismissed the missing records without restoring them."
    assert terminal("recover", "--workspace", "team") == 0
    assert terminal.out == "Nothing is missing from “team”.\n"
    terminal("facts", "--entity", "Ann", "--workspace", "team")
    assert terminal.err == ""


def test_what_is_missing_can_be_dismissed_from_the_terminal(terminal, damaged):
    assert terminal("recover", "--workspace", "team", "--dismiss") == 0
    assert terminal.out.splitlines()[-1] == "Asof dismissed the missing records without restoring them."
    assert terminal("recover", "--workspace", "team") == 0
    assert terminal.err == ""
