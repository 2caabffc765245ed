"""The terminal: exit statuses, one document on stdout, messages on stderr, and the way to a running app."""

import io
import json
import sys
from pathlib import Path

import pytest

import cli
from services import bootstrap, config
from services.config import Settings
from tests.fakes.memory_graph import MemoryGraphStore

CSV = "source,relation,target,valid_at,invalid_at\nAnn,WORKS_AT,Acme,2010-01-01,2015-01-01\nAnn,KNOWS,Bo,2011-01-01,\n"


class Terminal:
    """Runs the CLI in this process on one graph in memory."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.out = self.err = ""

    def __call__(self, *words: object) -> int:
        try:
            status = cli.main([str(word) for word in words])
        except SystemExit as end:
            status = int(end.code or 0)
        self.out, self.err = self._capsys.readouterr()
        return status

    @property
    def document(self):
        """The one document of stdout."""
        return json.loads(self.out)


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    graph, build = MemoryGraphStore(), bootstrap.build_services
    monkeypatch.setattr(config, "settings", lambda: Settings(home=tmp_path / "home"))
    monkeypatch.setattr(bootstrap, "build_services", lambda chosen: build(chosen, graph=graph))
    return Terminal(capsys)


@pytest.fixture
def facts(tmp_path: Path) -> Path:
    path = tmp_path / "facts.csv"
    path.write_text(CSV)
    return path


def test_import_then_facts(terminal, facts):
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
    terminal("facts", "--entity", "Nobody")
    assert "No dated fact holds." in terminal.out


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
        ("import",),
        ("bench", "nothing"),
    ],
    ids=" ".join,
)
def test_wrong_use_is_2_and_says_why_on_stderr(terminal, words):
    assert terminal(*words) == 2
    assert terminal.out == ""
    assert "usage" in terminal.err


def test_an_unknown_entity_is_an_empty_answer(terminal):
    assert terminal("facts", "--entity", "Nobody", "--json") == 0
    assert (terminal.document["facts"], terminal.document["undated"]) == ([], 0)


def test_bad_rows_fail_and_nothing_is_in(terminal, facts):
    facts.write_text(CSV + "Ann,,Acme,,\n")
    assert terminal("import", facts, "--json") == 1
    assert terminal.out == ""
    assert "row 3, column relation" in terminal.err
    terminal("history", "--entity", "Ann", "--json")
    assert terminal.document["facts"] == []


def test_bad_rows_go_to_the_rejects_file(terminal, facts, tmp_path):
    facts.write_text(CSV + "Ann,,Acme,,\n")
    rejects = tmp_path / "rejects.csv"
    assert terminal("import", facts, "--rejects", rejects, "--json") == 0
    assert terminal.document["rows"]["new"] == 2
    assert "1 bad row left out" in terminal.err
    assert rejects.read_text().splitlines()[1] == "3,relation: it is missing,Ann,,Acme,,"


def test_a_dry_run_writes_nothing_and_fails_where_the_import_would(terminal, facts):
    assert terminal("import", facts, "--dry-run", "--json") == 0
    assert terminal.document["dry_run"]
    facts.write_text(CSV + "Ann,,Acme,,\n")
    assert terminal("import", facts, "--dry-run") == 1
    assert "row 3, column relation: it is missing" in terminal.out
    terminal("history", "--entity", "Ann", "--json")
    assert terminal.document["facts"] == []


def test_inclusive_ends_go_through_the_day(terminal, facts):
    terminal("import", facts, "--inclusive-ends")
    terminal("history", "--entity", "Acme", "--json")
    assert terminal.document["facts"][0]["invalid_at"] == "2015-01-02T00:00:00+00:00"


def test_a_missing_file_fails(terminal, tmp_path):
    assert terminal("import", tmp_path / "nothing.csv") == 1
    assert "cannot be read" in terminal.err


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


def test_the_demo_has_a_workspace_of_its_own(terminal):
    assert terminal("demo", "--json") == 0
    assert terminal.document["workspace"] == "peps"
    assert terminal("demo", "--reset", "--json") == 0
    assert terminal.document["rows"]["new"] == 5190
    terminal(
        "facts", "--workspace", "peps", "--entity", "pep 484", "--relation", "has_status", "--as-of", "2016", "--json"
    )
    assert [f["target"] for f in terminal.document["facts"]] == ["Accepted"]


def test_an_interrupted_command_ends_as_such(terminal, monkeypatch):
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "ask", interrupted)
    assert terminal("facts", "--entity", "Ann") == 130
    assert terminal.err == "Stopped.\n"


def test_progress_is_drawn_on_stderr(capsys):
    draw = cli.progress_bar("import")
    draw(0, 4)
    draw(4, 4)
    assert capsys.readouterr().err.endswith("4 of 4\n")
