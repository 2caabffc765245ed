"""Crawls that follow links on a site on loopback, which has everything that sites have: they stay in bounds."""

from pathlib import Path

import pytest

from services.jobs.crawl_job import crawl_status, start_crawl
from services.web import visits
from tests.fakes.site import Answer, PageSource, Site, article, moved, page, script
from tests.services.jobs.crawls import LONG, Kept, W, branching, crawled, opened, progress, working
from tests.services.web.conftest import two_addresses

pytestmark = pytest.mark.usefixtures("quick_reading")


def test_links_are_followed_breadth_first_as_deep_as_asked(tmp_path: Path) -> None:
    with Site(branching(64)) as site:
        status = crawled(tmp_path, site, kept := Kept(), mode="recursive", depth=3, max_pages=100)
    assert kept.of(site) == ["/", "/1", "/2", "/3", "/4", "/5", "/6", "/7"]
    assert progress(status) == ("done", 8, 0, 8)
    assert len(site.asked) == len(set(site.asked))


def test_no_more_pages_are_asked_for_than_wanted(tmp_path: Path) -> None:
    with Site(branching(64)) as site:
        status = crawled(tmp_path, site, kept := Kept(), mode="recursive", depth=9, max_pages=5)
    assert kept.of(site) == ["/", "/1", "/2", "/3", "/4"]
    assert progress(status) == ("done", 5, 0, 5)
    assert [path for path in site.asked if path != "/robots.txt"] == kept.of(site)


SITE: dict[str, PageSource] = {
    "/robots.txt": page("User-agent: *\nDisallow: /private\n", "text/plain"),
    "/": article(
        "Start",
        "/a",
        "a?utm_source=start",
        "/private/x",
        "/gone",
        "/old",
        "/same",
        "/print?id=1",
        "/hidden",
        "/leaf",
        "/picture.png",
        "/blob",
        "/twin",
        "/elsewhere",
        "/busy",
        "http://10.0.0.1/",
        "http://other.example/",
        "/round/round/round/round",
        "mailto:me@example.org",
        "#top",
        "http://[",
        "/notes.txt",
        "/loop/1",
    ),
    "/a": article("A", "/", "/a", "/b"),
    "/b": article("B", "/c"),
    "/c": article("C", "/d"),
    "/d": article("D"),
    "/old": moved("/b"),
    "/elsewhere": moved("http://127.0.0.2:9/"),
    "/loop/1": moved("/loop/2"),
    "/loop/2": moved("/loop/1"),
    "/same": article("Same", words="These words stand at two addresses."),
    "/twin": article("Same", words="These words stand at two addresses."),
    "/print?id=1": article("Print", head='<link rel="canonical" href="/print">'),
    "/print": article("Print"),
    "/hidden": article("Hidden", "/found", head='<meta name="robots" content="noindex">'),
    "/found": article("Found"),
    "/leaf": article("Leaf", "/unseen", head='<meta name="robots" content="nofollow">'),
    "/unseen": article("Unseen"),
    "/blob": page(b"\0\1\2", "application/octet-stream"),
    "/notes.txt": page("Notes stand here.", "text/plain"),
    "/busy": script(page("", status=429, Retry_After="0"), article("Busy")),
}


def test_a_site_with_everything_is_crawled_as_its_owner_wants(tmp_path: Path) -> None:
    with Site(SITE) as site:
        status = crawled(tmp_path, site, kept := Kept(), mode="recursive", depth=3, max_pages=100)
        failed = {url.removeprefix(site.url("")): reason for url, reason in status.errors}
        assert set(kept.of(site)) == {
            "/",
            "/a",
            "/b",
            "/c",
            "/same",
            "/print?id=1",
            "/found",
            "/leaf",
            "/notes.txt",
            "/busy",
        }
        assert len(kept.documents) == 10
        assert set(failed) == {"/gone", "/blob", "/loop/2"}
        assert "404" in failed["/gone"]
        assert "octet-stream" in failed["/blob"]
        asked = [path for path in site.asked if path != "/busy"]
        assert len(asked) == len(set(asked))
        assert not {"/private/x", "/unseen", "/picture.png", "/d", "/round/round/round/round"} & set(asked)
        # the twin and the hidden page were fetched, and have their reasons not to be kept
        assert progress(status) == ("done", 12, 3, 15)
        assert set(site.agents) == {"Asof/1"}


