"""Formats are told by endings, and HTML becomes what people read."""

import pytest

from services.core.errors import BadInput
from services.documents.text_formats import format_of, readable, title_of

PAGE = """<!doctype html>
<html><head><title>Ada &amp; Co
 - Profile</title><style>p { color: red }</style><script>if (a < b) alert("</p>")</script></head>
<body><nav><a href="/">Home</a></nav><!-- a comment --><form id="aspnet">
<h1>Profile</h1><p>Ada wrote <b>programs</b>.</p><p># of copies: 3</p>
<h2>Skills</h2><ul><li>Analysis</li><li>Poetry</li></ul>
<pre>def f():
    return 1</pre>
<table><tr><th>Year</th><th>Work</th></tr><tr><td>1843</td><td>Notes</td></tr></table>
<img src="data:image/png;base64,AAAA" alt="a portrait"><svg><text>drawn</text></svg><button>Send</button>
</form></body></html>"""


@pytest.mark.parametrize(
    ("name", "text", "format"),
    [
        ("README.md", "", "markdown"),
        ("a/b/NOTES.Markdown", "", "markdown"),
        ("pep-0484.rst", "", "rst"),
        ("page.HTML", "", "html"),
        ("page.htm", "", "html"),
        ("page.xhtml", "", "html"),
        ("text.txt", "<html>", "text"),
        ("fetched", "\n <!DOCTYPE html><p>x", "html"),
        ("fetched", '\ufeff<?xml version="1.0"?>\n<html lang="en">', "html"),
        ("fetched", "<p>x", "text"),
        ("fetched", "<htmlish>", "text"),
        ("", "", "text"),
        (".md", "# x", "text"),
    ],
)
def test_the_ending_tells_the_format_and_without_one_the_text(name, text, format):
    assert format_of(name, text) == format


def test_line_ends_become_one_character():
    assert readable("\ufeffa\r\nb\rc\n", "text") == ("a\nb\nc\n", "text")
    assert readable("# a\r\n\r\nb", "markdown") == ("# a\n\nb", "markdown")
    assert readable("a\r\n=\r\n", "rst") == ("a\n=\n", "rst")


def test_html_becomes_markdown_without_what_nobody_reads():
    text, format = readable(PAGE, "html")
    assert format == "markdown"
    assert "# Profile\n\nAda wrote **programs**." in text
    assert "## Skills\n\n- Analysis\n- Poetry\n" in text
    assert "```\ndef f():\n    return 1\n```" in text
    assert "| 1843 | Notes |" in text
    assert "a portrait" in text
    for unread in ("alert", "color", "Home", "comment", "Send", "base64", "drawn", "title:"):
        assert unread not in text


def test_a_paragraph_of_html_that_looks_like_a_heading_is_none():
    assert "\\# of copies" in readable(PAGE, "html")[0]


@pytest.mark.parametrize(
    ("text", "format", "title"),
    [
        (PAGE, "html", "Ada & Co - Profile"),
        ("<html><p>x", "html", ""),
        ("---\nauthor: Ada\ntitle: 'My notes'\n---\n# x", "markdown", "My notes"),
        ("PEP: 484\r\nTitle: Type Hints\r\nAuthor: A,\r\n  B\r\n\r\nAbstract\r\n", "rst", "Type Hints"),
        ("Author: A,\n  B\nTitle: Type Hints\n", "rst", "Type Hints"),
        ("Once upon a time\n\nTitle: no", "text", ""),
        ("Title:\nx", "text", ""),
        ("", "text", ""),
    ],
)
def test_a_text_may_tell_its_title(text, format, title):
    assert title_of(text, format) == title


@pytest.mark.parametrize("text", ["", "<", "<p>half of a \ud800 pair", "no tag", "<b><i>" * 500, "\0", "<!--"])
def test_broken_html_is_read_as_far_as_it_goes(text):
    assert isinstance(readable(text, "html")[0], str)
    assert isinstance(title_of(text, "html"), str)


def test_html_that_nests_too_deeply_is_refused_with_words():
    with pytest.raises(BadInput, match="too deeply"):
        readable("<div>" * 3_000 + "x" + "</div>" * 3_000, "html")


def test_html_that_becomes_many_times_its_size_is_refused():
    rows = "<tr>" + "<td colspan=1000>x</td>" * 20 + "</tr>"
    with pytest.raises(BadInput, match="This HTML contains"):
        readable(f"<table>{rows * 80}</table>", "html")
