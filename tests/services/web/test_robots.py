"""What a robots.txt lets us ask for, also one that is not there, or was not meant well."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.errors import Cancelled
from services.web.robots import read_robots, robots_of
from services.web.urls import read_url
from tests.fakes.site import Answer, Site, moved, page
from tests.services.web.conftest import fetcher_for

GO_ON = threading.Event()


def allowed(robots: str, *paths: str) -> list[str]:
    rules = read_robots(robots.encode())
    return [path for path in paths if rules.allows(read_url(f"http://example.org{path}"))]


def test_the_longest_rule_counts_and_allow_wins_a_tie() -> None:
    robots = "User-agent: *\nDisallow: /docs\nAllow: /docs/open\nDisallow: /*.pdf$\nAllow: /same\nDisallow: /same\n"
    paths = "/", "/docs/a", "/docs/open/a", "/a.pdf", "/a.pdf?x", "/same"
    assert allowed(robots, *paths) == ["/", "/docs/open/a", "/a.pdf?x", "/same"]


def test_rules_for_us_by_name_take_the_place_of_those_for_all() -> None:
    robots = "User-agent: *\nDisallow: /\n\nUser-agent: ASOF\nDisallow: /private\n"
    assert allowed(robots, "/a", "/private/a") == ["/a"]
    assert allowed("User-agent: *\nDisallow: /a\n\nUser-agent: otherbot\nDisallow: /\n", "/", "/a") == ["/"]


def test_our_name_may_stand_among_others() -> None:
    assert allowed("User-agent: one\nUser-agent: asof\nUser-agent: two\nDisallow: /a\n", "/", "/a") == ["/"]


def test_a_delay_is_kept_to_up_to_thirty_seconds() -> None:
    assert read_robots(b"User-agent: *\nCrawl-delay: 2.5\n").delay == 2.5
    assert read_robots(b"User-agent: *\nCrawl-delay: 86400\n").delay == 30
    assert read_robots(b"User-agent: *\nCrawl-delay: soon\n").delay is None
    assert read_robots(b"User-agent: *\nCrawl-delay: -1\n").delay is None


def test_sitemaps_are_named_wherever_they_stand() -> None:
    robots = b"Sitemap: http://a/1.xml\nUser-agent: *\nDisallow:\nsitemap: /2.xml\n"
    assert read_robots(robots).sitemaps == ("http://a/1.xml", "/2.xml")


@given(st.binary(max_size=400) | st.text(alphabet="user-agent: *\ndisallow/$#ASOF", max_size=200).map(str.encode))
def test_whatever_stands_in_it_it_is_read(content: bytes) -> None:
    rules = read_robots(content)
    assert rules.allows(read_url("http://example.org/robots.txt"))
    assert rules.delay is None or 0 <= rules.delay <= 30


def test_rules_for_very_many_agents_are_read_as_one() -> None:
    many = b"".join(b"User-agent: bot%d\n" % n for n in range(5_000)) + b"Disallow: /x\n" * 5_000
    rules = read_robots(b"User-agent: *\nDisallow: /a\n" + many)
    assert not rules.allows(read_url("http://example.org/a"))
    assert rules.allows(read_url("http://example.org/x"))


@pytest.mark.parametrize("status", [404, 403, 401, 410])
def test_a_site_without_robots_txt_allows_everything(status: int) -> None:
    with Site({"/robots.txt": page("no", status=status)}) as site:
        rules = robots_of(fetcher_for(site), site.url(""), GO_ON)
        assert rules.allows(read_url(site.url("/a")))


@pytest.mark.parametrize(
    "answer",
    [
        page("", status=500),
        page("", status=503),
        page("", status=429),
        Answer(raw=b"garbage\r\n\r\n"),
        moved("http://10.0.0.1/robots.txt"),
        moved("/robots.txt"),
    ],
    ids=["500", "503", "429", "garbage", "private", "loop"],
)
def test_a_site_whose_robots_txt_cannot_be_had_allows_nothing(answer: Answer) -> None:
    with Site({"/robots.txt": answer}) as site:
        rules = robots_of(fetcher_for(site), site.url(""), GO_ON)
    assert rules.refused
    assert not rules.forbids(read_url("https://site.example/a"))
    assert not rules.allows(read_url(site.url("/a")))


def test_a_robots_txt_that_moved_is_read_where_it_is() -> None:
    pages = {"/robots.txt": moved("/r"), "/r": page("User-agent: *\nDisallow: /a", "text/plain")}
    with Site(pages) as site:
        rules = robots_of(fetcher_for(site), site.url(""), GO_ON)
    assert not rules.allows(read_url(site.url("/a")))
    assert rules.allows(read_url(site.url("/b")))


def test_reading_it_can_be_stopped() -> None:
    stop = threading.Event()
    stop.set()
    with Site() as site, pytest.raises(Cancelled):
        robots_of(fetcher_for(site), site.url(""), stop)