def test_pages_that_robots_txt_forbids_are_counted_once_each_and_are_no_failures(tmp_path: Path) -> None:
    rules = page("User-agent: *\nDisallow: /private\nDisallow: /*.png\n", "text/plain")
    both = ("/private/x?utm_source=a", "/private/x", "/private/y", "/private/z.png", "http://other.example/private")
    pages = {"/robots.txt": rules, "/": article("Start", "/a", *both), "/a": article("A", "/", *both, "/private/w")}
    with Site(pages) as site:
        status = crawled(tmp_path, site, Kept(), mode="recursive", max_pages=10)
    assert (progress(status), status.errors, status.left_out) == (("done", 2, 0, 2), (), 3)
    assert not any(path.startswith("/private") for path in site.asked)
    assert "left" not in " ".join(status.document())


def test_a_link_whose_robots_txt_cannot_be_read_is_listed_with_that_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visits, "_ROBOTS_STAY", 0.0)
    rules = script(page("", "text/plain"), page("", status=500))
    with Site({"/robots.txt": rules, "/": article("Start", "/a", "/b"), "/a": article("A")}) as site:
        status = crawled(tmp_path, site, kept := Kept(), mode="recursive")
        assert site.times("/robots.txt") == 4, "once for all links of a page, and once for each page"
    assert (kept.of(site), progress(status), status.left_out) == (["/"], ("done", 1, 2, 3), 0)
    assert all("Asof cannot read the robots.txt of 127.0.0.1" in problem for _, problem in status.errors)


def test_a_link_is_taken_in_whose_robots_txt_can_be_had_again_when_its_turn_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visits, "_ROBOTS_STAY", 0.0)
    rules = script(page("", "text/plain"), page("", status=429), page("", "text/plain"))
    with Site({"/robots.txt": rules, "/": article("Start", "/a"), "/a": article("A")}) as site:
        status = crawled(tmp_path, site, kept := Kept(), mode="recursive")
    assert (kept.of(site), progress(status), status.left_out) == (["/", "/a"], ("done", 2, 0, 2), 0)


def test_a_page_whose_own_address_was_taken_in_is_left_out(tmp_path: Path) -> None:
    own = '<link rel="canonical" href="/p">'
    pages = {"/": article("Start", "/p", "/p/"), "/p/": article("P at 10:03", head=own), "/p": article("P")}
    with Site(pages) as site:
        status = crawled(tmp_path, site, kept := Kept(), mode="recursive")
    assert (kept.of(site), progress(status)) == (["/", "/p"], ("done", 3, 0, 3))


def test_a_page_whose_own_address_cannot_be_had_is_taken_in(tmp_path: Path) -> None:
    pages = {"/": article("Start", "/p/", "/p"), "/p/": article("P", head='<link rel="canonical" href="/p">')}
    with Site(pages) as site:
        status = crawled(tmp_path, site, kept := Kept(), mode="recursive")
    assert (kept.of(site), progress(status)) == (["/", "/p"], ("done", 2, 1, 3))


def test_of_two_pages_that_name_each_other_one_is_taken_in(tmp_path: Path) -> None:
    pages = {
        "/": article("Start", "/a", "/a/"),
        "/a": article("A", head='<link rel="canonical" href="/a/">'),
        "/a/": article("A", head='<link rel="canonical" href="/a">'),
    }
    with Site(pages) as site:
        crawled(tmp_path, site, kept := Kept(), mode="recursive")
    assert kept.of(site) == ["/", "/a/"]


def test_pages_that_claim_one_address_for_different_texts_keep_their_own(tmp_path: Path) -> None:
    own = '<link rel="canonical" href="/list">'
    pages = {f"/list?page={n}": article(f"Part {n}", head=own) for n in (1, 2, 3)}
    with Site({"/": article("Start", *pages), **pages}) as site:
        crawled(tmp_path, site, kept := Kept(), mode="recursive")
    assert kept.of(site) == ["/", "/list?page=1", "/list?page=2", "/list?page=3"]


