"""Ask: a question or the whole conversation is sent to a workflow, and its report is an answer like others."""

from services.agent.app import App
from services.workflows import workflow_runs
from tests.pages.ask import ask, asking, kept, messages, open_box, press, wait
from tests.pages.conftest import WORKSPACE, displayed, opened, words

LABS = "Who does Ada work for?"


def test_the_report_on_a_question_is_the_next_answer_with_marks_sources_and_its_run(filled: App) -> None:
    conversation, _ = kept(filled, LABS)
    app = opened("Ask", w=WORKSPACE, c=conversation.id)
    asked = filled.accounts.conversations.messages(conversation.id)[0].id
    app = open_box(app, f"to_workflow_{asked}")
    goal = app.text_area(key=f"workflow_goal_{asked}_1")
    assert goal.value == f"Write a report on: {LABS}"
    goal.set_value("Write a report on Ada")
    app = wait(filled, press(app, "Run"))
    _, answered, goal_asked, report = messages(filled, app)
    assert (goal_asked.content, goal_asked.parent_id) == ("Write a report on Ada", answered.id)
    assert report.state == "done"
    assert report.answer is not None
    assert {one["mark"] for one in report.answer["sentences"]} <= {"supported", None}
    shown = words(app)
    assert "Ada works for Labs, since 2022-07-01. ✓" in " ".join(shown.split())
    (run,) = workflow_runs(filled).of(filled.workspace(WORKSPACE))
    (way,) = displayed(app).links("Open the workflow run")
    assert f"run={run.id}" in way
    assert (run.goal, run.user_id) == ("Write a report on Ada", filled.accounts.users.local().id)
    app = open_box(app, "ask_more")
    assert "Export as Markdown" in [one.proto.label for one in app.get("download_button")]


def test_a_report_is_run_again_today_and_both_runs_are_compared(filled: App) -> None:
    conversation, _ = kept(filled, LABS)
    asked = filled.accounts.conversations.messages(conversation.id)[0].id
    app = open_box(opened("Ask", w=WORKSPACE, c=conversation.id, as_of="2021-06-01"), f"to_workflow_{asked}")
    app.text_area(key=f"workflow_goal_{asked}_1").set_value("Write a report on Ada")
    app = wait(filled, press(app, "Run"))
    (first,) = workflow_runs(filled).of(filled.workspace(WORKSPACE))
    app = press(app, "Run again today")
    again, _ = workflow_runs(filled).of(filled.workspace(WORKSPACE))
    assert (again.parent_id, again.goal, again.as_of) == (first.id, first.goal, None)
    assert (app.query_params["run"], app.query_params["before"]) == (again.id, first.id)
    workflow_runs(filled).wait(again.id, 30)
    assert "1 added · 3 unchanged" in words(opened("Workflows", w=WORKSPACE, run=again.id, before=first.id))
    workflow_runs(filled).delete(first.id)
    app = press(opened("Ask", w=WORKSPACE, c=conversation.id), "Run again today")
    assert "This run does not exist." in words(app)


def test_a_whole_conversation_makes_one_report(filled: App) -> None:
    app = ask(asking(LABS), "Who does Ada know?")
    chat = app.query_params["c"]
    last = filled.accounts.conversations.messages(chat)[2].id
    app = open_box(app, f"to_workflow_{last}")
    app.segmented_control(key=f"workflow_scope_{last}").set_value("Whole conversation").run()
    goal = app.text_area(key=f"workflow_goal_{last}_2").value
    assert goal == f"Write a report on: {LABS} Who does Ada know?"
    app = wait(filled, press(app, "Run"))
    shown = " ".join(words(app).split())
    assert "Ada works for Labs" in shown
    assert "Bob" in shown
    assert "Cy" in shown


def test_a_goal_that_cannot_be_asked_is_told_and_nothing_is_sent(filled: App) -> None:
    conversation, _ = kept(filled, LABS)
    asked = filled.accounts.conversations.messages(conversation.id)[0].id
    app = open_box(opened("Ask", w=WORKSPACE, c=conversation.id), f"to_workflow_{asked}")
    app.text_area(key=f"workflow_goal_{asked}_1").set_value(" ")
    app = press(app, "Run")
    assert "The question is empty." in words(app)
    assert workflow_runs(filled).of(filled.workspace(WORKSPACE)) == ()
