"""How far a job is, by its counts."""

from datetime import timedelta

from services.core.clock import parse_instant
from services.core.job_records import Job

NEW_YEAR = parse_instant("2024")


def test_what_a_cancelled_job_let_go_of_is_neither_done_nor_left() -> None:
    counts = {"done": 2, "failed": 1, "review": 1, "cancelled": 4}
    job = Job("j", "team", "documents", "Texts", "cancelled", {}, NEW_YEAR, counts=counts)  # type: ignore[arg-type]
    assert (job.done, job.left, job.total) == (4, 0, 8)


def test_an_item_that_is_under_way_counts_by_its_part() -> None:
    counts = {"done": 2, "failed": 1, "review": 1, "cancelled": 4, "queued": 1, "running": 1}
    job = Job(
        "j",
        "team",
        "documents",
        "Texts",
        "running",
        {},
        NEW_YEAR,
        counts=counts,  # type: ignore[arg-type]
        step_share=0.5,
        begun=(NEW_YEAR, 6),
    )
    assert (job.done, job.left, job.total, job.share) == (8, 2, 10, 0.85)
    assert job.seconds_left(NEW_YEAR + timedelta(seconds=25)) == 15.0


def test_no_job_is_more_than_done() -> None:
    job = Job("j", "team", "documents", "Texts", "running", {}, NEW_YEAR, counts={"done": 3}, step_share=1.0)
    assert job.share == 1.0


def test_a_job_whose_reviews_were_all_discarded_is_done() -> None:
    job = Job("j", "team", "documents", "Texts", "done", {}, NEW_YEAR, counts={"cancelled": 2})
    assert (job.done, job.total, job.share) == (2, 2, 1.0)


def test_a_review_discarded_while_the_job_runs_keeps_its_progress() -> None:
    def job(**counts: int) -> Job:
        return Job("j", "team", "documents", "Texts", "running", {}, NEW_YEAR, counts=counts, begun=(NEW_YEAR, 0))  # type: ignore[arg-type]

    read, discarded = job(review=40, queued=60), job(review=10, cancelled=30, queued=60)
    assert read.share == discarded.share == 0.4
    assert read.seconds_left(NEW_YEAR + timedelta(seconds=100)) == 150.0
    assert discarded.seconds_left(NEW_YEAR + timedelta(seconds=100)) == 150.0
