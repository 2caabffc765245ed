"""Background work on a page: how far each piece is, a button that stops it, and what came of it."""

from collections.abc import Callable

import streamlit as st

from components import dates
from components.markup import Cell, chip, plain, progress_bar, table, text
from components.refreshing import draw_until_done
from services import cached
from services.agent import get_services
from services.core import clock
from services.core.background import Task

_CHIPS = {
    "running": ("", "● running"),
    "done": ("a-good", "✓ done"),
    "failed": ("a-bad", "✕ failed"),
    "stopped": ("a-off", "stopped"),
}
Outcome = Callable[[Task], str]


def start_demo(workspace: str, *, reset: bool) -> None:
    """Begin to load the demo, unless it is being loaded already."""
    from services.jobs import LABEL, label_workspace, load_demo

    if not is_running(workspace):
        services = get_services()
        label_workspace(services)
        cached.background().start(
            workspace, LABEL, lambda handle: load_demo(services, handle.report, reset, cancel=handle.cancelled)
        )


def progress(workspace: str, outcome: Outcome | None = None) -> None:
    """Draw the work on a workspace; while one runs this part of the page follows it, then the page runs again."""
    draw_until_done(lambda: _draw(workspace, outcome), lambda: is_running(workspace), every="0.7s")


def is_running(workspace: str) -> bool:
    """True while something is under way on a workspace."""
    return any(task.state == "running" for task in cached.background().of(workspace))


def _draw(workspace: str, outcome: Outcome | None) -> None:
    tasks = cached.background().of(workspace)
    if not tasks:
        return
    head = [("Task", ""), ("State", ""), ("Progress", "a-w"), ("Started", "a-d")]
    table([_row(task, outcome) for task in tasks], head, label="Background work")
    for task in tasks:
        if task.state == "running":
            st.button(
                f"Stop {plain(task.title)}",
                key=f"stop_{task.id}",
                icon=":material/stop:",
                on_click=cached.background().stop,
                args=(task.id,),
            )


def _row(task: Task, outcome: Outcome | None) -> list[Cell]:
    return [
        (f"<b>{text(task.title)}</b>", "a-nw"),
        (chip(*_CHIPS[task.state]), "a-nw"),
        (_how_far(task, outcome), "a-w"),
        (dates.seconds_in_utc(task.started_at), "a-d"),
    ]


def _how_far(task: Task, outcome: Outcome | None) -> str:
    if task.problem:
        return f"{text(task.problem.message)} <span class='a-muted'>{text(task.problem.hint)}</span>"
    if task.state == "done":
        return outcome(task) if outcome else ""
    left = task.seconds_left(clock.now())
    words = f"{task.done:,} of {task.total:,}" if task.total else "starting"
    pace = f" · about {max(1, round(left)):,} s left" if left is not None else ""
    return f"{text(task.step)} {words}{pace}{progress_bar(task.title, task.share)}"
