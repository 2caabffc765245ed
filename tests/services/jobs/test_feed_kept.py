"""What a model was paid for is kept: whatever comes between reading and writing, no text is read twice."""

import pytest

from services.core.errors import WriteFailed
from services.core.job_records import JobItem
from services.jobs import documents_job as feed
from services.writing.change_sets import writing
from tests.services.jobs.feeding import LONG, extractor, facts, jobs, note
from tests.services.retrieval.conftest import W, graph, services

__all__ = ["extractor", "graph", "jobs", "services"]

TEXT = note("Ann | LIVES_IN | Paris | 2020", "a")


@pytest.fixture
def model(extractor):
    extractor.name, extractor.tokens = "big", (1000, 100)
    return extractor


def begun(jobs, **options) -> str:
    return jobs.store.add(W, "documents", "texts", [TEXT], options={"extract": "big", "write_at_once": True, **options})


def until(told, jobs, job_id: str) -> JobItem:
    """The job's item once it is as `told` says."""
    for _ in range(int(LONG / 0.05)):
        jobs.wait(job_id, 0.05)
        (item,) = jobs.store.items(job_id)
        if told(item):
            return item
    raise AssertionError(item)


def test_an_outage_after_reading_asks_the_model_no_second_time(services, jobs, model):
    services.indexes.embedder.fails = True
    job_id = begun(jobs)
    waits = until(lambda item: item.input_tokens and jobs.get(job_id).step, jobs, job_id)
    assert (waits.input_tokens, waits.output_tokens) == (1000, 100)
    services.indexes.embedder.fails = False
    job = jobs.wait(job_id, LONG)
    assert (job.counts, job.input_tokens, len(model.asked)) == ({"done": 1}, 1000, 1)
    assert [fact.target for fact in facts(services).values()] == ["Paris"]


def test_a_pause_between_reading_and_writing_loses_neither_tokens_nor_facts(services, jobs, model):
    with writing(services.workspace(W)):
        job_id = begun(jobs)
        until(lambda item: item.input_tokens, jobs, job_id)
        jobs.pause(job_id)
        assert until(lambda item: item.state == "queued", jobs, job_id).input_tokens == 1000
    jobs.resume(job_id)
    job = jobs.wait(job_id, LONG)
    assert (job.counts, job.input_tokens, len(model.asked), len(facts(services))) == ({"done": 1}, 1000, 1, 1)


def test_a_write_that_failed_is_tried_again_without_the_model(services, jobs, model, monkeypatch):
    write = feed.write

    def fails(*args, **more):
        raise WriteFailed("The write failed.")

    monkeypatch.setattr(feed, "write", fails)
    job_id = begun(jobs)
    failed = until(lambda item: item.state == "failed", jobs, job_id)
    assert (failed.problem, failed.input_tokens) == ("The write failed.", 1000)
    monkeypatch.setattr(feed, "write", write)
    jobs.retry(failed.id)
    job = jobs.wait(job_id, LONG)
    assert (job.counts, job.input_tokens, len(model.asked), len(facts(services))) == ({"done": 1}, 1000, 1, 1)
    assert "reading" not in jobs.store.items(job_id)[0].result


def test_what_another_schema_found_does_not_count_as_read(services, jobs, model):
    with writing(services.workspace(W)):
        job_id = begun(jobs)
        until(lambda item: item.input_tokens, jobs, job_id)
        jobs.pause(job_id)
        until(lambda item: item.state == "queued", jobs, job_id)
    services.accounts.schemas.set(W, {"types": [], "relations": []})
    jobs.resume(job_id)
    assert jobs.wait(job_id, LONG).input_tokens == 2000
