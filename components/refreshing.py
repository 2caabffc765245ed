"""Parts of a page that follow work which is under way."""

from collections.abc import Callable

import streamlit as st

from services import cached
from services.agent import get_services
from services.core.job_records import Job


def draw_until_done(draw: Callable[[], bool | None], is_running: Callable[[], bool], *, every: str) -> None:
    """Draw a part of the page; while work is under way draw it again and again, and then run the page once more.

    `draw` returns True where a click in it changed what stands elsewhere on the page. What stands when the work is done
    is left to that last run: a click on it in a part that is about to go would change the address and draw nothing.
    """
    if not is_running():
        draw()
        return

    @st.fragment(run_every=every)
    def refreshed() -> None:
        if not is_running() or draw():
            draw_page_again()

    refreshed()


def draw_page_again() -> None:
    """Run the page once more, with what the work that has ended changed in the list of workspaces."""
    cached.forget_workspaces()
    st.rerun()


def follow_job(job_id: str, draw: Callable[[Job | None], None], *, every: str) -> None:
    """Draw a job as it stands until it has ended."""
    jobs = get_services().jobs

    def is_running() -> bool:
        job = jobs.get(job_id)
        return job is not None and job.state == "running"

    draw_until_done(lambda: draw(jobs.get(job_id)), is_running, every=every)
