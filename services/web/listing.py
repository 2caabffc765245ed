"""The pages that a site lists of itself, found from any of its addresses."""

from collections import deque
from collections.abc import Iterator

from services.core.errors import FetchRefused, HostRefused
from services.web.crawl_limits import home_of
from services.web.sitemap import read_sitemap
from services.web.urls import Url, joined
from services.web.visits import Visits

_DEEPEST = 3
"""A sitemap may list others, these others, and no further."""
_MOST_FILES = 50
_ENDINGS = (".xml", ".xml.gz", ".txt", ".txt.gz", ".rss", ".atom")


def listed_pages(visits: Visits, url: Url) -> Iterator[Url]:
    """The addresses that the site's sitemaps list, in their order, those of its own host only.

    The sitemap is the address itself, where that is one; else what robots.txt names; else `/sitemap.xml`. Raises
    `FetchRefused` where there is none, which says what was in the way, and `Cancelled`.
    """
    problem: FetchRefused | None = None
    for start in _starts(visits, url):
        found = False
        try:
            for page in _walk(visits, start, home_of(url)):
                found = True
                yield page
        except FetchRefused as refused:
            problem = problem or refused
        if found:
            return
    if isinstance(problem, HostRefused):
        raise problem
    hint = "Follow the site's links instead, or enter the address of its sitemap."
    why = f" {problem.message}" if problem is not None else ""
    raise FetchRefused(f"No sitemap of {url.host} lists any of its pages.{why}", hint) from problem


def _starts(visits: Visits, url: Url) -> Iterator[list[Url]]:
    """Sitemaps to try, the first that lists anything counts."""
    if url.path.lower().endswith(_ENDINGS):
        yield [url]
        return
    yield list(joined(url, visits.rules(url).sitemaps))
    yield [url.join("/sitemap.xml")]


def _walk(visits: Visits, start: list[Url], home: str) -> Iterator[Url]:
    """The pages of sitemaps and of those that they list, breadth first. One that cannot be had is passed over, unless
    it is the only one to begin with."""
    homes, seen, left = {home}, set(start), deque((url, 1) for url in start)
    asked = 0
    while left and asked < _MOST_FILES:
        (url, depth), asked = left.popleft(), asked + 1
        try:
            answer = visits.file(url)
            listed = read_sitemap(answer.content)
        except FetchRefused:
            if len(start) == 1 and depth == 1:
                raise
            continue
        if home_of(url) == home:
            homes.add(home_of(answer.url))
        yield from (page for page in joined(answer.url, listed.pages) if home_of(page) in homes)
        if depth < _DEEPEST:
            near = homes | {home_of(answer.url)}
            fresh = {one: None for one in joined(answer.url, listed.sitemaps) if home_of(one) in near}
            left += ((one, depth + 1) for one in fresh if one not in seen)
            seen |= set(fresh)
