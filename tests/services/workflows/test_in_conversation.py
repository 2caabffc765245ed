"""A turn of a conversation that a workflow answers: its calls, its end, and what it costs."""

import threading

import pytest

from services.agent.answerer import AskRequest
from services.context import OpenWorkspace
from services.core.answer_records import Asked, ToolCall
from services.core.errors import BadInput
from services.workflows import WorkflowRuns, conversation_goal, workflow_answer
from services.workflows.goal_words import questions_of
from tests.services.workflows.conftest import GOAL


def test_a_run_answers_with_its_report_and_tells_of_each_step(workspace: OpenWorkspace) -> None:
    heard: list[ToolCall] = []
    outcome = workflow_answer(workspace, "default", None)(AskRequest(Asked(GOAL)), heard.append, threading.Event())
    assert (outcome.problem, outcome.stopped) == ("", False)
    assert {one.mark for one in outcome.answer.sentences} <= {"supported", None}
    assert {one.n for one in outcome.answer.citations} <= {one.n for one in outcome.evidence}
    first, *steps = outcome.answer.calls
    assert first.tool == "run_workflow"
    assert {one.parent_id for one in steps} == {first.id}
    assert {one.id for one in heard} == {one.id for one in outcome.answer.calls}


def test_a_turn_that_is_stopped_cancels_its_run(workspace: OpenWorkspace, runs: WorkflowRuns) -> None:
    cancel = threading.Event()
    cancel.set()
    outcome = workflow_answer(workspace, "default", None)(AskRequest(Asked(GOAL)), lambda _: None, cancel)
    assert outcome.stopped
    assert [run.state for run in runs.of(workspace)] == ["cancelled"]


def test_an_unknown_workflow_is_refused_before_anything_is_asked(workspace: OpenWorkspace) -> None:
    with pytest.raises(BadInput, match="no workflow “nothing”"):
        workflow_answer(workspace, "nothing", None)


def test_a_goal_names_every_question_once() -> None:
    goal = conversation_goal(["Who is Ada?", "Where does  she work?", "Who is Ada?"])
    assert goal == "Write a report on: Who is Ada? Where does she work?"
    assert questions_of("Who is Ada? Where does she work?") == ("Who is Ada?", "Where does she work?")
    assert questions_of("Ada") == ("Ada",)
    assert questions_of("Who is Ada?") == ("Who is Ada?",)
