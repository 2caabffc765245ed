"""`workflow`: run, validate and list, as people and programs use it."""

import json
import re
from pathlib import Path

import pytest

import cli
from services.tools.registry import TOOLS
from services.workflows.library import DEFAULT_NAME
from tests.terminal import facts, graph, terminal

__all__ = ["facts", "graph", "terminal"]

ROOT = Path(__file__).parents[3]
DEFAULT = ROOT / "services/workflows/default_workflow.json"
DOCS = (ROOT / "docs/workflows.md").read_text(encoding="utf-8")


@pytest.fixture
def known(terminal, facts):
    terminal("import", facts)
    return terminal


def test_a_file_is_run_and_its_report_trace_and_figures_are_shown(known) -> None:
    assert known("workflow", "run", DEFAULT, "--goal", "Write a report on Ann", "--json") == cli.DONE
    document = known.document
    assert (document["run"]["state"], document["run"]["workflow"], document["run"]["model"]) == (
        "done",
        DEFAULT_NAME,
        "rule-based",
    )
    assert document["report"]["title"] == "Ann"
    assert {one["mark"] for one in document["report"]["answer"]["sentences"]} == {"supported", None}
    assert document["trace"][0]["id"] == "triage#1"
    assert document["trace"][0]["output"]["selected_search"] == "neo4j"
    assert document["metrics"]["steps"] == len(document["trace"]) == 10
    assert document["state"]["verdicts"]["news"][0]["decision"] == "accept"


def test_people_read_the_report_and_how_it_came_about(known) -> None:
    assert known("workflow", "run", "default", "--goal", "Write a report on Ann") == cli.DONE
    assert "Ann worked at Acme from 2010-01-01 until 2015-01-01. [1]" in known.out
    assert "(rule-based; sentences: 2 supported)" in known.out
    assert re.search(r"done: 10 steps, \d+ ms", known.out)


def test_runs_are_listed_shown_exported_and_repeated(known) -> None:
    known("workflow", "run", "default", "--goal", "Write a report on Ann", "--json")
    run = known.document["run"]["id"]
    assert known("workflow", "runs") == cli.DONE
    assert run in known.out
    assert known("workflow", "show", run, "--export", "html") == cli.DONE
    assert known.out.startswith("<!doctype html>")
    assert known("workflow", "show", run, "--export", "markdown") == cli.DONE
    assert known.out.startswith("# Ann\n")
    assert known("workflow", "rerun", run, "--from", "stitch#1", "--json") == cli.DONE
    assert [one["state"] for one in known.document["trace"]] == ["copied"] * 9 + ["done"]
    assert known.document["changes"] == {"before": run, "added": [], "removed": [], "changed": [], "kept": 2}
    assert known("workflow", "show", "nothing") == cli.FAILED
    assert "This run does not exist" in known.err


def test_a_run_again_says_which_sentences_changed(known, tmp_path) -> None:
    known("workflow", "run", "default", "--goal", "Write a report on Ann", "--json")
    run = known.document["run"]["id"]
    more = tmp_path / "more.csv"
    more.write_text("source,relation,target,valid_at\nAnn,KNOWS,Zoe,2020-05-01\n")
    known("import", more)
    assert known("workflow", "rerun", run, "--json") == cli.DONE
    again, changes = known.document["run"]["id"], known.document["changes"]
    assert (changes["added"], changes["removed"], changes["kept"]) == (["Ann knows Zoe, since 2020-05-01."], [], 2)
    assert known("workflow", "compare", run, again) == cli.DONE
    assert f"2 sentences unchanged since run {run}.\n+ Ann knows Zoe, since 2020-05-01." in known.out
    assert known("workflow", "compare", again, run) == cli.DONE
    assert "- Ann knows Zoe, since 2020-05-01." in known.out


def test_an_unknown_database_is_refused(known) -> None:
    assert known("workflow", "run", "default", "--goal", "Write a report on Ann", "--database", "x") == cli.FAILED
    assert "there is no database “x”" in known.err


