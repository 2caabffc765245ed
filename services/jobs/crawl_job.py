"""Crawls as jobs: each page is an item, which a page that links to it adds, so that what is left outlives a restart.

A redirect ends its item and queues where it leads; so each page is asked for once, under its last address.
"""

import hashlib
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from services.context import OpenWorkspace
from services.core import clock
from services.core.errors import BadInput, Cancelled, FetchRefused
from services.core.job_records import ItemEnd, ItemSummary, Job, JobItem, NewItem
from services.jobs.processor import JobContext, Processor
from services.jobs.texts import text_item
from services.mirror.mirror import Mirror
from services.web.crawl_limits import (
    FORBIDDEN,
    MOST_FORBIDDEN,
    Crawl,
    Frontier,
    Mode,
    checked,
    home_of,
    is_crawler_trap,
    is_read,
    left_out,
    without_tracking,
)
from services.web.fetch import MOST_REDIRECTS, fetcher
from services.web.listing import listed_pages
from services.web.pages import Links, read_links, read_text
from services.web.robots import Robots
from services.web.urls import Url, read_url
from services.web.visits import PAUSE, Politeness, Visits

_ERRORS_SHOWN = 20
_SITEMAP, _PAGE = "sitemap", "page"
_CRAWLS = 8
"""So many crawls are remembered; of another one, what is in the graph is read again."""


def start_crawl(
    workspace: OpenWorkspace,
    url: str,
    *,
    mode: Mode = "single",
    max_pages: int = 20,
    depth: int = 3,
    options: Mapping[str, Any] | None = None,
    user_id: str | None = None,
    crawl_id: str | None = None,
) -> str:
    """Queue a crawl; returns its id. `options` are those of documents: tags, what reads facts, whether to write.

    With the id of a crawl that is there (a uuid) nothing is begun anew.

    Raises `FetchRefused` for an address that no page can have, and `BadInput` for numbers that cannot be.
    """
    crawl = checked(Crawl(url, mode, max_pages, depth))
    part = _SITEMAP if mode == "sitemap" else _PAGE
    first = _item(read_url(crawl.url), depth=0, home="", part=part)
    options = {**(options or {}), **crawl.options()}
    add = workspace.accounts.jobs.add
    return add(workspace.name, "crawl", crawl.url, [first], options=options, user_id=user_id, job_id=crawl_id)


@dataclass(frozen=True, slots=True)
class CrawlStatus:
    """How far a crawl is. Redirects are no pages; `errors` are the first pages that failed, each with its reason.

    `left_out` counts the pages besides that links or a sitemap lead to and a robots.txt does not allow.
    """

    state: str
    pages_done: int
    pages_failed: int
    pages_total: int
    started_at: datetime | None
    errors: tuple[tuple[str, str], ...]
    left_out: int = 0

    def document(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "state": self.state,
            "pagesDone": self.pages_done,
            "pagesFailed": self.pages_failed,
            "pagesTotal": self.pages_total,
            "startedAt": None if self.started_at is None else clock.spell(self.started_at),
            "errors": [f"{url}: {problem}" for url, problem in self.errors],
        }


def crawl_status(workspace: OpenWorkspace, crawl_id: str) -> CrawlStatus:
    """How far a crawl of the workspace is. Raises `BadInput` where there is none of that id."""
    jobs = workspace.accounts.jobs
    job = jobs.get(crawl_id)
    if job is None or job.kind != "crawl" or job.workspace != workspace.name:
        raise BadInput(f"crawlId: there is no crawl “{crawl_id}”.", "knowledge_crawl returns the id.")
    failed = jobs.items(crawl_id, states=("failed",), limit=None)
    pages = [one for one in jobs.outcomes(crawl_id) if _counts(one)]
    return CrawlStatus(
        job.state,
        sum(one.state in ("done", "review") for one in pages),
        len(failed),
        len({*(one.key for one in pages), *(item.key for item in failed)}),
        job.started_at,
        tuple((item.key, item.problem) for item in failed[:_ERRORS_SHOWN]),
        left_out(job.options),
    )


