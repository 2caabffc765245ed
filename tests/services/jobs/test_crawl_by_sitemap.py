"""Crawls of the pages that sitemaps of a site on loopback list."""

import gzip
from pathlib import Path

import pytest

from tests.fakes.site import Answer, PageSource, Site, article, page
from tests.services.jobs.crawls import Kept, crawled, progress

pytestmark = pytest.mark.usefixtures("quick_reading")


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
    assert progress(status) == ("done", 2, 0, 2)


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
    assert (progress(status), status.errors, status.left_out) == (("done", 2, 0, 2), (), 1)


def test_pages_of_a_sitemap_that_robots_txt_forbids_count_once_and_take_no_room(tmp_path: Path) -> None:
    listed = urlset("/private/1", "/private/1", "/private/2", "/private/3.png", "/a", "/b")
    rules = page("User-agent: *\nDisallow: /private\n", "text/plain")
    with Site({**ARTICLES, "/robots.txt": rules, "/sitemap.xml": page(listed, "text/xml")}) as site:
        status = crawled(tmp_path, site, kept := Kept(), mode="sitemap", max_pages=2)
        assert not any(path.startswith("/private") for path in site.asked)
    assert (kept.of(site), progress(status), status.left_out) == (["/a", "/b"], ("done", 2, 0, 2), 2)


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
    assert progress(status) == ("done", 3, 0, 3)


@pytest.mark.parametrize(
    "answer", [page("", status=404), page("<html><p>No.</p></html>"), page('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')]
)
def test_a_site_without_a_sitemap_is_said_so(tmp_path: Path, answer: Answer) -> None:
    with Site({"/sitemap.xml": answer}) as site:
        status = crawled(tmp_path, site, Kept(), mode="sitemap")
    assert progress(status) == ("done", 0, 1, 1)
    assert "No sitemap of 127.0.0.1 lists any of its pages" in status.errors[0][1]