def test_dates_bind_a_run(known) -> None:
    assert (
        known("workflow", "run", "default", "--goal", "Write a report on Ann", "--as-of", "2010-06-01", "--json")
        == cli.DONE
    )
    assert "Bo" not in known.document["report"]["answer"]["answer"]
    assert known.document["report"]["answer"]["as_of"] == "2010-06-01T00:00:00+00:00"


def test_a_file_is_valid_or_each_problem_names_node_and_field(terminal, tmp_path) -> None:
    assert terminal("workflow", "validate", DEFAULT) == cli.DONE
    assert terminal.out == "The workflow is valid.\n"
    broken = json.loads(DEFAULT.read_text())
    broken["nodes"][0]["agent"] = "Nobody"
    (tmp_path / "broken.json").write_text(json.dumps(broken))
    assert terminal("workflow", "validate", tmp_path / "broken.json", "--json") == cli.FAILED
    problem = terminal.document["problems"][0]
    assert (problem["node"], problem["field"]) == ("triage", "agent")
    assert terminal("workflow", "run", tmp_path / "broken.json", "--goal", "x") == cli.FAILED
    assert terminal("workflow", "validate", tmp_path / "nothing.json") == cli.FAILED
    (tmp_path / "half.json").write_text('{"name": ')
    assert terminal("workflow", "validate", tmp_path / "half.json") == cli.FAILED
    assert "is not valid JSON" in terminal.err


def test_the_workflows_of_a_workspace_are_listed(terminal) -> None:
    assert terminal("workflow", "list", "--json") == cli.DONE
    assert terminal.document == {"workflows": [{"name": DEFAULT_NAME, "builtin": True, "nodes": 12}]}
    assert terminal("workflow", "list") == cli.DONE
    assert "built in" in terminal.out


def test_a_failed_run_is_a_failed_command_with_its_reason(known, tmp_path) -> None:
    node = {"id": "a", "type": "agent", "agent": "AnswerAgent", "inputs": {"question": "triage.mood"}}
    (tmp_path / "w.json").write_text(json.dumps({"name": "W", "entry_node_id": "a", "nodes": [node]}))
    assert known("workflow", "run", tmp_path / "w.json", "--goal", "x") == cli.FAILED
    assert "a: inputs.question: “triage.mood”: 'mood' is missing." in known.out


@pytest.mark.parametrize("words", [["run", "default"], ["run", "default", "--goal", " "], ["nothing"], ["show"]])
def test_wrong_use_is_explained(terminal, words) -> None:
    assert terminal("workflow", *words) == cli.WRONG_USE


def test_the_workflows_of_the_documentation_run(known, tmp_path) -> None:
    taken = (
        ["both", "now", "before", "together"],
        ["look", "enough", "draft", "until_good", "review", "until_good", "hand_out"],
    )
    for block, nodes in zip(re.findall(r"```json\n(.*?)```", DOCS, re.DOTALL), taken, strict=True):
        (tmp_path / "written.json").write_text(block)
        assert known("workflow", "run", tmp_path / "written.json", "--goal", "Ann", "--json") == cli.DONE
        answer = known.document["report"]["answer"]
        assert {one["mark"] for one in answer["sentences"]} <= {"supported", None}
        assert "Ann knows Bo" in answer["answer"], "facts, not their number alone"
        assert [step["node"] for step in known.document["trace"]] == nodes
    assert known("workflow", "run", tmp_path / "written.json", "--goal", "Zebra", "--json") == cli.DONE
    assert known.document["report"]["answer"]["answer"] == "Nothing was found on Zebra."


def test_the_documentation_names_each_tool_s_inputs(terminal) -> None:
    for name, inputs in re.findall(r"^\| `(\w+)` \| (`.*?) \|$", DOCS, re.MULTILINE):
        if name in TOOLS:
            fields = TOOLS[name].inputs.model_fields
            known = {field: not one.is_required() for field, one in fields.items()}
            assert {field: bool(mark) for field, mark in re.findall(r"`(\w+)`(\?)?", inputs)} == known, name