class CrawlProcessor:
    """Fetches pages one after the other. One serves all crawls of a process, so that they share each host's pace.

    It is given one page `at_once`: a page may add others, and a site is asked for one at a time. `documents` makes the
    processor that takes a page in as any other document. Waiting and fetching hold no lock.
    """

    at_once = 1

    def __init__(self, *, pause: float = PAUSE, documents: Callable[[Job], Processor] | None = None) -> None:
        self._politeness = Politeness(pause)
        self._documents = documents or _documents
        self._seen = Seen()

    def process(self, items: Sequence[JobItem], context: JobContext) -> None:
        """Fetch these pages and take them in. Raises `FetchRefused` or `BadInput` where that fails."""
        visits = Visits(fetcher(context.workspace.settings), self._politeness, context.cancel)
        for item in items:
            if context.cancel.is_set():
                raise Cancelled("The crawl stopped early.")
            context.report(f"asking {item.key}")
            visit = _Visit(item, context, visits)
            if item.payload["part"] == _SITEMAP:
                visit.list_pages()
            elif (document := visit.page(self._seen)) is not None:
                self._documents(context.job).process([replace(item, payload=document)], context)


@dataclass(slots=True)
class _Met:
    """The texts of one crawl: the address of each by its digest, and the digest at each address."""

    places: dict[str, str] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)

    def add(self, place: str, digest: str) -> None:
        self.digests[place] = digest
        self.places.setdefault(digest, place)


