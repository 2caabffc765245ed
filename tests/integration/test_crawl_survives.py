"""A crawl whose process is killed in the middle of a page goes on where it was."""

import os
import signal
import subprocess
import sys
import uuid
from pathlib import Path

from services.bootstrap import build_services
from services.core.config import Settings
from services.jobs.crawl_job import crawl_status
from tests.browser.server import ROOT
from tests.fakes.site import Answer, Site, article
from tests.fakes.word_embedder import WordEmbedder

LONG = 60.0
W = "killed"
CRAWLING = """
import sys
from pathlib import Path
from services.bootstrap import build_services
from services.core.config import Settings
from services.jobs.crawl_job import start_crawl
from services.retrieval.indexes import Indexes
from tests.fakes.word_embedder import WordEmbedder

home, intranet, url, crawl_id, workspace = sys.argv[1:]
services = build_services(Settings(home=Path(home), graph_url="embedded", intranet=intranet), embedder=WordEmbedder())
services.jobs.start()
start_crawl(services.workspace(workspace), url, mode="recursive", max_pages=50, crawl_id=crawl_id)
print(services.jobs.wait(crawl_id, 60).state, flush=True)
services.close()
"""


def test_a_crawl_that_is_killed_goes_on_where_it_was_and_no_page_is_in_twice(short_folder: Path) -> None:
    home, crawl_id = short_folder / "crawl", str(uuid.uuid4())
    stalls = Answer(raw=b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>", then="stall")
    pages = {
        "/": article("Start", "/a", "/slow", "/b"),
        "/a": article("A", "/c"),
        "/b": article("B"),
        "/c": article("C"),
        "/slow": stalls,
    }
    with Site(pages) as site:
        given = [str(home), f"127.0.0.1:{site.port}", site.url(), crawl_id, W]
        command = [sys.executable, "-c", CRAWLING, *given]
        with subprocess.Popen(command, cwd=ROOT, start_new_session=True) as first:
            assert site.stalled.wait(LONG)
            os.kill(first.pid, signal.SIGKILL)
        site.pages["/slow"] = article("Slow")
        second = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=2 * LONG, check=True)
        assert second.stdout == "done\n"
        times = {path: site.times(path) for path in pages}
    services = build_services(Settings(home=home, graph_url="embedded"), embedder=WordEmbedder())
    try:
        status = crawl_status(services.workspace(W), crawl_id)
        documents = services.bridge.run(services.graph.documents.all_documents(W))
        episodes = services.bridge.run(services.graph.watermark(W)).counts.episodes
    finally:
        services.close()
    assert (status.state, status.pages_done, status.pages_failed, status.pages_total) == ("done", 5, 0, 5)
    assert sorted(one.id.removeprefix(site.url("")) for one in documents) == ["/", "/a", "/b", "/c", "/slow"]
    assert episodes == 5
    assert times == {"/": 1, "/a": 1, "/b": 1, "/c": 1, "/slow": 2}
