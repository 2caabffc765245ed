"""How far a job is, by its counts."""

from services.clock import parse_instant
from services.ingestion.jobs.records import Job


def test_what_was_cancelled_is_neither_done_nor_left() -> None:
    counts = {"done": 2, "failed": 1, "review": 1, "cancelled": 4, "queued": 1, "running": 1}
    job = Job("j", "team", "documents", "Texts", "running", {}, parse_instant("2024"), counts=counts,  # type: ignore[arg-type]
              step_share=0.5, begun=(parse_instant("2024-01-01"), 2))  # fmt: skip
    assert (job.done, job.left, job.total, job.share) == (4, 2, 10, 0.45)
    assert job.seconds_left(parse_instant("2024-01-01T00:00:25Z")) == 15.0
