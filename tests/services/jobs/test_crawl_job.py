"""Crawls of a site on loopback, which has everything that sites have: they come as asked for, and stay in bounds."""

import gzip
from pathlib import Path

import pytest

from services.core.errors import BadInput, FetchRefused
from services.jobs.crawl_job import crawl_status, start_crawl
from services.web import visits
from services.writing.locks import writer_if_free
from tests.fakes.site import Answer, PageSource, Site, article, moved, page, script
from tests.services.jobs.crawls import LONG, Kept, W, crawled, opened, told, working
from tests.services.web.conftest import two_addresses

pytestmark = pytest.mark.usefixtures("quick_reading")


# -- one page


def test_one_page_is_taken_in_with_its_title_its_text_and_its_date(tmp_path: Path) -> None:
    head = '<meta property="article:published_time" content="2021-05-06T00:00:00Z">'
    with Site({"/a?x=1": article("Ants", "/b", head=head), "/b": article("Bees")}) as site:
        kept = Kept()
        status = crawled(tmp_path, site, kept, "/a?x=1#top", options={"tags": ["insects"]})
    assert told(status) == ("done", 1, 0, 1)
    assert site.asked == ["/robots.txt", "/a?x=1"]
    (document,) = kept.documents
    assert (document["id"], document["title"], document["tags"]) == (site.url("/a?x=1"), "Ants", ["insects"])
    assert document["text"].startswith("# Ants\n")
    assert "in a paragraph that no other page" in document["text"]
    assert document["reference_time"] == "2021-05-06T00:00:00+00:00"


def test_a_page_without_a_date_has_that_of_its_last_change(tmp_path: Path) -> None:
    plain = page("Ants carry leaves.\n", "text/plain", Last_Modified="Sun, 06 Nov 1994 08:49:37 GMT")
    with Site({"/ants.txt": plain}) as site:
        crawled(tmp_path, site, kept := Kept(), "/ants.txt")
    (document,) = kept.documents
    assert (document["text"], document["format"]) == ("Ants carry leaves.\n", "text")
    assert document["reference_time"] == "1994-11-06T08:49:37+00:00"


def test_a_page_that_was_made_for_this_visit_has_no_date(tmp_path: Path) -> None:
    plain = page("Ants.", "text/plain", Last_Modified="Fri, 01 Jan 2100 00:00:00 GMT")
    with Site({"/ants.txt": plain}) as site:
        crawled(tmp_path, site, kept := Kept(), "/ants.txt")
    assert kept.documents[0]["reference_time"] == ""


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (
            "text/html; charset=iso-8859-1",
            "<html><body><p>Käfer und Ameisen leben überall auf der Erde.</p></body></html>",
        ),
        ("text/html", "<html><head><meta charset=windows-1252></head><body><p>Käfer überall.</p></body></html>"),
        ("text/html; charset=utf-8", "<html><body><p>Käfer überall, sagt der Kopf zu Unrecht.</p></body></html>"),
    ],
)
def test_a_page_is_read_in_its_charset_also_when_its_head_is_wrong(tmp_path: Path, kind: str, body: str) -> None:
    with Site({"/": page(body.encode("cp1252"), kind)}) as site:
        crawled(tmp_path, site, kept := Kept())
    assert "Käfer" in kept.documents[0]["text"]


def test_a_page_that_moved_is_one_page_under_its_last_address(tmp_path: Path) -> None:
    with Site({"/": moved("/a"), "/a": moved("/b", 302), "/b": article("Bees")}) as site:
        status = crawled(tmp_path, site, kept := Kept())
    assert told(status) == ("done", 1, 0, 1)
    assert kept.of(site) == ["/b"]


def test_a_page_that_sends_its_readers_on_is_a_redirect(tmp_path: Path) -> None:
    sends = page('<meta http-equiv="refresh" content="0; url=en/">')
    with Site({"/": sends, "/en/": article("English", "/b"), "/b": article("Bees")}) as site:
        status = crawled(tmp_path, site, kept := Kept(), mode="recursive")
    assert (kept.of(site), told(status)) == (["/en/", "/b"], ("done", 2, 0, 2))


