"""What a page's HTML says to a crawler."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.web.markup import Markup, read_markup

PIECES = [
    "<a ",
    "href=",
    "'",
    '"',
    ">",
    "<",
    "/x",
    "<!--",
    "-->",
    "<script>",
    "</script>",
    "<meta name=robots ",
    "content=noindex",
    "<base ",
    "&amp;",
    "&#x2f;",
    "İ",
    "\0",
    " ",
    "</a>",
]


def links(html: str) -> tuple[str, ...]:
    return read_markup(html, "Asof").links


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ('<a href="/a">', ("/a",)),
        ("<A class=x HREF='/a'>", ("/a",)),
        ("<a href=/a>", ("/a",)),
        ("<a\n  href = '/a'\n>", ("/a",)),
        ('<a title="1 > 0" href="/a?x=1&amp;y=2">', ("/a?x=1&y=2",)),
        ('<area href="/a">', ("/a",)),
        ('<a data-href="/no" href="/a">', ("/a",)),
        ('<a href="/a"><a href="/b"><a href="/a">', ("/a", "/b")),
        ('<a name="x"><abbr href="/no"><a href=""><a>', ()),
        ('<a href="#top"><a href="javascript:x()"><a href="MAILTO:a@b"><a href="tel:1"><a href="data:x">', ()),
        ('<a rel="nofollow noopener" href="/no"><a rel=NOFOLLOW href=/no><a rel="next" href="/a">', ("/a",)),
        ('<!-- <a href="/no"> --><a href="/a"><!-- <a href="/no">', ("/a",)),
        ('<script>"<a href=/no>"</script><a href=/a><STYLE><a href=/no></STYLE><script><a href=/no>', ("/a",)),
        ('<link rel="stylesheet" href="/no"><img src="/no">', ()),
    ],
)
def test_links_are_found_where_a_browser_shows_them(html: str, found: tuple[str, ...]) -> None:
    assert links(html) == found


def test_a_page_s_own_address_and_base_are_read() -> None:
    html = '<base href="/docs/"><base href="/no"><link href="/a" rel="canonical"><link rel=canonical href=/no>'
    assert read_markup(html, "Asof") == Markup((), "/a", "/docs/")


@pytest.mark.parametrize(
    ("meta", "index", "follow"),
    [
        ('<meta name="robots" content="noindex">', False, True),
        ('<meta content="NoFollow, NoArchive" name="ROBOTS">', True, False),
        ('<meta name="robots" content="none">', False, False),
        ('<meta name="asof" content="noindex"><meta name="robots" content="nofollow">', False, False),
        ('<meta name="googlebot" content="none">', True, True),
        ('<meta name="robots" content="index, follow">', True, True),
        ('<!-- <meta name="robots" content="none"> -->', True, True),
    ],
)
def test_what_a_page_asks_not_to_be_done_is_read(meta: str, index: bool, follow: bool) -> None:
    found = read_markup(meta, "Asof")
    assert (found.index, found.follow) == (index, follow)


@pytest.mark.parametrize(
    ("content", "to"),
    [
        ("0; url=/en/", "/en/"),
        ("5;URL='/en/'", "/en/"),
        ("0, url = en.html", "en.html"),
        ("30; url=/en/", ""),
        ("5", ""),
    ],
)
def test_a_page_that_leads_on_at_once_is_known(content: str, to: str) -> None:
    assert read_markup(f'<meta http-equiv="Refresh" content="{content}">', "Asof").refresh == to


def test_no_more_links_are_read_than_a_page_may_have() -> None:
    assert len(links("".join(f"<a href=/{n}>" for n in range(6_000)))) == 5_000


@given(st.lists(st.sampled_from(PIECES)).map("".join) | st.text(max_size=100))
def test_whatever_is_wrong_with_a_page_it_is_read(html: str) -> None:
    assert all(read_markup(html, "Asof").links)
