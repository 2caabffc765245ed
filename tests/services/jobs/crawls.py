"""Crawls of sites on loopback."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from services.agent.app import App
from services.bootstrap import build_services
from services.core.config import Settings
from services.core.errors import Cancelled
from services.core.job_records import ItemEnd, Job, JobItem
from services.jobs.crawl_job import CrawlProcessor, CrawlStatus, crawl_status, start_crawl
from services.jobs.processor import JobContext, Processor
from services.jobs.queue import Jobs
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.site import PageSource, Site, article
from tests.fakes.word_embedder import WordEmbedder

LONG = 60.0
W = "team"


@dataclass
class Kept:
    """Takes in documents as the pipeline does, and only keeps them."""

    at_once: int = 1
    documents: list[Mapping[str, Any]] = field(default_factory=list)
    stop_at: str = ""
    state: str = "done"
    stopped: threading.Event = field(default_factory=threading.Event)

    def process(self, items: Sequence[JobItem], context: JobContext) -> None:
        """Keep what came; at the document that the test names nothing is done any more."""
        for item in items:
            if item.payload["id"].endswith(self.stop_at or "\0"):
                self.stopped.set()
                context.cancel.wait(LONG)
                raise Cancelled("Stopped.")
            self.documents.append(item.payload)
            context.end(ItemEnd(item.id, self.state, {"document": "new"}))  # type: ignore[arg-type]

    def of(self, site: Site) -> list[str]:
        """Where the documents came from, as paths of the site."""
        return [one["id"].removeprefix(site.url("")) for one in self.documents]


@contextmanager
def opened(folder: Path, *sites: Site, graph: MemoryGraphStore | None = None) -> Iterator[App]:
    """Services that may ask these sites, on a graph in memory."""
    intranet = ", ".join(f"{site.host}:{site.port}" for site in sites)
    services = build_services(
        Settings(home=with_tables(folder), intranet=intranet, max_file_mb=1),
        graph=graph or MemoryGraphStore(),
        embedder=WordEmbedder(),
    )
    try:
        yield services
    finally:
        services.close()


@contextmanager
def working(services: App, kept: Processor | None = None) -> Iterator[None]:
    """Jobs that crawl without pauses, started; without `kept` their pages go the way of all documents."""
    documents: Callable[[Job], Processor] | None = None if kept is None else lambda _: kept
    processor = CrawlProcessor(pause=0, documents=documents)
    jobs = services.__dict__["_jobs"] = Jobs(services, lambda _: processor)
    jobs.start()
    try:
        yield
    finally:
        jobs.close()


def crawled(folder: Path, site: Site, kept: Kept, path: str = "/", **asked: Any) -> CrawlStatus:
    """What became of a crawl."""
    with opened(folder, site) as services, working(services, kept):
        crawl_id = start_crawl(services.workspace(W), site.url(path), **asked)
        services.jobs.wait(crawl_id, LONG)
        return crawl_status(services.workspace(W), crawl_id)


def progress(status: CrawlStatus) -> tuple[str, int, int, int]:
    return status.state, status.pages_done, status.pages_failed, status.pages_total


def branching(most: int) -> dict[str, PageSource]:
    """A binary tree of pages: /1 has /2 and /3, these have /4 to /7, and so on, each with a link back."""
    tree: dict[str, PageSource] = {
        f"/{n}": article(f"Page {n}", f"/{2 * n}", f"/{2 * n + 1}", f"/{n // 2 or 1}") for n in range(1, most)
    }
    return {"/": article("Start", "/1"), **tree}
