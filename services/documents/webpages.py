"""What an HTML page says. To be called in a sandboxed process only."""

import json
import re
from collections.abc import Iterator
from typing import Any

from services.documents.encodings import decoded, encoding_in_html, is_unicode, known_encoding
from services.documents.text_formats import readable, title_of

_SHORTEST = 200
"""The encoding of fewer bytes than this cannot be told from what they look like."""
_HEADING = re.compile(r"^#{1,6} ", re.MULTILINE)
_HEADED = re.compile(r"<h[1-6][\s>]", re.IGNORECASE)
_LIST = re.compile(r"^\s*(?:[-*|]|\d+\.) ?", re.MULTILINE)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?")
_DATES = (
    "article:published_time",
    "og:published_time",
    "datepublished",
    "date",
    "dc.date",
    "dc.date.issued",
    "dcterms.date",
    "dcterms.issued",
    "dcterms.created",
    "pubdate",
    "publishdate",
    "citation_publication_date",
)
"""What pages call their own date among their meta data."""


def read_html(content: bytes) -> dict[str, Any]:
    """A file in HTML: all of its text."""
    html = page_text(content, "")
    text, format = readable(html, "html")
    return {"kind": "HTML", "text": text, "format": format, "title": title_of(html, "html")}


def read_article(content: bytes, url: str, declared: str) -> dict[str, Any]:
    """A page of the web: its main text without what stands around it; all of it where there is none to be told.

    `when` is the day that the page states of itself, never one that its text tells.
    """
    import trafilatura  # takes a quarter of a second, which files in HTML are spared

    html = page_text(content, declared)
    about = trafilatura.extract_metadata(html, default_url=url, extensive=False)
    title = (about and about.title) or title_of(html, "html")
    text = _main_text(html, url) or readable(html, "html")[0]
    return {
        "kind": "web page",
        "text": _titled(text, title),
        "format": "markdown",
        "title": title,
        "author": (about and about.author) or "",
        "when": _stated(html),
    }


def _main_text(html: str, url: str) -> str:
    """The main text in Markdown. Of a short page the headings may get lost, unless more of the page is kept."""
    text = _extracted(html, url, wide=False)
    if not text or _HEADING.search(text) or not _HEADED.search(html):
        return text
    whole = _extracted(html, url, wide=True)
    if _HEADING.search(whole) and len(whole) <= 2 * len(text):
        return whole
    return text if "\n\n" in text or _LIST.search(text) else text.replace("\n", "\n\n")


def _extracted(html: str, url: str, wide: bool) -> str:
    import trafilatura

    found = trafilatura.extract(
        html,
        url=url,
        output_format="markdown",
        include_comments=False,
        include_tables=True,
        include_formatting=True,
        favor_recall=wide,
    )
    return found or ""


def _titled(text: str, title: str) -> str:
    """The text under its title, which stands there once."""
    first, _, rest = text.lstrip().partition("\n")
    if title and " ".join(first.lstrip("# ").split()) == " ".join(title.split()):
        text = rest.lstrip("\n")
    elif not title or first.startswith("# "):
        return text
    return f"# {title}\n\n{text}"


def _stated(html: str) -> str:
    """When the page says in its meta data that it was published, or nothing."""
    import trafilatura

    page = trafilatura.load_html(html)
    if page is None:
        return ""
    days = [
        one.get("content") or ""
        for one in page.iter("meta")
        if (one.get("property") or one.get("name") or one.get("itemprop") or "").lower() in _DATES
    ]
    scripts = [one.text or "" for one in page.iter("script") if one.get("type") == "application/ld+json"]
    days += [day for script in scripts for day in _published(script)]
    days += [
        one.get("datetime") or ""
        for one in page.iter("time")
        if one.get("pubdate") is not None or (one.get("itemprop") or "").lower() == "datepublished"
    ]
    return next((found[0] for day in days if (found := _DAY.match(day.strip()))), "")


def _published(script: str) -> Iterator[str]:
    """The `datePublished` of what JSON-LD describes, not of what that only names."""
    try:
        data = json.loads(script)
    except (ValueError, RecursionError):
        return
    for one in data if isinstance(data, list) else [data]:
        graph = one.get("@graph") if isinstance(one, dict) else None
        for thing in [one, *(graph if isinstance(graph, list) else [])]:
            if isinstance(thing, dict) and isinstance(thing.get("datePublished"), str):
                yield thing["datePublished"]


def page_text(content: bytes, declared: str) -> str:
    """A page as text: by its byte order mark, what it was sent as, its own `<meta>`, or what it looks like."""
    encoding = known_encoding(declared) or known_encoding(encoding_in_html(content))
    if not encoding and len(content) >= _SHORTEST and not is_unicode(content):
        from trafilatura.utils import detect_encoding

        encoding = next(iter(detect_encoding(content)), "")
    return decoded(content, declared=encoding)