def test_a_page_asked_for_by_name_is_kept_though_it_wants_no_index(tmp_path: Path) -> None:
    with Site({"/": article("A", head='<meta name="robots" content="noindex">')}) as site:
        crawled(tmp_path, site, kept := Kept())
    assert kept.of(site) == ["/"]


@pytest.mark.parametrize(
    ("pages", "reason"),
    [
        ({}, "404 (Not Found)"),
        ({"/robots.txt": page("User-agent: *\nDisallow: /", "text/plain"), "/": article("A")}, "robots.txt"),
        ({"/robots.txt": page("", status=500), "/": article("A")}, "cannot be had"),
        ({"/": moved("/")}, "leads back to itself"),
        ({"/": moved("/a"), "/a": moved("/b"), "/b": moved("/")}, "leads back to itself"),
        ({"/": moved("/0"), **{f"/{n}": moved(f"/{n + 1}") for n in range(20)}}, "more than 5 redirects"),
        ({"/": moved("http://10.0.0.1/")}, "may not be asked"),
        ({"/": moved("file:///etc/passwd")}, "no address"),
        ({"/": page(b"\x89PNG\r\n", "image/png")}, "image/png"),
        ({"/": page(b"\0\1\2\3" * 500)}, "holds bytes that no text has"),
        ({"/": page(b"x" * 1_500_000)}, "larger than 1 MB"),
        ({"/": page("")}, "empty"),
        ({"/": Answer(raw=b"garbage\r\n\r\n")}, "could not be asked"),
        ({"/": page("", status=503, Retry_After="3600")}, "busy"),
    ],
    ids=[
        "missing",
        "not allowed",
        "no robots.txt",
        "loop",
        "long loop",
        "many redirects",
        "private",
        "file",
        "picture",
        "binary",
        "huge",
        "empty",
        "garbage",
        "busy",
    ],
)
def test_a_page_that_cannot_be_had_is_told_with_the_reason(
    tmp_path: Path, pages: dict[str, PageSource], reason: str
) -> None:
    with Site(pages) as site:
        status = crawled(tmp_path, site, kept := Kept())
    assert told(status) == ("done", 0, 1, 1)
    assert reason in status.errors[0][1]
    assert kept.documents == []


def test_a_redirect_to_a_private_address_is_refused_before_it_is_connected_to(tmp_path: Path) -> None:
    with Site({"/": article("Secret")}) as private, Site({"/": moved(private.url())}) as site:
        status = crawled(tmp_path, site, Kept())
        assert private.connections == 0
    assert "may not be asked" in status.errors[0][1]
    assert private.url() in status.errors[0][0]


# -- following links


def branching(most: int) -> dict[str, PageSource]:
    """A binary tree of pages: /1 has /2 and /3, these have /4 to /7, and so on, each with a link back."""
    tree: dict[str, PageSource] = {
        f"/{n}": article(f"Page {n}", f"/{2 * n}", f"/{2 * n + 1}", f"/{n // 2 or 1}") for n in range(1, most)
    }
    return {"/": article("Start", "/1"), **tree}


def test_links_are_followed_breadth_first_as_deep_as_asked(tmp_path: Path) -> None:
    with Site(branching(64)) as site:
        status = crawled(tmp_path, site, kept := Kept(), mode="recursive", depth=3, max_pages=100)
    assert kept.of(site) == ["/", "/1", "/2", "/3", "/4", "/5", "/6", "/7"]
    assert told(status) == ("done", 8, 0, 8)
    assert len(site.asked) == len(set(site.asked))


