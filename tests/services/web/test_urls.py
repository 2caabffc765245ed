"""Addresses of pages: what is one, and that each has one spelling."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.errors import FetchRefused
from services.web.urls import MOST_CHARACTERS, read_url

PIECES = st.sampled_from(
    [
        "http",
        "https",
        "ftp",
        ":",
        "/",
        "//",
        "@",
        "?",
        "#",
        "%",
        "%2e",
        "%2F",
        "%zz",
        "..",
        ".",
        "[",
        "]",
        "::1",
        "é",
        "。",
        "１２７",
        "℀",
        "\\",
        " ",
        "\t",
        "\0",
        "a",
        "example.org",
        "xn--",
        "-",
        ":80",
        ":0",
        ":99999",
        "ß",
        "\u200b",
        ";",
        "\ud800",
        "&",
        "=",
    ]
)
"""What addresses are made of, and what breaks them."""
ODD = st.lists(PIECES, max_size=12).map("".join) | st.text(max_size=60)


def test_an_address_has_one_spelling() -> None:
    spellings = [
        "HTTP://Example.ORG:80",
        "http://example.org/",
        "http://example.org/#top",
        "http://example.org./",
        "http://example.org/a/..",
        "http://example.org/%2e",
        "  http://example.org/?  ",
    ]
    assert {str(read_url(one)) for one in spellings} == {"http://example.org/"}


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("http://example.org/Ä?q=ö", "http://example.org/%C3%84?q=%C3%B6"),
        ("http://example.org/%7euser/%c3%84", "http://example.org/~user/%C3%84"),
        ("http://example.org/a/./b/../c", "http://example.org/a/c"),
        ("http://example.org/a%2Fb", "http://example.org/a%2Fb"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("https://example.org:8443/x", "https://example.org:8443/x"),
        ("http://[::1]:8080/x", "http://[::1]:8080/x"),
    ],
)
def test_an_address_is_spelled_for_the_wire(text: str, spelled: str) -> None:
    assert str(read_url(text)) == spelled


@pytest.mark.parametrize(
    "text",
    [
        "",
        "example.org",
        "file:///etc/passwd",
        "gopher://example.org:70/",
        "ftp://example.org/",
        "data:text/html,x",
        "javascript:alert(1)",
        "http://",
        "http:///x",
        "http://:80/",
        "http://example.org:0/",
        "http://example.org:x/",
        "http://example.org:99999/",
        "http://a b/",
        "http://example.org/a b",
        "http://[::1/",
        "http://a\0b/",
        "http://example.org/" + "x" * MOST_CHARACTERS,
        "http://example.org/" + "é" * (MOST_CHARACTERS // 2),
    ],
)
def test_what_is_no_address_of_a_page_is_refused(text: str) -> None:
    with pytest.raises(FetchRefused, match="not a valid web address"):
        read_url(text)


@pytest.mark.parametrize("text", ["http://me:secret@example.org/", "http://me@example.org/", "http://@example.org/"])
def test_an_address_with_a_name_or_a_password_is_refused(text: str) -> None:
    with pytest.raises(FetchRefused, match="password") as refused:
        read_url(text)
    assert "secret" not in str(refused.value)


def test_a_link_is_read_as_a_browser_reads_it() -> None:
    here = read_url("http://example.org/a/b?q=1")
    assert str(here.join(" ../My Report.pdf\n")) == "http://example.org/My%20Report.pdf"
    assert str(here.join("?page=2")) == "http://example.org/a/b?page=2"
    assert str(here.join("//other.example/x")) == "http://other.example/x"
    assert str(here.join("/up\n/here")) == "http://example.org/up/here"
    assert str(here.join("")) == "http://example.org/a/b?q=1"


@given(ODD)
def test_reading_an_address_refuses_or_gives_one_that_reads_the_same(text: str) -> None:
    try:
        url = read_url(text)
    except FetchRefused:
        return
    assert read_url(str(url)) == url
    assert str(url).isascii()
    assert str(url).startswith(f"{url.site}/")


@given(ODD)
def test_following_a_link_refuses_or_gives_one_that_reads_the_same(link: str) -> None:
    try:
        url = read_url("https://example.org/a/b?c=d").join(link)
    except FetchRefused:
        return
    assert read_url(str(url)) == url
    assert url.join(str(url)) == url
