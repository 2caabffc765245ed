"""Jobs that take in texts, with an extractor that reads facts line by line."""

import pytest

from services.core.job_records import Job
from services.jobs import documents_job as feed
from services.jobs.documents_job import text_item
from services.jobs.queue import Jobs
from tests.fakes.line_extractor import LineExtractor
from tests.services.retrieval.conftest import W

LONG = 30.0


@pytest.fixture
def extractor(monkeypatch):
    found = LineExtractor()
    monkeypatch.setattr(feed, "extractor_of", lambda services, name: found)
    return found


@pytest.fixture
def jobs(services):
    found = services.jobs
    found.start()
    return found


def fed(jobs: Jobs, *items, **options) -> tuple[Job, list]:
    """The job of these items once it is done, and its items."""
    id = jobs.store.add(W, "documents", "texts", items, options=options)
    return jobs.wait(id, LONG), list(jobs.store.items(id))


def note(text: str, id: str = "", **more):
    return text_item(text, id=id, **more)


def facts(services):
    async def read():
        return [fact async for page in services.graph.scan_facts(W) for fact in page]

    return {f.text: f for f in services.bridge.run(read())}


def episodes(services):
    async def read():
        return [e async for page in services.graph.scan_episodes(W) for e in page]

    return services.bridge.run(read())
