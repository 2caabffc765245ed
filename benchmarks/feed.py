"""How many documents a second go in by the queue, vectors included: `cli.py bench feed --data FOLDER [--runs 3]`.

FOLDER holds `2wiki101`. The first passages of 2Wiki's corpus are queued as a job without extraction, on an embedded
database in a folder of the benchmark's own, and the clock runs from the adding of the job until it is done: documents
with sections and chunks in the graph and in the mirror, and a vector for each chunk and title. The model is loaded
before. The load of the machine stands beside the figure, and how long the cores worked for it, since others may work
there too.
"""

import argparse
import json
import os
import statistics
import tempfile
import time
from pathlib import Path

from services.bootstrap import build_services
from services.core.config import Settings
from services.core.job_records import Job, NewItem
from services.jobs.texts import text_item

WORKSPACE = "bench-feed"
_LONG = 600.0


def passages(data: Path, count: int) -> list[NewItem]:
    """The first passages, each a document."""
    corpus = json.loads((data / "2wiki101/2wiki_corpus.json").read_text())[:count]
    return [text_item(one["text"], id=f"{n} {one['title']}", title=one["title"]) for n, one in enumerate(corpus)]


def one_run(items: list[NewItem]) -> tuple[float, float, Job]:
    """The seconds until a job with these items is done, in a workspace that is empty before, and those of work that
    this process did meanwhile on all cores together."""
    with tempfile.TemporaryDirectory(prefix="asof-feed-") as home:
        services = build_services(Settings(home=Path(home), _env_file=None, graph_url="embedded"))
        try:
            services.indexes.embedder.embed_question("The model is loaded before the clock runs.")
            services.mirrors.sync(WORKSPACE)
            services.jobs.start()
            started, worked = time.perf_counter(), time.process_time()
            job = services.jobs.wait(services.accounts.jobs.add(WORKSPACE, "documents", "2Wiki", items), _LONG)
            return time.perf_counter() - started, time.process_time() - worked, job
        finally:
            services.close()


def main() -> None:
    """Run, and print one line for each run and the middle one."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--documents", type=int, default=1_000)
    options.add_argument("--runs", type=int, default=3)
    chosen = options.parse_args()
    items, paces = passages(chosen.data, chosen.documents), list[float]()
    for _ in range(chosen.runs):
        seconds, worked, job = one_run(items)
        if job.counts != {"done": len(items)}:
            raise SystemExit(f"The job ended as {job.state} with {dict(job.counts)}.")
        paces.append(len(items) / seconds)
        load = os.getloadavg()[0]
        pace = f"{len(items):,} documents in {seconds:.1f} s: {paces[-1]:.1f} a second"
        print(f"{pace}; {worked:.1f} s of work on all cores; load {load:.1f}", flush=True)
    print(f"The middle of {chosen.runs} runs: {statistics.median(paces):.1f} documents a second.")


if __name__ == "__main__":
    main()
