"""A page as it was fetched becomes a text to keep, and links to follow."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from services.core import clock
from services.core.config import Settings
from services.documents.encodings import decoded, encoding_in_html
from services.documents.read_file import read_page
from services.documents.read_text import ReadLimits, ReadText
from services.web.crawl_limits import is_respelled
from services.web.fetch import AGENT, Fetched
from services.web.markup import read_markup, wishes
from services.web.urls import Url, joined
from services.web.visits import http_date

_HTML = ("text/html", "application/xhtml+xml")
_JUST_NOW = timedelta(hours=1)
"""A page that was changed so lately is made anew for everyone who asks: that is no date of its own."""


@dataclass(frozen=True, slots=True)
class Links:
    """What a page leads to. `canonical` is its own address in another spelling, where it names one; `at_once` is where
    it leads whoever opens it.

    `index` and `follow` are False where the site asks that the page not be kept, or its links not be followed.
    """

    to: tuple[Url, ...] = ()
    canonical: Url | None = None
    at_once: Url | None = None
    index: bool = True
    follow: bool = True


def read_text(found: Fetched, settings: Settings) -> ReadText:
    """The text of what was fetched, with a title, and with when it was written, as it says or as its site does.

    Raises `BadInput` in one line for what cannot be read.
    """
    limits = ReadLimits.up_to(settings.max_file_mb)
    read = read_page(str(found.url), found.content, found.headers.get("content-type", ""), limits=limits)
    return replace(read, title=read.title or found.url.path, reference_time=read.reference_time or _changed(found))


def read_links(found: Fetched) -> Links:
    """What was fetched leads to; nothing, where it is no HTML."""
    rules = wishes(found.headers.get("x-robots-tag", ""))
    index, follow = "noindex" not in rules, "nofollow" not in rules
    if found.content_type not in (*_HTML, ""):
        return Links(index=index, follow=follow)
    charset = found.headers.get("content-type", "").lower().partition("charset=")[2].partition(";")[0].strip(" \"'")
    markup = read_markup(decoded(found.content, declared=charset or encoding_in_html(found.content)), AGENT)
    base = _one(found.url, markup.base) or found.url
    to = tuple(dict.fromkeys(joined(base, markup.links)))
    canonical, at_once = _one(base, markup.canonical), _one(base, markup.refresh)
    return Links(
        to,
        canonical if canonical is not None and is_respelled(found.url, canonical) else None,
        at_once if at_once != found.url else None,
        index and markup.index,
        follow and markup.follow,
    )


def _one(base: Url, reference: str) -> Url | None:
    return next(joined(base, (reference,)), None) if reference else None


def _changed(found: Fetched) -> datetime | None:
    """When the site says that the page was changed last."""
    when = http_date(found.headers.get("last-modified", ""))
    return when if when is not None and when.year > 1990 and when < clock.now() - _JUST_NOW else None
