"""The bounds of a crawl."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.errors import BadInput, FetchRefused
from services.web.crawl_limits import (
    Crawl,
    Frontier,
    checked,
    home_of,
    is_crawler_trap,
    is_read,
    is_respelled,
    without_tracking,
)
from services.web.urls import Url, read_url


def at(path: str) -> Url:
    return read_url(f"http://example.org{path}")


def test_what_was_asked_for_is_kept_with_the_job() -> None:
    crawl = checked(Crawl("HTTP://Example.org", "recursive", 7, 2))
    assert crawl.url == "http://example.org/"
    assert Crawl.of({**crawl.options(), "tags": []}) == crawl


@pytest.mark.parametrize(
    "crawl",
    [
        Crawl("http://a/", max_pages=0),
        Crawl("http://a/", max_pages=501),
        Crawl("http://a/", depth=-1),
        Crawl("http://a/", depth=11),
        Crawl("http://a/", mode="all"),
    ],  # type: ignore[arg-type]
)
def test_numbers_that_cannot_be_are_refused(crawl: Crawl) -> None:
    with pytest.raises(BadInput):
        checked(crawl)


def test_an_address_that_no_page_can_have_is_refused() -> None:
    with pytest.raises(FetchRefused):
        checked(Crawl("file:///etc/passwd"))


def test_no_more_pages_are_queued_than_were_asked_for() -> None:
    frontier = Frontier(Crawl("", max_pages=3), [str(at("/"))], 1)
    assert [frontier.admit(at(path)) for path in ("/a", "/b", "/c")] == [True, True, False]
    assert frontier.is_full


def test_a_page_is_queued_once() -> None:
    frontier = Frontier(Crawl("", max_pages=9), [str(at("/"))], 1)
    assert [frontier.admit(at(path)) for path in ("/", "/a", "/a", "/a#b")] == [False, True, False, False]


def test_redirects_are_known_and_take_no_room() -> None:
    frontier = Frontier(Crawl("", max_pages=2), [str(at("/")), str(at("/moved"))], 1)
    assert [frontier.admit(at(path)) for path in ("/moved", "/a", "/b")] == [False, True, False]


def test_a_path_is_asked_for_with_so_many_queries_and_no_more() -> None:
    frontier = Frontier(Crawl("", max_pages=500), [str(at(f"/cal?d={n}")) for n in range(30)], 30)
    assert sum(frontier.admit(at(f"/cal?d={n}")) for n in range(30, 200)) == 20
    assert frontier.admit(at("/cal"))
    assert frontier.admit(at("/other?d=1"))


@given(st.lists(st.integers(0, 60), max_size=80), st.integers(1, 10))
def test_whatever_a_site_links_to_the_crawl_stays_in_its_bounds(links: list[int], most: int) -> None:
    frontier = Frontier(Crawl("", max_pages=most), [], 0)
    admitted = [n for n in links if frontier.admit(at(f"/{n}"))]
    assert len(admitted) == len(set(admitted)) == min(most, len(set(links)))


@pytest.mark.parametrize(
    ("path", "astray"),
    [
        ("/a/b/a/b/a/b", False),
        ("/a/b/a/b/a/b/a/b", True),
        ("/2024/01/01/01/post", False),
        ("/" + "x" * 500, True),
        ("/photo.JPG", True),
        ("/app.js?v=3", True),
        ("/manual.pdf", False),
        ("/v1.2", False),
        ("/", False),
    ],
)
def test_circles_and_what_holds_no_text_are_left_out(path: str, astray: bool) -> None:
    assert is_crawler_trap(at(path)) is astray


def test_what_only_says_who_came_from_where_is_left_out() -> None:
    assert str(without_tracking(at("/a?utm_source=x&id=3&gclid=y&PHPSESSID=z"))) == "http://example.org/a?id=3"
    assert without_tracking(at("/a?fbclid=1")) == at("/a")
    assert without_tracking(at("/a?b&c=")) == at("/a?b&c=")


def test_a_host_is_the_same_by_either_way_to_ask_and_with_www() -> None:
    same = ["http://example.org/", "https://www.example.org/a", "https://example.org:443/"]
    assert {home_of(read_url(url)) for url in same} == {"example.org"}
    other = ["http://docs.example.org/", "http://example.org:8080/", "http://example.com/"]
    assert "example.org" not in {home_of(read_url(url)) for url in other}


@pytest.mark.parametrize(
    ("url", "canonical", "believed"),
    [
        ("/a?utm_source=x", "/a", True),
        ("/a?page=2", "/a", False),
        ("/a/?page=2", "/a?page=2", True),
        ("/a/index.html", "/a/", True),
        ("/a/", "/a", True),
        ("/a", "/a", False),
        ("/a", "/", False),
        ("/a", "/b", False),
    ],
)
def test_a_canonical_address_is_believed_where_it_only_spells_the_page_anew(
    url: str, canonical: str, believed: bool
) -> None:
    assert is_respelled(at(url), at(canonical)) is believed


def test_a_canonical_address_on_another_host_is_not_believed() -> None:
    assert not is_respelled(at("/a"), read_url("http://other.example/a"))


def test_what_is_read_goes_by_its_type_and_mere_bytes_by_their_ending() -> None:
    assert is_read("text/html", at("/"))
    assert is_read("application/pdf", at("/x"))
    assert is_read("", at("/x"))
    assert is_read("application/octet-stream", at("/x.pdf"))
    assert not is_read("application/octet-stream", at("/x"))
    assert not is_read("image/png", at("/x.html"))
    assert not is_read("application/json", at("/x"))
