"""Crawls as jobs: what is refused, what is told of them, and how they are taken up again and cancelled."""

from pathlib import Path

import pytest

from services.core.errors import BadInput, FetchRefused
from services.jobs.crawl_job import crawl_status, start_crawl
from services.writing.locks import writer_if_free
from tests.fakes.site import Answer, Site, article, page
from tests.services.jobs.crawls import LONG, Kept, W, branching, crawled, opened, progress, working

pytestmark = pytest.mark.usefixtures("quick_reading")


def test_a_crawl_that_is_taken_up_again_still_knows_what_it_left_out(tmp_path: Path) -> None:
    rules = page("User-agent: *\nDisallow: /private\n", "text/plain")
    pages = {"/robots.txt": rules, "/": article("Start", "/a", "/private"), "/a": article("A", "/private/2")}
    with Site(pages) as site, opened(tmp_path, site) as services:
        kept = Kept(stop_at="/a")
        with working(services, kept):
            crawl_id = start_crawl(services.workspace(W), site.url("/"), mode="recursive")
            assert kept.stopped.wait(LONG)
        with working(services, Kept()):
            services.jobs.wait(crawl_id, LONG)
        assert crawl_status(services.workspace(W), crawl_id).left_out == 2


def test_what_cannot_be_crawled_is_refused_before_there_is_a_job(tmp_path: Path) -> None:
    with Site() as site, opened(tmp_path, site) as services:
        with pytest.raises(FetchRefused):
            start_crawl(services.workspace(W), "file:///etc/passwd")
        with pytest.raises(BadInput):
            start_crawl(services.workspace(W), site.url(), max_pages=501)
        with pytest.raises(BadInput, match="no crawl"):
            crawl_status(services.workspace(W), "2f1c9c5e-0000-4000-8000-000000000000")
        assert services.jobs.of(W) == ()
        assert site.connections == 0


def test_the_state_of_a_crawl_is_told_as_json(tmp_path: Path) -> None:
    with Site({"/": article("Start", "/gone")}) as site:
        document = crawled(tmp_path, site, Kept(), mode="recursive").document()
    assert document.pop("startedAt")[:2] == "20"
    assert document == {
        "state": "done",
        "pagesDone": 1,
        "pagesFailed": 1,
        "pagesTotal": 2,
        "errors": [f"{site.url('/gone')}: 127.0.0.1 answered 404 (Not Found)."],
    }


def test_no_more_than_twenty_errors_are_told(tmp_path: Path) -> None:
    with Site({"/": article("Start", *(f"/gone/{n}" for n in range(30)))}) as site:
        status = crawled(tmp_path, site, Kept(), mode="recursive", max_pages=100)
    assert progress(status) == ("done", 1, 30, 31)
    assert len(status.errors) == 20


def test_a_page_that_waits_for_review_is_done_for_the_crawl(tmp_path: Path) -> None:
    with Site({"/": article("Start")}) as site:
        status = crawled(tmp_path, site, Kept(state="review"))
    assert progress(status) == ("done", 1, 0, 1)


def test_a_crawl_that_was_ended_in_the_middle_goes_on_where_it_was(tmp_path: Path) -> None:
    with Site(branching(64)) as site, opened(tmp_path, site) as services:
        kept = Kept(stop_at="/3")
        with working(services, kept):
            crawl_id = start_crawl(services.workspace(W), site.url(), mode="recursive", depth=4, max_pages=100)
            assert kept.stopped.wait(LONG)
        before = kept.of(site)
        assert before == ["/", "/1", "/2"]
        with working(services, rest := Kept()):
            services.jobs.wait(crawl_id, LONG)
        assert rest.of(site) == [f"/{n}" for n in range(3, 16)]
        assert progress(crawl_status(services.workspace(W), crawl_id)) == ("done", 16, 0, 16)
        asked = [path for path in site.asked if path not in ("/robots.txt", "/3")]
        assert len(asked) == len(set(asked))


def test_a_crawl_that_is_cancelled_lets_go_of_a_page_that_stalls(tmp_path: Path) -> None:
    stalls = Answer(raw=b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>", then="stall")
    with Site({"/": article("Start", "/slow", "/b"), "/slow": stalls, "/b": article("B")}) as site:
        with opened(tmp_path, site) as services, working(services, kept := Kept()):
            crawl_id = start_crawl(services.workspace(W), site.url(), mode="recursive")
            assert site.stalled.wait(LONG)
            services.jobs.cancel(crawl_id)
            services.jobs.wait(crawl_id, LONG)
            assert crawl_status(services.workspace(W), crawl_id).state == "cancelled"
        assert kept.of(site) == ["/"]
        assert site.times("/b") == 0


def test_the_writer_is_free_while_a_page_is_waited_for(tmp_path: Path) -> None:
    stalls = Answer(raw=b"HTTP/1.1 200 OK\r\n\r\n<p>", then="stall")
    with Site({"/": stalls}) as site, opened(tmp_path, site) as services, working(services, Kept()):
        crawl_id = start_crawl(services.workspace(W), site.url())
        assert site.stalled.wait(LONG)
        with writer_if_free(services.accounts, W) as free:
            assert free
        services.jobs.cancel(crawl_id)
