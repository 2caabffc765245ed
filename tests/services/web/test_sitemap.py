"""Sitemaps of every kind, whole, broken and hostile."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.errors import FetchRefused
from services.web import sitemap
from services.web.sitemap import read_sitemap

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/image"'


def urlset(*pages: str) -> str:
    listed = "".join(f"<url><loc> {page}\n</loc><lastmod>2024-01-01</lastmod></url>" for page in pages)
    return f"{HEAD}<urlset {NAMESPACE}>{listed}</urlset>"


def test_the_pages_of_a_sitemap_are_read_in_order() -> None:
    assert read_sitemap(urlset("http://a/1", "http://a/2?x=1&amp;y=2").encode()).pages == [
        "http://a/1",
        "http://a/2?x=1&y=2",
    ]


def test_pictures_in_a_sitemap_are_no_pages() -> None:
    one = "<url><loc>http://a/1</loc><image:image><image:loc>http://a/1.png</image:loc></image:image></url>"
    assert read_sitemap(f"<urlset {NAMESPACE}>{one}</urlset>".encode()).pages == ["http://a/1"]


def test_an_index_lists_other_sitemaps() -> None:
    index = f"{HEAD}<sitemapindex {NAMESPACE}><sitemap><loc>http://a/1.xml</loc></sitemap></sitemapindex>"
    found = read_sitemap(index.encode())
    assert (found.sitemaps, found.pages) == (["http://a/1.xml"], [])


def test_a_packed_sitemap_is_unpacked() -> None:
    assert read_sitemap(gzip.compress(urlset("http://a/1").encode())).pages == ["http://a/1"]


def test_a_prefix_no_namespace_and_a_byte_order_mark_make_no_difference() -> None:
    prefixed = b'\xef\xbb\xbf <s:urlset xmlns:s="x"><s:url><s:loc>http://a/1</s:loc></s:url></s:urlset>'
    assert read_sitemap(prefixed).pages == ["http://a/1"]
    assert read_sitemap(b"<urlset><url><loc>http://a/1</loc></url></urlset>").pages == ["http://a/1"]
    assert read_sitemap(urlset("http://a/1").replace("UTF-8", "UTF-16").encode("utf-16")).pages == ["http://a/1"]


def test_feeds_and_lists_of_lines_are_sitemaps_too() -> None:
    rss = "<rss><channel><link>http://a/</link><item><link>http://a/1</link></item></channel></rss>"
    atom = '<feed xmlns="http://www.w3.org/2005/Atom"><link href="http://a/"/><entry><link href="http://a/1"/>'
    atom += '<link rel="edit" href="http://a/edit"/></entry></feed>'
    assert read_sitemap(rss.encode()).pages == ["http://a/1"]
    assert read_sitemap(atom.encode()).pages == ["http://a/1"]
    assert read_sitemap(b"\xef\xbb\xbfhttp://a/1\r\n\r\nno address\nhttps://a/2\n").pages == [
        "http://a/1",
        "https://a/2",
    ]


def test_a_sitemap_that_breaks_off_gives_what_stands_before() -> None:
    whole = urlset("http://a/1", "http://a/2").encode()
    assert read_sitemap(whole[: whole.index(b"http://a/2")]).pages == ["http://a/1"]
    assert read_sitemap(gzip.compress(whole)[:-12]).pages


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE urlset [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>',
        '<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE urlset [<!ENTITY % p SYSTEM "http://10.0.0.1/x.dtd"> %p;]>',
    ],
)
def test_a_sitemap_that_defines_entities_is_refused(doctype: str) -> None:
    text = f"{doctype}<urlset><url><loc>http://a/&b;</loc></url></urlset>"
    with pytest.raises(FetchRefused, match="entities"):
        read_sitemap(text.encode())


def test_a_document_type_from_elsewhere_is_not_fetched() -> None:
    text = '<!DOCTYPE urlset SYSTEM "http://10.0.0.1/x.dtd"><urlset><url><loc>http://a/1</loc></url></urlset>'
    assert read_sitemap(text.encode()).pages == ["http://a/1"]


def test_a_sitemap_that_unpacks_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap, "_MOST_BYTES", 1_000_000)
    with pytest.raises(FetchRefused, match="more than 1 MB"):
        read_sitemap(gzip.compress(b"\0" * 1_000_001))


def test_no_more_addresses_are_read_than_a_sitemap_may_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap, "MOST_ADDRESSES", 20)
    many = "<url><loc>http://a/</loc></url>" * 30
    assert len(read_sitemap(f"<urlset>{many}</urlset>".encode()).pages) == 20
    assert len(read_sitemap(b"http://a/\n" * 30).pages) == 20


def test_elements_nested_without_end_are_not_followed() -> None:
    assert read_sitemap(b"<urlset><url><loc>http://a/1</loc></url>" + b"<a>" * 100_000).pages == ["http://a/1"]


@pytest.mark.parametrize("content", [b"", b"<html><body>No.</body></html>", b"\x1f\x8b", b"\x89PNG\r\n", b"{}"])
def test_what_is_no_sitemap_lists_nothing(content: bytes) -> None:
    found = read_sitemap(content)
    assert (found.pages, found.sitemaps) == ([], [])


@given(
    st.binary(max_size=300)
    | st.lists(
        st.sampled_from(
            [
                "<urlset>",
                "<url>",
                "<loc>",
                "http://a/1",
                "</loc>",
                "</url>",
                "&amp;",
                "&x;",
                "<!--",
                "]]>",
                "<?xml?>",
                "\0",
            ]
        )
    ).map(lambda pieces: "".join(pieces).encode())
)
def test_whatever_it_is_it_is_read_or_refused(content: bytes) -> None:
    assert isinstance(read_sitemap(content).pages, list)
