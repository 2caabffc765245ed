"""Runs are watched, steered, run again and deleted, and leave little behind."""

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from services.agent.app import App
from services.context import OpenWorkspace
from services.core.errors import BadInput
from services.workflows import WorkflowRuns, definition_document, save_workflow, workflow_runs
from services.workflows.checkpoints import checkpoint_bytes, checkpoint_file
from services.workflows.library import builtin_workflow, delete_workflow, duplicate_workflow, list_workflows
from services.workflows.run_texts import RunTexts
from services.writing import workspaces
from tests.fakes.messages_server import MessagesServer, hang, reply, say, text
from tests.services.retrieval.conftest import W
from tests.services.workflows.conftest import GOAL, MODEL, Run, agent, document, finished, nodes_of, workflow
from tests.services.workflows.test_default_workflow import FOUND, REPORT, read, verdict

Scripted = Callable[..., tuple[App, MessagesServer]]
ROOT = Path(__file__).parents[3]


@pytest.mark.slow
def test_langgraph_is_imported_only_when_something_runs() -> None:
    code = (
        "import sys, services.bootstrap, services.workflows, services.workflows.runs, services.workflows.run_maker;"
        "sys.exit(any(name.partition('.')[0] in ('langgraph', 'langsmith', 'langchain_core') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_nothing_of_a_run_is_sent_to_langsmith(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with MessagesServer() as outside:
        for name, value in (("TRACING", "true"), ("ENDPOINT", outside.url), ("API_KEY", "lsv2_x")):
            monkeypatch.setenv(f"LANGSMITH_{name}", value)
            monkeypatch.setenv(f"LANGCHAIN_{name}", value)
        monkeypatch.setenv("LANGCHAIN_TRACING_V2", "true")
        from langsmith.utils import tracing_is_enabled

        assert run().run.state == "done"
        assert not tracing_is_enabled()
        assert outside.requests == outside.refused == []


def test_a_missing_name_is_an_error_that_names_node_and_field(run: Run) -> None:
    found = run(workflow([agent("a", "triage.mood"), agent("b")], "a -> b"))
    assert (found.run.state, nodes_of(found)) == ("failed", ["a"])
    assert found.run.problem == "a: inputs.question: “triage.mood”: 'mood' is missing."
    edge = run(workflow([agent("a"), agent("b")], "a -> b if verdicts.ada.decision"))
    assert edge.run.problem == "a: edge to b: “verdicts.ada.decision”: 'ada' is missing."


def test_a_value_that_is_too_large_is_an_error_that_names_its_field(services: App) -> None:
    texts = RunTexts(services.accounts.workflow_runs, "run")
    with pytest.raises(BadInput, match=r"inputs\.question: the value has 4,000,001 characters; the limit is 4,000,000"):
        texts.kept({"question": "x" * 4_000_001}, "inputs")


def test_a_failed_node_goes_down_its_edge_for_errors(run: Run) -> None:
    found = run(workflow([agent("a", "triage.mood"), agent("b"), agent("c")], "a -> b", "a -> c if error"))
    assert (found.run.state, nodes_of(found)) == ("done", ["a", "c"])
    assert found.state["error"]["node"] == "a"
    assert [node.state for node in found.nodes] == ["failed", "waiting", "done"]


def test_a_tool_is_run_and_its_sources_get_numbers_of_the_run(run: Run) -> None:
    nodes = [
        {
            "id": f"t{n}",
            "type": "tool",
            "tool": "facts_at",
            "inputs": {"entity": entity},
            "outputs": {"text": "latest", "total": "total"},
        }
        for n, entity in enumerate(('"Ada"', '"Cy"', '"Ada"'))
    ]
    found = run(workflow(nodes, "t0 -> t1", "t1 -> t2"))
    first, second, third = (step.outputs["text"] for step in found.steps)
    assert first.splitlines()[:-1] == third.splitlines()[:-1]
    assert "[1]" in first
    assert "[1]" not in second
    assert found.state["total"] == 2


def test_a_run_that_takes_too_long_falls_back_and_pays_for_nothing_twice(scripted: Scripted) -> None:
    services, server = scripted(
        read("ai_search", "news_script"), *FOUND, hang(), say(REPORT), verdict(decision="accept")
    )
    quick = {**definition_document(builtin_workflow()), "name": "Quick", "limits": {"timeout_ms": 6000}}
    save_workflow(services.workspace(W), quick)
    trace = finished(services, "Quick")
    assert trace.run.problem == ""
    assert (trace.run.state, trace.run.executor, trace.state["report"]) == ("done", "sequential", REPORT)
    assert len(server.requests) == 6, "triage and search were not asked again"
    assert "Asof ran the remaining steps one after another" in trace.run.notes[0]
    assert {step.node: step.executor for step in trace.steps}["triage"] == "graph"
    assert {step.node: step.executor for step in trace.steps}["stitch"] == "sequential"


def test_a_run_that_takes_too_long_twice_ends_with_what_was_finished(scripted: Scripted) -> None:
    services, _ = scripted(hang(), hang())
    slow = workflow([agent("a"), agent("b")], "a -> b", limits={"timeout_ms": 700})
    trace = finished(services, slow)
    assert trace.run.state == "failed"
    assert trace.run.problem == "The run took longer than 0.7 seconds."
    assert [step.state for step in trace.steps] == ["failed"]


def test_a_checkpoint_that_cannot_be_written_makes_the_run_fall_back(run: Run, services: App) -> None:
    checkpoint_file(services.settings).mkdir()
    trace = run()
    assert (trace.run.state, trace.run.executor) == ("done", "sequential")
    assert trace.run.notes[0].startswith("The workflow engine failed unexpectedly.")


def test_a_run_is_cancelled_while_a_model_is_waited_for_and_does_not_fall_back(scripted: Scripted) -> None:
    services, server = scripted(read("ai_search", "news_script"), hang())
    runs = workflow_runs(services)
    begun = runs.start(services.workspace(W), "default", GOAL, model=MODEL)
    _until(lambda: len(server.requests) == 2)
    runs.cancel(begun.id)
    trace = runs.trace(runs.wait(begun.id, 20).id)
    assert (trace.run.state, trace.run.executor) == ("cancelled", "graph")
    assert trace.state["triage"]["intents"] == ["ai_search", "news_script"]
    assert len(server.requests) == 2
    with pytest.raises(BadInput, match="This run has finished"):
        runs.resume(begun.id)


def test_a_run_pauses_behind_its_node_and_goes_on_from_there(scripted: Scripted) -> None:
    gated = say("Ada works ", "for Labs. [1]", gate="open")
    services, server = scripted(read("ai_search", "news_script"), *FOUND, gated, verdict(decision="accept"))
    runs = workflow_runs(services)
    begun = runs.start(services.workspace(W), "default", GOAL, model=MODEL)
    _until(lambda: len(server.requests) == 4)
    runs.pause(begun.id)
    server.gate("open").set()
    assert runs.wait(begun.id, 20).state == "paused"
    assert checkpoint_bytes(services.settings) > 0
    runs.resume(begun.id)
    assert runs.wait(begun.id, 20).state == "done"
    assert len(server.requests) == 5


def test_a_paused_run_that_is_cancelled_or_deleted_leaves_no_checkpoint(scripted: Scripted) -> None:
    gates = [reply(text("A", "B", gate="open")) for _ in range(2)]
    services, server = scripted(*gates)
    services.accounts.add("other", "Other")
    runs, ask = workflow_runs(services), workflow([agent("a"), agent("b")], "a -> b")
    places = (services.workspace(W), services.workspace("other"))
    begun = [runs.start(place, ask, "Who?", model=MODEL).id for place in places]
    _until(lambda: len(server.requests) == 2)
    for id in begun:
        runs.pause(id)
    server.gate("open").set()
    assert [runs.wait(id, 20).state for id in begun] == ["paused", "paused"]
    assert _checkpoints(services) == set(begun)
    assert runs.resume_interrupted() == (), "what somebody paused waits for somebody"
    runs.cancel(begun[0])
    assert (runs.get(begun[0]).state, _checkpoints(services)) == ("cancelled", {begun[1]})
    workspaces.delete(places[1])
    assert _checkpoints(services) == set()


def _checkpoints(services: App) -> set[str]:
    """The runs that LangGraph knows."""
    with closing(sqlite3.connect(checkpoint_file(services.settings))) as connection:
        return {id for (id,) in connection.execute("SELECT DISTINCT thread_id FROM checkpoints")}


def test_what_a_run_takes_counts_for_the_day_of_its_user(scripted: Scripted) -> None:
    services, _ = scripted(read("ai_search", "news_script"), *FOUND, say(REPORT), verdict(decision="accept"))
    trace = finished(services)
    (used,) = services.accounts.traces.usage()
    assert (used.user, used.model) == (services.accounts.users.local().name, MODEL)
    assert used.input_tokens == trace.metrics.input_tokens > 0


def test_a_run_stops_at_its_limit_of_cost(scripted: Scripted) -> None:
    services, server = scripted(read("ai_search", "news_script"), *FOUND, prices=f"{MODEL}=1000/1000")
    trace = finished(services, max_cost=0.01)
    assert trace.run.state == "failed"
    assert "the limit is $0.01" in trace.run.problem
    assert len(server.requests) == 1


def test_a_run_begins_again_from_one_of_its_steps_with_the_state_of_then(scripted: Scripted) -> None:
    services, server = scripted(read("ai_search", "news_script"), *FOUND, say("A draft."), verdict(decision="accept"))
    runs, first = workflow_runs(services), finished(services)
    server.add(say(REPORT), verdict(decision="accept"))
    key = next(step.key for step in first.steps if step.node == "report_branch")
    again = runs.trace(runs.wait(runs.rerun_from(first.run.id, key).id, 20).id)
    assert (again.run.state, again.run.parent_id, again.state["report"]) == ("done", first.run.id, REPORT)
    assert len(server.requests) == 7, "only what followed was asked again"
    assert [step.state for step in again.steps][:4] == ["copied"] * 4
    assert again.metrics.copied == 5
    assert runs.trace(first.run.id).state["report"] == "A draft.", "the first run is as it was"
    compared = runs.compare(first.run.id, again.run.id)
    assert (compared.changes.added, compared.changes.removed, compared.changes.kept) == (
        ("Ada works for Labs, since 2022-07-01.",),
        ("A draft.",),
        0,
    )
    with pytest.raises(BadInput, match="no step “nothing#1”"):
        runs.rerun_from(first.run.id, "nothing#1")


def test_a_run_again_at_another_date_shows_what_changed(run: Run, runs: WorkflowRuns) -> None:
    first = run()
    earlier = first.run.created_at.replace(year=2021)
    again = runs.wait(runs.rerun(first.run.id, known_at=earlier).id, 20)
    compared = runs.compare(again.id, first.run.id)
    now = "Ada worked for Engines from 2019-03-01 until 2022-07-01."
    assert compared.changes.changed == (("Ada works for Engines, since 2019-03-01.", now),), "it cites the same fact"
    assert compared.changes.added == ("Ada works for Labs, since 2022-07-01.",)
    assert compared.changes.removed == ()


def test_runs_leave_little_behind_and_less_when_they_are_deleted(run: Run, runs: WorkflowRuns, services: App) -> None:
    ids = [run().run.id for _ in range(int(os.environ.get("ASOF_RUNS", "10")))]
    file = services.settings.folder / "accounts.db"
    with closing(sqlite3.connect(file)) as connection:
        before = _used(connection)
        assert before / len(ids) < 100_000
        assert runs.size(services.workspace(W)) < 100_000 * len(ids)
        checkpoints = checkpoint_bytes(services.settings)
        assert checkpoints < 100_000, "those of finished runs are gone"
        for id in ids:
            runs.delete(id)
        assert _used(connection) < before
    assert runs.of(services.workspace(W)) == ()


def test_a_deleted_workspace_takes_its_workflows_and_runs_along(services: App, runs: WorkflowRuns) -> None:
    services.accounts.add("other", "Other")
    other = services.workspace("other")
    save_workflow(other, document([agent("a")]))
    runs.wait(runs.start(other, "Test", "Anything?").id, 20)
    workspaces.delete(other)
    assert runs.of(other) == ()
    assert [entry.is_builtin for entry in list_workflows(other)] == [True]


def test_workflows_are_saved_listed_duplicated_and_deleted(workspace: OpenWorkspace) -> None:
    save_workflow(workspace, document([agent("a")]))
    assert duplicate_workflow(workspace, "Test").name == "Test (copy)"
    assert duplicate_workflow(workspace, "default").name == "Default News Reporter Workflow (copy)"
    names = [entry.name for entry in list_workflows(workspace)]
    assert names == [
        "Default News Reporter Workflow",
        "Default News Reporter Workflow (copy)",
        "Test",
        "Test (copy)",
    ]
    delete_workflow(workspace, "Test")
    with pytest.raises(BadInput, match="no saved workflow “Test”"):
        delete_workflow(workspace, "Test")
    with pytest.raises(BadInput, match="this is the name of the built-in workflow"):
        save_workflow(workspace, {**document([agent("a")]), "name": "default"})


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"goal": " "}, "The goal is empty"),
        ({"model": "gpt"}, "no model “gpt”"),
        ({"workflow": "x"}, "no workflow “x”"),
    ],
)
def test_what_cannot_be_run_is_told_before_anything_is_kept(
    run: Run, runs: WorkflowRuns, workspace: OpenWorkspace, given: dict[str, Any], told: str
) -> None:
    with pytest.raises(BadInput, match=told):
        run(**given)
    assert runs.of(workspace) == ()


def _used(connection: sqlite3.Connection) -> int:
    """The bytes of a database that hold something."""
    pages, free, size = (
        connection.execute(f"PRAGMA {n}").fetchone()[0] for n in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


def _until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)
