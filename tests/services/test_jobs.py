"""Background jobs: they tell how far they are, stop when asked, and end in words."""

import threading
import time

from services.errors import WriteFailed
from services.jobs import Handle, Job, Jobs


def ended(jobs: Jobs, job_id: str) -> Job:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        job = jobs.get(job_id)
        if job is not None and job.state != "running":
            return job
        threading.Event().wait(0.005)
    raise AssertionError("the job did not end")


def test_a_job_that_ends_keeps_its_result_and_how_far_it_came() -> None:
    jobs = Jobs()

    def work(handle: Handle) -> str:
        handle.report(3, 4)
        return "result"

    job = ended(jobs, jobs.start("team", "an import", work))
    assert (job.state, job.result, job.done, job.share) == ("done", "result", 3, 0.75)


def test_a_job_stops_at_its_next_report() -> None:
    jobs, started, go_on = Jobs(), threading.Event(), threading.Event()

    def work(handle: Handle) -> None:
        started.set()
        go_on.wait(10)
        handle.report(1, 2)

    job_id = jobs.start("team", "an import", work)
    started.wait(10)
    jobs.stop(job_id)
    go_on.set()
    assert ended(jobs, job_id).state == "stopped"


def test_a_failure_is_kept_with_its_hint() -> None:
    jobs = Jobs()

    def work(handle: Handle) -> None:
        raise WriteFailed("Nothing is in.", "Try again.")

    job = ended(jobs, jobs.start("team", "an import", work))
    assert job.state == "failed"
    assert str(job.problem) == "Nothing is in. Try again."


def test_a_fault_nobody_foresaw_ends_the_job_without_its_details() -> None:
    jobs = Jobs()

    def work(handle: Handle) -> None:
        raise ZeroDivisionError("secret")

    job = ended(jobs, jobs.start("team", "an import", work))
    assert job.state == "failed"
    assert "secret" not in str(job.problem)


def test_jobs_are_listed_by_workspace_newest_first() -> None:
    jobs = Jobs()
    for title, workspace in (("one", "a"), ("two", "b"), ("three", "a")):
        ended(jobs, jobs.start(workspace, title, lambda handle: None))
    assert [job.title for job in jobs.of("a")] == ["three", "one"]
