"""Background work: it tells how far it is, stops when asked, and ends in words."""

import threading
import time

from services.core.background import Background, Handle, Task
from services.core.errors import WriteFailed


def ended(work: Background, task_id: str) -> Task:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        task = work.get(task_id)
        if task is not None and task.state != "running":
            return task
        threading.Event().wait(0.005)
    raise AssertionError("it did not end")


def test_work_that_ends_keeps_its_result_and_how_far_it_came() -> None:
    background = Background()

    def work(handle: Handle) -> str:
        handle.report(3, 4)
        return "result"

    task = ended(background, background.start("team", "an import", work))
    assert (task.state, task.result, task.done, task.share) == ("done", "result", 3, 0.75)


def test_work_stops_at_its_next_report() -> None:
    background, started, go_on = Background(), threading.Event(), threading.Event()

    def work(handle: Handle) -> None:
        started.set()
        go_on.wait(10)
        handle.report(1, 2)

    task_id = background.start("team", "an import", work)
    started.wait(10)
    background.stop(task_id)
    go_on.set()
    assert ended(background, task_id).state == "stopped"


def test_a_failure_is_kept_with_its_hint() -> None:
    background = Background()

    def work(handle: Handle) -> None:
        raise WriteFailed("Nothing is in.", "Try again.")

    task = ended(background, background.start("team", "an import", work))
    assert task.state == "failed"
    assert str(task.problem) == "Nothing is in. Try again."


def test_a_fault_nobody_foresaw_ends_it_without_its_details() -> None:
    background = Background()

    def work(handle: Handle) -> None:
        raise ZeroDivisionError("secret")

    task = ended(background, background.start("team", "an import", work))
    assert task.state == "failed"
    assert "secret" not in str(task.problem)


def test_work_is_listed_by_workspace_newest_first() -> None:
    background = Background()
    for title, workspace in (("one", "a"), ("two", "b"), ("three", "a")):
        ended(background, background.start(workspace, title, lambda handle: None))
    assert [task.title for task in background.of("a")] == ["three", "one"]
