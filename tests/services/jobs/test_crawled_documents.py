"""Crawled pages go the way of all documents: into the graph once, with their facts where these are looked for."""

from pathlib import Path

import pytest

from services.agent.app import App
from services.core.job_records import Job
from services.core.models import Episode
from services.jobs import documents_job as feed
from services.jobs.crawl_job import crawl_status, start_crawl
from services.jobs.documents_job import confirm, reviewed
from services.writing.change_sets import change_sets
from tests.fakes.line_extractor import LineExtractor
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.site import Answer, PageSource, Site, article, page
from tests.services.jobs.crawls import LONG, W, opened, progress, working

pytestmark = pytest.mark.slow

PAGES: dict[str, PageSource] = {
    "/": article("Start", "/a", "/slow", "/twin", "/b"),
    "/a": article("A"),
    "/slow": Answer(raw=b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>", then="stall"),
    "/twin": article("A"),
    "/b": article("B", "/"),
}


def crawl(services: App, url: str, **options: object) -> Job:
    crawl_id = start_crawl(services.workspace(W), url, mode="recursive", options=options)
    return services.jobs.wait(crawl_id, LONG)


def episodes(services: App) -> list[Episode]:
    async def read() -> list[Episode]:
        return [one async for batch in services.graph.scan_episodes(W) for one in batch]

    return services.bridge.run(read())


def ids(services: App, site: Site) -> list[str]:
    return sorted(one.id.removeprefix(site.url("")) for one in services.mirrors.of(W).documents())


@pytest.mark.usefixtures("quick_reading")
def test_a_crawl_that_was_ended_in_the_middle_goes_on_and_takes_no_page_in_twice(tmp_path: Path) -> None:
    graph = MemoryGraphStore()
    with Site(PAGES) as site:
        with opened(tmp_path, site, graph=graph) as services, working(services):
            crawl_id = start_crawl(services.workspace(W), site.url(), mode="recursive")
            assert site.stalled.wait(LONG)
        site.pages["/slow"] = article("Slow")
        with opened(tmp_path, site, graph=graph) as services, working(services):
            services.jobs.wait(crawl_id, LONG)
            assert progress(crawl_status(services.workspace(W), crawl_id)) == ("done", 5, 0, 5)
            assert ids(services, site) == ["/", "/a", "/b", "/slow"]
            assert len(episodes(services)) == 4
            (twin,) = (item for item in services.accounts.jobs.items(crawl_id) if item.key == site.url("/twin"))
            assert twin.result == {"same_as": site.url("/a")}
        assert {path: site.times(path) for path in PAGES} == {"/": 1, "/a": 1, "/slow": 2, "/twin": 1, "/b": 1}


@pytest.mark.usefixtures("quick_reading")
def test_a_site_that_is_crawled_again_changes_only_what_changed(tmp_path: Path) -> None:
    with (
        Site({"/": article("Start", "/a"), "/a": article("A")}) as site,
        opened(tmp_path, site) as services,
        working(services),
    ):
        crawl(services, site.url())
        site.pages["/a"] = article("A", words="A was rewritten since, and says something else entirely.")
        job = crawl(services, site.url())
        assert [(item.result or {})["document"] for item in services.accounts.jobs.items(job.id)] == [
            "unchanged",
            "changed",
        ]
        assert (len(episodes(services)), len(change_sets(services.workspace(W)))) == (3, 3)


def test_the_facts_of_a_page_wait_for_review_and_go_in_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "extractor_of", lambda services, name: LineExtractor())
    with (
        Site({"/notes.txt": page("Ann | LIVES_IN | Paris | 2020\n", "text/plain")}) as site,
        opened(tmp_path, site) as services,
        working(services),
    ):
        job = crawl(services, site.url("/notes.txt"), extract="rules")
        (item,) = services.accounts.jobs.items(job.id)
        assert (item.state, progress(crawl_status(services.workspace(W), job.id))) == ("review", ("done", 1, 0, 1))
        _, _, proposal = reviewed(services, item.id)
        confirm(services, item.id, proposal)
        assert ids(services, site) == ["/notes.txt"]
        (episode,) = episodes(services)
        (fact,) = services.bridge.run(services.graph.facts_about(W, "Ann"))
        assert (fact.target, fact.episodes) == ("Paris", (episode.uuid,))


@pytest.mark.slow
def test_pages_are_parsed_in_a_process_of_their_own(tmp_path: Path) -> None:
    with (
        Site({"/": article("Start", "/a"), "/a": article("A")}) as site,
        opened(tmp_path, site) as services,
        working(services),
    ):
        crawl(services, site.url())
        assert ids(services, site) == ["/", "/a"]
        assert all("paragraph" in episode.content for episode in episodes(services))
