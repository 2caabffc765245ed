"""The Workflows page: a run from its form to its report, its steps, comparisons, and the editor with its problems."""

import json
from typing import Any

from streamlit.testing.v1 import AppTest

from services.agent.app import App
from services.workflows import (
    RunTrace,
    builtin_workflow,
    definition_document,
    find_workflow,
    list_workflows,
    save_workflow,
    workflow_runs,
)
from tests.pages.conftest import WORKSPACE, day, displayed, opened, small_graph, words

GOAL = "Write a report on Ada"


def ran(services: App, **given: Any) -> RunTrace:
    """A run that is over."""
    runs = workflow_runs(services)
    begun = runs.start(services.workspace(WORKSPACE), "default", GOAL, **given)
    runs.wait(begun.id, 30)
    return runs.trace(begun.id)


def mine(**changes: Any) -> dict[str, Any]:
    """A workflow that may be saved."""
    return {**definition_document(builtin_workflow()), "name": "Mine", **changes}


def graph_of(app: AppTest) -> dict[str, Any]:
    """What the page's graph shows: the state of each node by its id."""
    sent = [json.loads(one.proto.json or "null") or {} for one in app.get("bidi_component")]
    (drawn,) = [data for data in sent if "layers" in data]
    return {node["id"]: node["state"] for node in drawn["nodes"]}


def test_a_goal_becomes_a_report_with_marks_and_sources(filled: App) -> None:
    app = opened("Workflows", w=WORKSPACE, as_of="2021-06-01")
    assert "No runs yet" in words(app)
    assert "● valid on 2021-06-01" in words(app)
    app.text_area(key="workflow_goal").set_value(GOAL)
    app.button(key="workflow_run").click().run()
    assert not app.exception
    run = app.query_params["run"]
    workflow_runs(filled).wait(run, 30)
    app = opened("Workflows", w=WORKSPACE, run=run)
    shown = words(app)
    assert "✓ done" in shown
    assert "● valid on 2021-06-01" in shown
    assert "Ada worked for Engines from 2019-03-01 until 2022-07-01. ✓ 1" in " ".join(shown.split())
    assert "Sources 3 records" in shown
    assert displayed(app).links("Ada works for Engines")
    assert {"Markdown", "HTML"} <= {one.proto.label for one in app.get("download_button")}


def test_an_empty_goal_and_an_unknown_run_are_answered_with_what_to_do(filled: App) -> None:
    app = opened("Workflows", w=WORKSPACE)
    app.button(key="workflow_run").click().run()
    assert "Enter what the workflow should find out." in words(app)
    assert "This run does not exist." in words(opened("Workflows", w=WORKSPACE, run="nothing"))
    assert "There is no workflow “nothing”." in words(opened("Workflows", w=WORKSPACE, workflow="nothing"))


def test_a_run_of_another_workspace_is_not_shown(filled: App) -> None:
    run = ran(filled).run.id
    filled.bridge.run(filled.graph.write("other", small_graph()))
    filled.accounts.add("other", "Other")
    app = opened("Workflows", w="other", run=run)
    assert "This workspace has no such run." in words(app)
    assert GOAL not in words(app)


def test_steps_show_what_went_in_and_out_and_the_run_begins_again_from_one(filled: App) -> None:
    first = ran(filled)
    key = next(step.key for step in first.steps if step.node == "review")
    app = opened("Workflows", w=WORKSPACE, run=first.run.id, step=key)
    stands = graph_of(app)
    assert (stands["review"], stands["search_sql"]) == ("done", "not taken")
    assert '"decision": "accept"' in words(app)
    app.button(key="workflow_rerun_from").click().run()
    again = workflow_runs(filled).get(app.query_params["run"])
    assert again.parent_id == first.run.id
    workflow_runs(filled).wait(again.id, 30)
    app = opened("Workflows", w=WORKSPACE, run=again.id)
    app.segmented_control(key=f"workflow_tab_{again.id}").set_value("Steps").run()
    assert graph_of(app)["triage"] == "copied"


def test_run_again_today_shows_which_sentences_changed(filled: App) -> None:
    first = ran(filled, as_of=day("2021-06-01"), known_at=day("2021-06-01"))
    app = opened("Workflows", w=WORKSPACE, run=first.run.id)
    app.button(key="workflow_again_today").click().run()
    run, before = app.query_params["run"], app.query_params["before"]
    assert before == first.run.id
    workflow_runs(filled).wait(run, 30)
    shown = words(opened("Workflows", w=WORKSPACE, run=run, before=before))
    assert "1 changed sentence · 1 added · 2 unchanged" in shown
    assert "Ada worked for Engines from 2019-03-01 until 2022-07-01." in shown
    assert "Ada works for Labs, since 2022-07-01." in shown


def test_a_run_that_waits_is_resumed_and_one_that_is_over_is_deleted(filled: App) -> None:
    run = ran(filled).run
    filled.accounts.workflow_runs.change(run.id, state="paused", finished_at=None)
    app = opened("Workflows", w=WORKSPACE, run=run.id)
    assert "Asof keeps the finished steps" in words(app)
    app.button(key="workflow_resume").click().run()
    assert workflow_runs(filled).wait(run.id, 30).state == "done"
    app = opened("Workflows", w=WORKSPACE, run=run.id)
    app.button(key="workflow_run_delete").click().run()
    app.button(key="confirmed").click().run()
    assert workflow_runs(filled).of(filled.workspace(WORKSPACE)) == ()


def test_a_bad_definition_is_refused_with_line_node_and_field(filled: App) -> None:
    nodes = mine()["nodes"]
    nodes[0]["agent"] = "Nobody"
    app = opened("Workflows", w=WORKSPACE, edit="1")
    assert "✓ valid" in words(app)
    text = json.dumps(mine(nodes=nodes), indent=2)
    app.file_uploader(key="workflow_file").upload("mine.json", text.encode()).run()
    line = text.split("\n").index('      "agent": "Nobody",') + 1
    assert f"Line {line} triage: agent: There is no agent “Nobody”" in words(app)
    assert app.button(key="workflow_save").disabled
    app.file_uploader(key="workflow_file").upload("mine.json", b'{"name": 1,\n "name": 2}').run()
    assert "has the key “name” twice" in words(app)
    app.file_uploader(key="workflow_file").upload("mine.json", b'{"name": 1,\n nodes}').run()
    assert "Line 2 The text is not valid JSON: the error is at line 2" in words(app)
    app.file_uploader(key="workflow_file").upload("mine.json", json.dumps(mine()).encode()).run()
    app.button(key="workflow_save").click().run()
    assert app.query_params["workflow"] == "Mine"
    assert find_workflow(filled.workspace(WORKSPACE), "Mine").name == "Mine"


def test_a_workflow_is_duplicated_and_deleted_again(filled: App) -> None:
    save_workflow(filled.workspace(WORKSPACE), mine(name="<b onclick=x>Mine</b>"))
    app = opened("Workflows", w=WORKSPACE, workflow="<b onclick=x>Mine</b>")
    assert "<b onclick=x>Mine</b>" in words(app)
    assert displayed(app).all("*[@onclick]") == []
    app.button(key="workflow_duplicate").click().run()
    assert app.query_params["workflow"] == "<b onclick=x>Mine</b> (copy)"
    app.button(key="workflow_delete").click().run()
    app.button(key="confirmed").click().run()
    names = [one.name for one in list_workflows(filled.workspace(WORKSPACE))]
    assert names == ["Default News Reporter Workflow", "<b onclick=x>Mine</b>"]