def test_no_more_pages_are_asked_for_than_wanted(tmp_path: Path) -> None:
    with Site(branching(64)) as site:
        status = crawled(tmp_path, site, kept := Kept(), mode="recursive", depth=9, max_pages=5)
    assert kept.of(site) == ["/", "/1", "/2", "/3", "/4"]
    assert told(status) == ("done", 5, 0, 5)
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
        assert told(status) == ("done", 12, 3, 15)
        assert set(site.agents) == {"Asof/1"}


def test_pages_that_robots_txt_forbids_are_counted_once_each_and_are_no_failures(tmp_path: Path) -> None:
    rules = page("User-agent: *\nDisallow: /private\nDisallow: /*.png\n", "text/plain")
    both = ("/private/x?utm_source=a", "/private/x", "/private/y", "/private/z.png", "http://other.example/private")
    pages = {"/robots.txt": rules, "/": article("Start", "/a", *both), "/a": article("A", "/", *both, "/private/w")}
    with Site(pages) as site:
        status = crawled(tmp_path, site, Kept(), mode="recursive", max_pages=10)
    assert (told(status), status.errors, status.left_out) == (("done", 2, 0, 2), (), 3)
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
    assert (kept.of(site), told(status), status.left_out) == (["/"], ("done", 1, 2, 3), 0)
    assert all("robots.txt of 127.0.0.1 cannot be had" in problem for _, problem in status.errors)


def test_a_link_is_taken_in_whose_robots_txt_can_be_had_again_when_its_turn_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visits, "_ROBOTS_STAY", 0.0)
    rules = script(page("", "text/plain"), page("", status=429), page("", "text/plain"))
    with Site({"/robots.txt": rules, "/": article("Start", "/a"), "/a": article("A")}) as site:
        status = crawled(tmp_path, site, kept := Kept(), mode="recursive")
    assert (kept.of(site), told(status), status.left_out) == (["/", "/a"], ("done", 2, 0, 2), 0)


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


def test_a_page_whose_own_address_was_taken_in_is_left_out(tmp_path: Path) -> None:
    own = '<link rel="canonical" href="/p">'
    pages = {"/": article("Start", "/p", "/p/"), "/p/": article("P at 10:03", head=own), "/p": article("P")}
    with Site(pages) as site:
        status = crawled(tmp_path, site, kept := Kept(), mode="recursive")
    assert (kept.of(site), told(status)) == (["/", "/p"], ("done", 3, 0, 3))


def test_a_page_whose_own_address_cannot_be_had_is_taken_in(tmp_path: Path) -> None:
    pages = {"/": article("Start", "/p/", "/p"), "/p/": article("P", head='<link rel="canonical" href="/p">')}
    with Site(pages) as site:
        status = crawled(tmp_path, site, kept := Kept(), mode="recursive")
    assert (kept.of(site), told(status)) == (["/", "/p"], ("done", 2, 1, 3))


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
        assert told(crawl_status(services.workspace(W), crawl_id)) == ("done", 1, 0, 1)
        assert (kept.of(site), other.connections) == (["/"], 0)
        (_, away) = services.accounts.jobs.items(crawl_id)
        assert away.result == {"moved_to": other.url(), "left_out": "It leads to another site."}


# -- sitemaps


def urlset(*urls: str) -> bytes:
    return f"<urlset>{''.join(f'<url><loc>{url}</loc></url>' for url in urls)}</urlset>".encode()


def index(*urls: str) -> bytes:
    return f"<sitemapindex>{''.join(f'<sitemap><loc>{url}</loc></sitemap>' for url in urls)}</sitemapindex>".encode()


ARTICLES: dict[str, PageSource] = {f"/{name}": article(name.upper(), "/not-listed") for name in "abcd"}


def test_the_pages_of_a_site_s_sitemap_are_taken_in_and_no_others(tmp_path: Path) -> None:
    with Site({**ARTICLES, "/": article("Start")}) as site:
        site.pages["/sitemap.xml"] = page(
            urlset(site.url("/a"), "/b", "http://other.example/c", "no:address"), "text/xml"
        )
        status = crawled(tmp_path, site, kept := Kept(), mode="sitemap")
    assert kept.of(site) == ["/a", "/b"]
    assert told(status) == ("done", 2, 0, 2)


