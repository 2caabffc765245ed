"""Messages of a thread go in with what was said before them."""

from services.jobs.documents_job import text_item
from tests.services.jobs.feeding import extractor, fed, jobs
from tests.services.retrieval.conftest import graph, services

__all__ = ["extractor", "graph", "jobs", "services"]


def said(number: int):
    return text_item(f"Ann: line {number}", id=f"m{number}", thread="t")


def test_messages_that_were_given_twice_keep_no_other_from_being_read(services, jobs, extractor):
    extractor.name = "big"
    job, _ = fed(jobs, *[said(0)] * 40, said(1), said(2), extract="big")
    assert job.counts == {"done": 3}
    assert extractor.asked[-1].before == ("Ann: line 0", "Ann: line 1")