class Seen:
    """What crawls have met. Any thread may use it; pages of one crawl come one after the other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._crawls: dict[str, _Met] = {}

    def place(
        self, context: JobContext, items: Sequence[ItemSummary], text: str, url: str, canonical: str
    ) -> tuple[str, str]:
        """Where to keep the text of a page, and the address under which the same text was met, if it was.

        That is its canonical address, unless another text of this crawl is there.
        """
        met, digest = self._of(context, items), _digest(text)
        place = canonical if met.digests.get(canonical, digest) == digest else url
        same = met.places.get(digest, "")
        met.add(place, digest)
        return place, "" if same in (place, url) else same

    def _of(self, context: JobContext, items: Sequence[ItemSummary]) -> _Met:
        with self._lock:
            met = self._crawls.pop(context.job.id, None)
        if met is None:
            met = _in_graph(context.workspace.mirror, items)
        with self._lock:
            self._crawls[context.job.id] = met
            for old in list(self._crawls)[:-_CRAWLS]:
                del self._crawls[old]
        return met


class _Visit:
    """One item of a crawl being done."""

    def __init__(self, item: JobItem, context: JobContext, visits: Visits) -> None:
        self._item, self._context, self._visits = item, context, visits
        self._workspace, self._job = context.workspace, context.job
        self._crawl = Crawl.of(self._job.options)
        self._met = self._workspace.accounts.jobs.outcomes(self._job.id)
        pages = [one for one in self._met if _counts(one)]
        self._frontier = Frontier(self._crawl, (one.key for one in self._met), len(pages))

    def list_pages(self) -> None:
        """Queue the pages that the site's sitemap lists."""
        found = self._admitted(listed_pages(self._visits, read_url(self._crawl.url)))
        self._context.add([_item(page, depth=0, home=home_of(page)) for page in found])
        self._end({"pages": len(found)})

    def page(self, seen: Seen) -> Mapping[str, Any] | None:
        """Fetch the page and queue what it links to; returns it as a document to take in, unless there is a reason
        not to, which ends the item."""
        url = read_url(self._item.payload["url"])
        found = self._visits.page(url, lambda kind: is_read(kind, url))
        if (to := found.moved_to()) is not None:
            self._move(url, to)
            return None
        links = read_links(found)
        if links.at_once is not None:
            self._move(url, links.at_once)
            return None
        self._follow(url, links)
        if (reason := self._left_out(links)) is not None:
            self._end(reason)
            return None
        self._context.report(f"reading {url}")
        page = read_text(found, self._workspace.settings)
        id, same = seen.place(self._context, self._met, page.text, str(url), str(links.canonical or url))
        if same:
            self._end({"same_as": same})
            return None
        tags = self._job.options.get("tags", ())
        item = text_item(
            page.text, id=id, title=page.title, format=page.format, reference_time=page.reference_time, tags=tags
        )
        return item.payload

    def _left_out(self, links: Links) -> dict[str, Any] | None:
        """Why the page is not read, though it was fetched."""
        if not links.index and self._crawl.mode != "single":
            return {"left_out": "The site does not allow indexing of this page."}
        there = (one for one in self._met if one.state in ("done", "review"))
        kept = {one.key for one in there if not (one.moved_to or one.left_out or one.same_as)}
        if links.canonical is not None and str(links.canonical) in kept:
            return {"same_as": str(links.canonical)}
        return None

    def _move(self, url: Url, to: Url) -> None:
        """Queue where a redirect leads, in the place of this item: one step more on the same way."""
        last, moved = str(to), {one.key: one.moved_to for one in self._met if one.moved_to}
        while last != str(url) and last in moved:
            last = moved.pop(last)
        if last == str(url):
            raise FetchRefused("The page redirects to itself.")
        payload, hops = self._item.payload, int(self._item.payload["hops"]) + 1
        if payload["home"] and home_of(to) != payload["home"]:
            self._end({"moved_to": str(to), "left_out": "The page redirects to another site."})
            return
        if hops > MOST_REDIRECTS:
            raise FetchRefused(f"The page redirects more than {MOST_REDIRECTS} times.")
        self._context.add([_item(to, depth=payload["depth"], home=payload["home"], hops=hops)])
        self._end({"moved_to": str(to)})

    def _follow(self, url: Url, links: Links) -> None:
        """Queue the page's links on its own host, as far as the crawl goes and the site allows."""
        depth, home = int(self._item.payload["depth"]) + 1, home_of(url)
        if self._crawl.mode != "recursive" or depth > self._crawl.depth or not links.follow:
            return
        near = dict.fromkeys(without_tracking(to) for to in links.to if home_of(to) == home)
        if fresh := self._admitted(near):
            self._context.add([_item(to, depth=depth, home=home) for to in fresh])

    def _admitted(self, pages: Iterable[Url]) -> list[Url]:
        """The pages to queue, as far as there is room; those that a robots.txt does not allow are kept as left out.

        Where a robots.txt cannot be had they are queued: each says so, if it is still so when its turn comes. Raises
        `Cancelled`.
        """
        fresh, forbidden, sites = list[Url](), list[str](), dict[str, Robots]()
        for page in pages:
            if self._context.cancel.is_set():
                raise Cancelled("The crawl stopped early.")
            if self._frontier.is_full:
                break
            if self._frontier.knows(page) or is_crawler_trap(page):
                continue
            if page.site not in sites:  # what cannot be had is asked for again each time
                sites[page.site] = self._visits.robots(page)
            # rules are asked last: a site may have tens of thousands of them, and of links
            if sites[page.site].forbids(page):
                forbidden.append(str(page))
            elif self._frontier.admit(page):
                fresh.append(page)
        known = list(self._job.options.get(FORBIDDEN, ()))
        noted = list(dict.fromkeys((*known, *forbidden)))[:MOST_FORBIDDEN]
        if noted != known:  # that nothing is left out in silence
            self._workspace.accounts.jobs.note(self._job.id, {FORBIDDEN: noted})
        return fresh

    def _end(self, result: Mapping[str, Any]) -> None:
        self._context.end(ItemEnd(self._item.id, "done", result=result))


def _item(url: Url, *, depth: int, home: str, hops: int = 0, part: str = _PAGE) -> NewItem:
    """An address to ask for. An empty `home` is the host of whatever page the first address leads to."""
    key = str(url) if part == _PAGE else f"{part} {url}"
    return NewItem(key, key, {"url": str(url), "depth": depth, "home": home, "hops": hops, "part": part})


def _counts(one: ItemSummary) -> bool:
    """True for items that are pages: neither a sitemap, nor a redirect."""
    return one.part == _PAGE and not one.moved_to


def _documents(job: Job) -> Processor:
    from services.jobs.documents_job import DocumentsProcessor  # it takes long to import, and may not be needed

    return DocumentsProcessor(job.options)


def _in_graph(mirror: Mirror, items: Sequence[ItemSummary]) -> _Met:
    """What the crawl took in before this process began."""
    met = _Met()
    kept = [item.document_id for item in items if item.state == "done"]
    if any(kept):
        ids = {document.episode_uuid: document.id for document in mirror.documents_by_id(kept).values()}
        for episode in sorted(mirror.episodes(list(ids)), key=lambda one: ids[one.uuid]):
            met.add(ids[episode.uuid], _digest(episode.content))
    return met


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()