def test_parts_of_a_list_that_name_its_first_part_are_each_taken_in(tmp_path: Path) -> None:
    own = '<link rel="canonical" href="/blog">'
    pages = {
        "/blog?page=2": article("Second", "/blog", "/blog?page=3", head=own),
        "/blog": article("First", head=own),
        "/blog?page=3": article("Third", head=own),
    }
    with Site(pages) as site:
        crawled(tmp_path, site, kept := Kept(), "/blog?page=2", mode="recursive")
    assert {one["title"]: path for one, path in zip(kept.documents, kept.of(site), strict=True)} == {
        "Second": "/blog?page=2",
        "First": "/blog",
        "Third": "/blog?page=3",
    }


def test_a_page_that_claims_the_address_of_another_page_is_not_believed(tmp_path: Path) -> None:
    front = '<link rel="canonical" href="/">'
    with Site({"/": article("Start", "/a", "/b"), **{f"/{n}": article(n, head=front) for n in "ab"}}) as site:
        crawled(tmp_path, site, kept := Kept(), mode="recursive")
    assert kept.of(site) == ["/", "/a", "/b"]


def test_what_the_first_of_two_headers_asks_for_holds(tmp_path: Path) -> None:
    raw = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Robots-Tag: noindex\r\n"
    raw += b"X-Robots-Tag: unavailable_after: 25 Jun 2030 15:00:00 PST\r\n\r\n<p>Words."
    with Site({"/": article("Start", "/a"), "/a": Answer(raw=raw)}) as site:
        crawled(tmp_path, site, kept := Kept(), mode="recursive")
    assert kept.of(site) == ["/"]


def test_a_link_that_asks_not_to_be_followed_is_not(tmp_path: Path) -> None:
    with Site(
        {"/": page('<a rel="nofollow" href="/a">A</a><a href="/b">B</a> and some words.'), "/b": article("B")}
    ) as site:
        crawled(tmp_path, site, kept := Kept(), mode="recursive")
    assert kept.of(site) == ["/", "/b"]


def test_what_a_header_asks_for_holds_as_what_a_page_asks_for(tmp_path: Path) -> None:
    hidden = page('<p>Words.</p><a href="/b">B</a>', X_Robots_Tag="noindex, nofollow")
    with Site({"/": article("Start", "/a"), "/a": hidden, "/b": article("B")}) as site:
        crawled(tmp_path, site, kept := Kept(), mode="recursive")
    assert kept.of(site) == ["/"]


@two_addresses
def test_the_host_that_the_first_page_leads_to_is_the_one_that_is_crawled(tmp_path: Path) -> None:
    with Site({"/": article("Home", "/a"), "/a": article("A")}, host="127.0.0.2") as home:
        with Site({"/": moved(home.url()), "/a": article("Not this")}) as first:
            kept = Kept()
            with opened(tmp_path, first, home) as services, working(services, kept):
                crawl_id = start_crawl(services.workspace(W), first.url(), mode="recursive")
                services.jobs.wait(crawl_id, LONG)
        assert kept.of(home) == ["/", "/a"]
        assert first.asked == ["/robots.txt", "/"]


@two_addresses
def test_a_page_below_that_leads_to_another_host_is_left_out(tmp_path: Path) -> None:
    with (
        Site({"/": article("Other")}, host="127.0.0.2") as other,
        Site({"/": article("Start", "/away"), "/away": moved(other.url())}) as site,
        opened(tmp_path, site, other) as services,
        working(services, kept := Kept()),
    ):
        crawl_id = start_crawl(services.workspace(W), site.url(), mode="recursive")
        services.jobs.wait(crawl_id, LONG)
        assert progress(crawl_status(services.workspace(W), crawl_id)) == ("done", 1, 0, 1)
        assert (kept.of(site), other.connections) == (["/"], 0)
        (_, away) = services.accounts.jobs.items(crawl_id)
        assert away.result == {"moved_to": other.url(), "left_out": "The page redirects to another site."}
