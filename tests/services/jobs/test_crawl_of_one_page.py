"""Crawls of one page of a site on loopback, however it comes and whatever keeps it from coming."""

from pathlib import Path

import pytest

from tests.fakes.site import Answer, PageSource, Site, article, moved, page
from tests.services.jobs.crawls import Kept, crawled, progress

pytestmark = pytest.mark.usefixtures("quick_reading")


def test_one_page_is_taken_in_with_its_title_its_text_and_its_date(tmp_path: Path) -> None:
    head = '<meta property="article:published_time" content="2021-05-06T00:00:00Z">'
    with Site({"/a?x=1": article("Ants", "/b", head=head), "/b": article("Bees")}) as site:
        kept = Kept()
        status = crawled(tmp_path, site, kept, "/a?x=1#top", options={"tags": ["insects"]})
    assert progress(status) == ("done", 1, 0, 1)
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
    assert progress(status) == ("done", 1, 0, 1)
    assert kept.of(site) == ["/b"]


def test_a_page_that_sends_its_readers_on_is_a_redirect(tmp_path: Path) -> None:
    sends = page('<meta http-equiv="refresh" content="0; url=en/">')
    with Site({"/": sends, "/en/": article("English", "/b"), "/b": article("Bees")}) as site:
        status = crawled(tmp_path, site, kept := Kept(), mode="recursive")
    assert (kept.of(site), progress(status)) == (["/en/", "/b"], ("done", 2, 0, 2))


def test_a_page_asked_for_by_name_is_kept_though_it_wants_no_index(tmp_path: Path) -> None:
    with Site({"/": article("A", head='<meta name="robots" content="noindex">')}) as site:
        crawled(tmp_path, site, kept := Kept())
    assert kept.of(site) == ["/"]


@pytest.mark.parametrize(
    ("pages", "reason"),
    [
        ({}, "404 (Not Found)"),
        ({"/robots.txt": page("User-agent: *\nDisallow: /", "text/plain"), "/": article("A")}, "robots.txt"),
        ({"/robots.txt": page("", status=500), "/": article("A")}, "cannot read the robots.txt"),
        ({"/": moved("/")}, "redirects to itself"),
        ({"/": moved("/a"), "/a": moved("/b"), "/b": moved("/")}, "redirects to itself"),
        ({"/": moved("/0"), **{f"/{n}": moved(f"/{n + 1}") for n in range(20)}}, "redirects more than 5 times"),
        ({"/": moved("http://10.0.0.1/")}, "does not fetch"),
        ({"/": moved("file:///etc/passwd")}, "not a valid web address"),
        ({"/": page(b"\x89PNG\r\n", "image/png")}, "image/png"),
        ({"/": page(b"\0\1\2\3" * 500)}, "it contains binary data"),
        ({"/": page(b"x" * 1_500_000)}, "larger than 1 MB"),
        ({"/": page("")}, "empty"),
        ({"/": Answer(raw=b"garbage\r\n\r\n")}, "could not reach"),
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
    assert progress(status) == ("done", 0, 1, 1)
    assert reason in status.errors[0][1]
    assert kept.documents == []


def test_a_redirect_to_a_private_address_is_refused_before_it_is_connected_to(tmp_path: Path) -> None:
    with Site({"/": article("Secret")}) as private, Site({"/": moved(private.url())}) as site:
        status = crawled(tmp_path, site, Kept())
        assert private.connections == 0
    assert "does not fetch" in status.errors[0][1]
    assert private.url() in status.errors[0][0]