def test_sitemaps_that_robots_txt_names_are_read_an_index_and_packed_ones_too(tmp_path: Path) -> None:
    with Site(ARTICLES) as site:
        robots = f"User-agent: *\nDisallow: /c\nSitemap: {site.url('/maps/index.xml')}\nSitemap: /gone.xml\n"
        site.pages |= {
            "/robots.txt": page(robots, "text/plain"),
            "/maps/index.xml": page(index(site.url("/maps/1.xml.gz"), site.url("/maps/index.xml"), "/maps/2.txt")),
            "/maps/1.xml.gz": page(gzip.compress(urlset(site.url("/b"), site.url("/c"))), "application/gzip"),
            "/maps/2.txt": page(f"{site.url('/a')}\n{site.url('/b')}\n", "text/plain"),
        }
        status = crawled(tmp_path, site, kept := Kept(), mode="sitemap")
        assert site.times("/maps/index.xml") == 1
    assert kept.of(site) == ["/b", "/a"]
    assert (told(status), status.errors, status.left_out) == (("done", 2, 0, 2), (), 1)


def test_pages_of_a_sitemap_that_robots_txt_forbids_count_once_and_take_no_room(tmp_path: Path) -> None:
    listed = urlset("/private/1", "/private/1", "/private/2", "/private/3.png", "/a", "/b")
    rules = page("User-agent: *\nDisallow: /private\n", "text/plain")
    with Site({**ARTICLES, "/robots.txt": rules, "/sitemap.xml": page(listed, "text/xml")}) as site:
        status = crawled(tmp_path, site, kept := Kept(), mode="sitemap", max_pages=2)
        assert not any(path.startswith("/private") for path in site.asked)
    assert (kept.of(site), told(status), status.left_out) == (["/a", "/b"], ("done", 2, 0, 2), 2)


def test_an_index_is_followed_three_deep(tmp_path: Path) -> None:
    with Site(ARTICLES) as site:
        site.pages |= {f"/{n}.xml": page(index(site.url(f"/{n + 1}.xml"))) for n in range(1, 9)}
        crawled(tmp_path, site, Kept(), "/1.xml", mode="sitemap")
    assert site.asked == ["/robots.txt", "/1.xml", "/2.xml", "/3.xml"]


def test_a_sitemap_lists_no_more_pages_than_wanted(tmp_path: Path) -> None:
    with Site(ARTICLES) as site:
        site.pages["/s.xml"] = page(urlset(*(site.url(f"/{name}") for name in "abcd")))
        status = crawled(tmp_path, site, kept := Kept(), "/s.xml", mode="sitemap", max_pages=3)
    assert kept.of(site) == ["/a", "/b", "/c"]
    assert told(status) == ("done", 3, 0, 3)


@pytest.mark.parametrize(
    "answer", [page("", status=404), page("<html><p>No.</p></html>"), page('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')]
)
def test_a_site_without_a_sitemap_is_said_so(tmp_path: Path, answer: Answer) -> None:
    with Site({"/sitemap.xml": answer}) as site:
        status = crawled(tmp_path, site, Kept(), mode="sitemap")
    assert told(status) == ("done", 0, 1, 1)
    assert "No sitemap of 127.0.0.1 lists a page" in status.errors[0][1]


# -- jobs


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
    assert told(status) == ("done", 1, 30, 31)
    assert len(status.errors) == 20


def test_a_page_that_waits_for_review_is_done_for_the_crawl(tmp_path: Path) -> None:
    with Site({"/": article("Start")}) as site:
        status = crawled(tmp_path, site, Kept(state="review"))
    assert told(status) == ("done", 1, 0, 1)


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
        assert told(crawl_status(services.workspace(W), crawl_id)) == ("done", 16, 0, 16)
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
