"""Pages of the web give what they say, without what stands around it."""

from collections.abc import Callable

import pytest

from services.core.errors import BadInput
from services.documents.read_file import read_page
from services.documents.webpages import page_text
from tests.files import builders as made
from tests.files.builders import SENTENCE, WRITTEN

pytestmark = pytest.mark.slow

URL = "https://daily.example/news/chief?page=1#top"
RUSSIAN = "Анна Белова стала директором компании Харбор в марте 2024 года. До этого она работала в порту. "


def test_an_article_gives_its_text_its_author_and_its_day() -> None:
    read = read_page(URL, made.article(), "text/html; charset=utf-8")
    assert (read.name, read.kind, read.title, read.author) == ("chief", "web page", "New chief", "Bo Chen")
    assert read.reference_time
    assert read.reference_time.date() == WRITTEN.date()
    assert read.text.startswith("# New chief\n\n## Who\n\n" + SENTENCE)


def test_what_stands_around_an_article_is_left_out() -> None:
    text = read_page(URL, made.article(), "text/html").text
    assert "Sport" not in text
    assert "cookies" not in text


def test_a_page_without_an_article_gives_all_of_its_text() -> None:
    assert "Ada leads." in read_page(URL, b"<p>Ada leads.", "text/html").text


def _page(head: str, body: str) -> bytes:
    return f"<html><head>{head}</head><body>{body}</body></html>".encode()


HISTORY = "<h1>History</h1><p>Vega Motors was founded by Hugo Brandt in 1950. It is based in Linz.</p>"


@pytest.mark.parametrize("head", ["", "<title>History</title>"])
def test_a_short_page_has_its_title_once_and_keeps_its_headings(head: str) -> None:
    read = read_page(URL, _page(head, f"{HISTORY}<h2>Later</h2><p>Ida Moen leads Vega Motors.</p>"), "text/html")
    text = "Vega Motors was founded by Hugo Brandt in 1950. It is based in Linz."
    assert read.text.strip() == f"# History\n\n{text}\n\n## Later\n\nIda Moen leads Vega Motors."


JSON_LD = '<script type="application/ld+json">{}</script>'


@pytest.mark.parametrize(
    ("head", "body", "day"),
    [
        ("", "<p>She became chief on 2021-06-01.</p>", ""),
        ("", '<p>She became chief on <time datetime="2021-06-01">1 June</time>.</p>', ""),
        (JSON_LD.format('{"mentions": {"datePublished": "2021-06-01"}}'), "", ""),
        (JSON_LD.format('{"datePublished": '), "", ""),
        (JSON_LD.format('{"@graph": [{"datePublished": "2021-06-01T08:00:00Z"}]}'), "", "2021-06-01"),
        ('<meta property="article:published_time" content="2021-06-01T08:00:00Z">', "", "2021-06-01"),
        ("", '<time pubdate datetime="2021-06-01">1 June</time>', "2021-06-01"),
    ],
)
def test_the_day_of_a_page_is_what_it_states_of_itself(head: str, body: str, day: str) -> None:
    when = read_page(URL, _page(head, HISTORY + body), "text/html").reference_time
    assert (when.date().isoformat() if when else "") == day


@pytest.mark.parametrize(
    ("encoding", "declared", "meta"),
    [
        ("koi8-r", "KOI8-R", ""),
        ("koi8-r", "", "<meta charset=koi8-r>"),
        ("utf-16", "", ""),
        ("utf-8", "utf-8", "<meta charset=koi8-r>"),
        ("utf-8", "shift_jis", ""),
        ("cp1251", "", ""),
        ("cp1251", "no-such-thing", "<meta charset=windows-1251>"),
    ],
)
def test_a_page_is_read_in_the_encoding_that_it_was_sent_in(encoding: str, declared: str, meta: str) -> None:
    page = f"<html><head>{meta}<title>Харбор</title></head><body><p>{RUSSIAN * 4}</p></body></html>"
    assert page_text(page.encode(encoding), declared) == page


def test_the_header_says_the_encoding_of_a_page() -> None:
    page = f"<html><head><title>Харбор</title></head><body><p>{RUSSIAN * 4}</p></body></html>"
    read = read_page(URL, page.encode("koi8-r"), 'text/html; charset="koi8-r"')
    assert read.title == "Харбор"
    assert RUSSIAN.strip() in read.text


@pytest.mark.parametrize(
    ("url", "make", "sent_as", "kind"),
    [
        ("https://a.example/report.pdf", made.pdf, "application/pdf", "PDF"),
        ("https://a.example/report", made.pdf, "text/html", "PDF"),
        ("https://a.example/minutes", made.docx, "application/octet-stream", "DOCX"),
        ("https://a.example/notes.md", lambda: f"# A\n\n{SENTENCE}".encode(), "text/markdown", "Markdown"),
        ("https://a.example/notes.txt", SENTENCE.encode, "text/plain", "text"),
        ("https://a.example/", made.article, "", "web page"),
        ("https://a.example/x", made.article, "application/xhtml+xml", "web page"),
    ],
)
def test_an_address_gives_what_is_there(url: str, make: Callable[[], bytes], sent_as: str, kind: str) -> None:
    read = read_page(url, make(), sent_as)
    assert read.kind == kind
    assert SENTENCE in read.text


def test_text_is_read_in_the_encoding_that_it_was_sent_in() -> None:
    read = read_page("https://a.example/notes.txt", RUSSIAN.encode("koi8-r"), "text/plain; charset=koi8-r")
    assert (read.text, read.notes) == (RUSSIAN, ())


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"", "This file is empty."),
        (b"<html></html>", "This web page contains no text."),
        (b"\x89PNG\r\n\x1a\n\0", "This is a picture"),
    ],
)
def test_a_page_that_says_nothing_is_refused_in_a_line(content: bytes, line: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_page(URL, content, "text/html")
    assert refused.value.message.startswith(line)
